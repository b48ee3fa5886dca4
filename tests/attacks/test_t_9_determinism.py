"""Row T9: nothing that a template can use depends on anything but its input."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bundler.render.filters import FILTERS, TESTS
from bundler.render.lint import lint_template
from bundler.render.names import FUNCTIONS
from tests.unit.render.kit import data, source

UNOFFERED = [
    "values.list | random",
    "values.list | shuffle",
    "values.list | unique",
    "values.map | dictsort",
    "values.map | list",
    "values.list | batch(2)",
    "values.text | hash",
    "now()",
    "time()",
    "uuid()",
    "random()",
    "env('HOME')",
    "lookup('env', 'HOME')",
    "set()",
    "dict(a=1)",
    "cycler(1, 2)",
    "lipsum(1)",
]


@pytest.mark.parametrize("expression", UNOFFERED)
def test_what_could_differ_between_runs_is_not_offered(expression):
    found = lint_template(source(f"a: {{{{ ({expression}) | to_json }}}}\n"))
    assert {each.rule for each in found} <= {"AICR-T002", "AICR-T004"}
    assert found


def test_the_whole_of_what_is_offered():
    assert set(FUNCTIONS) == {"fragment", "image", "range"}
    assert set(TESTS) == {"boolean", "defined", "mapping", "none", "number", "sequence", "string", "undefined"}
    assert set(FILTERS) == {
        *("default", "entries", "first", "items", "join", "last", "length", "lower", "pairs", "pick", "quote"),
        *("replace", "sort", "string", "to_json", "to_yaml", "trim", "upper"),
    }


def test_maps_keep_the_order_of_their_author():
    values = {"map": {"b": 1, "a": 2, "c": 3}}
    assert list(data("a: {{ values.map | to_json }}\n", values)["a"]) == ["b", "a", "c"]
    assert data("{% for k, v in values.map | items %}\n- {{ k | quote }}\n{% endfor %}\n", values) == ["b", "a", "c"]


PROGRAM = """
from tests.unit.render.kit import rendered
values = {"map": {"b": 1, "a": {"z": 1, "y": [2, "ä"]}}, "list": ["ß", "b"]}
text = '''a: {{ values.map | to_json }}
b: {{ values.list | sort | join(", ") | upper | quote }}
c: {{ values.map | to_yaml | quote }}
{% for k, v in values.map | items %}
# item
{% endfor %}
'''
import sys
sys.stdout.buffer.write(rendered(text, values).encode())
"""


def test_the_text_is_the_same_under_every_hash_seed_zone_and_locale(tmp_path):
    root = str(Path(__file__).parents[2])
    texts = set()
    for seed, zone, locale in [("0", "UTC", "C"), ("1", "Asia/Tokyo", "tr_TR.UTF-8"), ("12345", "America/New_York", "C.UTF-8")]:
        environment = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale, "PYTHONPATH": root}
        done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, env=environment, capture_output=True, check=True)
        texts.add(done.stdout)
    assert len(texts) == 1
