"""aicr: fabric-wired Kubernetes training bundles from a small declarative recipe.

The stages of the command line as a library. Nothing here touches the disk except `Catalog.load`, which reads authored data.

    from bundler import Catalog, Request, compose, render

    catalog = Catalog.load()
    composition = compose(catalog, Request(recipe="h100-kind-training-kubeflow"))
    resources, warnings = render(catalog, composition)
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bundler.audit.every_bundle import lock
    from bundler.audit.measured import guard
    from bundler.audit.verification import verify
    from bundler.catalog.catalog import Catalog
    from bundler.diff.change import Changes
    from bundler.diff.classes import Classes
    from bundler.diff.diff import diff
    from bundler.diff.side import Tree
    from bundler.errors import AicrError, InvalidInput, NotFound, Unavailable
    from bundler.model.bundle import Bundle
    from bundler.model.composition import Composition
    from bundler.model.criteria import Criteria
    from bundler.model.finding import Finding, Severity
    from bundler.model.request import Delivery, InstallTime, Override, Request, Scheduling
    from bundler.pipeline import bundle, compose, render
    from bundler.publish.drift import drift

__version__ = "0.1.0"

__all__ = [
    "AicrError",
    "Bundle",
    "Catalog",
    "Changes",
    "Classes",
    "Composition",
    "Criteria",
    "Delivery",
    "Finding",
    "InstallTime",
    "InvalidInput",
    "NotFound",
    "Override",
    "Request",
    "Scheduling",
    "Severity",
    "Tree",
    "Unavailable",
    "__version__",
    "bundle",
    "compose",
    "diff",
    "drift",
    "guard",
    "lock",
    "render",
    "verify",
]

_HOMES = {
    "bundler.audit.every_bundle": ("lock",),
    "bundler.audit.measured": ("guard",),
    "bundler.audit.verification": ("verify",),
    "bundler.catalog.catalog": ("Catalog",),
    "bundler.diff.change": ("Changes",),
    "bundler.diff.classes": ("Classes",),
    "bundler.diff.diff": ("diff",),
    "bundler.diff.side": ("Tree",),
    "bundler.errors": ("AicrError", "InvalidInput", "NotFound", "Unavailable"),
    "bundler.model.bundle": ("Bundle",),
    "bundler.model.composition": ("Composition",),
    "bundler.model.criteria": ("Criteria",),
    "bundler.model.finding": ("Finding", "Severity"),
    "bundler.model.request": ("Delivery", "InstallTime", "Override", "Request", "Scheduling"),
    "bundler.pipeline": ("bundle", "compose", "render"),
    "bundler.publish.drift": ("drift",),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `aicr --help` pays for none of them."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Package(ModuleType):
    """The package, in which no sub-package hides the public name that it shares: `compose` and `render` are the functions."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
