"""Requirements on the text that is written: one form for one value."""

import enum

import pytest

from bundler.yamlio.writer import dump, dump_all, to_json

RUNTIME = {
    "spec": {
        "template": {"metadata": {"annotations": {"b": "true", "a": "plain"}, "labels": {"z": "plain"}}},
        "containers": [
            {
                "image": "registry.example.com/a:1",
                "name": "node",
                "env": [
                    {"value": "4194304", "name": "NCCL_BUFFSIZE"},
                    {"name": "DEBUG", "value": "INFO"},
                    {"name": "EMPTY", "value": ""},
                ],
                "args": ["--num_hops=2", "8", "a: b", []],
                "command": ["sh", "-c", "set -e\n\necho done\n"],
            }
        ],
        "empty": {},
        "nothing": None,
    },
    "metadata": {"namespace": "team", "labels": {}, "name": "torch", "annotations": {"note": "two\nlines"}},
    "kind": "TrainingRuntime",
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
}

WRITTEN = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata:
  name: torch
  namespace: team
  annotations:
    note: |-
      two
      lines
  labels: {}
spec:
  containers:
  - name: node
    args:
    - --num_hops=2
    - "8"
    - "a: b"
    - []
    command:
    - sh
    - -c
    - |
      set -e

      echo done
    env:
    - name: NCCL_BUFFSIZE
      value: "4194304"
    - name: DEBUG
      value: "INFO"
    - name: EMPTY
      value: ""
    image: registry.example.com/a:1
  empty: {}
  nothing: null
  template:
    metadata:
      annotations:
        a: "plain"
        b: "true"
      labels:
        z: plain
"""


def test_a_kubernetes_object_starts_with_what_identifies_it_and_quotes_annotations_and_env():
    assert dump(RUNTIME) == WRITTEN


def test_plain_values_are_sorted_by_code_point():
    assert dump({"name": 1, "b": 2, "a": 3, "Z": 4, "kind": "x"}) == "Z: 4\na: 3\nb: 2\nkind: x\nname: 1\n"


def test_lists_keep_their_order_and_nest_behind_their_dashes():
    assert dump([["b", "a"], [[1], {"k": [2], "j": {"i": 3}}], {}]) == (
        "- - b\n  - a\n- - - 1\n  - j:\n      i: 3\n    k:\n    - 2\n- {}\n"
    )


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (None, "null\n"),
        (True, "true\n"),
        (False, "false\n"),
        (8, "8\n"),
        (0.5, "0.5\n"),
        (1e22, "1.0e+22\n"),
        ({}, "{}\n"),
        ([], "[]\n"),
        ("", '""\n'),
        ("text", "text\n"),
        ("--- a", '"--- a"\n'),
        ("a\nb\n", "|\n  a\n  b\n"),
    ],
)
def test_a_document_may_be_any_value(data, text):
    assert dump(data) == text


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a\nb", "|-\n  a\n  b"),
        ("a\nb\n", "|\n  a\n  b"),
        ("a\n\n  b\n", "|\n  a\n\n    b"),
        ("# é\n", "|\n  # é"),
        ("a\tb\nc", "|-\n  a\tb\n  c"),
        ("\n", '"\\n"'),
        ("a\n\n", '"a\\n\\n"'),
        ("\na", '"\\na"'),
        (" a\nb", '" a\\nb"'),
        ("a \nb", '"a \\nb"'),
        ("a\nb ", '"a\\nb "'),
        ("a\n\tb", '"a\\n\\tb"'),
        ("a\r\nb", '"a\\r\\nb"'),
        ("a\u2028\nb", '"a\\u2028\\nb"'),
        ("a\x00\nb", '"a\\u0000\\nb"'),
    ],
)
def test_lines_are_a_block_only_where_every_reader_gives_them_back(value, written):
    assert dump({"k": value}) == f"k: {written}\n"


def test_a_long_line_is_never_folded():
    text = "two words " * 100 + "end"
    assert dump({"k": text}) == f"k: {text}\n"


def test_one_list_in_two_places_is_written_twice():
    shared = [{"a": 1}]
    assert dump({"k": shared, "l": shared}) == "k:\n- a: 1\nl:\n- a: 1\n"


def test_no_line_ends_with_a_space():
    assert [line for line in dump(RUNTIME).split("\n") if line != line.rstrip()] == []


def test_a_key_too_long_to_stand_before_its_colon_is_announced():
    key = "k" * 1001
    assert dump({key: {"a": [1]}, "b": 1}) == f"b: 1\n? {key}\n:\n  a:\n  - 1\n"


def test_keys_are_quoted_like_values():
    assert dump({"no": 1, "8": 2, "a b": 3, "é": 4, "": 5}) == '"": 5\n"8": 2\na b: 3\n"no": 1\n"é": 4\n'


def test_only_strings_are_quoted_where_strings_belong():
    data = {"metadata": {"annotations": {"a": 8, "b": ["x"]}}, "env": [{"name": "a", "value": None}], "other": {"value": "x"}}
    assert dump(data) == (
        'env:\n- name: a\n  value: null\nmetadata:\n  annotations:\n    a: 8\n    b:\n    - "x"\nother:\n  value: x\n'
    )


def test_documents_of_a_stream_are_parted_by_dashes():
    assert dump_all([{"a": 1}, {"b": 2}]) == "a: 1\n---\nb: 2\n"
    assert dump_all([]) == ""


def test_json_is_one_line_with_the_keys_as_given_and_nothing_escaped_for_html():
    data = {"b": [1, 0.5, 1e22, True, None, {}, []], "a": "<&>'/é😀\u2028\x7f\n", "no": "no"}
    assert to_json(data) == ('{"b": [1, 0.5, 1.0e+22, true, null, {}, []], "a": "<&>\'/é😀\\u2028\\u007f\\n", "no": "no"}')


class Colour(enum.StrEnum):
    RED = "red"


@pytest.mark.parametrize("write", [dump, to_json])
@pytest.mark.parametrize(
    ("data", "message"),
    [
        ((1, 2), "a value of type tuple is not plain data"),
        ({1, 2}, "a value of type set is not plain data"),
        ({"a": b"x"}, "a value of type bytes is not plain data"),
        ({"a": object()}, "a value of type object is not plain data"),
        ({"a": Colour.RED}, "a value of type Colour is not plain data"),
        ({1: "a"}, "a key of type int is not plain data"),
        ({None: "a"}, "a key of type NoneType is not plain data"),
        ({Colour.RED: "a"}, "a key of type Colour is not plain data"),
        ([float("nan")], "nan is not plain data"),
        ([float("-inf")], "-inf is not plain data"),
        ([2**63], "an integer beyond 64 bits is not plain data"),
        ("\ud800", "text with a lone surrogate is not plain data"),
        ("\ud800\nb", "text with a lone surrogate is not plain data"),
        ({"\udfff": 1}, "text with a lone surrogate is not plain data"),
    ],
)
def test_what_is_not_plain_data_is_a_fault_of_the_caller(write, data, message):
    with pytest.raises(TypeError, match=message):
        write(data)
