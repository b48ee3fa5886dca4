"""From a composition to its Kubernetes objects: every template rendered, parsed, patched and admitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.kube.resource import Resource
from bundler.render.context import component_context, context
from bundler.render.objects import check_runtime, check_scope, check_shape, check_unique, is_runtime
from bundler.render.patching import patched
from bundler.render.place import place
from bundler.render.positions import TemplatePositions
from bundler.render.renderer import Renderer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.model.composition import Composition, Runtime
    from bundler.model.finding import Finding

__all__ = ["RUNTIME_OWNER", "fixture_template", "render_resources", "render_runtime", "runtime_template"]

RUNTIME_OWNER = "kubeflow-trainer"
"""The component whose resource definitions runtimes are instances of."""


def runtime_template(name: str) -> str:
    """The template of the runtime of that name."""
    return f"runtimes/{name}.yaml.j2"


def fixture_template(name: str) -> str:
    """The template of the fixture of that name."""
    return f"validators/{name}.yaml.j2"


def render_runtime(catalog: Catalog, composition: Composition, name: str) -> tuple[Resource, ...]:
    """One runtime of a composition, and whatever else its template renders; nothing when it has no runtime of that name.

    Raises:
        InvalidInput: its template cannot be rendered.
    """
    renderer = catalog.derived(Renderer.of)
    variables = context(composition)
    tasks = (_runtime_task(runtime, variables) for runtime in composition.runtimes if runtime.name == name)
    return tuple(resource for task in tasks for resource in _objects(renderer, task))


def render_resources(catalog: Catalog, composition: Composition) -> tuple[Resource, ...]:
    """The objects of a composition, sorted by identity.

    Args:
        catalog: where templates, fragments and images come from; it keeps the compiled templates for the next composition.
        composition: what is rendered.

    Raises:
        InvalidInput: with the findings of every template.
    """
    renderer = catalog.derived(Renderer.of)
    resources: list[Resource] = []
    findings: list[Finding] = []
    for task in _tasks(composition):
        try:
            resources.extend(_objects(renderer, task))
        except InvalidInput as error:
            findings.extend(error.findings)
    findings.extend(check_unique(resources))
    if findings:
        raise InvalidInput.of(findings)
    return tuple(sorted(resources, key=lambda resource: resource.identity))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """One template to render.

    Attributes:
        runtime: the runtime or fixture that the template is for, unless it is a component's.
    """

    template: str
    variables: Mapping[str, Any]
    owner: str
    runtime: Runtime | None = None


def _tasks(composition: Composition) -> Iterator[_Task]:
    for component in composition.components:
        for name in component.manifests:
            yield _Task(template=name, variables=component_context(composition, component), owner=component.name)
    variables = context(composition)
    for runtime in composition.runtimes:
        yield _runtime_task(runtime, variables)
    owner = composition.component(RUNTIME_OWNER)
    for fixture in composition.fixtures:
        seen = variables if owner is None else component_context(composition, owner)
        yield _Task(template=fixture_template(fixture.name), variables=seen, owner=RUNTIME_OWNER, runtime=fixture)


def _runtime_task(runtime: Runtime, variables: Mapping[str, Any]) -> _Task:
    return _Task(template=runtime_template(runtime.name), variables=variables, owner=RUNTIME_OWNER, runtime=runtime)


def _objects(renderer: Renderer, task: _Task) -> list[Resource]:
    """What one template renders, patched.

    Raises:
        InvalidInput: it does not render, or renders what a bundle may not hold.
    """
    findings: list[Finding] = []
    resources = _rendered(renderer, task)
    if task.runtime and task.runtime.patches:
        patches = task.runtime.patches
        resources = tuple(patched(resource, patches) if is_runtime(resource) else resource for resource in resources)
        if findings := [found for resource in resources if (found := check_shape(resource.data, resource.locate("")))]:
            raise InvalidInput.of(findings)
    findings.extend(found for resource in resources for found in check_scope(resource))
    if task.runtime:
        findings.extend(check_runtime(resources, task.runtime.name))
    if findings:
        raise InvalidInput.of(findings)
    return [*resources]


def _rendered(renderer: Renderer, task: _Task) -> tuple[Resource, ...]:
    """What one template renders; the very objects of the last time when nothing that it reads has changed."""
    known: tuple[Resource, ...] | None = renderer.memory.recall(
        (task.template, task.owner, renderer.inputs(task.template, task.variables))
    )
    if known is not None:
        return known
    rendered, documents = renderer.documents(task.template, task.variables)
    file = renderer.file_of(task.template)
    if not documents:
        location = place(renderer.fetch(task.template), 1)
        raise InvalidInput(
            "AICR-T012", "a template renders nothing", location=location, fix="render an object, or do not list the template"
        )
    if findings := [found for document in documents if (found := check_shape(document.data, rendered.locate(document.locate(""))))]:
        raise InvalidInput.of(findings)
    resources = tuple(
        Resource(data=document.data, template=file, positions=TemplatePositions(document.positions, rendered), owner=task.owner)
        for document in documents
    )
    # Rendering may have included further parts: what they read counts too.
    return renderer.memory.keep((task.template, task.owner, renderer.inputs(task.template, task.variables)), resources)
