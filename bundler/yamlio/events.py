"""YAML's events, one at a time: from libyaml, or from PyYAML's own parser where it was built without the C extension.

Only the parser is used. Nothing of PyYAML composes, resolves or constructs a value, so no tag can ever call code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import yaml
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError

from bundler.yamlio.scalars import encodable

if TYPE_CHECKING:
    from collections.abc import Callable

if yaml.__with_libyaml__:
    from yaml._yaml import CParser

__all__ = ["events"]


class _PurePython(Reader, Scanner, Parser):
    """PyYAML's parser in Python: the same events, about ten times slower."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def fetch_directive(self) -> NoReturn:
        """Refuse directives, of which this parser would skip those that it does not know."""
        raise ScannerError(None, None, "found a directive", self.get_mark())

    def get_event(self) -> Any:
        """The next event. An escape that names no character is an error here too, as it is for libyaml."""
        parse: Callable[[], Any] = super().get_event
        try:
            event = parse()
        except ValueError:
            event = None
        if event is None or not encodable(getattr(event, "value", "")):
            raise ScannerError(None, None, "found invalid Unicode character escape code", self.get_mark())
        return event


def events(text: str) -> Callable[[], Any]:
    """A function that gives the next event at each call, so that a limit can stop the parser at once.

    libyaml lets a tab part tokens, which other readers refuse. A file with a tab in it is therefore read by the stricter parser:
    it takes tabs in quoted text, block text and comments only.

    Args:
        text: characters that YAML allows; the last event is a `StreamEndEvent`.
    """
    fast = yaml.__with_libyaml__ and "\t" not in text
    return CParser(text).get_event if fast else _PurePython(text).get_event
