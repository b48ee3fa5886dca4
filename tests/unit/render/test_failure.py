"""Requirements on where and how a rendering that fails is told."""

import sys

import pytest

from tests.unit.render.kit import NAME, findings

PART = "components/x/_part.yaml.j2"
VALUES = {"interfaces": {"eth1": "net-1", "eth2": "net-2"}, "list": ["a"], "text": "x", "empty": {}}


@pytest.mark.parametrize(
    ("text", "where", "message", "fix"),
    [
        ("a: 1\nb: {{ values.interface | quote }}\n", "2:14", "a map has no member 'interface'", "did you mean 'interfaces'?"),
        (
            "a: {{ values.interfaces.net | quote }}\n",
            "1:25",
            "a map has no member 'net'",
            "use one of eth1, eth2",
        ),
        ("a: {{ values.empty.x | quote }}\n", "1:20", "a map has no member 'x'", "the map is empty"),
        ("a: {{ values.list[3] | quote }}\n", "1:19", "a list of 1 has no item 3", "use an item that exists"),
        ("a: {{ [] | first | quote }}\n", "1:4", "No first item, sequence was empty.", "test the value before using it"),
        (
            "{% if values.absent %}\n{% endif %}\n",
            "1:14",
            "a map has no member 'absent'",
            "use one of empty, interfaces, list, text",
        ),
        (
            "{% for x in values.absent %}\n{% endfor %}\n",
            "1:20",
            "a map has no member 'absent'",
            "use one of empty, interfaces, list, text",
        ),
        (
            "{% if values.text == 'y' %}\n{% set late = 1 %}\n{% endif %}\na: {{ late | quote }}\n",
            "4:7",
            "nothing is named 'late'",
            "did you mean 'values'?",
        ),
    ],
)
def test_an_undefined_value_is_told_with_the_nearest_name(text, where, message, fix):
    [found] = findings(text, VALUES)
    assert (found.rule, f"{found.location.line}:{found.location.column}", found.message) == ("AICR-T002", where, message)
    if "late" not in message:
        assert found.fix == fix


def test_a_failure_in_a_part_is_told_there():
    text = "{% for item in values.list %}\n{% include 'components/x/_part.yaml.j2' %}\n{% endfor %}\n"
    [found] = findings(text, VALUES, parts={PART: "# A comment.\n- {{ itm | quote }}\n"})
    assert str(found.location) == f"manifests/{PART}:2:6"
    assert (found.message, found.fix) == ("nothing is named 'itm'", "did you mean 'item'?")


def test_a_part_that_breaks_a_rule_is_told_there():
    [found] = findings(f"{{% include '{PART}' %}}\n", VALUES, parts={PART: "a: 1\nb: {{ values.text }}\n"})
    assert (found.rule, str(found.location)) == ("AICR-T006", f"manifests/{PART}:2:4")


def test_an_include_of_nothing_is_told_where_it_is_written():
    [found] = findings("a: 1\n{% include 'components/x/absent.yaml.j2' %}\n")
    assert (found.rule, found.location.line) == ("AICR-S018", 2)


def test_a_cycle_of_includes_is_told_with_the_names_on_it():
    parts = {PART: f"{{% include '{NAME}' %}}\n"}
    [found] = findings(f"a: 1\n{{% include '{PART}' %}}\n", parts=parts)
    assert found.rule == "AICR-T008"
    assert found.message in {
        f"a template includes itself: {PART} → {NAME} → {PART}",
        f"a template includes itself: {NAME} → {PART} → {NAME}",
    }


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a: {{ values.text\nb: 1\n", 2, "expected token 'end of print statement', got 'b'"),
        ("a: 1\n{% if values.text %}\n", 2, "Unexpected end of template"),
        ("a: 1\n{% unknown %}\n", 2, "Encountered unknown tag 'unknown'."),
        ("a: 1\n{# never closed\n", 2, "Missing end of comment tag"),
        (f"a: {{{{ {'9' * 5000} | to_json }}}}\n", 1, "Exceeds the limit"),
    ],
)
def test_a_template_that_is_no_jinja_is_told_at_its_line(text, line, problem):
    [found] = findings(text, VALUES)
    assert found.rule == "AICR-T001"
    assert found.message.startswith("the template is no valid Jinja: ")
    assert problem in found.message
    assert found.location.line == line


@pytest.mark.parametrize(
    "text",
    [
        f"a: {{{{ {'(' * 2000}1{')' * 2000} | to_json }}}}\n",
        f"a: {{{{ {'[' * 500}{']' * 500} | to_json }}}}\n",
        f"a: {{{{ {'not ' * 2000}1 | to_json }}}}\n",
        f"a: {{{{ ({' + '.join(['1'] * 5000)}) | to_json }}}}\n",
        f"a: {{{{ 1{' | default(1)' * 3000} | to_json }}}}\n",
        "{% if true %}\n" * 300 + "{% endif %}\n" * 300,
        "{% for i in [1] %}\n" * 30 + "{% endfor %}\n" * 30,
        "{% set a = [] %}\n" + "{% set a = [a] %}\n" * 700 + "b: {{ a | to_json }}\n",
    ],
)
@pytest.mark.parametrize("stack", [1000, 2500])
def test_no_depth_of_nesting_escapes_whatever_stack_is_left(text, stack):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(stack)
    try:
        [found] = findings(text)
    finally:
        sys.setrecursionlimit(before)
    assert found.rule == "AICR-T009"


@pytest.mark.parametrize(
    "expression", ["1 / 0", "2.0 ** 10000", "{[]: 1}", "range('a')", "range(1, 2, 0)", "image(1)", "image([])", "fragment()"]
)
def test_what_python_cannot_compute_is_a_finding(expression):
    [found] = findings(f"a: 1\nb: {{{{ ({expression}) | to_json }}}}\n")
    assert found.rule in {"AICR-T010", "AICR-T011"}
    assert found.location.line == 2
