"""What components must agree on wherever they are installed together, such as who owns the driver and where it lies.

Which values belong together is data of the registry (`agreements` in recipes/registry.yaml).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.assignments import same
from bundler.compose.layer import values_pointer
from bundler.compose.wording import shown
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.model.pointer import join, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject
    from bundler.model.location import Location
    from bundler.model.trace import Assignment, Trace

__all__ = ["check_agreements", "value_paths"]

_ABSENT = object()


def check_agreements(catalog: Catalog, values: Mapping[str, JsonObject], trace: Trace) -> None:
    """Hold the composed values against every agreement whose components are all there.

    Args:
        catalog: where the agreements are.
        values: component → its values.
        trace: who set them.

    Raises:
        InvalidInput: components disagree; one finding an agreement, naming each value and who set it.
    """
    findings = [
        finding
        for agreement, location in catalog.agreements
        if {path.partition(":")[0] for path in value_paths(agreement)} <= values.keys()
        for finding in _broken(agreement, location, values, trace)
    ]
    if findings:
        raise InvalidInput.of(findings)


def _broken(agreement: JsonObject, location: Location, values: Mapping[str, JsonObject], trace: Trace) -> Iterator[Finding]:
    condition = agreement.get("when", {})
    if not all(same(_value(values, path), wanted) for path, wanted in condition.items()):
        return
    equal = [path for path in agreement.get("same", ()) if not same(_value(values, path), _value(values, agreement["same"][0]))]
    at_fault = [agreement["same"][0], *equal] if equal else []
    at_fault += [path for path, refused in agreement.get("never", {}).items() if same(_value(values, path), refused)]
    if not at_fault:
        return
    stated = [_stated(path, _value(values, path), _last(path, trace)) for path in at_fault]
    message = f"{' but '.join(stated)}: {agreement['reason']}"
    if condition:
        held = " and ".join(_stated(path, wanted, _last(path, trace)) for path, wanted in condition.items())
        message = f"while {held}, {message}"
    written = next((made for path in reversed(at_fault) if (made := _last(path, trace)) is not None), None)
    fix = f"make {' and '.join(at_fault)} equal" if equal else f"give {' and '.join(at_fault)} another value"
    yield Finding(rule="AICR-C015", message=message, location=written.location if written else location, fix=fix)


def value_paths(agreement: JsonObject) -> Iterator[str]:
    """The values that an agreement is about."""
    yield from agreement.get("when", ())
    yield from agreement.get("same", ())
    yield from agreement.get("never", ())


def _value(values: Mapping[str, JsonObject], path: str) -> Any:
    component, _, dotted = path.partition(":")
    try:
        return resolve(values[component], join(dotted.split(".")))
    except LookupError:
        return _ABSENT


def _last(path: str, trace: Trace) -> Assignment | None:
    """The last word on a value, or None when only the chart speaks of it."""
    component, _, dotted = path.partition(":")
    made = trace.assignments.get(values_pointer(component) + join(dotted.split(".")), ())
    return made[-1] if made else None


def _stated(path: str, value: Any, made: Assignment | None) -> str:
    word = "absent" if value is _ABSENT else shown(value)
    return f"{path} is {word} ({f'{made.layer}, {made.location}' if made else 'by the chart'})"
