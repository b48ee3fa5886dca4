"""What a test is held to: the contract of the fixtures, over it that of certifications, and over that the one of a fabric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.guard.contract import PATH as FIXTURES
from bundler.guard.contract import Contract, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.certify.fit import Fit
    from bundler.guard.contract import Line
    from bundler.model.document import Document, JsonObject

__all__ = ["contract_of", "contracts", "documents", "excused_places", "own_lines"]

_ALL = "manifests/certification/contract.yaml"
_ONE = "manifests/certification/contract-{name}.yaml"


def documents(catalog: Catalog, fit: Fit) -> tuple[Document, ...]:
    """The documents of certification that hold for a fabric, the more special last."""
    name = fit.declared.get("contract")
    paths = (_ALL, *((_ONE.format(name=name),) if name else ()))
    return tuple(catalog.store.united(path, kind="Contract") for path in paths)


def contracts(catalog: Catalog) -> Iterator[tuple[str, Contract]]:
    """What each document says by itself, with the name by which a profile value asks for it; the one of all has an empty name."""
    for stem, path in catalog.store.named("manifests/certification", ".yaml").items():
        name = stem.removeprefix("contract").removeprefix("-")
        yield name, Contract(lines=read_lines(catalog.store.united(path, kind="Contract")))


def own_lines(catalog: Catalog, fit: Fit, *, shared: bool = True) -> tuple[Line, ...]:
    """The lines that are not of the fixtures' contract too.

    Args:
        catalog: has them.
        fit: of a composition.
        shared: whether those of every fabric count.
    """
    return tuple(line for document in documents(catalog, fit)[0 if shared else 1 :] for line in read_lines(document))


def contract_of(catalog: Catalog, fit: Fit) -> Contract:
    """The contract of the tests on a fabric; of two lines of one path the more special holds."""
    every = (*read_lines(catalog.store.united(FIXTURES, kind="Contract")), *own_lines(catalog, fit))
    excused = frozenset(one["rule"] for one in _excused(catalog, fit) if "path" not in one)
    return Contract(lines=tuple({line.path: line for line in every}.values()), excused=excused)


def excused_places(catalog: Catalog, fit: Fit) -> tuple[tuple[str, str], ...]:
    """Rule and pointer of what objects around the pods need not keep."""
    return tuple((one["rule"], one["path"].removeprefix("/object")) for one in _excused(catalog, fit) if "path" in one)


def _excused(catalog: Catalog, fit: Fit) -> Iterator[JsonObject]:
    return (one for document in documents(catalog, fit) for one in document.data.get("excused", ()))
