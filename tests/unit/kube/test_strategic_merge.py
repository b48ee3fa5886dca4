"""Requirements on strategic merge. The vectors are results of k8s.io/apimachinery v0.36.2, recorded; their note says how."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

from bundler.errors import InvalidInput
from bundler.kube.strategic_merge import MERGE_KEYS, merge

VECTORS = json.loads((Path(__file__).parent / "strategic_merge_vectors.json").read_text())["vectors"]
KEYS = {"resources": {"claims": "name"}}
"""Kubeflow Trainer 2.3 gives resource claims a key of its own, which core/v1 has not."""


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_merges_as_the_library_of_kubernetes_does(vector):
    before = deepcopy(vector)
    keys = KEYS.get(vector["type"], MERGE_KEYS)
    assert merge(vector["original"], vector["patch"], keys) == vector["merged"]
    assert vector == before, "neither side is changed"


def env(*names):
    return [{"name": name} for name in names]


@pytest.mark.parametrize(
    ("original", "patch", "merged"),
    [
        (env("A", "B"), env("C"), env("C", "A", "B")),
        (env("A", "B"), env("B", "C"), env("A", "B", "C")),
        (env("A", "B", "C"), env("N1", "B", "N2"), env("N1", "A", "B", "N2", "C")),
        (env("A", "B", "C"), env("C", "A"), env("B", "C", "A")),
        (env(), env("A"), env("A")),
        (env("A"), env(), env("A")),
    ],
)
def test_new_elements_stand_before_untouched_ones(original, patch, merged):
    assert merge({"env": original}, {"env": patch})["env"] == merged


@pytest.mark.parametrize(
    ("original", "patch", "merged"),
    [
        ({"a": 1, "b": 2}, {"a": None}, {"b": 2}),
        ({}, {"a": None}, {}),
        ({}, {"a": {"b": None, "c": 1}}, {"a": {"c": 1}}),
        ({"a": {"b": 1}}, {"a": {"$patch": "replace", "c": 2}}, {"a": {"c": 2}}),
        ({"a": {"b": 1}}, {"a": {"$patch": "delete"}}, {"a": {}}),
        ({"env": env("A", "B")}, {"env": [{"name": "A", "$patch": "delete"}]}, {"env": env("B")}),
        ({"env": env("A", "B")}, {"env": [{"$patch": "replace"}, {"name": "C"}]}, {"env": env("C")}),
        ({"command": ["a", "b"]}, {"command": ["c"]}, {"command": ["c"]}),
        ({"a": [1]}, {"a": {"b": 1}}, {"a": {"b": 1}}),
    ],
)
def test_directives_and_plain_lists(original, patch, merged):
    assert merge(original, patch) == merged


@pytest.mark.parametrize(
    "patch",
    [
        {"a": {"$patch": "merge"}},
        {"$setElementOrder/env": [{"name": "A"}]},
        {"env": [{"value": "1"}]},
    ],
)
def test_refuses_what_cannot_be_merged(patch):
    with pytest.raises(InvalidInput, match="AICR-K070"):
        merge({"env": env("A"), "a": {"b": 1}}, patch)
