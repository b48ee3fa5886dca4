"""Requirements on how messages name things."""

import pytest

from bundler.compose.wording import listed, near_name, nearest, pairs, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "'a'"),
        (True, "true"),
        (None, "null"),
        ([1, "x"], '[1, "x"]'),
        ("x" * 100, "'" + "x" * 58 + "…"),
        ("a\x1b[0m", r"'a\x1b[0m'"),
    ],
)
def test_a_value_is_shown_as_a_user_writes_it_and_never_at_full_length(value, text):
    assert shown(value) == text


def test_a_long_list_is_counted():
    assert listed(str(number) for number in range(14)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more"


def test_pairs_read_as_flags_do():
    assert pairs({"service": "gke", "os": "cos"}) == "service=gke, os=cos"


@pytest.mark.parametrize(("name", "near"), [("HostPath", "hostPath"), ("hostPat", "hostPath"), ("unlike", None), ("", None)])
def test_the_nearest_name_ignores_letter_case(name, near):
    assert near_name(name, ["hostPath", "devicePlugin"]) == near


@pytest.mark.parametrize(
    ("name", "known", "fix"),
    [("nfb", ["nfd"], "did you mean 'nfd'?"), ("zzz", ["b", "a"], "known: a, b"), ("zzz", [], "remove it")],
)
def test_a_fix_names_the_nearest_or_all(name, known, fix):
    assert nearest(name, known) == fix


def test_a_name_of_a_megabyte_is_compared_by_its_start():
    assert near_name("a" * 1_000_000, ["a" * 60]) == "a" * 60
