"""Resource quantities: parse, compare by value, keep as written.

Grammar and rounding: k8s.io/apimachinery/pkg/api/resource. `1`, `"1"` and `1000m` are one value in three spellings; what a manifest
says is never rewritten.
"""

from __future__ import annotations

import re
from dataclasses import field
from decimal import ROUND_CEILING, Context, Decimal
from functools import lru_cache

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput

__all__ = ["Quantity"]

_FORM = re.compile(r"([+-]?)([0-9]+\.?[0-9]*|\.[0-9]+)(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?[0-9]{1,3}))?\Z")
_BINARY = {unit: Decimal(1024) ** power for power, unit in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), start=1)}
_DECIMAL = {unit: Decimal(10) ** power for unit, power in zip("numkMGTPE", (-9, -6, -3, 3, 6, 9, 12, 15, 18), strict=True)}
_EXACT = Context(prec=400)
_SMALLEST = Decimal("1e-9")
_LONGEST = 64
_REMEMBERED = 1024
"""Texts whose amount is kept: a few recur in every object."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Quantity:
    """An amount of a resource. Equality and order are those of the value; the spelling is kept beside it.

    Attributes:
        value: exact, in whole units; a fraction of a nano unit is rounded up, as a server does.
        text: as written.
    """

    value: Decimal
    text: str = field(compare=False)

    @classmethod
    def parse(cls, written: str | int) -> Quantity:
        """Parse a quantity as a manifest writes it.

        Raises:
            InvalidInput: it is no quantity.
        """
        return cls._parse(str(written))

    @classmethod
    @lru_cache(maxsize=_REMEMBERED)
    def _parse(cls, text: str) -> Quantity:
        match = _FORM.match(text) if len(text) <= _LONGEST else None
        if match is None:
            message = f"{text[:_LONGEST]!r} is not a quantity"
            raise InvalidInput("AICR-K041", message, fix="write a number with an optional unit such as 500m, 8, 64Gi")
        sign, digits, binary, decimal, exponent = match.groups()
        value = Decimal(sign + digits)
        if binary:
            value = _EXACT.multiply(value, _BINARY[binary])
        elif decimal:
            value = _EXACT.multiply(value, _DECIMAL[decimal])
        elif exponent:
            value = value.scaleb(int(exponent), _EXACT)
        return cls(value=value.quantize(_SMALLEST, rounding=ROUND_CEILING, context=_EXACT), text=text)

    @staticmethod
    def shown(value: Decimal) -> str:
        """A value as people read it: in the largest binary unit of which it is a whole number, such as `10Gi`; else as a number."""
        for unit, size in reversed(list(_BINARY.items())[1:]):
            if value and not value % size:
                return f"{value // size:f}{unit}"
        return f"{value.normalize():f}"

    @property
    def whole(self) -> bool:
        """Whether it is a whole number of units, as extended resources must be."""
        return self.value == self.value.to_integral_value()

    def __str__(self) -> str:
        return self.text
