"""What there is to deploy: steps, each after those it needs, over the files that every bundle has.

A component is one step; its plain objects beside a chart are a second one, which what depends on the component waits for too; the
runtimes come last, after everything that nothing else waits for. So objects come after the chart that brings their definitions.
"""

from __future__ import annotations

from dataclasses import field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.publish.objects import component_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bundler.model.composition import Chart, Component
    from bundler.model.document import JsonObject
    from bundler.publish.files import OutputFile

__all__ = ["RUNTIMES", "Content", "Form", "Step"]

RUNTIMES = "runtimes"
"""The directory and the step of what jobs run on."""

_RUNTIMES = "What training jobs run on."


class Form(StrEnum):
    """What a step consists of."""

    CHART = "a chart by reference, with values"
    LOCAL = "a local chart, already rendered"
    OBJECTS = "plain objects"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is applied at once.

    Attributes:
        name: unique in the bundle; of a Helm release as well.
        namespace: of the release; objects that are namespaced state their own.
        path: the directory of the bundle that it reads.
        description: what it is for.
        after: steps that come first.
        rank: how many steps come before it, one after the other.
        chart: what a chart by reference is fetched as.
        values: what the chart is given, without what is left to install time.
        defaults: what is left to install time, as it was composed; None when nothing is.
        objects: files of plain objects, or of a local chart's templates.
    """

    name: str
    form: Form
    namespace: str
    path: str
    description: str
    after: tuple[str, ...] = ()
    rank: int = 0
    chart: Chart | None = None
    values: JsonObject = field(default_factory=dict)
    defaults: JsonObject | None = None
    objects: tuple[OutputFile, ...] = ()

    @property
    def value_files(self) -> tuple[str, ...]:
        """The values of a chart by reference, in the order in which Helm takes them."""
        own = (f"{self.path}/values.yaml",) if self.chart is not None else ()
        return (*own, f"{self.path}/cluster-values.yaml") if self.defaults is not None else own


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """All steps of one bundle, in an order that works."""

    steps: tuple[Step, ...]

    def __getitem__(self, name: str) -> Step:
        """The step of that name."""
        return next(step for step in self.steps if step.name == name)

    @property
    def install_time(self) -> bool:
        """Whether any value is left to install time."""
        return any(step.defaults is not None for step in self.steps)

    @classmethod
    def of(
        cls,
        components: Iterable[tuple[Component, str]],
        objects: Iterable[OutputFile],
        *,
        values: Mapping[str, tuple[JsonObject, JsonObject | None]],
    ) -> Content:
        """The steps of a bundle.

        Args:
            components: each with the description in the registry, dependencies first.
            objects: every file that holds one object.
            values: component → values, and what is left to install time.
        """
        files = tuple(objects)
        steps: dict[str, Step] = {}
        last: dict[str, str] = {}
        for component, description in components:
            after = tuple(last[name] for name in component.dependencies)
            for step in _steps(component, description, files, values[component.name]):
                _add(step, after, steps)
                after = (step.name,)
            last[component.name] = after[0]
        if runtimes := _below(RUNTIMES, files):
            awaited = {name for step in steps.values() for name in step.after}
            step = Step(
                name=RUNTIMES, form=Form.OBJECTS, namespace="default", path=RUNTIMES, description=_RUNTIMES, objects=runtimes
            )
            _add(step, tuple(name for name in steps if name not in awaited), steps)
        return cls(steps=tuple(steps.values()))


def _steps(
    component: Component, description: str, files: Iterable[OutputFile], values: tuple[JsonObject, JsonObject | None]
) -> Iterator[Step]:
    path = component_path(component.name)
    chart = component.chart
    yield Step(
        name=component.name,
        form=Form.LOCAL if chart is None else Form.CHART,
        namespace=component.namespace,
        path=path,
        description=description,
        chart=chart,
        values=values[0],
        defaults=values[1],
        objects=_below(f"{path}/templates", files),
    )
    if beside := _below(f"{path}/manifests", files):
        yield Step(
            name=f"{component.name}-objects",
            form=Form.OBJECTS,
            namespace=component.namespace,
            path=f"{path}/manifests",
            description=f"Objects that {component.name} acts on.",
            objects=beside,
        )


def _add(step: Step, after: tuple[str, ...], steps: dict[str, Step]) -> None:
    if step.name in steps:
        message = f"two parts of the bundle would be deployed as {step.name!r}: {steps[step.name].path} and {step.path}"
        raise InvalidInput("AICR-A005", message, fix="give the component another name in the registry")
    rank = 1 + max((steps[name].rank for name in after), default=-1)
    steps[step.name] = replace(step, after=after, rank=rank)


def _below(directory: str, files: Iterable[OutputFile]) -> tuple[OutputFile, ...]:
    return tuple(file for file in files if file.path.startswith(f"{directory}/"))
