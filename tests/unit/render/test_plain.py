"""Requirements on templates of plain text, such as a bundle's README."""

import pytest

from bundler.errors import InvalidInput
from bundler.render.renderer import Renderer
from tests.unit.render.kit import source

NAME = "bundle/README.md.j2"


def text(body, **variables):
    return Renderer.plain(lambda name: source(body, name), names=variables).text(NAME, variables)


def refused(body, **variables):
    with pytest.raises(InvalidInput) as caught:
        text(body, **variables)
    [found] = caught.value.findings
    return found


def test_values_are_written_as_they_are_wherever_they_stand():
    body = (
        "# {{ name }} ({{ count }}, {{ ready }})\n{% for row in rows %}\n| {{ row.a }} | {{ row.b | upper }} |\n{% endfor %}\nend"
    )
    rows = [{"a": "1 | <2>", "b": "x"}, {"a": "`{{ 7*7 }}`", "b": "y"}]
    expected = "# n (2, true)\n| 1 | <2> | X |\n| `{{ 7*7 }}` | Y |\nend"
    assert text(body, name="n", count=2, ready=True, rows=rows) == expected


def test_tags_may_share_lines_and_control_whitespace():
    assert text("a {%- if true %} b{% endif %} {# c #}d\n") == "a b d\n"


@pytest.mark.parametrize(
    ("body", "rule", "where"),
    [
        ("x\n{{ nme }}\n", "AICR-T002", "2:4"),
        ("x\n{{ rows[0].c }}\n", "AICR-T002", "2:12"),
        ("{{ name.__class__ }}\n", "AICR-T003", "1:9"),
        ("{{ name.upper }}\n", "AICR-T003", "1:1"),
        ("{{ rows }}\n", "AICR-T010", "1:1"),
        ("{{ none }}\n", "AICR-T010", "1:1"),
        ("{% macro m() %}{% endmacro %}\n", "AICR-T004", "1:1"),
        ("{{ name | attr('x') }}\n", "AICR-T004", "1:11"),
        ("{% include '../other.j2' %}\n", "AICR-T008", "1:13"),
        ("{% include 'bundle/README.md.j2' %}\n", "AICR-T008", "1:4"),
        ("{{ 'a' * 10 ** 8 }}\n", "AICR-T009", "1:1"),
        ("{{ image('x') }}\n", "AICR-T002", "1:4"),
        ("{% if name %}\n", "AICR-T001", "1:1"),
    ],
)
def test_the_sandbox_is_that_of_manifests(body, rule, where):
    found = refused(body, name="n", rows=[{"a": 1}])
    assert (found.rule, str(found.location)) == (rule, f"manifests/{NAME}:{where}")
