"""Requirements on reading a file: what is accepted, what is said about the rest, and where."""

import hashlib
import subprocess
import sys

import pytest

from bundler.errors import InvalidInput
from bundler.model.finding import Severity
from bundler.model.location import Location
from bundler.yamlio.reader import read, read_stream

RECIPE = b"""\
# A comment.
apiVersion: aicr.run/v2
kind: Recipe
metadata:
  name: h100
  description: >
    Folded
    text.
components:
- name: gpu-operator
  values: {driver: {enabled: true}, "a/b~c": [1, 0.5, null]}
-
  name: 'nfd'
script: |
  echo "$1"
"""


def findings(text, read=read):
    with pytest.raises(InvalidInput) as raised:
        read(text if isinstance(text, bytes) else text.encode(), "f.yaml")
    return raised.value.findings


def finding(text, read=read):
    (only,) = findings(text, read)
    return only


def test_reads_plain_data():
    assert read(RECIPE, "f.yaml").data == {
        "apiVersion": "aicr.run/v2",
        "kind": "Recipe",
        "metadata": {"name": "h100", "description": "Folded text.\n"},
        "components": [
            {"name": "gpu-operator", "values": {"driver": {"enabled": True}, "a/b~c": [1, 0.5, None]}},
            {"name": "nfd"},
        ],
        "script": 'echo "$1"\n',
    }


@pytest.mark.parametrize(
    ("pointer", "line", "column"),
    [
        ("", 2, 1),
        ("/apiVersion", 2, 1),
        ("/metadata", 4, 1),
        ("/metadata/name", 5, 3),
        ("/components", 9, 1),
        ("/components/0", 10, 3),
        ("/components/0/values", 11, 3),
        ("/components/0/values/driver/enabled", 11, 21),
        ("/components/0/values/a~1b~0c", 11, 37),
        ("/components/0/values/a~1b~0c/2", 11, 55),
        ("/components/1", 13, 3),
        ("/components/1/name", 13, 3),
    ],
)
def test_every_value_knows_where_its_key_or_its_first_character_stands(pointer, line, column):
    document = read(RECIPE, "f.yaml")
    assert document.positions[pointer] == Location(file="f.yaml", line=line, column=column)
    assert document.locate(f"{pointer}/not/written") == document.positions[pointer]


def test_a_document_knows_its_file_kind_name_and_digest():
    document = read(RECIPE, "f.yaml")
    assert (document.file, document.kind, document.name) == ("f.yaml", "Recipe", "h100")
    assert document.digest == f"sha256:{hashlib.sha256(RECIPE).hexdigest()}"
    assert document.notes == ()


@pytest.mark.parametrize(
    ("text", "data"), [("[1, a]", [1, "a"]), ("a", "a"), ("null", None), ("{}", {}), ("''", ""), ("--- |\n a\n", "a\n")]
)
def test_what_the_root_must_be_is_for_a_schema_to_say(text, data):
    assert read(text.encode(), "f.yaml").data == data


def test_a_stream_gives_its_documents_and_leaves_out_those_in_which_nothing_is_written():
    first, second = read_stream(b"---\n# nothing\n---\na: 1\n---\n\n---\nb: {c: 2}\n---\n", "f.yaml")
    assert (first.data, second.data) == ({"a": 1}, {"b": {"c": 2}})
    assert second.positions["/b/c"] == Location(file="f.yaml", line=8, column=5)
    assert read_stream(b"", "f.yaml") == ()


def test_aliases_repeat_values_and_have_the_position_of_the_alias():
    document = read(b"a: &x {b: [1]}\nc: *x\nd: &y text\ne: [*y]\n&k key: *k\n", "f.yaml")
    assert document.data == {"a": {"b": [1]}, "c": {"b": [1]}, "d": "text", "e": ["text"], "key": "key"}
    assert document.locate("/c/b/0") == document.positions["/c"] == Location(file="f.yaml", line=2, column=1)
    assert "/c/b" not in document.positions


def test_line_ends_of_windows_and_a_byte_order_mark_are_read_over_with_a_warning():
    text = b"\xef\xbb\xbfa: 1\r\nb: |\r\n  x\r\n  y\r\n"
    document = read(text, "f.yaml")
    assert document.data == {"a": 1, "b": "x\ny\n"}
    assert document.positions["/b"] == Location(file="f.yaml", line=2, column=1)
    assert document.digest == f"sha256:{hashlib.sha256(text).hexdigest()}"
    assert [(note.rule, note.severity, note.message, note.fix) for note in document.notes] == [
        ("AICR-Y016", Severity.WARNING, "the file starts with a byte order mark", "save it as UTF-8 without one"),
        ("AICR-Y017", Severity.WARNING, "the file has Windows line ends (CR LF)", "save it with LF line ends"),
    ]


def test_what_is_to_be_said_about_a_stream_is_said_once():
    first, second = read_stream(b"a: 1\r\n---\r\nb: 2\r\n", "f.yaml")
    assert [note.rule for note in first.notes] == ["AICR-Y017"]
    assert second.notes == ()


def test_the_reader_is_cheap_to_import():
    program = "import sys, bundler.yamlio.reader; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert {"yaml", "hashlib"} <= set(loaded)
    assert {"click", "jinja2", "json", "jsonpatch", "jsonschema_rs", "ruamel", "typing_extensions"} & set(loaded) == set()


