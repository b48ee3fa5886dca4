"""Where each rendered object stands in a bundle: one file an object, named after its kind and name alone.

An object's path does not depend on any other object, so that adding one adds a file and renames none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.certify.api import API_VERSION
from bundler.render.objects import is_runtime

if TYPE_CHECKING:
    from bundler.kube.resource import Resource
    from bundler.model.composition import Composition

__all__ = ["APART", "CERTIFICATION", "VALIDATORS", "component_path", "object_path"]

VALIDATORS = "validators"
"""The directory of what validators apply to measure. A bundle that is applied applies none of it."""

CERTIFICATION = "certification"
"""The directory of what certifies nodes. Its jobs take whole nodes for hours: a bundle that is applied applies none of it."""

APART = (f"{VALIDATORS}/", f"{CERTIFICATION}/")
"""What a bundle that is applied does not apply."""

_RUNTIME_TEMPLATES = "manifests/runtimes/"
_FIXTURE_TEMPLATES = "manifests/validators/"


def object_path(resource: Resource, composition: Composition) -> str:
    """The path of an object's file.

    Runtimes, and what their templates render beside them, stand in `runtimes/`; fixtures, in the same way, in `validators/`. A
    component's objects stand in its `templates/`, which its own Chart.yaml makes a Helm chart of, or beside the reference to its
    chart in `manifests/`. A Certification and its Workflows stand in `certification/`.
    """
    name = _one_name(f"{resource.kind}-{resource.name}.yaml".lower())
    if resource.api_version == API_VERSION:
        return f"{CERTIFICATION}/{name}"
    if _FIXTURE_TEMPLATES in resource.template:
        return f"{VALIDATORS}/{name}"
    if is_runtime(resource) or _RUNTIME_TEMPLATES in resource.template:
        return f"runtimes/{name}"
    component = composition.component(resource.owner)
    folder = "templates" if component is not None and component.chart is None else "manifests"
    return f"{component_path(resource.owner)}/{folder}/{name}"


def component_path(name: str) -> str:
    """The directory of a component."""
    return f"components/{_one_name(name)}"


def _one_name(text: str) -> str:
    """A slash must not make a directory of a name; as an escape it makes a name that is refused."""
    return text.replace("/", "%2f")
