"""A command whose options stand in named sections, and which knows in which order repeated options were given."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Command", "Directory", "Flag", "Input", "keep_lines", "order_given", "words_given"]

_ORDER = "bundler.cli.order"
_WORDS = "bundler.cli.words"
_REST = "Other options"


class Input(click.Path):
    """A path, which an unset shell variable must not turn into the current directory. Whoever opens it says what is wrong."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path that was given."""
        if not value:
            self.fail("the path is empty", param, ctx)
        from pathlib import Path

        return Path(value)


class Directory(Input):
    """The path of a directory."""

    def __init__(self) -> None:
        super().__init__(file_okay=False)


class Flag(click.Option):
    """An option that belongs to a section of its command's help."""

    def __init__(self, declarations: Sequence[str] | None = None, *, section: str = _REST, **attributes: Any) -> None:
        super().__init__(declarations, **attributes)
        self.section = section


class Command(click.Command):
    """A command with sectioned help, in which an indented paragraph keeps its lines."""

    def __init__(self, name: str | None, *, help: str | None = None, **attributes: Any) -> None:  # noqa: A002  (click's name)
        super().__init__(name, help=keep_lines(help), **attributes)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words, and keep the order of the options: click groups the uses of each and forgets what stood between."""
        try:
            _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise
        ctx.meta[_ORDER] = tuple(parameter.name or "" for parameter in order)
        ctx.meta[_WORDS] = tuple(args)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options section by section, in the order in which the sections were first declared."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                sections.setdefault(getattr(parameter, "section", _REST), []).append(record)
        rest = sections.pop(_REST, [])
        if rest:
            sections[_REST if sections else "Options"] = rest
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def order_given(ctx: click.Context) -> tuple[str, ...]:
    """The parameter of each option in the order of the words, one entry a use."""
    order: tuple[str, ...] = ctx.meta.get(_ORDER, ())
    return order


def words_given(ctx: click.Context) -> tuple[str, ...]:
    """The words after the command's name."""
    words: tuple[str, ...] = ctx.meta.get(_WORDS, ())
    return words


def keep_lines(text: str | None) -> str | None:
    """Mark the indented paragraphs of a help text, so that click does not fill them."""
    if text is None:
        return None
    paragraphs = cleandoc(text).split("\n\n")
    return "\n\n".join(f"\b\n{paragraph}" if paragraph.startswith(" ") else paragraph for paragraph in paragraphs)
