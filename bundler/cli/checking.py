"""`aicr bundle --check`: whether what is committed is what renders today. Nothing is written."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from bundler.cli.command import words_given
from bundler.cli.terminal import remark, say
from bundler.errors import AicrError, InvalidInput
from bundler.model.finding import Finding
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.cli.flags import Flags
    from bundler.model.bundle import Bundle
    from bundler.publish.drift import Change

__all__ = ["check"]

_WITH_A_VALUE = frozenset({"--check", "--report"})
_OF_CHECKS = frozenset({"--exit-zero", "--locked"})


def check(catalog: Catalog, flags: Flags, directory: Path, *, locked: bool) -> bool:
    """Check a bundle, or, where only a directory is given that is none, every bundle below it.

    Returns:
        Whether all of them are current.

    Raises:
        AicrError: one cannot be rendered; of several, the others are checked nevertheless.
    """
    from bundler.publish.bundles import bundles_in, is_bundle

    alone = flags.recipe is None and not flags.criteria
    if not alone or is_bundle(directory) or (directory / "recipe.yaml").is_file():
        return _one(catalog, flags, directory, alone=alone, locked=locked)
    current, failed = True, None
    for bundle in bundles_in(directory):
        try:
            current = _one(catalog, flags, bundle, alone=True, locked=locked) and current
        except AicrError as error:
            say(error.findings)
            failed = error if failed is None or error.exit_code > failed.exit_code else failed
    if failed is not None:
        click.get_current_context().exit(failed.exit_code)
    return current


def _one(catalog: Catalog, flags: Flags, directory: Path, *, alone: bool, locked: bool) -> bool:
    from bundler import pipeline
    from bundler.cli.request import read_request
    from bundler.publish.drift import drift, unified
    from bundler.report.summary import contents, drift_count

    if alone:
        flags = replace(flags, recipe=str(directory / "recipe.yaml"))
    request, notes = read_request(flags, catalog)
    say(notes)
    bundle = pipeline.bundle(catalog, request)
    say(bundle.warnings)
    if locked:
        from bundler.bom.locked import require_locked

        require_locked(bundle, catalog)
    changes = drift(bundle, directory)
    if not changes:
        remark(f"{directory}: {contents(bundle)}; current")
        return True
    remark(unified(changes).removesuffix("\n"))
    _explain(changes, directory, catalog, flags)
    message = f"{str(directory)!r} is not what its recipe renders to: {drift_count(changes)}"
    fix = f"run {_writing_command(bundle, directory, catalog, alone=alone)}"
    say([Finding(rule="AICR-U020", message=message, location=Location(file=str(directory)), fix=fix)])
    return False


def _explain(changes: Sequence[Change], directory: Path, catalog: Catalog, flags: Flags) -> None:
    """Say what drifted by class and risk, and which command tells it object by object."""
    from bundler.diff.classes import Classes
    from bundler.diff.diff import diff
    from bundler.report.changes import summary, told
    from bundler.sides.drifted import drifted

    remark(f"drift: {summary(told(diff(*drifted(changes, str(directory)), catalog.derived(Classes.of))))}")
    if type(flags)(recipe=flags.recipe, data=flags.data) == flags and flags.recipe is not None:
        data = ["--data", str(flags.data)] if flags.data is not None else []
        remark(f"object by object: {shlex.join(['aicr', 'diff', str(directory), flags.recipe, *data])}")


def _writing_command(bundle: Bundle, directory: Path, catalog: Catalog, *, alone: bool) -> str:
    """The command that was given, with `-o` in the place of `--check`; forced where only that writes over what is there."""
    from bundler.publish.target import protected_by
    from bundler.publish.write import preview

    words = ["aicr", "bundle"]
    if alone:
        words += ["--recipe", str(directory / "recipe.yaml")]
    words += [*_kept(words_given(click.get_current_context())), "-o", str(directory)]
    try:
        preview(bundle, directory, protected=protected_by(catalog))
    except InvalidInput:
        words.append("--force")
    return shlex.join(words)


def _kept(words: Sequence[str]) -> Iterator[str]:
    """The words that choose what is bundled."""
    given = iter(words)
    for word in given:
        if word in _WITH_A_VALUE:
            next(given, None)
        elif word.partition("=")[0] not in _WITH_A_VALUE and word not in _OF_CHECKS:
            yield word
