"""Requirements on what templates reach: members of data, and nothing of Python's."""

import pytest

from bundler.render.refusal import Refusal
from tests.unit.render.kit import data, findings, renderer

VALUES = {
    "items": ["a"],
    "keys": "k",
    "map": {"get": "data", "__class__": "data", "1": "one"},
    "text": "abc",
    "list": [1, 2],
    "n": 1,
}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("values.items", ["a"]),
        ("values.keys", "k"),
        ("values.map.get", "data"),
        ("values['map']['__class__']", "data"),
        ("values.map['1']", "one"),
        ("values.list[0]", 1),
        ("values.list[-1]", 2),
        ("values.text[1]", "b"),
    ],
)
def test_members_of_maps_are_data_whatever_they_are_called(expression, expected):
    assert data(f"a: {{{{ {expression} | to_json }}}}\n", VALUES) == {"a": expected}


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("values.text.upper", "a text has no member 'upper' that a template may use"),
        ("values.text['upper']", "a text has no member 'upper' that a template may use"),
        ("values.list.append", "a list has no member 'append' that a template may use"),
        ("values.list['append']", "a list has no member 'append' that a template may use"),
        ("values.n.real", "a number has no member 'real' that a template may use"),
        ("image.name", "a value of type function has no member 'name' that a template may use"),
        ("values['text'][values.map]", "a text has no member"),
    ],
)
def test_nothing_else_has_members(expression, message):
    [found] = findings(f"a: {{{{ {expression} | to_json }}}}\n", VALUES)
    assert found.rule == "AICR-T003"
    assert found.message.startswith(message)
    assert found.fix == "use members of the data only"


@pytest.mark.parametrize("member", ["index", "index0", "first", "last", "length"])
def test_a_loop_shows_where_it_is(member):
    assert data(f"{{% for i in [7] %}}\na: {{{{ loop.{member} | to_json }}}}\n{{% endfor %}}\n") == {
        "a": {"index": 1, "index0": 0, "first": True, "last": True, "length": 1}[member]
    }


@pytest.mark.parametrize("member", ["cycle", "changed", "previtem", "depth"])
def test_a_loop_shows_nothing_else(member):
    [found] = findings(f"{{% for i in [7] %}}\na: {{{{ loop.{member} | to_json }}}}\n{{% endfor %}}\n")
    assert found.rule == "AICR-T003"


@pytest.mark.parametrize("expression", ["image", "fragment", "range", "[image]", "{'f': range}"])
def test_a_function_is_no_data(expression):
    [found] = findings(f"a: {{{{ {expression} | to_json }}}}\n")
    assert (found.rule, found.message) == ("AICR-T006", "a value of type function is no data that a manifest can hold")


def test_a_name_of_data_cannot_become_a_function():
    [found] = findings("{% set image = values.text %}\na: {{ image('x') | quote }}\n", VALUES)
    assert found.rule in {"AICR-T003", "AICR-T010"}
    assert found.location.line == 2


@pytest.mark.parametrize("value", ["text", 1, True])
def test_only_serialised_text_reaches_a_manifest_even_past_the_lint(value):
    with pytest.raises(Refusal, match="an output expression is not serialised"):
        renderer("a: 1\n").environment.finalize(value)
