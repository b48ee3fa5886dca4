"""Row T2: no template reaches beyond its data: not by attributes, formats, filters, globals or Jinja's own objects."""

import pytest

from bundler.render.lint import lint_template
from tests.unit.render.kit import findings, source

VALUES = {"text": "x", "list": [1], "map": {"k": "v"}}

STATIC = [
    "''.__class__",
    "values.__class__.__mro__",
    "values.text.__class__.__base__.__subclasses__()",
    "values.text.format(values)",
    "'{0.__class__}'.format(values)",
    "'{0.__class__}'.format_map(values.map)",
    "values.text | attr('__class__')",
    "values.text | attr('upper')",
    "'%s' | format(values)",
    "[values] | map('format') | first",
    "[values] | map(attribute='__class__') | first",
    "[values] | selectattr('__class__') | first",
    "[values] | groupby('__class__') | first",
    "values.list | sum(attribute='__class__')",
    "values.text | xmlattr",
    "values.text | pprint",
    "values.text | tojson",
    "values.text | safe",
    "values.text | escape",
    "cycler('a', 'b').__init__.__globals__",
    "joiner().__init__.__globals__",
    "lipsum.__globals__",
    "lipsum()",
    "namespace(a=1)",
    "dict(a=1)",
    "self",
    "self.__init__",
    "self._TemplateReference__context",
    "context",
    "environment",
    "super()",
    "caller()",
    "config",
    "request",
    "os.environ",
    "range.__self__",
    "image.__globals__",
    "fragment.__closure__",
    "values._private",
    "values.list.append(1)",
    "values.map.update({'k': 'w'})",
    "values.map.pop('k')",
    "values.list.sort()",
    "(values.text ~ 'x').__class__",
    "values.text is filter",
    "values.text is callable",
]


@pytest.mark.parametrize("expression", STATIC)
def test_an_escape_is_found_before_anything_runs(expression):
    found = lint_template(source(f"a: 1\nb: {{{{ ({expression}) | to_json }}}}\n"))
    assert found
    assert {each.rule for each in found} <= {"AICR-T002", "AICR-T003", "AICR-T004"}
    assert {each.location.line for each in found} == {2}
    assert findings(f"a: 1\nb: {{{{ ({expression}) | to_json }}}}\n", VALUES) == found


DYNAMIC = [
    "values.text['__class__']",
    "values['text']['format']",
    "values.list['append']",
    "values.list['__len__']",
    "image['__globals__']",
    "range['__self__']",
    "{'f': image}.f['__code__']",
    "([image] | first)['__globals__']",
    "(values.map | items)['__class__']",
    "1['real']",
    "true['__class__']",
    "none['__class__']",
    "values.text['__cl' + 'ass__']",
]


@pytest.mark.parametrize("expression", DYNAMIC)
def test_an_escape_by_subscript_is_refused_when_it_runs(expression):
    [found] = findings(f"a: 1\nb: {{{{ ({expression}) | to_json }}}}\n", VALUES)
    assert (found.rule, found.location.line) == ("AICR-T003", 2)
    assert found.message.endswith("that a template may use")


@pytest.mark.parametrize(
    "statement",
    [
        "{% set values.map.k = 'w' %}",
        "{% set ns = namespace() %}",
        "{% set ns.a = 1 %}",
        "{% import 'os' as os %}",
        "{% from 'x' import y %}",
        "{% extends values.text %}",
        "{% macro m() %}{{ caller() }}{% endmacro %}",
        "{% call m() %}{% endcall %}",
        "{% filter upper %}{% endfilter %}",
        "{% do values.list.append(1) %}",
        "{% debug %}",
        "{% trans %}x{% endtrans %}",
        "{% continue %}",
        "{% print(values) %}",
    ],
)
def test_a_statement_that_changes_or_runs_more_is_refused(statement):
    found = findings(f"a: 1\n{statement}\n", VALUES)
    assert {each.location.line for each in found} == {2}
    assert {each.rule for each in found} <= {"AICR-T001", "AICR-T002", "AICR-T004", "AICR-T006", "AICR-T005", "AICR-T007"}


def test_self_in_a_part_reaches_nothing():
    part = "components/x/_part.yaml.j2"
    [found] = findings(
        f"{{% include '{part}' %}}\n", VALUES, parts={part: "a: {{ self['_TemplateReference__context'] | to_json }}\n"}
    )
    assert found.rule == "AICR-T003"
    [found] = findings(f"{{% include '{part}' %}}\n", VALUES, parts={part: "a: {{ self | to_json }}\n"})
    assert found.rule == "AICR-T006"


def test_the_data_of_a_composition_is_the_same_after_an_attack():
    values = {"map": {"k": "v"}, "list": [1]}
    for expression in ["values.list.append(2)", "values.map.clear()", "values.list + [2]", "values.list * 2", "values.list | sort"]:
        findings(f"a: {{{{ ({expression}) | to_json }}}}\n", values)
    assert values == {"map": {"k": "v"}, "list": [1]}
