"""The files of a bundle while it is laid out: each path is written once, and means one file on every file system."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.publish.names import key, problem
from bundler.publish.tree import ancestors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.model.location import Location

__all__ = ["OutputFile", "closed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFile:
    """One file to write.

    Attributes:
        path: relative to the bundle.
        of: what it holds, for messages, such as `DaemonSet/nccl-tcpxo-installer`.
        location: where that was written.
    """

    path: str
    content: bytes = field(repr=False)
    of: str
    location: Location | None = None


def closed(files: Iterable[OutputFile]) -> dict[str, bytes]:
    """Path → content, sorted.

    Raises:
        InvalidInput: a path is no portable file name, or two files would be one on a file system that ignores case.
    """
    every = tuple(files)
    findings = [*_unportable(every), *_colliding(every)]
    if findings:
        raise InvalidInput.of(findings)
    return {file.path: file.content for file in sorted(every, key=lambda file: file.path)}


def _unportable(files: Iterable[OutputFile]) -> Iterator[Finding]:
    for file in files:
        if fault := problem(file.path):
            yield Finding(
                rule="AICR-O001",
                message=f"the file of {file.of} {fault}",
                location=file.location,
                subject=file.of,
                fix="give it another name",
            )


def _colliding(files: Iterable[OutputFile]) -> Iterator[Finding]:
    """Files with one path, and files where another needs a directory."""
    taken: dict[str, OutputFile] = {}
    for file in files:
        first = taken.setdefault(key(file.path), file)
        if first is not file:
            yield _collision(first, file)
    for file in taken.values():
        for directory in ancestors(file.path):
            if (other := taken.get(key(directory))) is not None:
                yield _collision(other, file)


def _collision(first: OutputFile, second: OutputFile) -> Finding:
    where = f"both as {second.path}" if first.path == second.path else f"as {first.path} and {second.path}"
    return Finding(
        rule="AICR-O002",
        message=f"{first.of} and {second.of} would be written to one file, {where}",
        location=second.location,
        subject=second.of,
        fix="give one of them another name",
    )
