"""The page of the library: every public name with its signature, what it says of itself, and its public members."""

from __future__ import annotations

import enum
import inspect
from typing import TYPE_CHECKING, Any

import bundler

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["library"]

_FIT = 100


def library() -> Iterator[str]:
    """The page `api.md`."""
    yield "# Library"
    yield ""
    yield "The public names of the package `bundler`. Every stage is a pure function over frozen values; only the catalogue"
    yield "reads files and only the writer writes them. [How to use it](../how-to/use-as-a-library.md)."
    for name in bundler.__all__:
        member = getattr(bundler, name)
        if callable(member):
            yield ""
            yield f"## {name}"
            yield ""
            yield "```python"
            yield _declaration(name, member)
            yield "```"
            yield ""
            yield "```text"
            yield inspect.cleandoc(member.__doc__ or "")
            yield "```"
            yield from _members(member)


def _members(owner: Any) -> Iterator[str]:
    """The public methods, properties and enumerated values of a class, one line each."""
    lines = [line for name, member in vars(owner).items() if not name.startswith("_") and (line := _member(name, member))]
    if inspect.isclass(owner) and lines:
        yield ""
        yield from lines


def _member(name: str, member: Any) -> str:
    if isinstance(member, enum.Enum):
        return f"* `{name}`: `{member.value}`"
    called = member.__func__ if isinstance(member, classmethod | staticmethod) else member
    if inspect.isfunction(called):
        return f"* `{name}({', '.join(_parameters(called))}){_returned(called)}`: {_first_line(called)}"
    if member.__doc__ and (isinstance(member, property) or type(member).__name__ == "cached_property"):
        return f"* `{name}`: {_first_line(member)}"
    return ""


def _first_line(member: Any) -> str:
    return inspect.cleandoc(member.__doc__ or "").partition("\n")[0]


def _declaration(name: str, member: Any) -> str:
    """A declaration as one would write it: on one line where it fits, else a line for each parameter."""
    if inspect.isclass(member) and issubclass(member, enum.Enum):
        return f"class {name}({member.__bases__[0].__name__})"
    head, tail = (f"class {name}", "") if inspect.isclass(member) else (f"def {name}", _returned(member))
    parameters = _parameters(member)
    line = f"{head}({', '.join(parameters)}){tail}"
    return line if len(line) <= _FIT else "\n".join([f"{head}(", *(f"    {parameter}," for parameter in parameters), f"){tail}"])


def _returned(member: Any) -> str:
    annotation = inspect.signature(member).return_annotation
    return "" if annotation is inspect.Signature.empty else f" -> {annotation}"


def _parameters(member: Any) -> list[str]:
    """Parameters with their types and defaults; a star where only keywords follow."""
    found: list[str] = []
    for parameter in inspect.signature(member).parameters.values():
        if parameter.name.startswith("_") or parameter.name in {"self", "cls"}:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in found:
            found.append("*")
        annotation = "" if parameter.annotation is parameter.empty else f": {parameter.annotation}"
        default = "" if parameter.default is parameter.empty else f" = {_default(parameter.default)}"
        found.append(f"{parameter.name}{annotation}{default}")
    return found


def _default(value: Any) -> str:
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    text = repr(value)
    return "..." if text.startswith("<") else text
