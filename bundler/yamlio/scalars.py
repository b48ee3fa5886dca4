"""Plain scalars: what an unquoted text means, and when it must be quoted. One table for the reader and the writer.

Three families read what this project reads and writes, and they disagree about unquoted text:

* YAML 1.1 (PyYAML): `yes`, `on`, `0755` (octal), `12:30:45` (base 60) and dates are not text; `1e3` is.
* Go yaml.v2 (kubectl, Helm): as 1.1, but `y`, `n` and `1e3` are typed too, `089` is 89, and times and dates are text.
* YAML 1.2 (the core schema and ruamel.yaml): `yes` is text, `0755` is 755, `0o17` is 15.

Only a text to which all of them give one meaning may stand unquoted; a number only in the very form in which it is written back.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import isfinite

__all__ = [
    "MAX_INTEGER",
    "MIN_INTEGER",
    "ambiguous",
    "encodable",
    "is_text",
    "number_text",
    "printable",
    "quoted",
    "quotes_needed",
    "resolve",
]

MIN_INTEGER, MAX_INTEGER = -(2**63), 2**63 - 1
"""Kubernetes carries integers in 64 bits; kubectl makes a rounded float of a larger one."""

_AGREED: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
}  # fmt: skip

_DISPUTED: dict[str, str] = {
    **dict.fromkeys(("yes", "Yes", "YES", "on", "On", "ON"), "YAML 1.1 and kubectl read it as true, YAML 1.2 as text"),
    **dict.fromkeys(("no", "No", "NO", "off", "Off", "OFF"), "YAML 1.1 and kubectl read it as false, YAML 1.2 as text"),
    **dict.fromkeys(("y", "Y"), "kubectl reads it as true, other readers as text"),
    **dict.fromkeys(("n", "N"), "kubectl reads it as false, other readers as text"),
    **dict.fromkeys(("=", "<<"), "YAML 1.1 reserves it"),
}

_WORDS = frozenset(_AGREED) | frozenset(_DISPUTED)
_NUMBER_STARTS = frozenset("0123456789+-.")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:e[-+][0-9]{2,3})?")

_DECIMAL = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_FORMS: dict[str, str] = {
    r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)": "it is not a finite number",
    r"[-+]?0[0-9]+": "YAML 1.1 and kubectl read it as octal, YAML 1.2 as decimal",
    r"[-+]?0[oO][0-7]+": "kubectl and YAML 1.2 read it as an octal number, YAML 1.1 as text",
    r"[-+]?0[xX][0-9a-fA-F]+": "most readers take it for a hexadecimal number",
    r"[-+]?0[bB][01]+": "YAML 1.1 and kubectl read it as a binary number, YAML 1.2 as text",
    r"[-+]?[0-9]+(?::[0-5]?[0-9])+(?:\.[0-9]*)?": "YAML 1.1 reads it as a base-60 number, other readers as text",
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:.*)?": "YAML 1.1 reads it as a date, other readers as text",
}
"""All other shapes that some reader types, drawn a little wider than the readers do; compiled only when a text may have one."""

_PLAIN = re.compile(r"[A-Za-z0-9_/.$(+~<=-][ -~]*")
_NOT_PLAIN = re.compile(r": | #|[: ]\Z|\A(?:- |-\Z|---|\.\.\.)")
"""Printable ASCII that no reader takes for structure outside flow collections; all else is quoted."""

# Soft hyphens, zero-width characters and bidirectional controls: legal in YAML, and a way to show a reviewer something else.
_INVISIBLE = (0xAD, 0x61C, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070))
_ESCAPES: dict[int, str] = {
    **{code: f"\\u{code:04x}" for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)},
    **{code: f"\\u{code:04x}" for code in _INVISIBLE},
    **{ord(char): f"\\{name}" for char, name in zip('"\\\b\f\n\r\t', '"\\bfnrt', strict=True)},
}
_UNPRINTABLE = frozenset(_ESCAPES) - set(map(ord, '"\\\n\t'))


_REMEMBERED = 1 << 14
"""Texts whose verdict is kept: the keys and values of manifests recur in every document."""


def number_text(value: float) -> str:
    """The one way a number is written: Python's, with the fraction that YAML 1.1 demands before an exponent, and no negative zero.

    Raises:
        TypeError: the number is not finite or, as an integer, not within 64 bits.
    """
    if isinstance(value, int):
        if not MIN_INTEGER <= value <= MAX_INTEGER:
            raise TypeError("an integer beyond 64 bits is not plain data")
        return str(value)
    if not isfinite(value):
        raise TypeError(f"{value} is not plain data")
    mantissa, exponent, power = repr(value or 0.0).partition("e")
    return f"{mantissa}.0e{power}" if exponent and "." not in mantissa else f"{mantissa}{exponent}{power}"


def is_text(text: str) -> bool:
    """Whether the unquoted text is that text to every reader, as its first character already tells."""
    return text not in _WORDS and text[0] not in _NUMBER_STARTS


def resolve(text: str) -> str | int | float | bool | None:
    """The value every reader gives the unquoted text; the text itself where they give it none, or disagree."""
    if text in _AGREED:
        return _AGREED[text]
    if text[0] in _NUMBER_STARTS:
        if _INTEGER.fullmatch(text) and MIN_INTEGER <= (integer := int(text)) <= MAX_INTEGER:
            return integer
        if _FLOAT.fullmatch(text) and isfinite(real := float(text)) and number_text(real) == text:
            return real
    return text


@lru_cache(maxsize=_REMEMBERED)
def ambiguous(text: str) -> str | None:
    """Why the unquoted text must not be taken as text, or None when it may, or when all readers agree on another value."""
    if text in _DISPUTED:
        return _DISPUTED[text]
    if text[:1] not in _NUMBER_STARTS or resolve(text) is not text:
        return None
    if "_" in text:
        # Readers either drop an underscore or let it stand for a digit, each in other places.
        parts = (text.replace("_", ""), text.replace("_", "0"))
        typed = any(re.fullmatch(form, part) for form in (_DECIMAL, *_FORMS) for part in parts)
        return "some readers drop the underscore and take it for a number" if typed else None
    for form, reason in _FORMS.items():
        if re.fullmatch(form, text):
            return reason
    return _number_reason(text) if re.fullmatch(_DECIMAL, text) else None


@lru_cache(maxsize=_REMEMBERED)
def quotes_needed(text: str) -> bool:
    """Whether a string must be quoted to stay this very string for every reader, as a value or as a key in block style."""
    return (
        not _PLAIN.fullmatch(text)
        or _NOT_PLAIN.search(text) is not None
        or resolve(text) is not text
        or ambiguous(text) is not None
    )


def printable(text: str) -> bool:
    """Whether a block of lines can hold the text as it is: none of its characters needs an escape."""
    return _UNPRINTABLE.isdisjoint(map(ord, text)) and encodable(text)


def encodable(text: str) -> bool:
    """Whether UTF-8 can hold the text: it has no half of a surrogate pair."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def quoted(text: str) -> str:
    """The string between double quotes, as JSON and as YAML: what YAML refuses or takes for a line break is escaped too.

    Raises:
        TypeError: the text holds half of a surrogate pair, which no UTF-8 file can hold.
    """
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    if not encodable(text):
        raise TypeError("text with a lone surrogate is not plain data")
    return f'"{text.translate(_ESCAPES)}"'


def _number_reason(text: str) -> str:
    """Why a decimal number must not stand as it is."""
    real = float(text)
    if not isfinite(real):
        return "it is not a finite number"
    if not text.lstrip("+-").isdigit():
        return f"it reads as the number {number_text(real)}"
    if len(text) > len(str(MIN_INTEGER)) or not MIN_INTEGER <= int(text) <= MAX_INTEGER:
        return "kubectl keeps only 64 bits of an integer"
    return f"it reads as the number {int(text)}"
