"""What is known of the nodes that are certified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from bundler.certify.target import Observed
    from bundler.model.location import Location

__all__ = ["Site"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What is known of the nodes: what is stated, and what was read of them.

    Attributes:
        platform: None where none is known: nodes without a provider ID are on-premises.
        architecture: None takes that of the target's node selector.
        plugin: the tag of the installed TCPXO plugin as stated; None takes what was observed, else the release that bundles pin.
        networks: the Networks of eth1 to eth8 on A3 Mega as stated; None takes what was observed, else the documented names.
        plugin_location: where the plugin is stated.
        networks_location: where the networks are stated.
        observed: the target's nodes; None where no cluster was asked.
    """

    platform: str | None = None
    architecture: str | None = None
    plugin: str | None = None
    networks: tuple[str, ...] | None = None
    plugin_location: Location | None = None
    networks_location: Location | None = None
    observed: Observed | None = None
