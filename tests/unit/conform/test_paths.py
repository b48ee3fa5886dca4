"""Requirements on paths that are walked together: each leads where it would lead alone."""

import pytest

from bundler.conform.paths import Paths
from bundler.conform.pods import select

DATA = {"a": [{"b": 1, "c": None}, {"b": [2]}, "text"], "d": {"e/f": {"g": "x"}}, "none": None}
TABLE = ["", "a", "a/*", "a/*/b", "a/*/b/*", "a/*/c", "d/e", "d/*", "none", "missing/b"]


@pytest.mark.parametrize("path", TABLE)
def test_a_path_leads_where_it_would_lead_alone(path):
    together = Paths.of((one, one) for one in TABLE).select(DATA, "/at")
    assert [(pointer, value) for said, pointer, value in together if said == path] == [*select(DATA, path, "/at")]


def test_two_things_may_be_said_of_one_place():
    assert Paths.of([("a/*/b", "one"), ("a/*/b", "two")]).select({"a": [{"b": 1}]}, "") == [
        ("one", "/a/0/b", 1),
        ("two", "/a/0/b", 1),
    ]
