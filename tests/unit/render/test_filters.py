"""Requirements on the filters and tests that templates have."""

import json

import pytest
from jinja2.runtime import Undefined

from bundler.render.filters import FILTERS, TESTS
from tests.unit.render.kit import data, findings

VALUES = {
    "text": "a b",
    "n": 8,
    "f": 1.5,
    "yes": True,
    "nothing": None,
    "list": ["b", "a"],
    "rows": [{"name": "A", "value": "1", "class": "x"}, {"name": "B", "valueFrom": {"k": "v"}}],
    "map": {"eth1": "net-1", "eth2": "net-2"},
}


def value(expression):
    return data(f"a: {{{{ {expression} }}}}\n", VALUES)["a"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("values.text | quote", "a b"),
        ("values.n | quote", "8"),
        ("values.f | quote", "1.5"),
        ("values.yes | quote", "true"),
        ("values.n | to_json", 8),
        ("values.nothing | to_json", None),
        ("values.rows | to_json", VALUES["rows"]),
        ("values.map | to_json | quote", '{"eth1": "net-1", "eth2": "net-2"}'),
        ("values.list | to_yaml | quote", "- b\n- a\n"),
        ("values.rows | pick('name', 'value') | to_json", [{"name": "A", "value": "1"}, {"name": "B"}]),
        ("[] | pick('name') | to_json", []),
        ("values.map | pairs('i', 'n') | to_json", [{"i": "eth1", "n": "net-1"}, {"i": "eth2", "n": "net-2"}]),
        ("values.list | entries('path') | to_json", [{"path": "b"}, {"path": "a"}]),
        ("[] | entries('path') | to_json", []),
        ("(values.map | items | first)[1] | quote", "net-1"),
        ("values.list | join(',') | quote", "b,a"),
        ("[1, true, 'x'] | join | quote", "1truex"),
        ("values.list | sort | to_json", ["a", "b"]),
        ("values.list | first | quote", "b"),
        ("values.list | last | quote", "a"),
        ("values.list | length | to_json", 2),
        ("values.text | upper | quote", "A B"),
        ("values.text | upper | lower | quote", "a b"),
        ("' x ' | trim | quote", "x"),
        ("values.text | replace('a', 'c') | quote", "c b"),
        ("values.n | string | quote", "8"),
        ("values.absent | default('d') | quote", "d"),
        ("values.text | default('d') | quote", "a b"),
    ],
)
def test_filters_on_plain_data(expression, expected):
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("values.absent is defined", False),
        ("values.absent is undefined", True),
        ("values.text is defined", True),
        ("values.nothing is none", True),
        ("values.text is string", True),
        ("values.n is number", True),
        ("values.yes is number", False),
        ("values.yes is boolean", True),
        ("values.map is mapping", True),
        ("values.list is sequence", True),
        ("values.text is sequence", False),
        ("values.text is not mapping", True),
    ],
)
def test_tests_on_plain_data(expression, expected):
    assert value(f"({expression}) | to_json") is expected


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("values.list | quote", "a list is no text"),
        ("values.map | quote", "a map is no text"),
        ("values.nothing | quote", "null is no text"),
        ("values.map | upper | quote", "a map is no text"),
        ("values.text | pick('a') | to_json", "pick takes a list"),
        ("values.list | pick('a') | to_json", "pick takes a list of maps"),
        ("values.rows | pick('nam') | to_json", "no item has the key 'nam'"),
        ("values.text | pairs('k', 'v') | to_json", "pairs takes a map"),
        ("values.list | items | to_json", "items takes a map"),
        ("values.map | join | quote", "join takes a list"),
        ("[[]] | join | quote", "a list is no text"),
        ("values.text | replace('', 'x') | quote", "replace needs a text to look for"),
        ("['a', 1] | sort | to_json", "an expression has no value: '<' not supported between instances of 'int' and 'str'"),
        ("values.list | join(1) | quote", "an expression has no value: object of type 'int' has no len()"),
        ("values.list | first('x') | quote", None),
        ("values.text | quote(1)", None),
    ],
)
def test_a_filter_refuses_what_it_is_not_made_for(expression, message):
    [found] = findings(f"a: 1\nb: {{{{ ({expression}) | to_json }}}}\n", VALUES)
    assert (found.rule, found.location.line) == ("AICR-T010", 2)
    assert message is None or found.message == message


@pytest.mark.parametrize("expression", [f"values.absent | {name}" for name in sorted(FILTERS) if name != "default"])
def test_no_filter_takes_an_undefined_value_in_silence(expression):
    arguments = {"entries": "('k')", "pairs": "('k', 'v')", "pick": "('k')", "replace": "('a', 'b')"}
    call = expression + arguments.get(expression.rpartition(" ")[2], "")
    rules = {found.rule for found in findings(f"a: {{{{ ({call}) | to_json }}}}\n", VALUES)}
    assert rules == {"AICR-T002"}


@pytest.mark.parametrize("name", sorted(set(TESTS) - {"defined", "undefined"}))
def test_no_test_but_defined_takes_an_undefined_value_in_silence(name):
    assert [found.rule for found in findings(f"a: {{{{ (values.absent is {name}) | to_json }}}}\n", VALUES)] == ["AICR-T002"]


def test_json_in_an_annotation_is_one_text():
    expression = "([{'interfaceName': 'eth0'}] + (values.map | pairs('interfaceName', 'network'))) | to_json | quote"
    assert json.loads(value(expression))[1] == {"interfaceName": "eth1", "network": "net-1"}


def test_undefined_is_the_only_kind_of_value_that_is_no_data():
    assert TESTS["undefined"](Undefined(name="x"))
    assert not TESTS["undefined"](None)
