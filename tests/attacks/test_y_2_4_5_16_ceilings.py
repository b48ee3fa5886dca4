"""Hostile YAML in a child process with ceilings on time and memory (Y2, Y4, Y5, Y16)."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json, resource, sys
from tests.attacks.peak import peak
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from bundler.errors import InvalidInput
from bundler.yamlio.reader import read
text = eval(sys.argv[1]).encode()
read(b"warm: [up]", "x")
before, small = resource.getrusage(resource.RUSAGE_SELF), peak()
try:
    read(text, "attack.yaml")
    findings = []
except InvalidInput as error:
    findings = [[finding.rule, finding.message] for finding in error.findings]
after = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "findings": findings,
    "seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    "MiB": (peak() - small) / 1024**2,
}))
"""

BUDGET = "aliases expand the file to more than 100000 values (alias budget)"
TOO_DEEP = "maps and lists are nested more than 64 deep"


def attack(expression):
    """What reading the text costs, and what is found. The text is an expression, because a child process gets it as an argument."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, expression], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


LAUGHS = r"""'a0: &a0 [x, x, x, x, x, x, x, x, x]\n' + ''.join(
    f'a{n}: &a{n} [' + ', '.join([f'*a{n - 1}'] * 9) + ']\n' for n in range(1, 9)
)"""


@pytest.mark.parametrize(
    ("expression", "rule", "message"),
    [
        pytest.param(LAUGHS, "AICR-Y008", BUDGET, id="Y2 nine levels of nine aliases"),
        pytest.param(
            r"'a: &a [' + 'x, ' * 1000 + ']\n' + ''.join(f'b{n}: *a\n' for n in range(200))", "AICR-Y008", BUDGET, id="Y2 flat"
        ),
        pytest.param(
            r"'a0: &a0 {}\n' + ''.join(f'a{n}: &a{n} {{x: *a{n - 1}}}\n' for n in range(1, 400))",
            "AICR-Y007",
            f"{TOO_DEEP} once aliases are followed",
            id="Y4 depth through aliases",
        ),
        pytest.param("'[' * 10_000", "AICR-Y007", TOO_DEEP, id="Y4 flow lists"),
        pytest.param("'{a: ' * 10_000", "AICR-Y007", TOO_DEEP, id="Y4 flow maps"),
        pytest.param("'- ' * 10_000 + 'a'", "AICR-Y007", TOO_DEEP, id="Y4 block lists"),
        pytest.param(r"''.join(' ' * n + 'a:\n' for n in range(1_000))", "AICR-Y007", TOO_DEEP, id="Y4 block maps"),
        pytest.param("'? ' * 10_000", "AICR-Y014", "a key is not a string", id="Y4 explicit keys"),
        pytest.param("'x' * (5 << 20)", "AICR-Y003", "the file has 5242880 bytes, more than 1048576", id="Y5 size"),
    ],
)
def test_a_bomb_is_refused_within_a_fifth_of_a_second_and_50_mib(expression, rule, message):
    result = attack(expression)
    assert result["findings"] == [[rule, message]]
    assert result["seconds"] < 0.2
    assert result["MiB"] < 50


@pytest.mark.slow
@pytest.mark.parametrize(
    "expression",
    [
        r"'- a\n' * 200_000",
        r"'a: no\n' * 150_000",
        r"'- &a b\n' * 100_000",
        r"'- &a b\n' + '- *a\n' * 200_000",
        "'a: {' + 'b,' * 400_000 + '}'",
        "'a: ' + '1' * 1_000_000",
        "'a: ' + '1:' * 500_000 + '1'",
        "'a: 1' + '_' * 1_000_000",
        r"'a: \"' + 'x' * 1_000_000",
        r"'a: |\n' + ' x\n' * 300_000",
        "'a: ' + 'b ' * 500_000",
        r"'\n' * 1_000_000",
        r"'#\t\n' * 300_000",
        r"'- \"\t\"\n' * 30_000",
    ],
)
def test_y16_whatever_a_mebibyte_holds_is_read_or_refused_in_bounded_time_and_memory(expression):
    result = attack(f"({expression})[:1 << 20]")
    assert len(result["findings"]) <= 100
    assert result["seconds"] < 10
    assert result["MiB"] < 200
