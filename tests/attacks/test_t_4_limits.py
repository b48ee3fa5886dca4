"""Row T4: a template that wants too much ends within 2 s and 200 MB, with one finding. Each runs in a process of its own."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json, resource, sys
from tests.attacks.peak import peak
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from bundler.catalog.catalog import TemplateSource
from bundler.errors import InvalidInput
from bundler.render.renderer import Renderer
text = eval(sys.argv[1])
texts = {"t.yaml.j2": text, "part.yaml.j2": "{% include 'part.yaml.j2' %}\\n", "long.yaml.j2": "a: 1\\n" * 20_000}
def fetch(name):
    return TemplateSource(name=name, file=name, text=texts[name])
renderer = Renderer.manifests(fetch, images={}, fragment=lambda name: None)
before = resource.getrusage(resource.RUSAGE_SELF)
try:
    renderer.documents("t.yaml.j2", {"values": {"text": "x" * 65536, "list": list(range(5000)), "controls": "\\1" * 65536}})
    findings = []
except InvalidInput as error:
    findings = [[finding.rule, finding.message] for finding in error.findings]
after = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "findings": findings,
    "seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    "MB": peak() / 1_000_000,
}))
"""

LOOP = r"'{% for i in range(10000) %}\n' * 2 + BODY + '{% endfor %}\n' * 2"


def attack(expression):
    """What rendering costs, and what is found. The text is an expression, because a child process gets it as an argument."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, expression], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def value(expression):
    """A template of one value, as the expression of its text."""
    return repr(f"a: {{{{ ({expression}) | to_json }}}}\n")


def loop(body):
    """A template that does something a hundred million times."""
    return LOOP.replace("BODY", repr(f"{body}\n"))


STEPS = "the template takes more than 1000000 steps"


@pytest.mark.parametrize(
    ("expression", "rule", "message"),
    [
        pytest.param(value("'a' * 10**8"), "AICR-T009", "a repetition to 100000000 items is longer than 1048576", id="repetition"),
        pytest.param(value("[0] * 10**8"), "AICR-T009", "a repetition to 100000000 items is longer than 1048576", id="list"),
        pytest.param(value("10**10**8"), "AICR-T009", "the result of ** is longer than 128 bits", id="power"),
        pytest.param(value("10**20 * 10**20"), "AICR-T009", "the result of * is longer than 128 bits", id="product"),
        pytest.param(value("'%1000000000d' % 1"), "AICR-T004", "formatting text with % is not offered", id="width"),
        pytest.param(value("'%1000000000d' | format(1)"), "AICR-T004", "there is no filter 'format'", id="format"),
        pytest.param(value("values.text | replace('x', values.text)"), "AICR-T009", None, id="replace"),
        pytest.param(value("values.list | join(values.text)"), "AICR-T009", None, id="join"),
        pytest.param(value("range(10**12)"), "AICR-T009", "a range is longer than 10000", id="range"),
        pytest.param(loop("{% set x = 1 %}"), "AICR-T009", STEPS, id="nested ranges"),
        pytest.param(loop("{% if values.list == values.list %}\n{% endif %}"), "AICR-T009", STEPS, id="comparisons"),
        pytest.param(loop("{% set x = values.list | to_yaml %}"), "AICR-T009", STEPS, id="serialising"),
        pytest.param(loop("{% set x = values.controls | quote %}"), "AICR-T009", STEPS, id="escaping"),
        pytest.param(loop("{% set x = values.list + values.list %}"), "AICR-T009", STEPS, id="concatenation"),
        pytest.param(loop("{% include 'long.yaml.j2' %}"), "AICR-T009", None, id="long part"),
        pytest.param(loop("a: {{ values.text | quote }}"), "AICR-T009", None, id="100 MB of values"),
        pytest.param(loop("a: " + "x" * 10_000), "AICR-T009", None, id="100 MB of text"),
        pytest.param(
            r"'{% set a = [1, 1] %}\n' + '{% set a = [a, a] %}\n' * 32 + 'b: {{ a | to_json }}\n'",
            "AICR-T009",
            STEPS,
            id="doubling lists",
        ),
        pytest.param(r"'{% set a = values.text %}\n' + '{% set a = a + a %}\n' * 64", "AICR-T009", None, id="doubling texts"),
        pytest.param(
            r"'{% for a in [[values.list] * 1000] %}\n' * 18 + '{% endfor %}\n' * 18", "AICR-T009", STEPS, id="lists of lists"
        ),
        pytest.param(
            r"'{% macro m() %}\n{{ m() }}\n{% endmacro %}\n{{ m() }}\n'",
            "AICR-T004",
            "macro is not offered to templates",
            id="macro",
        ),
        pytest.param(
            r"'{% include \'part.yaml.j2\' %}\n'",
            "AICR-T008",
            "a template includes itself: part.yaml.j2 → part.yaml.j2",
            id="recursion",
        ),
        pytest.param(
            r"'a: {{ ' + '(' * 60_000 + '1' + ')' * 60_000 + ' | to_json }}\n'",
            "AICR-T009",
            "the template nests its statements or expressions too deeply",
            id="parentheses",
        ),
        pytest.param(
            r"'a: {{ (1' + ' + 1' * 30_000 + ') | to_json }}\n'",
            "AICR-T009",
            "the template nests its statements or expressions too deeply",
            id="sum",
        ),
        pytest.param(
            "'{{ a ' * 20_000",
            "AICR-T009",
            "the template nests its statements or expressions too deeply",
            id="never closed",
        ),
        pytest.param(r"'a: 1\n' * 100_000", "AICR-T009", "the template is longer than 131072 characters", id="long template"),
    ],
)
def test_a_template_that_wants_too_much_ends_soon(expression, rule, message):
    result = attack(expression)
    found = result["findings"]
    assert rule in {each for each, _ in found}
    assert len(found) == 1 or rule == "AICR-T004"
    assert message is None or [rule, message] in found
    assert result["seconds"] < 2
    assert result["MB"] < 200
