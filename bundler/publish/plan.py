"""What a write would do to an output directory, and whether it may."""

from __future__ import annotations

import stat
from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput, Unavailable
from bundler.model.finding import Finding
from bundler.model.location import Location
from bundler.publish.drift import ChangeKind, differences
from bundler.publish.inventory import NAME, digest_of, parse_inventory
from bundler.publish.tree import VERSION_CONTROL, ancestors, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.publish.target import Target
    from bundler.publish.tree import Entry

__all__ = ["Plan", "WriteReport", "plan"]

_MARKERS = frozenset({"recipe.yaml", "bundle.lock.yaml"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteReport:
    """What a write did, or would do: paths relative to the output directory, sorted.

    Attributes:
        directory: as the user gave it.
        added: files that were not there.
        changed: files that were there with other bytes.
        removed: files of the previous bundle that this one does not have.
        kept: files that belong to no bundle and stay as they are.
    """

    directory: str
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def written(self) -> bool:
        """Whether anything differs; when nothing does, nothing is written."""
        return bool(self.added or self.changed or self.removed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A write that may be done.

    Attributes:
        found: what stands in the output directory.
        ours: paths of the bundle and of the one it replaces.
    """

    report: WriteReport
    found: Mapping[str, Entry] = field(repr=False)
    ours: frozenset[str] = field(repr=False)


def plan(files: Mapping[str, bytes], target: Target, *, force: bool) -> Plan:
    """Compare, and decide what is added, changed, removed and kept.

    Args:
        files: of the bundle.
        target: where it goes.
        force: write although the directory is no bundle, or files of the bundle in it were edited. A file that is not listed is
            never replaced or removed all the same.

    Raises:
        InvalidInput: the directory holds files and no bundle, edited files, or files where the bundle's would go.
        Unavailable: a part of it is another file system.
        OSError: it cannot be read.
    """
    found = walk(target.path) if target.path.is_dir() else {}
    _refuse_mounts(found, target)
    listed = _listed(found, target, force=force)
    findings = [*_blocked(files, found, listed, target)]
    if not force:
        findings += _edited(files, found, listed, target)
    if findings:
        raise InvalidInput.of(sorted(findings, key=lambda finding: (finding.rule, finding.location or target.location)))
    changes = differences(files, {path: entry for path, entry in found.items() if not _is_version_control(path)})
    ours = frozenset(files) | frozenset(listed)
    report = WriteReport(
        directory=target.shown,
        added=tuple(change.path for change in changes if change.kind is ChangeKind.MISSING),
        changed=tuple(change.path for change in changes if change.kind not in {ChangeKind.MISSING, ChangeKind.EXTRA}),
        removed=tuple(change.path for change in changes if change.kind is ChangeKind.EXTRA and change.path in ours),
        kept=tuple(change.path for change in changes if change.kind is ChangeKind.EXTRA and change.path not in ours),
    )
    return Plan(report=report, found=found, ours=ours)


def _listed(found: Mapping[str, Entry], target: Target, *, force: bool) -> dict[str, str]:
    """The inventory of the bundle that stands there; empty when none does and that is accepted."""
    if all(_is_version_control(path) for path in found):
        return {}
    fix = "choose a new or empty directory, or add --force to write beside what is there"
    try:
        if (entry := found.get(NAME)) is not None and entry.is_file:
            listed = parse_inventory(entry.read(), file=f"{target.shown}/{NAME}")
            # Other tools write a `checksums.txt` too: what it lists is only ours to replace if it lists a bundle.
            if listed.keys() >= _MARKERS:
                return listed | {NAME: digest_of(entry.read())}
            cause = f"its {NAME} lists no {' and no '.join(sorted(_MARKERS - listed.keys()))}"
        else:
            cause = f"it has no {NAME}"
    except InvalidInput as error:
        finding = error.findings[0]
        cause = f"{finding.location}: {finding.message}"
    if force:
        return {}
    message = f"output directory holds files and is no bundle: {target.shown!r} ({cause})"
    raise InvalidInput("AICR-O013", message, location=target.location, fix=fix)


def _edited(files: Mapping[str, bytes], found: Mapping[str, Entry], listed: Mapping[str, str], target: Target) -> Iterator[Finding]:
    for path, digest in listed.items():
        entry = found.get(path)
        if entry is None:
            continue
        content = entry.read() if entry.is_file else None
        if content is None or (digest_of(content) != digest and content != files.get(path)):
            yield Finding(
                rule="AICR-O014",
                message=f"{path} was changed since the bundle was written",
                location=_at(target, path),
                fix="bring the change into the recipe or a flag, or add --force to lose it",
            )


def _blocked(
    files: Mapping[str, bytes], found: Mapping[str, Entry], listed: Mapping[str, str], target: Target
) -> Iterator[Finding]:
    """What is not ours and stands where a file or a directory of the bundle would go."""
    directories = sorted({directory for path in files for directory in ancestors(path)})
    for path in (*files, *directories):
        entry = found.get(path)
        if entry is None or (path not in files and entry.is_directory):
            continue
        adopted = entry.is_file and path in files and entry.read() == files[path]
        if (path not in listed and not adopted) or entry.is_directory:
            yield Finding(
                rule="AICR-O015",
                message=f"{path} is {entry.word} that belongs to no bundle, and the bundle needs its place",
                location=_at(target, path),
                fix="move it away; --force does not replace it",
            )


def _refuse_mounts(found: Mapping[str, Entry], target: Target) -> None:
    """A tree that spans file systems cannot be exchanged whole."""
    if not target.path.is_dir():
        return
    device = target.path.parent.stat().st_dev
    entries = ((target.shown, target.path.stat()), *((f"{target.shown}/{path}", entry.status) for path, entry in found.items()))
    for shown, status in entries:
        if stat.S_ISDIR(status.st_mode) and status.st_dev != device:
            message = f"{shown!r} is on another file system than the directory that holds {target.shown!r}"
            raise Unavailable("AICR-O019", message, location=Location(file=shown), fix="name a directory below the mount point")


def _is_version_control(path: str) -> bool:
    return path.partition("/")[0] in VERSION_CONTROL


def _at(target: Target, path: str) -> Location:
    return Location(file=f"{target.shown}/{path}")
