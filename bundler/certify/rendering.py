"""A Workflow from an entry: its base, the overlays that apply, and the steps after them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.certify.api import API_VERSION
from bundler.certify.durations import go_duration
from bundler.certify.entries import overlays
from bundler.certify.overrides import Applied, applied_data, apply, situation_of
from bundler.certify.when import applies
from bundler.dataclass import dataclass
from bundler.render.renderer import Renderer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.certify.entries import Entry
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["Overridden", "base", "detected", "every_override", "overridden", "printed", "workflow"]
_DETECTED = "nvcrectl.nvidia.com"
_DURATIONS = frozenset({"timeoutPerJob", "sampleInterval", "measurementTimeout"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Overridden:
    """A spec after its overrides, and which of them applied."""

    spec: JsonObject
    applied: tuple[Applied, ...]


def base(catalog: Catalog, entry: Entry, options: JsonObject) -> JsonObject:
    """The Workflow's spec before any override.

    Raises:
        InvalidInput: the template cannot be rendered.
    """
    return _rendered(catalog, entry.template, entry, options)


def overridden(catalog: Catalog, entry: Entry, options: JsonObject, spec: JsonObject) -> Overridden:
    """The spec with every overlay of the catalogue that applies. A template is rendered only when its overlay does.

    Args:
        catalog: has the overlays.
        entry: whose they are.
        options: resolved.
        spec: the base.
    """
    situation = situation_of(spec, platform=options["platform"], architecture=options["gpuArchitecture"])

    def fitting() -> Iterator[tuple[int, JsonObject, Location | None]]:
        for index, overlay in enumerate(each for each in overlays(catalog) if each.concerns(entry, options)):
            location = overlay.document.locate("/when")
            if applies(overlay.when, situation, location=location):
                yield index, {"when": overlay.when, **_rendered(catalog, overlay.template, entry, options)}, location

    result, applied = apply(spec, fitting(), situation)
    return Overridden(spec=result, applied=applied)


def every_override(catalog: Catalog, entry: Entry, options: JsonObject) -> list[JsonObject]:
    """All overrides of an entry, as a Workflow states them that resolves them later."""
    return [
        {"when": overlay.when, **_rendered(catalog, overlay.template, entry, options)}
        for overlay in overlays(catalog)
        if overlay.concerns(entry, options)
    ]


def workflow(name: str, labels: Mapping[str, str], spec: JsonObject, *, notes: Mapping[str, str] | None = None) -> JsonObject:
    """The object, without namespace and status, its durations as Go prints them.

    Args:
        name: of the Workflow.
        labels: of the Workflow.
        spec: of the Workflow.
        notes: annotations, if any.
    """
    metadata: JsonObject = {"name": name, "labels": dict(labels)}
    if notes:
        metadata["annotations"] = dict(notes)
    return {"apiVersion": API_VERSION, "kind": "Workflow", "metadata": metadata, "spec": printed(spec)}


def detected(options: JsonObject, applied: tuple[Applied, ...]) -> dict[str, str]:
    """What was detected and which overrides applied."""
    from json import dumps  # noqa: PLC0415  (only for --explain)

    said = {
        f"{_DETECTED}/detected-gpu-architecture": options["gpuArchitecture"],
        f"{_DETECTED}/detected-platform": options["platform"],
    }
    if applied:
        said[f"{_DETECTED}/applied-overrides"] = dumps(applied_data(applied), separators=(",", ":"))
    return said


def printed(data: Any) -> Any:
    """A copy whose durations are written as Go prints them."""
    if isinstance(data, dict):
        return {
            key: go_duration(value) if key in _DURATIONS and isinstance(value, str) else printed(value)
            for key, value in data.items()
        }
    return [printed(item) for item in data] if isinstance(data, list) else data


def _rendered(catalog: Catalog, template: str, entry: Entry, options: JsonObject) -> JsonObject:
    renderer = catalog.derived(Renderer.of)
    _, documents = renderer.documents(template, {"entry": entry.variables(), "options": options})
    data: JsonObject = documents[0].data if documents else {}
    return data or {}
