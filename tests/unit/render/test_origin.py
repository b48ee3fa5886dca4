"""Requirements on the markers that tell which template line wrote a rendered line."""

import pytest

from bundler.model.location import Location
from tests.unit.render.kit import FILE, NAME, findings, renderer

PART = "components/x/_part.yaml.j2"
TEXT = """\
# The first line is a comment.
{% set prefix = "p-" %}
kind: K
metadata:
  {% if values.named %}
  name: {{ values.name | quote }} # why
  {% endif %}
list:
  {% for item in values.list %}
  - id: {{ (prefix + item) | quote }}
    data: {{ {"a": [1, {"b": item}]} | to_json }}

    flow: [x, {k: v}]
  {% endfor %}
{% include 'components/x/_part.yaml.j2' %}
{% raw %}
raw: "{{ x }}"
{% endraw %}
last:
- text: |
    line {
    line
  after: 1
"""
PART_TEXT = """\
{# A part. #}
part:
  value: {{ values.name | to_json }}
"""
VALUES = {"named": True, "name": "n", "list": ["1", "2"]}


def positions():
    text, [document] = renderer(TEXT, parts={PART: PART_TEXT}).documents(NAME, {"values": VALUES})
    return {pointer: text.locate(location) for pointer, location in document.positions.items()}


@pytest.mark.parametrize(
    ("pointer", "file", "line", "column"),
    [
        ("", FILE, 3, 1),
        ("/kind", FILE, 3, 1),
        ("/metadata/name", FILE, 6, 3),
        ("/list/0", FILE, 10, 5),
        ("/list/0/id", FILE, 10, 5),
        ("/list/1/id", FILE, 10, 5),
        ("/list/1/data", FILE, 11, 5),
        # All that an expression wrote stands for the expression.
        ("/list/1/data/a/1/b", FILE, 11, 11),
        ("/list/1/flow/1/k", FILE, 13, 16),
        ("/part", f"manifests/{PART}", 2, 1),
        ("/part/value", f"manifests/{PART}", 3, 3),
        ("/raw", FILE, 17, 1),
        ("/last/0/text", FILE, 20, 3),
        ("/last/0/after", FILE, 23, 3),
    ],
)
def test_every_value_is_traced_to_the_template_line_and_column_that_wrote_it(pointer, file, line, column):
    assert positions()[pointer] == Location(file=file, line=line, column=column)


def test_the_text_is_what_it_would_have_been_without_markers():
    text, _ = renderer(TEXT, parts={PART: PART_TEXT}).documents(NAME, {"values": VALUES})
    assert text.text == (
        '# The first line is a comment.\nkind: K\nmetadata:\n  name: "n" # why\nlist:\n'
        '  - id: "p-1"\n    data: {"a": [1, {"b": "1"}]}\n\n    flow: [x, {k: v}]\n'
        '  - id: "p-2"\n    data: {"a": [1, {"b": "2"}]}\n\n    flow: [x, {k: v}]\n'
        'part:\n  value: "n"\n\nraw: "{{ x }}"\nlast:\n- text: |\n    line {\n    line\n  after: 1\n'
    )
    assert len(text.origins) == text.text.count("\n")


@pytest.mark.parametrize("marker", ["\x1e", "\x1f", "\x1ecomponents/x/t.yaml.j2\x1e9\x1e"])
def test_a_value_that_holds_a_marker_is_read_back_and_moves_nothing(marker):
    text, [document] = renderer("a: {{ values.v | quote }}\nb: 1\n").documents(NAME, {"values": {"v": marker}})
    assert document.data == {"a": marker, "b": 1}
    assert text.locate(document.locate("/b")) == Location(file=FILE, line=2, column=1)


def test_windows_line_ends_change_no_line_number():
    text, [document] = renderer("a: 1\r\n{% if true %}\r\nb: {{ 2 | to_json }}\r\n{% endif %}\r\n").documents(NAME, {})
    assert text.text == "a: 1\nb: 2\n"
    assert text.locate(document.locate("/b")) == Location(file=FILE, line=3, column=1)


@pytest.mark.parametrize(
    ("text", "rule", "where"),
    [
        ("a: 1\n{% for i in [1, 2] %}\nb: {{ i | to_json }}\n{% endfor %}\n", "AICR-Y013", "3:1"),
        ("a: 1\n{% if true %}\nc: [\n{% endif %}\n", "AICR-Y004", None),
        ("{% if true %}\na: !tag 1\n{% endif %}\n", "AICR-Y011", "2:4"),
        ("{# c #}\na: yes\n", "AICR-Y015", "2:4"),
    ],
)
def test_what_the_reader_finds_in_rendered_text_is_told_of_the_template(text, rule, where):
    [found] = findings(text)
    assert found.rule == rule
    assert found.message.startswith("rendered text: ")
    assert found.location.file == FILE
    assert where is None or f"{found.location.line}:{found.location.column}" == where


def test_a_fault_that_a_loop_repeats_is_told_once():
    assert len(findings("{% for i in [1, 2] %}\n- yes\n{% endfor %}\n")) == 1
