"""A TrainJob without one of its parts, and what would then become of it: so the part is found that is to blame for something.

Nothing here knows what a field does. That is the Trainer's business, and `materialise` has it; a cause found by trying holds for
every version.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.pointer import child, resolve, tokens
from bundler.trainer.elements import parts
from bundler.trainer.materialise import materialise
from bundler.trainer.realised import pod_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.trainer.elements import Part
    from bundler.trainer.jobset import JobSet
    from bundler.trainer.versions import TrainerVersion

__all__ = ["BLAMELESS", "Variant", "Variants"]

_ROOTS = ("/spec/trainer", "/spec/runtimePatches", "/spec/initializer")
_WHOLE = frozenset({"resourcesPerNode", "tolerations", "command", "args"})
"""Fields that are kept or left out as one: a part of them does what all of it does."""
_NAMES = frozenset({"name", "manager", "mountPath", "containerPort"})
"""Fields that say which entry of a list is meant, without which the entry is nothing."""
BLAMELESS = "/spec/runtimeRef"
"""The cause of what no part of the job can be blamed for."""


@dataclass(frozen=True, kw_only=True)
class Variant:
    """What becomes of one TrainJob."""

    jobset: JobSet

    @cached_property
    def parts(self) -> dict[Part, Any]:
        """The parts of its replicated jobs."""
        return parts(self.jobset.jobs)

    @cached_property
    def faults(self) -> tuple[Finding, ...]:
        """What a server refuses of its pods."""
        return pod_faults(self.jobset)


@dataclass(frozen=True, kw_only=True)
class Variants:
    """One TrainJob, and what would become of it without each of its parts."""

    job: JsonObject = field(repr=False)
    runtime: JsonObject = field(repr=False)
    version: TrainerVersion
    _made: dict[str, Variant | None] = field(default_factory=dict, repr=False)

    @cached_property
    def whole(self) -> Variant:
        """The job as it is.

        Raises:
            InvalidInput: the Trainer would fail to make a JobSet of it.
        """
        return Variant(jobset=materialise(self.job, self.runtime, self.version))

    def cause(self, holds: Callable[[Variant], bool]) -> str:
        """Pointer of the smallest part of the job without which something no longer holds; `/spec/runtimeRef` if none is."""
        for root in _ROOTS:
            if self._ends(root, holds):
                return self._narrowed(root, holds)
        return BLAMELESS

    def _narrowed(self, pointer: str, holds: Callable[[Variant], bool]) -> str:
        for inner in self._children(pointer):
            if self._ends(inner, holds):
                return self._narrowed(inner, holds)
        return pointer

    def _ends(self, pointer: str, holds: Callable[[Variant], bool]) -> bool:
        """Whether something no longer holds without what stands at `pointer`."""
        if pointer not in self._made:
            self._made[pointer] = self._without(pointer)
        variant = self._made[pointer]
        return variant is not None and not holds(variant)

    def _without(self, pointer: str) -> Variant | None:
        try:
            resolve(self.job, pointer)
            job = _removed(self.job, tokens(pointer))
            return Variant(jobset=materialise(job, self.runtime, self.version))
        except (LookupError, InvalidInput):
            return None

    def _children(self, pointer: str) -> Iterator[str]:
        value, name = resolve(self.job, pointer), pointer.rpartition("/")[2]
        if name in _WHOLE:
            return
        if isinstance(value, dict):
            yield from (child(pointer, key) for key in value if key not in _NAMES)
        elif isinstance(value, list) and all(isinstance(item, dict) for item in value):
            yield from (child(pointer, index) for index in range(len(value)))


def _removed(data: Any, steps: tuple[str, ...]) -> Any:
    """A copy of `data` without what stands at `steps`."""
    head, *rest = steps
    if isinstance(data, list):
        index = int(head)
        return [_removed(item, tuple(rest)) if at == index else item for at, item in enumerate(data) if rest or at != index]
    return {key: _removed(value, tuple(rest)) if key == head else value for key, value in data.items() if rest or key != head}
