"""Constraints form a meet-semilattice: intersection is commutative, associative and idempotent, and means what it says."""

from hypothesis import given
from hypothesis import strategies as st

from bundler.compose.constraints import Requirement, parse
from bundler.compose.versions import version_key

VERSIONS = [
    "1.29",
    "1.30",
    "1.30.0",
    "v1.30",
    "1.30.0-rc.1",
    "1.30.0-gke.5",
    "1.30.1",
    "1.31.2-gke.1",
    "1.32",
    "1.34.1-gke.1829001",
    "580.65.06",
]
WORDS = ["ubuntu", "cos", "!label", "key=true"]


def versions():
    number = st.integers(0, 4).map(str)
    return st.one_of(st.sampled_from(VERSIONS), st.lists(number, min_size=1, max_size=3).map(".".join))


def items():
    ranged = st.tuples(st.sampled_from([">=", ">", "<=", "<", "==", "!="]), versions()).map(" ".join)
    exact = st.one_of(versions(), st.sampled_from(WORDS), st.sampled_from(WORDS).map("!= {}".format))
    return st.one_of(ranged, ranged, ranged, exact)


def requirements():
    """Requirements of up to three items; an item that would leave nothing is passed over."""

    def build(texts):
        requirement = Requirement()
        for text in texts:
            requirement = requirement.meet(parse(text)) or requirement
        return requirement

    return st.lists(items(), min_size=1, max_size=3).map(build)


VALUES = st.one_of(versions(), st.sampled_from(WORDS))


def meet(one, other):
    return None if one is None or other is None else one.meet(other)


@given(requirements(), requirements(), requirements())
def test_intersection_is_commutative_associative_and_idempotent(one, two, three):
    assert meet(one, two) == meet(two, one)
    assert meet(meet(one, two), three) == meet(one, meet(two, three))
    assert meet(one, one) == one
    assert meet(one, Requirement()) == one


@given(requirements(), requirements(), st.lists(VALUES, max_size=8))
def test_an_intersection_admits_exactly_what_both_admit(one, two, values):
    both = one.meet(two)
    for value in values:
        admitted = both is not None and both.admits(value)
        assert admitted == (one.admits(value) and two.admits(value)), (str(one), str(two), value)


@given(requirements())
def test_the_canonical_text_reads_back_as_itself(requirement):
    if requirement != Requirement():
        assert parse(str(requirement)) == requirement


@given(requirements(), requirements())
def test_an_intersection_never_widens(one, two):
    both = one.meet(two)
    if both is not None:
        assert both.meet(one) == both
        assert both.meet(two) == both


@given(st.lists(st.integers(1, 30), min_size=1, max_size=3), st.integers(0, 10**7))
def test_a_pre_release_comes_before_its_release_and_a_vendors_build_before_the_next(numbers, build):
    release = ".".join(map(str, numbers))
    ascending = [f"{release}-rc.{build}", release, f"{release}-gke.{build}", f"{release}-gke.{build + 1}", f"{release}.1"]
    keys = [version_key(text) for text in ascending]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        requirement = parse(text)
    except ValueError:
        return
    assert parse(str(requirement)) == requirement
