"""What a template gets for a name or member that does not exist: any use of it is an error that knows what was looked for."""

from __future__ import annotations

from typing import Any

from jinja2.exceptions import UndefinedError
from jinja2.runtime import StrictUndefined, Undefined
from jinja2.utils import missing

__all__ = ["Absent", "Missing", "require"]


class Absent(UndefinedError):
    """The use of something undefined.

    Attributes:
        hint: why it is undefined, where Jinja knows better than a name.
        name: the name, key or index that was looked for.
        owner: the value it was looked for in; None for a variable.
    """

    def __init__(self, *, hint: str | None, name: Any, owner: Any) -> None:
        super().__init__(hint or f"{name!r} is undefined")
        self.hint = hint
        self.name = name
        self.owner = owner


class Missing(StrictUndefined):
    """Strict, and raises `Absent`."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        # Jinja asks for the message only to raise it; raising here keeps the name and its owner beside it.
        owner = None if self._undefined_obj is missing else self._undefined_obj
        raise Absent(hint=self._undefined_hint, name=self._undefined_name, owner=owner)


def require(value: Any) -> None:
    """Refuse an undefined value. Jinja makes lenient ones too, for an `if` expression without `else`: these pass every other use.

    Raises:
        UndefinedError: the value is undefined.
    """
    if isinstance(value, Undefined):
        value._fail_with_undefined_error()  # noqa: SLF001  (Jinja documents it for those who handle undefined values)
