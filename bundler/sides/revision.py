"""A path of a git revision as a side: `git:REV:PATH`, read from the object store. Nothing is checked out, run or fetched."""

from __future__ import annotations

import os
import posixpath
import subprocess
from typing import TYPE_CHECKING, NoReturn

from bundler.diff.side import Tree
from bundler.errors import InvalidInput, NotFound
from bundler.model.location import Location
from bundler.report.printable import shortened
from bundler.sides.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["PREFIX", "read_revision"]

PREFIX = "git:"

_TREE, _LINK, _EXECUTABLE, _SUBMODULE = "040000", "120000", "100755", "160000"


def read_revision(text: str) -> Tree:
    """The files below a path of a revision.

    Args:
        text: `git:REV:PATH`; the path is relative to the current directory, as git takes it with `./`.

    Raises:
        InvalidInput: the text is not of that form, git does not know the revision, or there is no git here.
        NotFound: the revision has nothing at the path.
    """
    revision, colon, path = text.removeprefix(PREFIX).partition(":")
    if not colon or not revision or revision.startswith("-") or "\x00" in text:
        _refuse(text, "does not name a revision and a path", "write git:REV:PATH, such as git:HEAD:clusters/a")
    path = path.strip("/").removeprefix("./") or "."
    commit = _git(text, ["rev-parse", "--quiet", "--verify", "--end-of-options", f"{revision}^{{tree}}"])
    if commit is None:
        _refuse(text, f"git knows no revision {revision!r} here", "fetch it first: a shallow clone lacks older ones")
    tree = commit.decode().strip()
    listed = _git(text, ["--literal-pathspecs", "ls-tree", "-r", "-z", "--long", tree, "--", path])
    entries = [*_entries(listed or b"")]
    if not entries:
        message = f"{revision!r} has nothing at {path!r}"
        raise NotFound("AICR-D003", message, location=Location(file=text), fix="check the path: it is relative to this directory")
    budget = Budget(label=text)
    for _, _, size, _ in entries:
        budget.take(size)
    blobs = [digest for mode, digest, _, _ in entries if mode != _SUBMODULE]
    contents = dict(zip(blobs, _contents(text, blobs), strict=True))
    single = len(entries) == 1 and entries[0][3] == path
    files, notes = {}, {}
    for mode, digest, _, name in entries:
        here = name.rpartition("/")[2] if single else name.removeprefix("" if path == "." else f"{path}/")
        files[here] = contents.get(digest, f"submodule {digest}\n".encode())
        if mode == _LINK:
            files[here] = b"-> " + files[here] + b"\n"
        if note := {_LINK: "a link", _EXECUTABLE: "executable", _SUBMODULE: "a submodule"}.get(mode):
            notes[here] = note
    return Tree(label=text, files=files, notes=notes, root=posixpath.dirname(path) or "." if single else path, single=single)


def _entries(listed: bytes) -> Iterator[tuple[str, str, int, str]]:
    """Mode, object, size and path of every entry that `ls-tree` lists."""
    for line in listed.split(b"\x00"):
        if line:
            head, _, name = line.partition(b"\t")
            mode, _, digest, size = head.decode().split()
            yield mode, digest, int(size) if size.isdigit() else 0, os.fsdecode(name)


def _contents(text: str, blobs: Sequence[str]) -> Iterator[bytes]:
    """The blobs, in the order given: `<object> blob <size>`, then that many bytes and a line end, for each."""
    answer = _git(text, ["cat-file", "--batch"], "".join(f"{digest}\n" for digest in blobs).encode()) or b""
    position = 0
    for digest in blobs:
        end = answer.find(b"\n", position)
        head = answer[position:end].split()
        if end < 0 or len(head) != 3 or head[1] != b"blob":  # noqa: PLR2004  (object, type, size)
            _refuse(text, f"git does not have the object {digest}", "fetch it first: a partial clone lacks some")
        size = int(head[2])
        yield answer[end + 1 : end + 1 + size]
        position = end + 1 + size + 1


def _git(text: str, words: Sequence[str], given: bytes = b"") -> bytes | None:
    """What git prints; None when it refuses. No setting of the repository makes it run another program."""
    quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C"}
    try:
        result = subprocess.run(  # noqa: S603  (fixed words; a revision stands after --end-of-options)
            ["git", "-c", "core.fsmonitor=false", *words],  # noqa: S607  (the user's git, found as a shell finds it)
            input=given,
            capture_output=True,
            check=False,
            env={**os.environ, **quiet},
        )
    except OSError as error:
        _refuse(text, f"cannot run git: {error.strerror}", "install git, or give a directory")
    if result.returncode and b"not a git repository" in result.stderr:
        _refuse(text, "this is no git repository", "run it in the repository")
    if result.returncode and b"dubious ownership" in result.stderr:
        said = result.stderr.decode(errors="replace").splitlines()[0]
        _refuse(text, f"git refuses: {shortened(said, 200)}", "own the repository, or add it to git's safe.directory")
    return result.stdout if result.returncode == 0 else None


def _refuse(text: str, message: str, fix: str) -> NoReturn:
    raise InvalidInput("AICR-D006", message, location=Location(file=text), fix=fix)
