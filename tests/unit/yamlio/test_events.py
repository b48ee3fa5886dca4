"""Requirements on the parser where PyYAML has no C extension: the same documents, the same rules."""

import json
import subprocess
import sys

import pytest

TEXTS = [
    'a: [1, {b: c}]\nd: |\n  x\n  y\ne: "é\\n"\n',
    "- &x a\n- *x\n",
    "a: no\n",
    "a: 1\na: 2\n",
    "a: !x b\n",
    'a: "\\ud800"\n',
    'a: "\\U00110000"\n',
    "a:\n\tb: 1\n",
    "a:\tb\n",
    "%YAML 1.1\n---\na: b\n",
    "%FOO\n---\na: b\n",
    "a: [1\n",
    "[" * 10_000,
    "",
]  # fmt: skip

PROGRAM = """
import json, sys
if sys.argv[1] == "without":
    sys.modules["yaml._yaml"] = None
import yaml
from bundler.errors import InvalidInput
from bundler.yamlio.reader import read
assert yaml.__with_libyaml__ == (sys.argv[1] == "with")
answers = []
for text in json.load(sys.stdin):
    try:
        document = read(text.encode(), "f")
        answers.append([document.data, {pointer: str(place) for pointer, place in document.positions.items()}])
    except InvalidInput as error:
        answers.append([[finding.rule, finding.location.line] for finding in error.findings])
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def answers():
    """What each parser makes of the texts, in a process that has, or has not, the C extension."""
    return {
        extension: json.loads(
            subprocess.run(
                [sys.executable, "-c", PROGRAM, extension], input=json.dumps(TEXTS), capture_output=True, text=True, check=True
            ).stdout
        )
        for extension in ("with", "without")
    }


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_both_parsers_give_the_same_document_or_the_same_finding(answers, number):
    assert answers["without"][number] == answers["with"][number]
