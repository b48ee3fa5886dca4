"""What became of a fleet, as a document: shards write one each, and the parts make the whole again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler import __version__
from bundler.compose.wording import plural
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.fleet.outcome import Outcome, Status, exit_code
from bundler.fleet.shard import Shard
from bundler.fleet.work import Action
from bundler.model.digest import canonical_digest
from bundler.model.finding import Finding, Place, Severity
from bundler.model.location import Location
from bundler.publish.recipe_file import API_VERSION
from bundler.report.json_report import finding_data, place_data, read_place
from bundler.report.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bundler.fleet.reading import Fleet
    from bundler.model.document import Document, JsonObject

__all__ = ["Summary", "fleet_digest", "merged", "read_summary", "summary_data"]

KIND = "FleetSummary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What became of a fleet or of one shard of it.

    Attributes:
        fleet: digest of the whole fleet.
        action: what was done.
        shard: which part it is; None for the whole.
        outcomes: by name of cluster.
    """

    fleet: str
    action: Action
    shard: Shard | None = None
    outcomes: tuple[Outcome, ...]


def fleet_digest(fleet: Fleet) -> str:
    """What shards of one fleet have in common: the names and outputs of all its clusters."""
    return canonical_digest(fleet.outputs)


def summary_data(summary: Summary, *, root: str) -> JsonObject:
    """The document of kind FleetSummary (schemas/fleetsummary.json), without secrets.

    Args:
        summary: what to write.
        root: the absolute directory that paths are relative to.
    """

    def clean(finding: Finding) -> Finding:
        return Report.of([finding], command="aicr fleet", version=__version__, exit_code=0, root=root).findings[0]

    about: dict[Finding, list[str]] = {}
    for outcome in summary.outcomes:
        for finding in dict.fromkeys(outcome.findings):
            about.setdefault(finding, []).append(outcome.name)
    findings = sorted(((clean(finding), names) for finding, names in about.items()), key=lambda pair: pair[1])
    document: JsonObject = {"apiVersion": API_VERSION, "kind": KIND, "fleet": summary.fleet, "action": summary.action.value}
    if summary.shard is not None:
        document["shard"] = {"index": summary.shard.index, "total": summary.shard.total}
    return document | {
        "exitCode": int(exit_code(summary.outcomes)),
        "clusters": [_cluster(outcome, clean) for outcome in summary.outcomes],
        "findings": [{**finding_data(finding), "clusters": names} for finding, names in findings],
    }


def read_summary(document: Document) -> Summary:
    """The summary that `summary_data` wrote.

    Args:
        document: of kind FleetSummary and valid by its schema.
    """
    data = document.data
    findings: dict[str, list[Finding]] = {}
    for item in data["findings"]:
        first, *related = [read_place(place) for place in item["places"]] or [Place(location=Location(file=""))]
        finding = Finding(
            rule=item["rule"],
            severity=Severity(item["severity"]),
            message=item["message"],
            fix=item["fix"],
            location=first.location,
            pointer=first.pointer,
            subject=first.subject,
            related=tuple(related),
        )
        for name in item["clusters"]:
            findings.setdefault(name, []).append(finding)
    return Summary(
        fleet=data["fleet"],
        action=Action(data["action"]),
        shard=Shard(**data["shard"]) if "shard" in data else None,
        outcomes=tuple(
            Outcome(
                name=item["name"],
                output=item["output"],
                status=Status(item["status"]),
                note=item["note"],
                exit_code=item["exitCode"],
                location=read_place(item["place"]).location,
                findings=tuple(findings.get(item["name"], ())),
            )
            for item in data["clusters"]
        ),
    )


def merged(parts: Sequence[tuple[str, Summary]]) -> Summary:
    """The whole fleet from the summaries of all its shards.

    Args:
        parts: file → summary.

    Raises:
        InvalidInput: a part is of another fleet or another action, is no shard, or a shard is missing or there twice.
    """
    _, first = parts[0]
    findings = []
    seen: dict[int, str] = {}
    total = first.shard.total if first.shard else 0
    for file, summary in parts:
        location = Location(file=file)
        if summary.shard is None:
            message, fix = f"{file!r} is the summary of a whole fleet", "give the summaries of shards"
            findings.append(Finding(rule="AICR-L009", message=message, location=location, fix=fix))
        elif (summary.fleet, summary.action, summary.shard.total) != (first.fleet, first.action, total):
            message = f"{file!r} is a shard of another run: {_run(summary)}, not {_run(first)}"
            fix = "give the shards of one run over one fleet"
            findings.append(Finding(rule="AICR-L009", message=message, location=location, fix=fix))
        elif (other := seen.setdefault(summary.shard.index, file)) != file:
            message, fix = f"{file!r} and {other!r} are both shard {summary.shard}", "give each shard once"
            findings.append(Finding(rule="AICR-L009", message=message, location=location, fix=fix))
    if missing := [str(index) for index in range(1, total + 1) if index not in seen]:
        message = f"shards are missing of {total}: {', '.join(missing)}"
        findings.append(Finding(rule="AICR-L009", message=message, fix="give the summary of every shard"))
    if findings:
        raise InvalidInput.of(findings)
    outcomes = sorted((outcome for _, part in parts for outcome in part.outcomes), key=lambda outcome: outcome.name)
    return Summary(fleet=first.fleet, action=first.action, outcomes=tuple(outcomes))


def _run(summary: Summary) -> str:
    return f"{summary.action} in {plural(summary.shard.total if summary.shard else 1, 'shard')} of {summary.fleet[:19]}"


def _cluster(outcome: Outcome, clean: Callable[[Finding], Finding]) -> JsonObject:
    told = clean(Finding(rule="AICR-L008", message=outcome.note, location=outcome.location))
    assert told.location is not None
    return {
        "name": outcome.name,
        "output": outcome.output,
        "status": outcome.status.value,
        "note": told.message,
        "exitCode": int(outcome.exit_code),
        "place": place_data(Place(location=told.location)),
    }
