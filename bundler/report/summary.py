"""What was written, what would be written, and what drifted, for a person."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from bundler.compose.wording import plural
from bundler.report.printable import printable
from bundler.report.table import table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.model.bundle import Bundle
    from bundler.publish.drift import Change
    from bundler.publish.plan import WriteReport

__all__ = ["contents", "drift_count", "plan_table", "write_done", "write_summary", "yaml_stream"]


def contents(bundle: Bundle) -> str:
    """What a bundle holds, such as `23 files, 2 runtimes (torch-distributed, torch-distributed-tcpxo)`."""
    files = [path.stem.partition("-") for path in map(PurePosixPath, bundle.files) if path.parts[0] == "runtimes"]
    runtimes = [name for kind, _, name in files if kind.endswith("trainingruntime")]
    named = f", {plural(len(runtimes), 'runtime')} ({', '.join(runtimes)})" if runtimes else ""
    return plural(len(bundle.files), "file") + named


def write_summary(bundle: Bundle, report: WriteReport) -> str:
    """One line on a write that was done."""
    kept = f"; {plural(len(report.kept), 'file')} of no bundle kept" if report.kept else ""
    return f"{report.directory}: {contents(bundle)}; {write_done(report)}{kept}"


def write_done(report: WriteReport) -> str:
    """What a write did, such as `3 added, 1 changed`."""
    if not report.written:
        return "already up to date"
    states = (("added", report.added), ("changed", report.changed), ("removed", report.removed))
    return ", ".join(f"{len(paths):,} {state}" for state, paths in states if paths)


def plan_table(bundle: Bundle, report: WriteReport | None) -> str:
    """Every file of a bundle with its size and, for a known output directory, what a write would do to it."""
    if report is None:
        return table(("bytes", "path"), [(f"{len(content):,}", path) for path, content in bundle.files.items()])
    states = dict.fromkeys(report.added, "new") | dict.fromkeys(report.changed, "changed")
    rows = [(path, states.get(path, "unchanged"), f"{len(content):,}") for path, content in bundle.files.items()]
    rows += [(path, "removed", "") for path in report.removed]
    return table(("state", "bytes", "path"), [(state, size, path) for path, state, size in sorted(rows)])


def drift_count(changes: Iterable[Change]) -> str:
    """How many paths differ in which way, such as `2 changed, 1 missing`."""
    numbers = Counter(change.kind.value for change in changes)
    return ", ".join(f"{number:,} {kind}" for kind, number in sorted(numbers.items()))


def yaml_stream(bundle: Bundle) -> str:
    """Every YAML file of a bundle as documents of one stream, each below a comment with its path."""
    documents = {path: content.decode().removeprefix("---\n") for path, content in bundle.files.items() if path.endswith(".yaml")}
    return "".join(f"---\n# {printable(path)}\n{text}" for path, text in documents.items())
