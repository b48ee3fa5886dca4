"""The standard library's dataclass for frozen records, without the code that it compiles for each of them.

`dataclasses.dataclass` writes and compiles six functions for a frozen class: over a millisecond each time, and a quarter of a short
command that imports a hundred of them. Comparison, hash, text and the refusal to change do the same for every class, so they are
shared here; what differs, `__init__`, is compiled when the first instance is made. `fields` and `replace` work as ever.
"""

from __future__ import annotations

import dataclasses
import operator
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from dataclasses import dataclass

__all__ = ["dataclass"]

_ABSENT = object()
_assign = object.__setattr__
_ORDER = ["__lt__", "__le__", "__gt__", "__ge__"]


if not TYPE_CHECKING:

    def dataclass(*, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True, order: bool = False) -> Any:
        """What `dataclasses.dataclass` makes of a class, sooner when it is frozen and keyword-only."""
        if not frozen or not kw_only:
            return dataclasses.dataclass(frozen=frozen, slots=slots, kw_only=kw_only, eq=eq, order=order)

        def frozen_class(cls: type) -> type:
            own = frozenset(vars(cls))
            # For a class without one, the standard library would write its signature here, which takes milliseconds.
            cls.__doc__ = cls.__doc__ or cls.__name__
            made = dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False, slots=slots, kw_only=True)(cls)
            shared = {"__repr__": _text, "__setattr__": _refuse_change, "__delattr__": _refuse_removal}
            if slots:
                shared |= {"__getstate__": _state, "__setstate__": _restore}
            if eq:
                shared |= _comparison(made, ["__eq__", *(_ORDER if order else [])])
            for name, function in shared.items():
                if name not in own:
                    setattr(made, name, function)
            made.__init__ = _first_initialiser(made)
            made.__signature__ = _Signature()
            return made

        return frozen_class


def _first_initialiser(cls: Any) -> Callable[..., None]:
    """An `__init__` that compiles the class's own, puts it in its place, and makes the first instance by it."""

    def __init__(self: object, *args: object, **values: object) -> None:  # noqa: N807  (a wrong call names it)
        cls.__init__ = _initialiser(cls)
        cls.__init__(self, *args, **values)

    return __init__


def _initialiser(cls: type) -> Callable[..., None]:
    """The function that assigns each field, from a keyword, its default, or what its factory makes."""
    names: dict[str, Any] = {"_assign": _assign, "_ABSENT": _ABSENT}
    parameters, lines = [], []
    for field in dataclasses.fields(cls):
        name, value = field.name, field.name
        if field.default is not dataclasses.MISSING:
            names[f"_default_{name}"] = field.default
            parameters.append(f"{name}=_default_{name}")
        elif field.default_factory is not dataclasses.MISSING:
            names[f"_make_{name}"] = field.default_factory
            parameters.append(f"{name}=_ABSENT")
            value = f"_make_{name}() if {name} is _ABSENT else {name}"
        else:
            parameters.append(name)
        lines.append(f" _assign(self, {name!r}, {value})")
    signature = ", ".join(["self", *(["*"] if parameters else []), *parameters])
    source = f"def __init__({signature}):\n" + ("\n".join(lines) or " pass")
    exec(source, names)  # noqa: S102  (made of field names and of words written here)
    function: Callable[..., None] = names["__init__"]
    function.__qualname__ = f"{cls.__qualname__}.__init__"
    function.__annotations__ = {field.name: field.type for field in dataclasses.fields(cls)}
    return function


class _Signature:
    """The signature of a class, made when somebody asks for it."""

    def __get__(self, _: object, cls: type) -> object:
        """The signature of its `__init__`, without the instance."""
        from inspect import signature  # noqa: PLC0415  (for documentation only)

        whole = signature(_initialiser(cls))
        return whole.replace(parameters=[*whole.parameters.values()][1:])


def _comparison(cls: type, operators: Iterable[str]) -> dict[str, Callable[..., Any]]:
    """`__hash__` and the named operators, by the fields that compare."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    values: Callable[[Any], Any]
    if len(names) > 1:
        values = attrgetter(*names)
    else:

        def values(instance: Any) -> tuple[Any, ...]:
            return tuple(getattr(instance, name) for name in names)

    def by_values(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
        return lambda self, other: compare(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented

    return {"__hash__": lambda self: hash(values(self))} | {name: by_values(getattr(operator, name)) for name in operators}


@recursive_repr()
def _text(self: Any) -> str:
    fields = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{self.__class__.__qualname__}({fields})"


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        _assign(self, field.name, value)


def _refuse_change(_: object, name: str, __: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_removal(_: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
