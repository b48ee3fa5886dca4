"""Open what a user names as a side."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from bundler.diff.side import Tree
from bundler.errors import NotFound, Unavailable
from bundler.model.location import Location
from bundler.publish.tree import VERSION_CONTROL, walk
from bundler.sides.archive import is_archive, read_archive
from bundler.sides.budget import Budget
from bundler.sides.revision import PREFIX, read_revision

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from bundler.model.bundle import Bundle

__all__ = ["NOTHING", "aligned", "open_side"]

NOTHING = "/dev/null"

_RECIPE = re.compile(rb"^kind: *[\"']?(?:Recipe|BundleRecipe|RecipeResult)[\"']? *$", re.MULTILINE)


def open_side(text: str, *, recipes: Collection[str], render: Callable[[str], Bundle], plain: bool = False) -> Tree:
    """The files that a word names.

    A directory, an archive or a file that exists; `git:REV:PATH`; `/dev/null`, which holds nothing; else the name of a recipe. A
    recipe, and a file that holds one, is what it renders to.

    Args:
        text: the word.
        recipes: the names of the recipes.
        render: makes the bundle of a recipe's name or file.
        plain: whether a recipe's file is compared as it stands.

    Raises:
        NotFound: there is no such thing.
        InvalidInput: it cannot be used.
        Unavailable: it cannot be read.
    """
    if text == NOTHING:
        return Tree(label=text, files={}, single=True)
    if text.startswith(PREFIX):
        return read_revision(text)
    path = Path(text)
    try:
        if path.is_dir():
            return _directory(path, text)
        if path.is_file():
            return _file(path, text, render=render, plain=plain)
    except OSError as error:
        place = str(error.filename or text)
        message = f"cannot read {place!r}: {error.strerror}"
        raise Unavailable("AICR-D004", message, location=Location(file=place), fix="make it readable") from None
    if text in recipes:
        return Tree(label=text, files=render(text).files)
    near = get_close_matches(text, sorted(recipes), n=1)
    fix = f"did you mean {near[0]!r}?" if near else "name a directory, an archive, a file, git:REV:PATH or a recipe"
    raise NotFound("AICR-D003", f"no file and no recipe {text!r}", location=Location(file=text), fix=fix)


def aligned(before: Tree, after: Tree, *, name: str = "") -> tuple[Tree, Tree]:
    """The two sides; where both are single files, they are one file that changed, whatever their names are.

    Args:
        before: the first side.
        after: the second side.
        name: what that file is called; as the second side calls it when empty.
    """
    if not (before.single and after.single):
        return before, after
    name = name or next(iter(after.files), next(iter(before.files), ""))
    return _renamed(before, name), _renamed(after, name)


def _renamed(tree: Tree, name: str) -> Tree:
    return Tree(
        label=tree.label,
        root=tree.root,
        files=dict.fromkeys([name], next(iter(tree.files.values()))) if tree.files else {},
        notes=dict.fromkeys([name], next(iter(tree.notes.values()))) if tree.notes else {},
        single=True,
    )


def _directory(path: Path, label: str) -> Tree:
    files: dict[str, bytes] = {}
    notes: dict[str, str] = {}
    budget = Budget(label=label)
    for name, entry in walk(path, skip=VERSION_CONTROL).items():
        if entry.is_directory:
            continue
        budget.take(entry.status.st_size)
        if entry.is_file:
            files[name] = entry.read()
            if entry.is_executable:
                notes[name] = "executable"
        else:
            # What a link leads to is not in the directory, and may be anything on this machine.
            files[name] = f"-> {entry.place.readlink()}\n".encode() if entry.is_link else b""
            notes[name] = "a link" if entry.is_link else "a special file"
    return Tree(label=label, files=files, notes=notes, root=None if path.is_absolute() else path.as_posix())


def _file(path: Path, label: str, *, render: Callable[[str], Bundle], plain: bool) -> Tree:
    if is_archive(path):
        return read_archive(path, label)
    Budget(label=label).take(path.stat().st_size)
    content = path.read_bytes()
    if not plain and path.suffix in {".yaml", ".yml"} and _RECIPE.search(content):
        return Tree(label=label, files=render(str(path)).files)
    root = None if path.is_absolute() else path.parent.as_posix()
    return Tree(label=label, files={path.name: content}, root=root, single=True)
