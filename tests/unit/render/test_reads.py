"""Requirements on what is known of a template's inputs: all that it reads, and no more than that is asked to be the same."""

import pytest

from bundler.render.render import render_resources
from tests.unit.render.kit import NAME, catalog, component, composition, renderer

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  namespace: ns-x\ndata:\n  value: "
PROFILES = {"gpuStack": {"value": "a", "parameters": {"n": 1}}, "fabric": {"value": "b"}}


def read(text, **parts):
    """Paths that a template reads, once it is loaded."""
    made = renderer(text, parts=parts)
    made.loaded(NAME)
    return {".".join(path) for path, _ in made.inputs(NAME, {"profiles": PROFILES, "values": {}})}


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("a: 1\n", set()),
        ("a: {{ values.size | quote }}\n", {"values.size"}),
        ("a: {{ values['size'] | quote }}\n", {"values.size"}),
        ("a: {{ profiles.gpuStack.value | quote }}\n", {"profiles.gpuStack.value"}),
        # What is taken by a computed name, or passed on, is read whole.
        ("a: {{ values.sizes[values.size] | quote }}\n", {"values.sizes", "values.size"}),
        ("a: {{ values | to_json }}\n", {"values"}),
        (
            "{% for axis in profiles %}\na: {{ profiles[axis].value | quote }}\n{% endfor %}\n",
            {"profiles", "axis"},
        ),
        ("{% set all = profiles.gpuStack %}\na: {{ all.value | quote }}\n", {"profiles.gpuStack", "all.value"}),
        ("{% if criteria.os == 'cos' %}\na: 1\n{% endif %}\n", {"criteria.os"}),
        ("{% if values.missing is defined %}\na: 1\n{% endif %}\n", {"values.missing"}),
    ],
)
def test_a_template_reads_as_much_of_a_variable_as_it_names(text, paths):
    assert read(text) == paths


def test_what_a_part_reads_counts_once_it_was_included():
    parts = {"_part.yaml.j2": "  b: {{ values.b | quote }}\n"}
    text = "a:\n{% if values.a %}\n{% include '_part.yaml.j2' %}\n{% endif %}\n"
    made = renderer(text, parts=parts)
    made.text(NAME, {"values": {"a": False}})
    assert [path for path, _ in made.inputs(NAME, {"values": {}})] == [("values", "a")]
    made.text(NAME, {"values": {"a": True, "b": "x"}})
    assert [path for path, _ in made.inputs(NAME, {"values": {}})] == [("values", "a"), ("values", "b")]


@pytest.mark.parametrize(("one", "other"), [(1, True), (1, 1.0), (0, False), ("1", 1), (None, "null"), ({}, []), (None, "")])
def test_values_of_other_types_are_other_inputs(one, other):
    made = renderer("a: {{ values.a | to_json }}\n")
    made.loaded(NAME)
    assert made.inputs(NAME, {"values": {"a": one}}) != made.inputs(NAME, {"values": {"a": other}})


def test_the_order_of_a_map_is_an_input():
    made = renderer("a: {{ values.a | to_json }}\n")
    made.loaded(NAME)
    assert made.inputs(NAME, {"values": {"a": {"x": 1, "y": 2}}}) != made.inputs(NAME, {"values": {"a": {"y": 2, "x": 1}}})


def test_what_is_missing_differs_from_null():
    made = renderer("a: {{ values.a | to_json }}\n")
    made.loaded(NAME)
    assert made.inputs(NAME, {"values": {}}) != made.inputs(NAME, {"values": {"a": None}})


def made_of(authored, *, values, name="x"):
    (resource,) = render_resources(authored, composition(components=[component("x.yaml.j2", name=name, **values)]))
    return resource


def test_what_is_not_read_leaves_the_objects_the_very_same(tmp_path):
    authored = catalog(tmp_path, {"x.yaml.j2": f"{MAP}{{{{ values.a | quote }}}}\n"})
    one = made_of(authored, values={"a": "1", "b": "1"})
    assert made_of(authored, values={"a": "1", "b": "2"}) is one


def test_what_is_read_changes_the_object_and_back_again(tmp_path):
    authored = catalog(tmp_path, {"x.yaml.j2": f"{MAP}{{{{ values.a | quote }}}}\n"})
    texts = [made_of(authored, values={"a": text}).data["data"]["value"] for text in ("1", "2", "1")]
    assert texts == ["1", "2", "1"]


def test_a_condition_that_turns_brings_what_its_part_reads(tmp_path):
    text = f"{MAP}x\n{{% if values.a %}}\n{{% include '_part.yaml.j2' %}}\n{{% endif %}}\n"
    authored = catalog(tmp_path, {"x.yaml.j2": text, "_part.yaml.j2": "  part: {{ values.b | quote }}\n"})
    found = [
        made_of(authored, values={"a": a, "b": b}).data["data"].get("part") for a, b in ((0, "1"), (1, "1"), (1, "2"), (0, "2"))
    ]
    assert found == [None, "1", "2", None]


def test_another_owner_has_objects_of_its_own(tmp_path):
    authored = catalog(tmp_path, {"x.yaml.j2": f"{MAP}x\n"})
    assert [made_of(authored, values={}, name=name).owner for name in ("x", "y", "x")] == ["x", "y", "x"]
