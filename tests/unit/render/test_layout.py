"""Requirements on where tags may stand in a manifest template."""

import pytest

from tests.unit.render.kit import findings, rendered, told

VALUES = {"a": "x", "list": ["1", "2"]}


@pytest.mark.parametrize(
    "line",
    [
        "key: {{ values.a | quote }}",
        "  key: {{ values.a | quote }}",
        "- {{ values.a | quote }}",
        "- - {{ values.a | quote }}",
        "- key: {{ values.a | quote }}",
        '"quoted key": {{ values.a | quote }}',
        "'it''s': {{ values.a | quote }}",
        "example.com/key: {{ values.a | quote }}",
        "key: {{ values.a | quote }}  ",
        "key: {{ values.a | quote }} # why",
        "key:   {{ values.a | quote }}",
    ],
)
def test_an_expression_is_the_whole_value_of_a_key_or_item(line):
    assert rendered(f"{line}\n", VALUES) == line.replace("{{ values.a | quote }}", '"x"') + "\n"


@pytest.mark.parametrize(
    "line",
    [
        "{{ values.a | quote }}: value",
        "{{ values.a | quote }}",
        "  {{ values.a | quote }}",
        "key: text {{ values.a | quote }}",
        "key: {{ values.a | quote }} text",
        "key: {{ values.a | quote }}# no comment",
        "key: {{ values.a | quote }}{{ values.a | quote }}",
        "key: {{ values.a | quote }} {{ values.a | quote }}",
        "key: [{{ values.a | quote }}]",
        "key: {k: {{ values.a | quote }}}",
        "# key: {{ values.a | quote }}",
        'key: "{{ values.a | quote }}"',
        "key:{{ values.a | quote }}",
        "-{{ values.a | quote }}",
        "key with spaces: {{ values.a | quote }}",
        "&anchor {{ values.a | quote }}",
        "!tag {{ values.a | quote }}",
        "a: b: {{ values.a | quote }}",
    ],
)
def test_an_expression_anywhere_else_is_refused(line):
    assert {found.rule for found in findings(f"a: 1\n{line}\n", VALUES)} == {"AICR-T005"}


def test_the_finding_points_at_the_expression_and_says_where_it_goes():
    [found] = findings("a: 1\nb: text {{ values.a | quote }}\n", VALUES)
    assert str(found.location) == "manifests/components/x/t.yaml.j2:2:9"
    assert found.message == "an output expression is not the whole value of a key or list item"
    assert found.fix == "write it after `key: ` or `- `, once a line, to the end of the line"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a: 1\n{% if values.a %}b: 2{% endif %}\n", "2:1"),
        ("a: {% if values.a %}\n1\n{% endif %}\n", "1:4"),
        ("{% if values.a %} # why\na: 1\n{% endif %}\n", "1:1"),
        ("{% if values.a %}{% set x = 1 %}\na: 1\n{% endif %}\n", "1:1"),
        ("a: 1 {# comment #}\nb: 2\n", "1:6"),
        ("{# comment #} a: 1\n", "1:1"),
        ("a: {% raw %}{{ x }}{% endraw %}\nb: 1\n", "1:4"),
        ("{% raw %} \na: 1\n{% endraw %}\n", "1:1"),
        ("a: 1\n{% if values.a %} \nb: 1\n{% endif %}\n", "2:1"),
    ],
)
def test_every_other_tag_has_its_lines_to_itself(text, where):
    assert f"AICR-T007 {where}" in told(text, VALUES)


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\n{%- if values.a %}\nb: 1\n{% endif %}\n",
        "a: 1\n{% if values.a -%}\nb: 1\n{% endif %}\n",
        "a: 1\n{%+ if values.a %}\nb: 1\n{% endif %}\n",
        "a: {{- values.a | quote }}\n",
        "a: {{ values.a | quote -}}\n",
        "a: 1\n{#- comment #}\n",
        "a: 1\n{# comment -#}\n",
        "a: 1\n{%- raw %}\n{% endraw %}\n",
        "a: 1\n{% raw %}\n{% endraw -%}\n",
    ],
)
def test_whitespace_control_is_refused(text):
    assert "a tag controls whitespace with - or +" in [found.message for found in findings(text, VALUES)]


def test_tags_on_lines_of_their_own_leave_nothing_behind():
    text = """\
{# A comment
   of two lines. #}
a:
  {% for item in values.list %}
  - {{ item | quote }}
  {% endfor %}
{% raw %}
b: "{{ no expression }}"
{% endraw %}
{% set c = {
  "k": 1,
} %}
c: {{ {
  "k": c.k,
} | to_json }}
"""
    assert rendered(text, VALUES) == 'a:\n  - "1"\n  - "2"\n\nb: "{{ no expression }}"\nc: {"k": 1}\n'


def test_a_template_ends_with_a_newline_so_that_a_part_cannot_join_the_line_after_it():
    assert told("a: 1") == ["AICR-T007 1:0"]


@pytest.mark.parametrize("character", ["\x00", "\x1e", "\x1f", "\x7f", "\x0b"])
def test_a_control_character_is_refused_at_its_line(character):
    assert told(f"a: 1\nb: {character}\n") == ["AICR-T007 2:0"]


def test_all_faults_of_a_template_are_told_at_once_in_the_order_of_its_lines():
    text = "a{{ values.a | quote }}\n{% if values.a %}b: 1{% endif %}\nc: {{ values.a }}\nd: {{ values.a | nope | quote }}\n"
    assert told(text, VALUES) == ["AICR-T005 1:2", "AICR-T007 2:1", "AICR-T006 3:4", "AICR-T004 4:18"]
