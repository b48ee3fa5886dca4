"""What a user asks for: everything a bundle depends on besides the catalogue. A bundle's `recipe.yaml` is one, written down."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.model.criteria import Criteria

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location
    from bundler.model.observation import Observation
    from bundler.model.relocation import Relocation

__all__ = ["DEFAULT_CERTIFICATION", "PLAIN", "Delivery", "InstallTime", "Override", "Request", "Scheduling"]

PLAIN = "plain"
"""The deployer that adds nothing: the bundle is applied by hand."""

DEFAULT_CERTIFICATION = "default"
"""In the place of a certification: every test of the catalogue that fits what is selected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """One `--set component:path=value`, already typed.

    Attributes:
        component: name or alias as given.
        path: keys from the root of the component's values.
        value: plain data; `None` deletes.
        raw: the text when it came from `--set`, whose type the values schema decides; None when the value is already typed.
    """

    component: str
    path: tuple[str, ...]
    value: Any
    location: Location
    raw: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    """Where pods of one node class may run: node selector labels and tolerations, as Kubernetes writes them."""

    node_selector: Mapping[str, str] = field(default_factory=dict)
    tolerations: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallTime:
    """A component value that is left to whoever installs the bundle.

    Attributes:
        component: name or alias as given.
        path: keys from the root of the component's values.
    """

    component: str
    path: tuple[str, ...]
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What applies a bundle to a cluster.

    Attributes:
        deployer: its name; `plain` is applied by hand.
        settings: what it is told, as stated; what is left out has a default.
    """

    deployer: str = PLAIN
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The inputs of one bundle.

    Attributes:
        recipe: name of a recipe in the catalogue, or None when `criteria` or `document` choose.
        document: a recipe read from a file that is not in the catalogue.
        criteria: stated dimensions.
        machine_type: the cloud's name of the machines with GPUs, or None when it is left open.
        profiles: axis → value.
        parameters: axis → parameter name → value. A `str` that came from a flag is typed by the parameter's schema.
        overrides: component values, in the order given; later wins.
        versions: component → version, only for what differs from the registry's pin.
        accelerated: placement of pods that use GPUs.
        system: placement of controllers.
        allow_unpinned: accept image references without digest.
        relocation: where images are pulled from, unless that is where they are published.
        delivery: what applies the bundle.
        install_time: component values that are left open until then, in the order given.
        certification: what the bundle carries to certify its nodes: a Certification, `DEFAULT_CERTIFICATION`, or nothing.
        origins: JSON pointer into this request, such as `/profiles/gpuStack` → where it was stated.
        observed: JSON pointer into this request → what proved the value there, where a snapshot did and nobody stated it.
    """

    recipe: str | None = None
    document: Document | None = None
    criteria: Criteria = field(default_factory=Criteria)
    machine_type: str | None = None
    profiles: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    overrides: tuple[Override, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    accelerated: Scheduling = field(default_factory=Scheduling)
    system: Scheduling = field(default_factory=Scheduling)
    allow_unpinned: bool = False
    relocation: Relocation | None = None
    delivery: Delivery = field(default_factory=Delivery)
    install_time: tuple[InstallTime, ...] = ()
    certification: Document | str | None = None
    origins: Mapping[str, Location] = field(default_factory=dict)
    observed: Mapping[str, Observation] = field(default_factory=dict)
