"""Requirements on how messages name things."""

import pytest

from bundler.compose.wording import each, listed, near_name, nearest, pairs, plural, shown


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


@pytest.mark.parametrize(("number", "words"), [(0, "0 files"), (1, "1 file"), (2, "2 files"), (1024, "1,024 files")])
def test_a_number_agrees_with_its_noun(number, words):
    assert plural(number, "file") == words


def test_a_noun_may_have_a_plural_of_its_own():
    assert [plural(number, "registry", "registries") for number in (1, 2)] == ["1 registry", "2 registries"]


def test_all_of_one_is_the_only_one():
    assert [each(number, "node") for number in (1, 2, 5000)] == ["the only node", "each of 2 nodes", "each of 5,000 nodes"]
