"""Hostile YAML, attack by attack (Y1 to Y16). Each is refused with one clear finding, or is data and nothing else."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.exitcodes import ExitCode
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump


def refused(text):
    """The one finding about the text."""
    with pytest.raises(InvalidInput) as raised:
        read(text if isinstance(text, bytes) else text.encode("utf-8"), "attack.yaml")
    assert raised.value.exit_code is ExitCode.INVALID
    (finding,) = raised.value.findings
    assert finding.location.file == "attack.yaml"
    assert finding.location.line >= 1
    assert finding.fix
    return finding


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("a: 1\nb: 2\na: 3\n", "attack.yaml:1:1", "attack.yaml:3:1"),
        ("m:\n  o:\n    a: 1\n    a: 2\n", "attack.yaml:3:5", "attack.yaml:4:5"),
        ('a: 1\n"a": 2\n', "attack.yaml:1:1", "attack.yaml:2:1"),
        ("'a': 1\na: 2\n", "attack.yaml:1:1", "attack.yaml:2:1"),
        ("{a: 1, a: 2}\n", "attack.yaml:1:2", "attack.yaml:1:8"),
        ('a: 1\n"\\x61": 2\n', "attack.yaml:1:1", "attack.yaml:2:1"),
    ],
)  # fmt: skip
def test_y1_a_duplicate_key_is_refused_with_both_places(text, first, second):
    finding = refused(text)
    assert finding.rule == "AICR-Y013"
    assert finding.message == f"key a was written before, at {first}"
    assert str(finding.location) == second


@pytest.mark.parametrize(
    "text",
    ["a: &x [*x]\n", "&x a: &y {b: *y}\n", "a: &x\n  b:\n    c:\n    - *x\n", "&x [&y [*x, *y]]\n"],
)
def test_y3_an_alias_into_itself_is_refused(text):
    finding = refused(text)
    assert finding.rule == "AICR-Y009"
    assert finding.message.endswith("stands inside the value it repeats")


def test_y3_an_alias_to_what_comes_later_or_never_is_refused():
    assert refused("a: *x\nb: &x 1\n").message == "alias *x has no anchor before it"


@pytest.mark.parametrize(
    "text",
    [
        "a: !!python/object/apply:os.system [id]\n",
        "a: !!python/name:os.system ''\n",
        "a: !foo b\n",
        "a: !!binary aGk=\n",
        "a: !!set {b}\n",
        "a: !!str 8\n",
        "a: ! 8\n",
        "a: !include /etc/passwd\n",
        "!<tag:example.com,2026:x> a: b\n",
    ],
)
def test_y6_a_tag_is_refused(text):
    assert refused(text).rule == "AICR-Y011"


@pytest.mark.parametrize(
    "text",
    ["%YAML 1.1\n---\na: b\n", "%YAML 1.2\n---\na: b\n", "%YAML 3.0\n---\na: b\n", "%TAG ! x\n---\na: b\n", "%FOO\n---\na: b\n"],
)
def test_y7_a_directive_is_refused(text):
    assert refused(text).rule == "AICR-Y010"


@pytest.mark.parametrize("text", ["<<: {a: 1}\n", "m: &m {a: 1}\no:\n  <<: *m\n  b: 2\n", "a: {<<: [{b: 1}]}\n"])
def test_y8_a_merge_key_is_refused(text):
    assert refused(text).rule == "AICR-Y012"


@pytest.mark.parametrize("text", ["a: 1\n---\nb: 2\n", "---\n---\na: 1\n", "a: 1\n---\n", "a: 1\n...\n---\nb: 1\n"])
def test_y9_a_second_document_is_refused(text):
    finding = refused(text)
    assert finding.rule == "AICR-Y006"
    assert finding.location.line > 1


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n# comments\n", "---\n", "---\n...\n", "\ufeff", "\r\n"])
def test_y10_a_file_without_a_document_is_refused(text):
    assert refused(text).rule == "AICR-Y005"


@pytest.mark.parametrize("text", ["- apiVersion: aicr.run/v2\n", "apiVersion\n", "null\n", "8\n", "{}\n"])
def test_y10_a_list_or_a_scalar_is_no_recipe(tmp_path, text):
    path = tmp_path / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput) as raised:
        Catalog.load().open(path, kinds=("Recipe",))
    (finding,) = raised.value.findings
    assert finding.location.file == str(path)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("a: x\x85y\n", "AICR-Y002"),
        ("# comment\u2028key: value\n", "AICR-Y002"),
        ("a: 'x\u2029y'\n", "AICR-Y002"),
        ("a: x\x00y\n", "AICR-Y002"),
        ("a: x\x1b[31m\n", "AICR-Y002"),
        ("a: x\x7f\n", "AICR-Y002"),
        ("a: x\ufeffy\n", "AICR-Y002"),
        ("\ufeff\ufeffa: x\n", "AICR-Y002"),
        ("a: 1\rb: 2\n", "AICR-Y002"),
        ("a: x\uffff\n", "AICR-Y002"),
        (b"a: \xed\xa0\x80\n", "AICR-Y001"),
        ("a: ä\n".encode("latin-1"), "AICR-Y001"),
        ("a: ä\n".encode("utf-16"), "AICR-Y001"),
        (b"a: \xc0\xaf\n", "AICR-Y001"),
        (b"a: \xf4\x90\x80\x80\n", "AICR-Y001"),
        (b"a: \xe2\x82", "AICR-Y001"),
        ('a: "\\ud800"\n', "AICR-Y004"),
        ("a:\n\tb: 1\n", "AICR-Y004"),
        ("\ta: 1\n", "AICR-Y004"),
        ("a:\tb\n", "AICR-Y004"),
        ("a: b\t\n", "AICR-Y004"),
        ("a: b\t# c\n", "AICR-Y004"),
        ("-\ta\n", "AICR-Y004"),
        ("a: [b,\tc]\n", "AICR-Y004"),
        ("a: |\n\tb\n", "AICR-Y004"),
    ],
)  # fmt: skip
def test_y11_characters_that_readers_take_for_different_things_are_refused(text, rule):
    assert refused(text).rule == rule


def test_y11_a_byte_order_mark_and_line_ends_of_windows_are_read_over_with_a_warning():
    document = read("\ufeffa: 1\r\nb: |\r\n  x\r\n".encode(), "attack.yaml")
    assert document.data == {"a": 1, "b": "x\n"}
    assert [note.rule for note in document.notes] == ["AICR-Y016", "AICR-Y017"]


def test_y11_tabs_within_text_are_text():
    text = 'a: "x\ty"\nb: |\n  if:\n  \tthen\n# a\tcomment\n'
    assert read(text.encode(), "attack.yaml").data == {"a": "x\ty", "b": "if:\n\tthen\n"}


@pytest.mark.parametrize(
    "scalar",
    ["no", "No", "on", "OFF", "y", "N", "0755", "089", "0o17", "0x1F", "0b11", "1_000", "12:30:45", "0000:06:00.0", "1e3", "1E3",
     ".5", "5.", "+1", "-0", "1.20", "2026-01-01", "2026-01-01T00:00:00Z", "18446744073709551616", "=", "<<"],
)  # fmt: skip
def test_y12_an_ambiguous_scalar_is_refused_with_the_quoted_one(scalar):
    for text, place in ((f"a: {scalar}\n", "1:4"), (f"- {scalar}\n", "1:3"), (f"a: [{scalar}]\n", "1:5")):
        finding = refused(text)
        assert finding.rule == "AICR-Y015"
        assert finding.message.startswith(f"ambiguous scalar {scalar}: ")
        assert finding.fix == f'write "{scalar}" for the text'
        assert str(finding.location) == f"attack.yaml:{place}"
    assert read(f'a: "{scalar}"\n'.encode(), "attack.yaml").data == {"a": scalar}


@pytest.mark.parametrize("key", ["8", "-1", "0.5", "null", "~", "true", "False", "[a, b]", "{a: b}", "? [a]\n", "no", "12:30:45"])
def test_y13_a_key_that_is_not_a_string_for_every_reader_is_refused(key):
    finding = refused(f"{key}: x\n")
    assert finding.rule == ("AICR-Y015" if key in {"no", "12:30:45"} else "AICR-Y014")


def test_y13_a_key_without_text_or_an_alias_as_key_is_refused():
    assert refused("? \n: x\n").rule == "AICR-Y014"
    assert refused("a: &x {b: c}\n*x : d\n").rule == "AICR-Y014"


@pytest.mark.parametrize("number", [".nan", ".NaN", ".inf", "-.inf", "+.INF", "1e999", "-1.5E+999", "1" * 400 + ".0"])
def test_y14_a_number_that_is_not_finite_is_refused(number):
    finding = refused(f"a: {number}\n")
    assert finding.rule == "AICR-Y015"
    assert finding.message.endswith("it is not a finite number")


@pytest.mark.parametrize(
    "key", ["__class__", "__init__", "items", "keys", "__proto__", "constructor", "self", "{{ 7 * 7 }}", "../../etc"]
)
def test_y15_a_key_is_data_whatever_it_is_called(key):
    document = read(f'"{key}": {{"{key}": 1}}\n'.encode(), "attack.yaml")
    assert document.data == {key: {key: 1}}
    assert read(dump(document.data).encode(), "again.yaml").data == document.data


def test_y5_a_file_of_5_mib_is_refused_unread():
    finding = refused(b"a" * (5 * 1024 * 1024))
    assert finding.rule == "AICR-Y003"
    assert finding.message == "the file has 5242880 bytes, more than 1048576"


def test_y16_ten_thousand_entries_are_read():
    document = read(b"- {name: x, value: 1}\n" * 10_000, "attack.yaml")
    assert len(document.data) == 10_000


@pytest.mark.parametrize("text", ["- a\n" * 200_000, "a: [" + "a," * 500_000 + "]", "a: [" + "{}," * 300_000 + "]"])
def test_y16_more_values_than_the_limit_are_refused_by_the_limit(text):
    finding = refused(text)
    assert finding.rule == "AICR-Y008"
    assert finding.message == "the file holds more than 100000 values"
