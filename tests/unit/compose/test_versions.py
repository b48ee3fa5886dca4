"""Requirements on the order of versions. Forms: semver.org §11; GKE `<minor>-gke.<build>`; NVIDIA drivers; NCCL `2.28.7-1`."""

from itertools import pairwise

import pytest

from bundler.compose.versions import version_key

ASCENDING = [
    "0.5.0",
    "1.30",
    "1.30.4",
    "1.32.0-0",
    "1.32.0-alpha.1",
    "1.32.0-rc.2",
    "1.32.0-rc.10",
    "1.32.0",
    "1.32.0-gke.1",
    "1.32.0-gke.1829001",
    "1.32.0-gke.1829002",
    "1.32.1-gke.1",
    "1.34.1-gke.1829001",
    "v1.35",
    "2.28.7",
    "2.28.7-1",
    "2.28.9",
    "24.04",
    "v24.6.0",
    "v26.7.0",
    "570.172.08",
    "580.65.06",
    "580.159.04",
    "580.173.02",
    "595.91.07",
]


def test_versions_sort_as_their_makers_mean():
    for lower, upper in pairwise(ASCENDING):
        assert version_key(lower) < version_key(upper), (lower, upper)


@pytest.mark.parametrize(("one", "other"), [("1.30", "1.30.0"), ("v1.30", "1.30"), ("24.04", "24.4"), ("0", "0.0")])
def test_spellings_of_one_version_are_equal(one, other):
    assert version_key(one) == version_key(other)


@pytest.mark.parametrize(
    "text", ["", "v", "ubuntu", "1.", ".1", "1..2", "1.34.x", "1.2-", "1 2", "\u0661.\u0662", "1.2\n", "9" * 19, "1." * 9 + "1"]
)
def test_what_is_no_version_has_no_key(text):
    assert version_key(text) is None
