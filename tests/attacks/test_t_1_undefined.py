"""Row T1: something undefined, wherever a template uses it, is one finding at its line with the nearest name."""

import pytest

from tests.unit.render.kit import findings

PART = "components/x/_part.yaml.j2"
VALUES = {"network": {"eth1": "net-1"}, "list": ["a"]}


@pytest.mark.parametrize(
    ("text", "where", "message", "fix"),
    [
        ("a: 1\nb: {{ netwrok | quote }}\n", "2:7", "nothing is named 'netwrok'", None),
        ("a: {{ values.netwrok | quote }}\n", "1:14", "a map has no member 'netwrok'", "did you mean 'network'?"),
        ("a: {{ values.network.eth2 | quote }}\n", "1:22", "a map has no member 'eth2'", "did you mean 'eth1'?"),
        ("a: {{ values['netwrok'] | to_json }}\n", "1:15", "a map has no member 'netwrok'", "did you mean 'network'?"),
        ("a: 1\n{% if values.netwrok %}\n{% endif %}\n", "2:14", "a map has no member 'netwrok'", "did you mean 'network'?"),
        ("{% if 'eth1' in values.netwrok %}\n{% endif %}\n", "1:24", "a map has no member 'netwrok'", "did you mean 'network'?"),
        ("{% if values.netwrok == 'x' %}\n{% endif %}\n", "1:14", "a map has no member 'netwrok'", "did you mean 'network'?"),
        ("a:\n{% for x in values.lits %}\n{% endfor %}\n", "2:20", "a map has no member 'lits'", "did you mean 'list'?"),
        (
            "a:\n{% for x in values.list if x == values.lits %}\n  - {{ x | quote }}\n{% endfor %}\n",
            "2:40",
            "a map has no member 'lits'",
            "did you mean 'list'?",
        ),
        ("{% set a = values.netwrok %}\nb: {{ a | quote }}\n", "2:4", "a map has no member 'netwrok'", "did you mean 'network'?"),
        ("{% with a = values.netwrok %}\nb: {{ a | quote }}\n{% endwith %}\n", "2:4", "a map has no member 'netwrok'", None),
        ("a: {{ [values.netwrok] | to_json }}\n", "1:15", "a map has no member 'netwrok'", "did you mean 'network'?"),
        ("a: {{ ('x' + values.netwrok) | quote }}\n", "1:21", "a map has no member 'netwrok'", "did you mean 'network'?"),
    ],
)
def test_undefined_is_one_finding_at_its_line(text, where, message, fix):
    [found] = findings(text, VALUES)
    assert (found.rule, str(found.location)) == ("AICR-T002", f"manifests/components/x/t.yaml.j2:{where}")
    assert found.message == message
    assert fix is None or found.fix == fix


def test_undefined_in_an_included_file_is_told_there():
    [found] = findings(f"a: 1\n{{% include '{PART}' %}}\n", VALUES, parts={PART: "b: 1\nc: {{ values.netwrok | quote }}\n"})
    assert (found.rule, str(found.location)) == ("AICR-T002", f"manifests/{PART}:2:14")
    assert found.fix == "did you mean 'network'?"


def test_a_choice_that_leaves_a_case_open_is_refused():
    [found] = findings("a: 1\nb: {{ ('x' if values.list == 1) | quote }}\n", VALUES)
    assert (found.rule, found.location.line) == ("AICR-T004", 2)
    assert found.message == "an if expression without else is not offered to templates"


def test_undefined_may_be_tested_and_given_a_default():
    assert findings("a: {{ values.b | default('c') | quote }}\n{% if values.b is defined %}\nd: 1\n{% endif %}\n", VALUES) == ()
