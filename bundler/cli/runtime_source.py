"""Where the runtimes come from that a TrainJob is held against: a file, a bundle, or the catalogue by name."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from bundler.cli.command import Directory
from bundler.cli.flags import is_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.errors import InvalidInput
    from bundler.kube.resource import Resource
    from bundler.model.document import Document
    from bundler.model.location import Location
    from bundler.model.request import Request
    from bundler.trainer.versions import TrainerVersion

__all__ = [
    "documents_of",
    "each_read",
    "nothing_in",
    "objects_of",
    "runtimes_of",
    "shipped_names",
    "source_flags",
    "version_in_use",
]

_Read = TypeVar("_Read")
_LOCK = "bundle.lock.yaml"
_STDIN = Path("-")
_COMPONENT = "kubeflow-trainer"


def source_flags(function: Callable[..., None]) -> Callable[..., None]:
    """`--runtime`, `--bundle`, `--trainer-version` and `--data`."""
    for flag in (
        click.option("--data", type=Directory(), metavar="DIR", help="Authored data that adds to the packaged data."),
        click.option(
            "--trainer-version",
            metavar="VERSION",
            help="Version of Kubeflow Trainer, such as 2.3; else that of the bundle, else the one that recipes install.",
        ),
        click.option("--bundle", type=Directory(), metavar="DIR", help="Take the runtimes of a bundle that was written to DIR."),
        click.option(
            "--runtime",
            metavar="FILE|NAME",
            help="Take the runtimes in FILE, or the shipped one of this name, with examples where a user would decide.",
        ),
    ):
        function = flag(function)
    return function


def documents_of(path: Path) -> tuple[Document, ...]:
    """The documents of a file, or of stdin.

    Raises:
        NotFound: nothing is there.
        InvalidInput: it is not YAML that every reader takes alike.
    """
    from bundler.catalog.files import read_file
    from bundler.yamlio.reader import read_stream

    if path == _STDIN:
        return read_stream(sys.stdin.buffer.read(), "stdin")
    return read_stream(read_file(path, shown=str(path)), str(path))


def runtimes_of(catalog: Catalog, *, runtime: str | None, bundle: Path | None, names: tuple[str, ...] = ()) -> tuple[Resource, ...]:
    """The runtimes at hand.

    Args:
        catalog: where shipped runtimes come from.
        runtime: a file, or a name.
        bundle: a bundle's directory.
        names: what is looked for in the catalogue when neither is given; a name that is not there is left out.

    Raises:
        NotFound: what is named does not exist.
        InvalidInput: what is there cannot be read.
    """
    if runtime is not None and is_file(runtime):
        return _in_file(Path(runtime))
    if bundle is not None:
        found = _in_bundle(bundle)
        return found if runtime is None else _named(found, runtime, str(bundle))
    if runtime is not None:
        return _shipped(catalog, runtime) or _missing(catalog, runtime)
    return tuple(resource for name in dict.fromkeys(names) for resource in _shipped(catalog, name))


def shipped_names(catalog: Catalog) -> tuple[str, ...]:
    """Names of the runtimes that the catalogue has."""
    found = (path.removeprefix("runtimes/").removesuffix(".yaml.j2") for path in catalog.templates if path.startswith("runtimes/"))
    return tuple(name for name in found if not name.startswith("_"))


def version_in_use(catalog: Catalog, stated: str | None, bundle: Path | None) -> TrainerVersion:
    """The version that was stated, else that of the bundle, else the one that recipes install.

    Raises:
        InvalidInput: its behaviour is not known.
    """
    from bundler.model.location import Location
    from bundler.trainer.versions import trainer_version

    if stated is not None:
        return trainer_version(stated, location=Location(file="--trainer-version"))
    if bundle is not None and (bundle / _LOCK).is_file() and (locked := _locked(bundle / _LOCK)):
        return trainer_version(locked[0], location=locked[1])
    return trainer_version(catalog.registry[_COMPONENT].version)


def _locked(path: Path) -> tuple[str, Location] | None:
    """The version of Kubeflow Trainer in a bundle's lock, and where it stands; None when the bundle has no Trainer."""
    from bundler.catalog.files import read_file
    from bundler.errors import InvalidInput
    from bundler.yamlio.reader import read

    lock = read(read_file(path, shown=str(path)), str(path))
    try:
        versions = {one["name"]: (index, one.get("version")) for index, one in enumerate(lock.data.get("components") or ())}
    except (AttributeError, KeyError, TypeError):
        message = "the lock does not name its components"
        raise InvalidInput("AICR-O037", message, location=lock.locate("/components"), fix="render the bundle again") from None
    index, version = versions.get(_COMPONENT, (0, None))
    if version is not None and not isinstance(version, str):
        message = f"version {version} of {_COMPONENT} is no text"
        raise InvalidInput(
            "AICR-O037", message, location=lock.locate(f"/components/{index}/version"), fix="render the bundle again"
        )
    return None if version is None else (version, lock.locate(f"/components/{index}/version"))


def _in_file(path: Path) -> tuple[Resource, ...]:
    """The runtimes of a file.

    Raises:
        InvalidInput: it has none.
    """
    documents = documents_of(path)
    found = tuple(_runtimes(documents))
    if not found:
        raise nothing_in(path, documents, what="runtime", holds="a ClusterTrainingRuntime or a TrainingRuntime")
    return found


