"""The authored files that a bundle was made from, each with the digest of its bytes.

Files are named relative to their data directory, so that a bundle does not depend on where `--data` points from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.guard.contract import PATH as CONTRACT
from bundler.model.digest import canonical_digest
from bundler.render.render import fixture_template, runtime_template
from bundler.render.renderer import Renderer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bundler.catalog.catalog import Catalog, TemplateSource
    from bundler.certify.carried import Carried
    from bundler.model.composition import Composition
    from bundler.model.document import Document, JsonObject
    from bundler.model.request import Request
    from bundler.render.prepared import Prepared

__all__ = ["release_tables", "sources", "template_files"]

EMBEDDED = "recipe.yaml"
"""Where a lock says that a recipe from a file stands: in the bundle's own `recipe.yaml`, wherever it was read from."""


def sources(
    composition: Composition, request: Request, catalog: Catalog, *, texts: Mapping[str, Renderer], carried: Carried | None = None
) -> JsonObject:
    """The `inputs` of a lock.

    Args:
        composition: what was rendered.
        request: what was asked for; a recipe from a file is in it.
        catalog: where the files are.
        texts: templates besides those of runtimes and components, each with what renders it.
        carried: its certification, if it has one.
    """
    certified = {} if carried is None else _certification_templates(carried, catalog)
    templates, fragments = _templates(composition, catalog, {**texts, **certified})
    tables = {table for _, _, table in release_tables(composition)}
    return {
        "layers": [_layer(layer.label, layer.file, layer.digest, request, catalog) for layer in composition.layers if layer.digest],
        "templates": _files(templates, catalog),
        "fragments": _files(fragments, catalog),
        "releases": _files((catalog.release_table(name) for name in tables), catalog),
        **({} if carried is None else {"certification": _files(_certification_data(carried, catalog), catalog)}),
        **({"contract": {CONTRACT: catalog.derived(_contract_digest)}} if composition.fixtures else {}),
    }


def release_tables(composition: Composition) -> Iterator[tuple[str, str, str]]:
    """Axis, parameter and release table of every parameter that names a release."""
    for selection in composition.selections:
        for parameter in selection.releases:
            yield selection.axis, parameter, selection.declaration["parameters"][parameter]["releases"]


def template_files(names: Iterable[str], catalog: Catalog) -> JsonObject:
    """Templates by name, as a lock lists them: file → digest."""
    return _files((catalog.template(name) for name in sorted(names)), catalog)


def _certification_templates(carried: Carried, catalog: Catalog) -> dict[str, Renderer]:
    """Templates of the tests, and of every overlay that may be laid over one of them."""
    from bundler.certify.entries import overlays  # noqa: PLC0415  (whoever carries a certification has it already)

    families = {test.entry.family for test in carried.tests}
    names = [test.entry.template for test in carried.tests]
    names += [overlay.template for overlay in overlays(catalog) if overlay.families & families]
    return dict.fromkeys(names, catalog.derived(Renderer.of))


def _certification_data(carried: Carried, catalog: Catalog) -> Iterator[Document]:
    """The tests, the overlays that may be laid over them, what is known of nodes, and what they are held to."""
    from bundler.certify.contract import documents  # noqa: PLC0415  (whoever carries a certification has it already)
    from bundler.certify.entries import overlays  # noqa: PLC0415  (as above)

    families = {test.entry.family for test in carried.tests}
    for name in ("platforms", "gpu-defaults"):
        yield catalog.document(f"recipes/certification/{name}.yaml")
    for test in carried.tests:
        yield catalog.document(f"recipes/certification/{test.entry.key}.yaml")
    yield from (overlay.document for overlay in overlays(catalog) if overlay.families & families)
    yield from documents(catalog, carried.fit)


def _contract_digest(catalog: Catalog) -> str:
    """Of all lines in force: those of several data directories are one contract."""
    return canonical_digest(catalog.store.united(CONTRACT, kind="Contract").data)


def _layer(label: str, file: str, digest: str, request: Request, catalog: Catalog) -> JsonObject:
    if request.document is not None and label.startswith("recipe "):
        return {"layer": label, "file": EMBEDDED, "digest": canonical_digest(request.document.data)}
    return {"layer": label, "file": _relative(file, catalog), "digest": digest}


def _files(found: Iterable[Document | TemplateSource], catalog: Catalog) -> JsonObject:
    return {_relative(source.file, catalog): source.digest for source in found}


def _relative(file: str, catalog: Catalog) -> str:
    for source in catalog.sources:
        if source.label and file.startswith(f"{source.label}/"):
            return file.removeprefix(f"{source.label}/")
    return file


def _templates(
    composition: Composition, catalog: Catalog, texts: Mapping[str, Renderer]
) -> tuple[list[TemplateSource], list[Document]]:
    """Templates with the parts they include, and the fragments that these name."""
    renderer = catalog.derived(Renderer.of)
    pending = [
        *texts.items(),
        *((name, renderer) for component in composition.components for name in component.manifests),
        *((runtime_template(runtime.name), renderer) for runtime in composition.runtimes),
        *((fixture_template(fixture.name), renderer) for fixture in composition.fixtures),
    ]
    used: dict[str, Prepared] = {}
    while pending:
        name, renders = pending.pop()
        if name not in used:
            used[name] = renders.loaded(name)
            pending.extend((each.name, renders) for each in used[name].mentions if each.kind == "template")
    named = [each for loaded in used.values() for each in loaded.mentions if each.kind == "fragment"]
    fragments = [path for name, path in _fragments(catalog).items() if any(each.means(name) for each in named)]
    return [loaded.source for loaded in used.values()], [catalog.document(path) for path in fragments]


def _fragments(catalog: Catalog) -> Mapping[str, str]:
    return catalog.store.named("manifests/fragments", ".yaml")
