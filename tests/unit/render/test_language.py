"""Requirements on the part of Jinja that templates are written in."""

import pytest

from bundler.render.language import confined
from tests.unit.render.kit import data, findings, told

VALUES = {"a": "x", "n": 2, "list": [1, 2], "map": {"k": "v", "items": "data"}}


@pytest.mark.parametrize(
    ("statement", "called"),
    [
        ("{% macro m() %}\n{% endmacro %}", "macro"),
        ("{% import 'a.j2' as a %}", "import"),
        ("{% from 'a.j2' import a %}", "import"),
        ("{% extends 'a.j2' %}", "extends"),
        ("{% block b %}\n{% endblock %}", "block"),
        ("{% filter upper %}\n{% endfilter %}", "a block of filter"),
        ("{% set a %}\n{% endset %}", "a block of set"),
        ("{% set values.a = 1 %}", "assigning to a member"),
        ("{% autoescape true %}\n{% endautoescape %}", "autoescape"),
        ("{% for a in values.list recursive %}\n{% endfor %}", "a recursive loop"),
        ("{% include 'a.j2' ignore missing %}", "include with a modifier"),
        ("{% include 'a.j2' without context %}", "include with a modifier"),
    ],
)
def test_statements_that_are_not_offered_are_named(statement, called):
    messages = [(found.rule, found.message) for found in findings(f"a: 1\n{statement}\n", VALUES)]
    assert ("AICR-T004", f"{called} is not offered to templates") in messages


@pytest.mark.parametrize(
    ("expression", "called"),
    [
        ("values.a ~ 'b'", "~"),
        ("values.list[1:]", "a slice"),
        ("values.map.items()", "a call of anything but a function"),
        ("values.a.upper()", "a call of anything but a function"),
        ("values.list[0]()", "a call of anything but a function"),
        ("range(*values.list)", "unpacking arguments with * or **"),
        ("values.a | default(**values.map)", "unpacking arguments with * or **"),
    ],
)
def test_expressions_that_are_not_offered_are_named(expression, called):
    [found] = findings(f"a: {{{{ ({expression}) | to_json }}}}\n", VALUES)
    assert (found.rule, found.message) == ("AICR-T004", f"{called} is not offered to templates")
    assert found.fix


@pytest.mark.parametrize(
    ("expression", "message", "fix"),
    [
        ("values.a | uper", "there is no filter 'uper'", "did you mean 'upper'?"),
        ("values.a is defned", "there is no test 'defned'", "did you mean 'defined'?"),
        ("valus.a", "nothing is named 'valus'", "did you mean 'values'?"),
    ],
)
def test_a_mistyped_name_is_told_with_the_nearest(expression, message, fix):
    [found] = findings(f"a: 1\nb: {{{{ ({expression}) | to_json }}}}\n", VALUES)
    assert (found.message, found.fix) == (message, fix)
    assert found.location.line == 2


def test_a_filter_that_is_like_no_other_is_told_with_some_that_exist():
    [found] = findings("a: {{ values.a | xyzzy | quote }}\n", VALUES)
    assert found.fix == "use one of default, entries, first, items, join, last, length, lower, …"


def test_an_undefined_name_is_found_in_a_branch_that_is_not_taken():
    assert told("a: 1\n{% if values.n == 3 %}\nb: {{ missing | quote }}\n{% endif %}\n", VALUES) == ["AICR-T002 3:7"]


def test_what_a_template_assigns_is_known():
    text = """\
{% set s = 1 %}
{% with w = 2 %}
{% for k, v in values.map | items %}
- {{ [s, w, k, v, loop.index] | to_json }}
{% endfor %}
{% endwith %}
"""
    assert data(text, VALUES) == [[1, 2, "k", "v", 1], [1, 2, "items", "data", 2]]


@pytest.mark.parametrize(
    "expression",
    [
        "values.a",
        "values.a | upper",
        "values.a | to_yaml",
        "1",
        "'text'",
        "values.a | quote if values.n else 'x'",
        "values.a | quote + 'x'",
    ],
)
def test_an_expression_that_does_not_end_serialised_is_refused_before_it_runs(expression):
    [found] = findings(f"a: 1\nb: {{{{ {expression} }}}}\n", VALUES)
    assert (found.rule, found.location.line, found.location.column) == ("AICR-T006", 2, 4)
    assert found.message == "an output expression does not end in a serialising filter"
    assert found.fix == "end it in quote or to_json"


def test_either_branch_of_a_choice_may_be_serialised():
    assert data("a: {{ values.n | quote if values.n == 1 else values.n | to_json }}\n", VALUES) == {"a": 2}


@pytest.mark.parametrize("name", ["a.j2", "a/b.yaml.j2", "a b.j2", "ä.j2", "..a/b", "a/.b"])
def test_a_template_name_may_be_any_path_below_manifests(name):
    assert confined(name)


@pytest.mark.parametrize("name", ["", "/a", "a/", "..", "../a", "a/../b", "a/..", "./a", "a//b", "a\\b", "..\\a", "a\nb", "a\0b"])
def test_a_template_name_never_leads_out(name):
    assert not confined(name)