def _in_bundle(directory: Path) -> tuple[Resource, ...]:
    from bundler.errors import NotFound
    from bundler.model.location import Location

    files = sorted((directory / "runtimes").glob("*.yaml"))
    if not files:
        message = f"no runtimes in {str(directory / 'runtimes')!r}"
        raise NotFound("AICR-O021", message, location=Location(file="--bundle"), fix="name the directory of a bundle")
    return tuple(resource for path in files for resource in _runtimes(documents_of(path)))


def each_read(read: Callable[[Path], _Read], paths: Iterable[Path]) -> list[_Read]:
    """What is read of each file.

    Raises:
        AicrError: some cannot be read: what is wrong with every one of them.
    """
    from bundler.errors import AicrError

    found: list[_Read] = []
    failures: list[AicrError] = []
    for path in paths:
        try:
            found.append(read(path))
        except AicrError as error:
            failures.append(error)
    if failures:
        worst = max(failures, key=lambda failure: failure.exit_code)
        raise type(worst).of(finding for failure in failures for finding in failure.findings)
    return found


def nothing_in(path: Path, documents: tuple[Document, ...], *, what: str, holds: str) -> InvalidInput:
    """That a file has nothing of what is looked for, with what to do about it.

    Args:
        path: the file.
        documents: what it has.
        what: what is looked for.
        holds: what a file with it holds.
    """
    from bundler.errors import InvalidInput
    from bundler.model.location import Location

    lists = any(document.kind.endswith("List") for document in documents)
    fix = "write each item of the list as a document of its own" if lists else f"name a file that holds {holds}"
    shown = "stdin" if path == _STDIN else str(path)
    return InvalidInput("AICR-J004", f"no {what} in {shown!r}", location=Location(file=shown), fix=fix)


def objects_of(documents: tuple[Document, ...]) -> tuple[Resource, ...]:
    """The Kubernetes objects among some documents.

    Raises:
        InvalidInput: a runtime has no metadata, so that no job can refer to it.
    """
    from bundler.conform.pods import RUNTIME_KINDS
    from bundler.errors import InvalidInput
    from bundler.kube.resource import Resource

    for document in documents:
        if document.kind in RUNTIME_KINDS and not isinstance(document.data.get("metadata"), dict):
            message = f"{document.kind} without metadata: no TrainJob can refer to it"
            raise InvalidInput("AICR-K004", message, location=document.locate("/metadata"), fix="add metadata with a name")
    return tuple(
        Resource(data=document.data, template=document.file, positions=document.positions, owner="")
        for document in documents
        if document.kind and isinstance(document.data.get("metadata"), dict)
    )


def _runtimes(documents: tuple[Document, ...]) -> Iterator[Resource]:
    from bundler.conform.pods import is_runtime

    return (resource for resource in objects_of(documents) if is_runtime(resource))


def _named(found: tuple[Resource, ...], name: str, where: str) -> tuple[Resource, ...]:
    from bundler.compose.wording import nearest, shown
    from bundler.errors import NotFound
    from bundler.model.location import Location

    chosen = tuple(resource for resource in found if resource.name == name)
    if not chosen:
        fix = nearest(name, [resource.name for resource in found], label="runtimes")
        raise NotFound("AICR-J011", f"no runtime {shown(name)} in {where!r}", location=Location(file="--runtime"), fix=fix)
    return chosen


def _missing(catalog: Catalog, name: str) -> tuple[Resource, ...]:
    from bundler.compose.wording import nearest, shown
    from bundler.errors import NotFound
    from bundler.model.location import Location

    fix = nearest(name, shipped_names(catalog), label="shipped runtimes")
    raise NotFound("AICR-J011", f"no runtime {shown(name)} is shipped", location=Location(file="--runtime"), fix=fix)


def _shipped(catalog: Catalog, name: str) -> tuple[Resource, ...]:
    """A shipped runtime as the first recipe renders it that ships it, with examples where a user would decide."""
    from bundler.composing import compose
    from bundler.conform.pods import is_runtime
    from bundler.render.render import render_runtime

    for request in _requests(catalog, name) if f"runtimes/{name}.yaml.j2" in catalog.templates else ():
        if rendered := render_runtime(catalog, compose(catalog, request), name):
            return tuple(_anywhere(one) for one in rendered if one.name == name and is_runtime(one))
    return ()


def _anywhere(resource: Resource) -> Resource:
    """A runtime without the namespace that its example has, where a user's has the one of the jobs."""
    from dataclasses import replace

    metadata = {key: value for key, value in resource.data["metadata"].items() if key != "namespace"}
    return replace(resource, data={**resource.data, "metadata": metadata})


def _requests(catalog: Catalog, name: str) -> Iterator[Request]:
    """Requests among which one ships the runtime, if any does: where profile values bring it, those that choose one of them."""
    from bundler.profiles.axes import Axes
    from bundler.profiles.trials import trials

    axes = catalog.derived(Axes.of)
    bringing = {
        (axis.name, value.name)
        for axis in axes.values()
        for value in axis.values.values()
        if any(part.name == name for part in value.layer.runtimes)
    }
    for recipe in catalog.recipes.values():
        yield from (one for one in trials(catalog, recipe) if not bringing or bringing & set(one.profiles.items()))
