"""Overrides laid over a Workflow, one after another.

For each whose `when` holds: the strategic merge of `jobTemplate`, in which lists replace; then the operations of
`jobTemplatePatch`; then the dependencies; then the parts of the orchestration, each whole. So an operation that appends to a list
is lost when a later override replaces that list: see `bundler.certify.wiped`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.certify.dependencies import merged_dependencies
from bundler.certify.when import Situation, applies, summary
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.kube.strategic_merge import merge
from bundler.model.plain import copied

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import MappingProxyType

    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["Applied", "applied_data", "apply", "situation_of"]

_LISTS_REPLACE: Mapping[str, str] | MappingProxyType[str, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """An override that applied.

    Attributes:
        index: its place among the overrides.
        when: what it asked for, in one line.
        patches: what it changed, in one line.
        no_op: whether everything was so before.
    """

    index: int
    when: str
    patches: str
    no_op: bool = False


def situation_of(spec: JsonObject, *, platform: str, architecture: str) -> Situation:
    """What the overrides of a Workflow are matched against."""
    mode = "topology" if spec["orchestration"].get("topology") else "simple"
    return Situation(platform=platform, architecture=architecture, topology_mode=mode, config=spec["jobTemplate"]["spec"])


def apply(
    spec: JsonObject, overrides: Iterable[tuple[int, JsonObject, Location | None]], situation: Situation
) -> tuple[JsonObject, tuple[Applied, ...]]:
    """The Workflow's spec with every override that applies.

    Args:
        spec: never mutated; its own `overrides` are left out of the result.
        overrides: index, override, and where it was written.
        situation: what is matched.

    Raises:
        InvalidInput: an expression or a patch cannot be used.
    """
    result = {key: value for key, value in spec.items() if key != "overrides"}
    applied = []
    for index, override, location in overrides:
        if not applies(override["when"], situation, location=location):
            continue
        before = result
        result = _overridden(result, override, index, location)
        applied.append(Applied(index=index, when=summary(override["when"]), patches=_patches(override), no_op=result == before))
    return result, tuple(applied)


def applied_data(applied: Iterable[Applied]) -> list[JsonObject]:
    """What applied, as the annotation lists it."""
    return [
        {"index": one.index, "when": one.when, "patches": one.patches, **({"noOp": True} if one.no_op else {})} for one in applied
    ]


def _overridden(spec: JsonObject, override: JsonObject, index: int, location: Location | None) -> JsonObject:
    result = dict(spec)
    if override.get("jobTemplate"):
        result["jobTemplate"] = _merged(result["jobTemplate"], override["jobTemplate"], index, location)
    if override.get("jobTemplatePatch"):
        result["jobTemplate"] = _patched(result["jobTemplate"], override["jobTemplatePatch"], index, location)
    if not (isinstance(result["jobTemplate"], dict) and isinstance(result["jobTemplate"].get("spec"), dict)):
        fix = "patch parts of /spec; the job itself cannot be left out or replaced by something else"
        raise _unusable(index, "jobTemplate has no spec after it", location, fix)
    if override.get("dependencies"):
        result["dependencies"] = merged_dependencies(result.get("dependencies", ()), override["dependencies"])
    if override.get("orchestration"):
        result["orchestration"] = {**result["orchestration"], **override["orchestration"]}
    return result


def _merged(template: JsonObject, patch: JsonObject, index: int, location: Location | None) -> JsonObject:
    try:
        return merge(template, patch, _LISTS_REPLACE)
    except InvalidInput as error:
        raise _unusable(index, error.findings[0].message, location, error.findings[0].fix) from None


def _patched(template: JsonObject, operations: list[JsonObject], index: int, location: Location | None) -> JsonObject:
    import jsonpatch  # noqa: PLC0415  (only an override with operations needs it)

    try:
        result: Any = jsonpatch.apply_patch(copied(template), copied(operations))
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException) as error:
        reason = " ".join(str(error).split())
        fix = "name a path that exists there; appending to a list is `add` with a path that ends in /-"
        raise _unusable(index, f"jobTemplatePatch: {reason}", location, fix) from None
    patched: JsonObject = result
    return patched


def _patches(override: JsonObject) -> str:
    """What an override changes, as the controller words it: it writes `1 dependencies`, too."""
    count = len(override.get("dependencies") or ())
    parts = [
        *(name for name in ("jobTemplate", "jobTemplatePatch") if override.get(name)),
        *([f"{count} dependencies"] if count else []),
        *(["orchestration"] if override.get("orchestration") else []),
    ]
    return ", ".join(parts) or "none"


def _unusable(index: int, message: str, location: Location | None, fix: str) -> InvalidInput:
    return InvalidInput("AICR-R011", f"override[{index}]: {message}", location=location, fix=fix)
