"""What a controller would record as a Kubernetes event, said as a finding that begins with the event's reason."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from bundler.model.location import Location

__all__ = ["Reason", "detected", "event"]


class Reason(StrEnum):
    """Reasons of the events that detection records, as the controller's documentation names them."""

    NETWORKS = "GKENetworkDetection"
    PLUGIN = "TCPXOPluginDetection"
    NIC = "NICResourceDetection"
    DEFAULTS = "GPUArchitectureDefaults"


_RULES = {Reason.NETWORKS: "AICR-N005", Reason.PLUGIN: "AICR-R018", Reason.NIC: "AICR-N006", Reason.DEFAULTS: "AICR-R005"}
_NORMAL = frozenset({Reason.NIC})
"""Reasons of events of type Normal; the others are Warnings."""


def event(reason: Reason, message: str, *, fix: str = "", location: Location | None = None) -> Finding:
    """The finding for an event."""
    severity = Severity.NOTE if reason in _NORMAL else Severity.WARNING
    return Finding(rule=_RULES[reason], message=f"{reason}: {message}", severity=severity, fix=fix, location=location)


def detected(message: str) -> Finding:
    """A note on what was found and is used."""
    return Finding(rule="AICR-N007", message=message, severity=Severity.NOTE)
