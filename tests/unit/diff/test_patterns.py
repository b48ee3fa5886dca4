"""Requirements on paths with stars."""

import pytest

from bundler.diff.patterns import Pattern


@pytest.mark.parametrize(
    ("pattern", "covered", "not_covered"),
    [
        ("/a", ["/a", "/a/b", "/a/b/c"], ["/ab", "", "/b/a"]),
        ("/a/*", ["/a/b", "/a/b/c"], ["/a"]),
        ("/*/labels", ["/x/labels", "/x/labels/a"], ["/x/y/labels", "/labels"]),
        ("/**/labels", ["/labels", "/x/labels", "/x/y/labels/z"], ["/x/label"]),
        ("/**", ["", "/a", "/a/b"], []),
        ("/a/NCCL_*", ["/a/NCCL_ALGO/value"], ["/a/XNCCL_ALGO"]),
        ("/x.io~1*", ["/x.io~1a"], ["/xaio~1a"]),
    ],
)
def test_what_a_path_covers(pattern, covered, not_covered):
    made = Pattern.of(pattern)
    assert [path for path in covered if not made.covers(path)] == []
    assert [path for path in not_covered if made.covers(path)] == []


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "does not begin with '/'"), ("a", "does not begin with '/'"), ("/*a*a*a*a*a*a*", "has more than 6 stars")],
)
def test_what_is_no_path(text, why):
    with pytest.raises(ValueError, match=why.replace("*", r"\*")):
        Pattern.of(text)


def test_the_path_with_more_literal_steps_knows_more():
    assert Pattern.of("/a/*/b").rank > Pattern.of("/a/**").rank
    assert Pattern.of("/*/b").rank == Pattern.of("/**/b").rank


def test_a_hostile_path_takes_no_time():
    assert not Pattern.of("/**/a*b*c/**/d*/**/e").covers("/" + "a" * 2000 + "/b" * 200)
