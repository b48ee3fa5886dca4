"""The bundle's README.md: what it is, what was chosen, how to check and apply it. The words are in the template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.bom.evidence import PROVES, EvidenceClass, evidence_class
from bundler.compose.wording import plural
from bundler.model.request import PLAIN
from bundler.publish.certification import certification
from bundler.publish.contract import contract, machine_types, measurement, train_job
from bundler.publish.deployers.registry import DEPLOYERS
from bundler.publish.objects import APART, VALIDATORS, component_path
from bundler.render.objects import is_runtime
from bundler.render.renderer import Renderer
from bundler.yamlio.writer import dump

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.certify.carried import Carried
    from bundler.kube.resource import Resource
    from bundler.model.composition import Component, Composition, Selection
    from bundler.model.document import JsonObject
    from bundler.model.request import Request
    from bundler.publish.deployers.chosen import Chosen
    from bundler.publish.deployers.content import Content
    from bundler.publish.deployers.deployer import Deployer

__all__ = ["NAME", "TEMPLATE", "TEMPLATES", "apply_template", "readme", "renderer"]

NAME = "README.md"
TEMPLATE = "bundle/README.md.j2"

_VARIABLES = (
    "recipe",
    "description",
    "criteria",
    "machineType",
    "machineTypes",
    "selections",
    "constraints",
    "components",
    "runtimes",
    "fixtures",
    "apply",
    "deployer",
    "open",
    "certification",
    "commands",
    "settings",
    "plain",
    "unpinned",
    "relocation",
)

_CODE = "    "
"""Markdown takes an indented block for code whatever it holds; a fence could be closed by what stands in it."""


def readme(
    composition: Composition,
    objects: Sequence[tuple[str, Resource]],
    request: Request,
    catalog: Catalog,
    *,
    chosen: Chosen,
    content: Content,
    carried: Carried | None = None,
) -> str:
    """The text of the README.

    Args:
        composition: what was rendered.
        objects: path of each object's file, and the object.
        request: what was asked for.
        catalog: where the recipe and the templates are.
        chosen: what applies the bundle.
        content: what there is to apply.
        carried: its certification, if it has one.

    Raises:
        InvalidInput: the template does not render.
    """
    recipe = request.document or catalog.recipes[composition.recipe]
    variables = {
        "recipe": composition.recipe,
        "description": recipe.data["metadata"]["description"],
        "criteria": _pairs(composition.criteria.stated().items()),
        "machineType": request.machine_type or "",
        "machineTypes": [] if request.machine_type else machine_types(composition, request),
        "selections": [_selection(selection) for selection in composition.selections],
        "constraints": _pairs((constraint.name, constraint.value) for constraint in composition.constraints),
        "components": [_component(component, catalog) for component in composition.components],
        "runtimes": sorted(
            (
                {
                    **contract(resource, composition, objects, catalog),
                    **_evidence(resource, composition),
                    "path": path,
                    "job": _code(train_job(resource)),
                }
                for path, resource in objects
                if is_runtime(resource) and not path.startswith(APART)
            ),
            key=lambda runtime: (runtime["name"], runtime["path"]),
        ),
        "fixtures": [
            {**measurement(resource, composition), "path": path, "job": _code(train_job(resource))}
            for path, resource in objects
            if is_runtime(resource) and path.startswith(f"{VALIDATORS}/")
        ],
        "certification": [] if carried is None else [certification(carried, composition, objects, catalog)],
        "apply": _apply(chosen, content, catalog),
        "deployer": chosen.deployer.name if chosen.deployer.name != PLAIN else "",
        "open": _open(content),
        "plain": any(not path.startswith(APART) for path, _ in objects),
        "unpinned": composition.allow_unpinned,
        "relocation": _relocation(request),
    }
    return catalog.derived(renderer).text(TEMPLATE, variables)


def apply_template(deployer: Deployer) -> str:
    """The template of what a README says of applying the bundle."""
    return f"bundle/apply/{deployer.name}.md.j2"


TEMPLATES = frozenset({TEMPLATE, *map(apply_template, DEPLOYERS.values())})
"""Every template that a README may be made of."""


def renderer(catalog: Catalog) -> Renderer:
    """What renders the README's templates."""
    return Renderer.plain(catalog.template, names=_VARIABLES)


def _pairs(items: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in items]


def _relocation(request: Request) -> str:
    """Where images are pulled from, in words; empty when that is where they are published."""
    if request.relocation is None:
        return ""
    moved = [f"`{target}` in the place of `{host}`" for host, target in request.relocation.registries.items()]
    moved += [plural(len(request.relocation.images), "single image")] if request.relocation.images else []
    return ", ".join([*moved, *([f"`{request.relocation.to}`"] if request.relocation.to else [])])


def _evidence(resource: Resource, composition: Composition) -> JsonObject:
    runtime = next((runtime for runtime in composition.runtimes if runtime.name == resource.name), None)
    kind = EvidenceClass.CAPABILITY if runtime is None else evidence_class(runtime, composition)
    return {"evidence": str(kind), "proves": PROVES[kind]}


def _selection(selection: Selection) -> JsonObject:
    return {
        "axis": selection.axis,
        "value": selection.value,
        "description": selection.declaration.get("description", ""),
        "transport": selection.declaration.get("transport", ""),
        "parameters": _code(dict(selection.parameters)) if selection.parameters else "",
    }


def _component(component: Component, catalog: Catalog) -> JsonObject:
    path = component_path(component.name)
    origin = f"Rendered here as a local chart, `{path}/`."
    if component.chart is not None:
        origin = f"Chart `{component.chart.name}` of `{component.chart.repository}`, values in `{path}/values.yaml`."
    return {
        "title": f"{component.name} {component.version}".strip(),
        "namespace": component.namespace,
        "description": catalog.registry[component.name].description,
        "origin": origin,
        "dependencies": ", ".join(component.dependencies),
    }


def _apply(chosen: Chosen, content: Content, catalog: Catalog) -> str:
    """How the bundle is applied, in the words of the deployer's own template."""
    variables = {
        "commands": chosen.deployer.commands(content, chosen.settings),
        "settings": dict(chosen.settings),
        "open": _open(content),
    }
    return catalog.derived(renderer).text(apply_template(chosen.deployer), variables).strip()


def _open(content: Content) -> list[JsonObject]:
    """The components with values that are left to install time, and what holds unless a cluster says otherwise."""
    return [
        {"component": step.name, "file": step.value_files[-1], "defaults": _code(step.defaults)}
        for step in content.steps
        if step.defaults is not None
    ]


def _code(data: Any) -> str:
    return "\n".join(f"{_CODE}{line}" if line else "" for line in dump(data).removesuffix("\n").split("\n"))
