"""Requirements on the table of plain scalars.

What kubectl makes of each text was recorded from kubectl itself (kubectl-scalars.json); PyYAML and ruamel.yaml are asked here.
"""

import json
from pathlib import Path

import pytest
import ruamel.yaml
import yaml

from bundler.yamlio.scalars import ambiguous, encodable, number_text, printable, quoted, quotes_needed, resolve
from tests.property.readers import go_scalar, same

KUBECTL = json.loads(Path(__file__).with_name("kubectl-scalars.json").read_text(encoding="utf-8"))["scalars"]


def read_or_none(load, text):
    """The reader's value, or the reader's error, which equals no value."""
    try:
        return load(f"a: {text}")["a"]
    except (ValueError, yaml.YAMLError, ruamel.yaml.YAMLError) as error:
        return error


@pytest.mark.parametrize("text", KUBECTL)
def test_the_go_oracle_of_these_tests_reads_as_kubectl_did(text):
    assert same(go_scalar(text), KUBECTL[text])


@pytest.mark.parametrize("text", KUBECTL)
def test_what_is_not_ambiguous_is_one_value_for_kubectl_yaml_1_1_and_yaml_1_2(text):
    if ambiguous(text) is None:
        assert same(resolve(text), KUBECTL[text])
        assert same(resolve(text), read_or_none(yaml.safe_load, text))
        assert same(resolve(text), read_or_none(ruamel.yaml.YAML(typ="safe", pure=True).load, text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True), ("True", True), ("FALSE", False), ("null", None), ("~", None), ("", None),
        ("0", 0), ("8", 8), ("-15", -15), ("9223372036854775807", 2**63 - 1), ("-9223372036854775808", -(2**63)),
        ("0.5", 0.5), ("1.0", 1.0), ("-0.25", -0.25), ("1.0e+22", 1e22), ("1.0e-07", 1e-07), ("25.06", 25.06),
        ("tRUE", "tRUE"), ("none", "none"), ("1.2.3", "1.2.3"), ("10.0.0.1", "10.0.0.1"), ("5Gi", "5Gi"),
        ("25.06-py3", "25.06-py3"),
        ("v1.0.15", "v1.0.15"), ("--num_hops=2", "--num_hops=2"), ("_1", "_1"), ("2026-01", "2026-01"), ("-", "-"), (".", "."),
    ],
)  # fmt: skip
def test_an_unambiguous_text_has_its_value(text, value):
    assert ambiguous(text) is None
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no", "YAML 1.1 and kubectl read it as false, YAML 1.2 as text"),
        ("On", "YAML 1.1 and kubectl read it as true, YAML 1.2 as text"),
        ("y", "kubectl reads it as true, other readers as text"),
        ("N", "kubectl reads it as false, other readers as text"),
        ("=", "YAML 1.1 reserves it"),
        ("<<", "YAML 1.1 reserves it"),
        ("0755", "YAML 1.1 and kubectl read it as octal, YAML 1.2 as decimal"),
        ("089", "YAML 1.1 and kubectl read it as octal, YAML 1.2 as decimal"),
        ("0o17", "kubectl and YAML 1.2 read it as an octal number, YAML 1.1 as text"),
        ("0x1F", "most readers take it for a hexadecimal number"),
        ("-0b11", "YAML 1.1 and kubectl read it as a binary number, YAML 1.2 as text"),
        ("1_000", "some readers drop the underscore and take it for a number"),
        ("0_x1F", "some readers drop the underscore and take it for a number"),
        ("+_", "some readers drop the underscore and take it for a number"),
        ("12:30:45", "YAML 1.1 reads it as a base-60 number, other readers as text"),
        ("0000:06:00.0", "YAML 1.1 reads it as a base-60 number, other readers as text"),
        ("2026-01-01", "YAML 1.1 reads it as a date, other readers as text"),
        ("2026-01-01T00:00:00Z", "YAML 1.1 reads it as a date, other readers as text"),
        ("1e3", "it reads as the number 1000.0"),
        (".5", "it reads as the number 0.5"),
        ("+1", "it reads as the number 1"),
        ("-0", "it reads as the number 0"),
        ("1.20", "it reads as the number 1.2"),
        ("1e22", "it reads as the number 1.0e+22"),
        ("-0.0", "it reads as the number 0.0"),
        ("9223372036854775808", "kubectl keeps only 64 bits of an integer"),
        ("1" * 5000, "it is not a finite number"),
        (".nan", "it is not a finite number"),
        ("-.Inf", "it is not a finite number"),
        ("1e999", "it is not a finite number"),
    ],
)
def test_an_ambiguous_text_says_why_and_resolves_to_itself(text, reason):
    assert ambiguous(text) == reason
    assert resolve(text) is text
    assert quotes_needed(text)


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a b",
        "a, b",
        "a:b",
        "a#b",
        "it's",
        'say "x"',
        "/dev/shm",
        "$(VAR)",
        "~/x",
        "-a",
        "--flag=1",
        "<none>",
        "a=b",
        "[".join("ab"),
    ],
)
def test_plain_text_needs_no_quotes(text):
    assert not quotes_needed(text)


@pytest.mark.parametrize(
    "text",
    ["", " a", "a ", "a: b", "a:", "a #b", "- a", "-", "---", "--- a", "...", "? a", ":a", "#a", "*a", "&a", "!a", "|", ">", "%a",
     "@a", "`a", "[a]", "{a}", "'a", '"a', ",a", "a\tb", "a\nb", "é", "null", "true", "8", "0.5", "\x7f"],
)  # fmt: skip
def test_text_that_a_reader_takes_for_something_else_needs_quotes(text):
    assert quotes_needed(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-7, "-7"),
        (1.0, "1.0"),
        (0.1, "0.1"),
        (-0.0, "0.0"),
        (1e16, "1.0e+16"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5.0e-324"),
    ],
)
def test_a_number_has_one_text(value, text):
    assert number_text(value) == text


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_readers_would_lose_is_not_plain_data(value):
    with pytest.raises(TypeError, match="is not plain data"):
        number_text(value)


def test_quotes_escape_what_json_or_yaml_would_not_give_back():
    assert quoted('a"b\\c\n\t\x00\x1b\x7f\x85\u2028\ufeff\uffffé😀') == (
        '"a\\"b\\\\c\\n\\t\\u0000\\u001b\\u007f\\u0085\\u2028\\ufeff\\uffffé😀"'
    )


def test_half_a_surrogate_pair_is_not_plain_data():
    assert not encodable("a\ud83d")
    assert not printable("a\ud83d")
    with pytest.raises(TypeError, match="text with a lone surrogate is not plain data"):
        quoted("a\ud83d")
