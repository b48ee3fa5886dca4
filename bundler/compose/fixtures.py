"""The fixtures of a composition: the runtimes that validators apply to measure what the chosen profile values attach.

A fixture is patched as a runtime is, by its name among the runtimes of a layer. It is not shipped beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.model.composition import Runtime

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.model.composition import Selection

__all__ = ["set_apart"]


def set_apart(named: Iterable[Runtime], selections: Iterable[Selection]) -> tuple[tuple[Runtime, ...], tuple[Runtime, ...]]:
    """The runtimes to ship, and the fixtures of the selected values, each by name."""
    axes = {selection.declaration["fixture"]: selection.axis for selection in selections if "fixture" in selection.declaration}
    by_name = {runtime.name: runtime for runtime in named}
    fixtures = tuple(
        Runtime(name=name, axis=axes[name], patches=by_name[name].patches if name in by_name else ()) for name in sorted(axes)
    )
    return tuple(runtime for name, runtime in by_name.items() if name not in axes), fixtures
