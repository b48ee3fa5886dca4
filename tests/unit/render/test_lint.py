"""Requirements on checking templates without rendering them."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.render.lint import lint_template
from tests.unit.render.kit import findings, source

PACKAGED = Catalog.load()


@pytest.mark.parametrize("name", [name for name in PACKAGED.templates if name.endswith(".yaml.j2")])
def test_every_packaged_manifest_template_is_clean(name):
    assert lint_template(PACKAGED.template(name)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a: {{ values.a }}\nb: {{ nothing | quote }}\n",
        "a: {{ values.a\n",
        "a: 1 {# c #}\n{% macro m() %}\n{% endmacro %}\n",
        f"a: {{{{ {'(' * 2000}1{')' * 2000} | to_json }}}}\n",
    ],
)
def test_lint_finds_what_rendering_would_be_refused_for(text):
    assert lint_template(source(text)) == findings(text)


def test_an_undefined_name_of_a_part_is_left_to_the_templates_that_include_it():
    assert lint_template(source("- {{ item | quote }}\n", "runtimes/_part.yaml.j2")) == ()
    assert [found.rule for found in lint_template(source("- {{ item | quote }}\n", "runtimes/part.yaml.j2"))] == ["AICR-T002"]


def test_lint_does_not_look_at_what_a_template_includes():
    assert lint_template(source("{% include 'runtimes/absent.yaml.j2' %}\n")) == ()
