"""Row T5: a value that looks like a template is data, byte for byte."""

import pytest

from tests.unit.render.kit import data, rendered

LOOKALIKES = [
    "{{ 7*7 }}",
    "{% raw %}",
    "{% endraw %}",
    "{%- for i in range(9) -%}",
    "{# comment #}",
    "${{ github.token }}",
    "$(HOME)",
    "${HOME:-}}",
    "}}{{",
    "{{ image('x') }}",
    "#}",
    "{{ '{{' }}",
]


@pytest.mark.parametrize("value", LOOKALIKES)
@pytest.mark.parametrize("filters", ["quote", "to_json", "to_yaml | quote"])
def test_a_value_is_never_rendered_as_a_template(value, filters):
    text = rendered(f"a: {{{{ values.v | {filters} }}}}\nb: 1\n", {"v": value})
    assert value in text
    expected = value if filters != "to_yaml | quote" else None
    read = data(f"a: {{{{ values.v | {filters} }}}}\n", {"v": value})["a"]
    assert expected is None or read == expected


@pytest.mark.parametrize("value", LOOKALIKES)
def test_neither_is_what_a_template_passes_on(value):
    text = "{% set w = values.v + '' %}\n{% for x in [w] %}\n- {{ {x: [x]} | to_json }}\n{% endfor %}\n"
    assert data(text, {"v": value}) == [{value: [value]}]
