"""Whether a directory is a bundle as it was written: nothing changed, nothing missing, nothing more. Reads, never writes.

One fault is one finding: what the inventory says of a file is judged first, and a file at fault is not judged again by the lock.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput, NotFound, Unavailable
from bundler.model.digest import canonical_digest
from bundler.model.finding import Finding
from bundler.model.location import Location
from bundler.publish import bundle_lock, inventory
from bundler.publish.tree import VERSION_CONTROL, walk
from bundler.yamlio.reader import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from bundler.model.document import Document, JsonObject
    from bundler.publish.tree import Entry

__all__ = ["ClosedWorld", "closed_world"]

_RECIPE = "recipe.yaml"
_RENDER_AGAIN = "render the bundle again, or restore it from version control"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedWorld:
    """What stands in a directory that should be a bundle.

    Attributes:
        files: path → bytes of every listed file that is as listed, and of the inventory.
        lock: the bundle's lock; empty when it cannot be trusted.
        findings: every fault.
    """

    files: Mapping[str, bytes] = field(repr=False)
    lock: JsonObject = field(repr=False)
    findings: tuple[Finding, ...] = ()


def closed_world(directory: Path, *, check: Callable[[Document], tuple[Finding, ...]]) -> ClosedWorld:
    """Compare a directory with its own inventory, and that with its lock.

    Args:
        directory: a bundle.
        check: holds a lock against its schema.

    Raises:
        NotFound: `directory` does not exist.
        InvalidInput: it is no directory.
        Unavailable: something in it cannot be read.
    """
    location = Location(file=str(directory))
    try:
        return _judge(directory, walk(directory, skip=VERSION_CONTROL), check)
    except FileNotFoundError:
        message = f"bundle directory does not exist: {str(directory)!r}"
        raise NotFound("AICR-O021", message, location=location, fix="check the path, or write the bundle first") from None
    except NotADirectoryError:
        message = f"not a directory: {str(directory)!r}"
        raise InvalidInput("AICR-O022", message, location=location, fix="name the directory that holds the bundle") from None
    except OSError as error:
        place = str(error.filename or directory)
        message = f"cannot read {place!r}: {error.strerror}"
        raise Unavailable("AICR-O023", message, location=Location(file=place), fix="make it readable") from None


def _judge(directory: Path, found: Mapping[str, Entry], check: Callable[[Document], tuple[Finding, ...]]) -> ClosedWorld:
    listing = found.get(inventory.NAME)
    if listing is None or not listing.is_file:
        message = f"no bundle: it has no {inventory.NAME}" if listing is None else f"{inventory.NAME} is {listing.word}"
        return _closed(_at(directory, inventory.NAME, "AICR-O030", message))
    raw = listing.read()
    try:
        listed = inventory.parse_inventory(raw, file=f"{directory}/{inventory.NAME}")
    except InvalidInput as error:
        return _closed(*error.findings)
    if lacking := [name for name in (bundle_lock.NAME, _RECIPE) if name not in listed]:
        message = f"no bundle: its {inventory.NAME} lists no {' and no '.join(lacking)}"
        return _closed(_at(directory, inventory.NAME, "AICR-O030", message))
    files: dict[str, bytes] = {}
    faults: dict[str, Finding] = {}
    converted = []
    for path, digest in listed.items():
        content = found[path].read() if path in found and found[path].is_file else None
        if fault := _fault(directory, path, found.get(path), content, digest):
            faults[path] = fault
            if content is not None and inventory.digest_of(content.replace(b"\r\n", b"\n")) == digest:
                converted.append(path)
        elif content is not None:
            files[path] = content
    findings = [*_merged(directory, faults, converted), *_extra(directory, found, listed)]
    if listing.is_executable:
        findings.append(_at(directory, inventory.NAME, "AICR-O034", f"{inventory.NAME} is executable"))
    lock: JsonObject = {}
    if bundle_lock.NAME in files:
        lock, wrong = _read_lock(files[bundle_lock.NAME], f"{directory}/{bundle_lock.NAME}", check)
        wrong = wrong or [*_disagreements(lock, f"{directory}/{bundle_lock.NAME}", listed, faults)]
        findings += wrong
        lock = {} if wrong else lock
    files[inventory.NAME] = raw
    return ClosedWorld(files=dict(sorted(files.items())), lock=lock, findings=tuple(findings))


def _fault(directory: Path, path: str, entry: Entry | None, content: bytes | None, digest: str) -> Finding | None:
    if entry is None:
        return _at(directory, path, "AICR-O031", f"{path} is missing")
    if content is None:
        return _at(directory, path, "AICR-O033", f"{path} is {entry.word}, not a regular file")
    if inventory.digest_of(content) != digest:
        return _at(directory, path, "AICR-O032", f"{path} is not the file that {inventory.NAME} lists")
    if entry.is_executable:
        return _at(directory, path, "AICR-O034", f"{path} is executable")
    return None


def _merged(directory: Path, faults: Mapping[str, Finding], converted: list[str]) -> Iterator[Finding]:
    """The faults; where several files merely have other line ends, that is one fault, of whatever converted them."""
    if len(converted) > 1:
        message = f"the line ends of {len(converted)} files are CR LF"
        fix = "keep git from converting them: 'DIR/** -text' in .gitattributes"
        yield Finding(rule="AICR-O035", message=message, location=Location(file=str(directory)), fix=fix)
    for path, finding in faults.items():
        if len(converted) < 2 or path not in converted:  # noqa: PLR2004  (one file alone is a change of that file)
            yield finding


def _extra(directory: Path, found: Mapping[str, Entry], listed: Mapping[str, str]) -> Iterator[Finding]:
    for path, entry in found.items():
        if path in listed or path == inventory.NAME:
            continue
        if not entry.is_directory:
            what = "" if entry.is_file else f" and is {entry.word}"
            yield _at(directory, path, "AICR-O036", f"{path} is not listed in {inventory.NAME}{what}", fix="remove it")


def _read_lock(raw: bytes, shown: str, check: Callable[[Document], tuple[Finding, ...]]) -> tuple[JsonObject, list[Finding]]:
    try:
        document = read(raw, shown)
    except InvalidInput as error:
        return {}, [*error.findings]
    return document.data, [*_lock_faults(document, check)]


def _lock_faults(document: Document, check: Callable[[Document], tuple[Finding, ...]]) -> Iterator[Finding]:
    data = document.data if isinstance(document.data, dict) else {}
    version = data.get("lockVersion")
    if version != bundle_lock.LOCK_VERSION:
        newer = isinstance(version, int) and version > bundle_lock.LOCK_VERSION
        fix = "use a newer aicr" if newer else "render the bundle again"
        message = f"the lock has version {version!r}; this aicr reads {bundle_lock.LOCK_VERSION}"
        yield Finding(rule="AICR-O037", message=message, location=document.locate("/lockVersion"), pointer="/lockVersion", fix=fix)
    elif data.get("digest") != canonical_digest({key: value for key, value in data.items() if key != "digest"}):
        message = "the lock was edited: its digest is not that of its content"
        yield Finding(rule="AICR-O037", message=message, location=document.locate("/digest"), pointer="/digest", fix=_RENDER_AGAIN)
    else:
        yield from check(document)


def _disagreements(lock: JsonObject, shown: str, listed: Mapping[str, str], faults: Mapping[str, Finding]) -> Iterator[Finding]:
    """Where the inventory and the lock say different things, in files that are not at fault already."""
    outputs: dict[str, str] = lock["outputs"]
    for path in sorted({*outputs, *listed} - {bundle_lock.NAME, *faults}):
        if outputs.get(path) != f"sha256:{listed.get(path)}":
            message = f"{inventory.NAME} and {bundle_lock.NAME} do not agree on {path}"
            yield Finding(rule="AICR-O038", message=message, location=Location(file=shown), pointer="/outputs", fix=_RENDER_AGAIN)


def _closed(*findings: Finding) -> ClosedWorld:
    return ClosedWorld(files={}, lock={}, findings=findings)


def _at(directory: Path, path: str, rule: str, message: str, *, fix: str = _RENDER_AGAIN) -> Finding:
    return Finding(rule=rule, message=message, location=Location(file=f"{directory}/{path}"), fix=fix)
