"""A request that is being filled in: what is taken from facts, and what is said of it."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import listed, plural
from bundler.dataclass import dataclass
from bundler.model.finding import Finding, Place, Severity
from bundler.model.location import Location
from bundler.model.observation import Observation
from bundler.model.pointer import join
from bundler.profiles.inputs import as_flag

if TYPE_CHECKING:
    from bundler.detect.fact import Fact
    from bundler.model.request import Request

__all__ = ["Filling"]


@dataclass(slots=True, kw_only=True)
class Filling:
    """A request, facts taken into it one after another.

    Attributes:
        request: as filled so far.
        sources: of the snapshot, for messages.
        findings: what was found, in order; errors stop the bundle.
    """

    request: Request
    sources: tuple[str, ...]
    findings: list[Finding] = field(default_factory=list)

    @property
    def place(self) -> Location:
        """Where facts stand, for a message."""
        return Location(file=f"--snapshot {', '.join(self.sources)}")

    def take(self, pointer: tuple[str, ...], label: str, fact: Fact) -> None:
        """Take a proven value, and record that it was observed.

        Args:
            pointer: of the value in the request: `machineType`, `criteria` and a dimension, or `parameters`, an axis and a name.
            label: what messages call it.
            fact: with its value.
        """
        at, value, request = join(pointer), fact.value, self.request
        match pointer:
            case ("criteria", dimension):
                request = replace(request, criteria=replace(request.criteria, **{dimension: value}))
            case ("parameters", axis, name):
                given = {**request.parameters.get(axis, {}), name: value}
                request = replace(request, parameters={**request.parameters, axis: given})
            case _:
                request = replace(request, machine_type=value)
        self.request = replace(
            request,
            origins={**request.origins, at: self.place},
            observed={**request.observed, at: Observation(source=fact.source, nodes=fact.nodes)},
        )
        nodes = f"{plural(fact.nodes, 'node')} {'says' if fact.nodes == 1 else 'say'}"
        self._say("AICR-N010", f"{label} is {as_flag(value)}, as {nodes} ({fact.source})", Severity.NOTE)

    def refuse(self, label: str, fact: Fact, fix: str) -> None:
        """Refuse what several answers are given to."""
        self._say("AICR-N011", f"{label} cannot be read from the snapshot: {fact.refusal} ({fact.source})", Severity.ERROR, fix)

    def contradict(self, label: str, stated: Any, at: Location, found: str, *, severity: Severity = Severity.ERROR) -> None:
        """Set a stated value against what the snapshot says."""
        self.findings.append(
            Finding(
                rule="AICR-N012",
                message=f"{label} is stated as {as_flag(stated)}, but {found}",
                severity=severity,
                location=at,
                fix="correct the one that is wrong; leave --snapshot out to bundle for another cluster",
                related=(Place(location=self.place),),
            )
        )

    def unproven(self, label: str, why: str, *, severity: Severity = Severity.NOTE, fix: str = "") -> None:
        """Say what the snapshot does not prove."""
        self._say("AICR-N013", f"{label} is not proven by the snapshot: {why}", severity, fix)

    def left_out(self, what: str, names: list[str]) -> None:
        """Say which nodes are not asked further."""
        if names:
            self._say(
                "AICR-N007",
                f"{plural(len(names), 'GPU node')} left out, {what}: {listed(names)}",
                Severity.NOTE,
            )

    def _say(self, rule: str, message: str, severity: Severity, fix: str = "") -> None:
        self.findings.append(Finding(rule=rule, message=message, severity=severity, location=self.place, fix=fix))
