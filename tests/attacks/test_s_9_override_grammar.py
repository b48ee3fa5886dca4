"""S9: what is no assignment is refused with a bounded message, whatever is thrown at the parser."""

import random
import time

import pytest

from bundler.compose.overrides import parse_set
from bundler.errors import InvalidInput
from tests.unit.compose.catalogues import refused

ALPHABET = "ab:.=\\[]{}\"', \n\x00\x1b\u2028é😀\ud800-0"


@pytest.mark.parametrize(
    "text",
    [
        "operator:a[999999999]=1",
        "a[999999999]=1",
        "a..b=",
        "operator:a..b=",
        "=x",
        ":=",
        "",
        "=",
        ":",
        ".",
        "operator",
        "operator:a",
        "operator:a[0].b=1",
        "operator:=1",
        "operator: =\x00",
        "\x00",
        "operator:" + "a." * 10_000 + "a=1",
        "x" * 1_000_000,
        "operator:a=" + "x" * 1_000_000,
        "operator:" + "\\" * 65_000,
        "-:a=1",
        "operator\n:a=1",
        "operatör:a=1",
    ],
)
def test_hostile_assignments_are_refused_quickly_with_a_short_message(text):
    start = time.perf_counter()
    [finding] = refused(parse_set, text)
    assert time.perf_counter() - start < 0.2
    assert finding.startswith("AICR-C050: --set ")
    assert len(finding) < 300


def test_random_text_is_parsed_or_refused_and_never_anything_else():
    source = random.Random(9)
    parsed = 0
    for _ in range(20_000):
        text = source.choice(["", "ab:", "ab:a="]) + "".join(source.choices(ALPHABET, k=source.randrange(24)))
        try:
            component, path, _ = parse_set(text)
        except InvalidInput:
            continue
        parsed += 1
        assert component
        assert path
        assert all(path)
    assert parsed > 1_000