def test_all_faults_of_values_and_keys_are_found_at_once():
    found = findings("a: no\nb: !x 1\na: 2\n<<: {c: 1_000}\n1: {}\n&k y: &k ''\n")
    assert [(one.rule, one.location.line, one.location.column, one.pointer) for one in found] == [
        ("AICR-Y015", 1, 4, "/a"),
        ("AICR-Y011", 2, 4, "/b"),
        ("AICR-Y013", 3, 1, "/a"),
        ("AICR-Y012", 4, 1, "/<<"),
        ("AICR-Y015", 4, 9, "/<</c"),
        ("AICR-Y014", 5, 1, "/1"),
        ("AICR-Y015", 6, 1, "/y"),
        ("AICR-Y009", 6, 7, "/y"),
    ]


def test_faults_before_one_that_ends_the_reading_are_still_told():
    assert [one.rule for one in findings("a: no\nb: [\n")] == ["AICR-Y015", "AICR-Y004"]


def test_a_file_with_a_hundred_faults_is_read_no_further():
    assert len(findings("- no\n" * 1000)) == 100


@pytest.mark.parametrize(
    ("text", "rule", "place", "message", "fix"),
    [
        (b"a: \xe9\n", "AICR-Y001", (1, 4), "the file is not UTF-8: byte 0xe9 cannot stand here", "save it as UTF-8"),
        (
            "é: 1\né: '\x1b'\n",
            "AICR-Y002",
            (2, 5),
            "character U+001B cannot stand in a YAML file",
            "remove it, or write an escape between double quotes",
        ),
        ("a: @b\n", "AICR-Y004", (1, 4), None, "quote a text that has a sign of YAML in it, and check the indent"),
        ("a:\n\tb: 1\n", "AICR-Y004", (2, 1), "a tab stands where YAML has spaces", "indent with spaces"),
        ("# nothing\n", "AICR-Y005", (1, 1), "the file holds no document", "write the document, or {} where nothing is meant"),
        ("a: 1\n---\nb: 2\n", "AICR-Y006", (2, 1), "a second document starts here", "keep one document in the file"),
        ("[" * 70, "AICR-Y007", (1, 65), "maps and lists are nested more than 64 deep", "flatten the document"),
        ("a: *x\n", "AICR-Y009", (1, 4), "alias *x has no anchor before it", "write the value out"),
        ("a: &x [*x]\n", "AICR-Y009", (1, 8), "alias *x stands inside the value it repeats", "write the value out"),
        (
            "a: &x 1\nb: &x 2\n",
            "AICR-Y009",
            (2, 4),
            "anchor &x was given before: readers differ on which value its aliases repeat",
            "give each anchor a name of its own",
        ),
        (
            "%YAML 1.1\n---\na: b\n",
            "AICR-Y010",
            (1, 1),
            "YAML directives are not accepted: how a file is read is not for the file to choose",
            "remove the line that starts with %",
        ),
        (
            "a: !!binary aGk=\n",
            "AICR-Y011",
            (1, 4),
            "tag !!binary is not accepted: a value's notation alone gives its type",
            "remove the tag",
        ),
        ("<<: {a: 1}\n", "AICR-Y012", (1, 1), "merge keys (<<) are not accepted: YAML 1.2 has none", "write the keys out"),
        ("a: 1\n'a': 2\n", "AICR-Y013", (2, 1), "key a was written before, at f.yaml:1:1", "keep one of the two"),
        ("8: a\n", "AICR-Y014", (1, 1), "key 8 is a number, not a string", 'write "8"'),
        ("[a]: b\n", "AICR-Y014", (1, 1), "a key is not a string", "use a string as the key"),
        (
            "on: a\n",
            "AICR-Y015",
            (1, 1),
            "ambiguous scalar on: YAML 1.1 and kubectl read it as true, YAML 1.2 as text",
            'write "on" for the text',
        ),
        ("a: 1.20\n", "AICR-Y015", (1, 4), "ambiguous scalar 1.20: it reads as the number 1.2", 'write "1.20" for the text'),
    ],
)
def test_a_fault_says_what_where_and_how_to_mend_it(text, rule, place, message, fix):
    found = finding(text)
    assert found.rule == rule
    assert found.severity is Severity.ERROR
    assert (found.location.file, found.location.line, found.location.column) == ("f.yaml", *place)
    assert found.fix == fix
    if message is None:
        assert found.message.startswith("this is not YAML: ")
    else:
        assert found.message == message


def test_a_message_quotes_no_more_than_the_start_of_a_long_text():
    assert len(finding(f"a: {'1' * 5000}\n").message) < 150
    assert len(finding(f"a: &{'x' * 5000} [*{'x' * 5000}]\n").message) < 150


def test_a_quoted_text_is_that_text():
    text = 'a: "no"\nb: \'0755\'\nc: |-\n  12:30:45\nd: >-\n  y\n"8": "<<"\n"<<": 1\n'
    assert read(text.encode(), "f").data == {"a": "no", "b": "0755", "c": "12:30:45", "d": "y", "8": "<<", "<<": 1}
