"""The Jinja environment that templates run in: plain data, a handful of filters, nothing of Python's.

Attributes are members of maps and the state of a loop; no other object has any, so no method of Python's is within reach. The
statements and filters that exist are listed in `bundler.render.language`, which reads the template before it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2.exceptions import SecurityError
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from bundler.render.arithmetic import OPERATORS, compute
from bundler.render.budget import budget_of
from bundler.render.filters import FILTERS, TESTS
from bundler.render.kinds import kind_of
from bundler.render.metering import METERS
from bundler.render.undefined import Missing, require

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jinja2.loaders import BaseLoader
    from jinja2.runtime import Context

__all__ = ["Sandbox"]

_LOOP = frozenset({"index", "index0", "first", "last", "length"})


class Sandbox(ImmutableSandboxedEnvironment):
    """A strict environment whose templates come from one loader and are compiled once."""

    intercepted_binops = OPERATORS

    def __init__(
        self, *, loader: BaseLoader | None, functions: Mapping[str, Callable[..., Any]], finalize: Callable[[Any], str]
    ) -> None:
        super().__init__(
            loader=loader,
            undefined=Missing,
            finalize=finalize,
            autoescape=False,
            keep_trailing_newline=True,
            trim_blocks=True,
            lstrip_blocks=True,
            # Constants are folded by nobody: every operation is paid for when the template runs.
            optimized=False,
            auto_reload=False,
            cache_size=-1,
        )
        self.filters = {**FILTERS, **METERS}
        self.tests = dict(TESTS)
        self.globals = dict(functions)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A member of a map, or the state of a loop."""
        if isinstance(obj, dict):
            return obj[attribute] if attribute in obj else self.undefined(obj=obj, name=attribute)
        if isinstance(obj, LoopContext) and attribute in _LOOP:
            return getattr(obj, attribute)
        require(obj)
        raise SecurityError(f"{kind_of(obj)} has no member {attribute!r} that a template may use")

    def getitem(self, obj: Any, argument: Any) -> Any:
        """A member of a map or an item of a list or text."""
        if isinstance(obj, dict):
            return obj[argument] if argument in obj else self.undefined(obj=obj, name=argument)
        if isinstance(obj, list | tuple | str) and isinstance(argument, int):
            return obj[argument] if -len(obj) <= argument < len(obj) else self.undefined(obj=obj, name=str(argument))
        require(obj)
        raise SecurityError(f"{kind_of(obj)} has no member {argument!r} that a template may use")

    def is_safe_callable(self, obj: Any) -> bool:
        """Only the functions of this environment are called."""
        require(obj)
        if any(obj is function for function in self.globals.values()):
            return True
        raise SecurityError(f"{kind_of(obj)} cannot be called")

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """A binary operator, within the budget of the rendering."""
        return compute(budget_of(context), operator, left, right)
