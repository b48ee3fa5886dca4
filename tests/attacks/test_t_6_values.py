"""Row T6: any text that a template writes is read back as that text by every reader of YAML."""

import pytest

from tests.property.readers import READERS
from tests.unit.render.kit import data, rendered

NASTY = [
    "a\nkind: Evil",
    "a\r\nb\rc",
    "a: b",
    "a #b",
    "- a",
    "? a",
    "| a",
    "> a",
    "%a",
    "@a",
    "`a`",
    "&a *a",
    "!tag a",
    "\"a\" 'b'",
    "back\\slash\\n",
    "tab\there",
    " leading and trailing ",
    "",
    "---",
    "...",
    "--- a",
    "{a: b}",
    "[a, b]",
    "no",
    "on",
    "y",
    "~",
    "null",
    "0755",
    "1_000",
    "1e3",
    ".5",
    "1.20",
    "12:30:45",
    "2026-01-01",
    "<<",
    "=",
    "\u2028\u2029\x85",
    "\ufeff",
    "\U0001f600",
    "e\u0301 \u00e9",
    "\u202eabc",
    "\x00\x07\x1b[31m\x1e\x1f\x7f",
    "\ue000\uf8ff",
    "x" * 65536,
    "\n" * 1000,
]
TEMPLATE = """\
plain: {{ values.v | quote }}
list:
- {{ values.v | quote }}
- - {{ values.v | to_json }}
flow: {{ {"key": values.v, "list": [values.v]} | to_json }}
nested: {{ {"v": values.v} | to_json | quote }}
last: 1
"""


@pytest.mark.parametrize("value", NASTY)
@pytest.mark.parametrize("reader", READERS)
def test_a_text_is_read_back_as_it_is(value, reader):
    read = READERS[reader](rendered(TEMPLATE, {"v": value}))
    assert read.pop("nested").startswith('{"v": "')
    assert read == {"plain": value, "list": [value, [value]], "flow": {"key": value, "list": [value]}, "last": 1}


@pytest.mark.parametrize("value", NASTY)
def test_a_text_is_one_line_whatever_it_holds(value):
    assert rendered(TEMPLATE, {"v": value}).count("\n") == TEMPLATE.count("\n")


@pytest.mark.parametrize("key", [key for key in NASTY if len(key) < 1000])
def test_a_key_is_read_back_as_it_is(key):
    assert data("a: {{ values.v | to_json }}\n", {"v": {key: 1}}) == {"a": {key: 1}}
    assert data("a: {{ values.v | pairs('name', 'value') | to_json }}\n", {"v": {key: 1}}) == {"a": [{"name": key, "value": 1}]}


@pytest.mark.parametrize("value", NASTY)
def test_yaml_in_a_text_is_read_back_as_it_is(value):
    inner = data("a: {{ values.v | to_yaml | quote }}\n", {"v": {"list": [value]}})["a"]
    assert {name: read(inner) for name, read in READERS.items()} == {name: {"list": [value]} for name in READERS}
