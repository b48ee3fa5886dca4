"""The bundle: every file it has, from a composition and its rendered objects. Pure: nothing is read but the catalogue.

README.md  recipe.yaml  bundle.lock.yaml  checksums.txt  kustomization.yaml
runtimes/<kind>-<name>.yaml
validators/<kind>-<name>.yaml
certification/<kind>-<name>.yaml
components/<name>/  chart.yaml, values.yaml, cluster-values.yaml and manifests/, or Chart.yaml and templates/
deploy/<deployer>/  what a deployer reads; nothing else depends on which one is chosen
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.bom.chart_images import undeclared
from bundler.bom.relocate import Mirror
from bundler.errors import InvalidInput
from bundler.model.bundle import Bundle
from bundler.publish import bundle_lock as lock
from bundler.publish import inventory, readme
from bundler.publish.charts import helm_expressions, release_files
from bundler.publish.deployers.chosen import choose
from bundler.publish.deployers.content import Content
from bundler.publish.deployers.files import deployer_files
from bundler.publish.files import OutputFile, closed
from bundler.publish.install_time import left_open, split
from bundler.publish.objects import APART, object_path
from bundler.publish.recipe_file import write_request
from bundler.yamlio.writer import dump

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.certify.carried import Carried
    from bundler.guard.guard import Verdict
    from bundler.kube.resource import Resource
    from bundler.model.composition import Component, Composition
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.model.request import Request

__all__ = ["lay_out"]


def lay_out(
    composition: Composition,
    resources: Iterable[Resource],
    request: Request,
    catalog: Catalog,
    warnings: Iterable[Finding] = (),
    *,
    verdicts: Iterable[Verdict] = (),
    carried: Carried | None = None,
    tested: Iterable[Verdict] = (),
) -> Bundle:
    """The bundle of one composition.

    Args:
        composition: what was rendered.
        resources: its objects.
        request: what was asked for.
        catalog: where the composition came from.
        warnings: findings of the earlier stages that did not stop it.
        verdicts: what came of holding its fixtures against its runtimes.
        carried: its certification, if it has one.
        tested: what came of holding the tests of that against its runtimes.

    Raises:
        InvalidInput: an object's name is no file name, two objects would share a file, Helm would change an object, or what was
            asked of the deployer or left to install time cannot be.
    """
    chosen = choose(request)
    open_paths = left_open(composition, request, catalog)
    every_object = (*resources, *(carried.resources if carried is not None else ()))
    objects = sorted(((object_path(resource, composition), resource) for resource in every_object), key=lambda pair: pair[0])
    packed = [resource for path, resource in objects if _in_chart(path, every=chosen.deployer.charts)]
    if findings := [found for resource in packed for found in resource.derived(_expressions)]:
        raise InvalidInput.of(findings)
    placed, components = _placed(objects, composition, request, catalog)
    object_files = [
        OutputFile(path=path, content=resource.derived(_written), of=resource.subject, location=resource.locate(""))
        for path, resource in placed
    ]
    recipe = write_request(composition, request)
    files = [*object_files, _text("recipe.yaml", dump(recipe))]
    if applied := [file for file in object_files if not file.path.startswith(APART)]:
        files.append(_text("kustomization.yaml", dump(_kustomization(applied))))
    values = {component.name: split(component.values, open_paths.get(component.name, ())) for component in components}
    for component in components:
        own = [file for file, (_, resource) in zip(object_files, objects, strict=True) if resource.owner == component.name]
        files.extend(release_files(component, catalog, own, values[component.name]))
    described = [(component, catalog.registry[component.name].description) for component in components]
    content = Content.of(described, object_files, values=values)
    files.extend(deployer_files(chosen, content, catalog))
    files.append(
        _text(readme.NAME, readme.readme(composition, objects, request, catalog, chosen=chosen, content=content, carried=carried))
    )
    outputs = closed(files)
    texts = {name: catalog.derived(readme.renderer) for name in (readme.TEMPLATE, readme.apply_template(chosen.deployer))}
    document = lock.bundle_lock(
        composition,
        request,
        catalog,
        recipe=recipe,
        objects=objects,
        texts=texts,
        outputs=outputs,
        verdicts=tuple(verdicts),
        carried=carried,
        tested=tuple(tested),
    )
    every = outputs | {lock.NAME: dump(document).encode()}
    every |= {inventory.NAME: inventory.format_inventory(every)}
    return Bundle(files=dict(sorted(every.items())), lock=document, warnings=(*warnings, *_unknown_images(composition, catalog)))


def _placed(
    objects: Sequence[tuple[str, Resource]], composition: Composition, request: Request, catalog: Catalog
) -> tuple[Sequence[tuple[str, Resource]], Sequence[Component]]:
    """Objects and components as the bundle holds them: relocated where that is asked for."""
    if request.relocation is None:
        return objects, composition.components
    mirror = Mirror.of(request.relocation, composition, catalog)
    return [(path, mirror.resource(resource)) for path, resource in objects], [*map(mirror.component, composition.components)]


def _unknown_images(composition: Composition, catalog: Catalog) -> Iterator[Finding]:
    """What keeps the lock from listing every image."""
    return (finding for component in composition.components for finding in undeclared(catalog, component))


def _written(resource: Resource) -> bytes:
    return dump(resource.data).encode()


def _expressions(resource: Resource) -> tuple[Finding, ...]:
    return tuple(helm_expressions(resource))


def _in_chart(path: str, *, every: bool) -> bool:
    """Whether an object is a template of a chart; of a deployer that packs every object, those apart alone are not."""
    return "/templates/" in path or (every and not path.startswith(APART))


def _kustomization(objects: Iterable[OutputFile]) -> JsonObject:
    """All plain objects that are applied, for tools that build a directory; charts are installed by what installs charts."""
    return {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [file.path for file in objects],
    }


def _text(path: str, content: str) -> OutputFile:
    return OutputFile(path=path, content=content.encode(), of=path)
