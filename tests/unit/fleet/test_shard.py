"""Requirements on dividing a fleet."""

from itertools import chain

import pytest

from bundler.errors import InvalidInput
from bundler.fleet.shard import Shard, part, shard


@pytest.mark.parametrize(
    ("text", "environment", "index", "total"),
    [
        ("2/8", {}, 2, 8),
        ("2/8", {"CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "6"}, 2, 8),
        # GitLab counts from 1, CircleCI and Kubernetes from 0.
        ("auto", {"CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "4"}, 3, 4),
        ("auto", {"CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "4"}, 1, 4),
        ("auto/5", {"JOB_COMPLETION_INDEX": "4"}, 5, 5),
        ("auto/5", {"CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "9"}, 1, 5),
    ],
)
def test_a_shard_is_stated_or_read_from_the_runner(text, environment, index, total):
    assert shard(text, environment) == Shard(index=index, total=total)


@pytest.mark.parametrize(
    ("text", "environment", "message", "fix"),
    [
        ("half", {}, "'half' is no shard", "write K/N such as 2/8, or auto, or auto/N"),
        ("0/8", {}, "there is no shard 0 of 8", "count shards from 1: K/N with K from 1 to N"),
        ("9/8", {}, "there is no shard 9 of 8", "count shards from 1: K/N with K from 1 to N"),
        ("1/0", {}, "there is no shard 1 of 0", "count shards from 1: K/N with K from 1 to N"),
        ("auto/2", {"JOB_COMPLETION_INDEX": "2"}, "there is no shard 3 of 2", "count shards from 1: K/N with K from 1 to N"),
        ("auto", {}, "the environment has none of CI_NODE_INDEX, CIRCLE_NODE_INDEX, JOB_COMPLETION_INDEX", "write --shard K/N"),
        (
            "auto",
            {"JOB_COMPLETION_INDEX": "1"},
            "nothing says into how many shards the fleet is divided",
            "write --shard auto/N: JOB_COMPLETION_INDEX does not say how many jobs there are",
        ),
        ("auto", {"CI_NODE_INDEX": "one", "CI_NODE_TOTAL": "4"}, "CI_NODE_INDEX is no number: 'one'", "write --shard K/N"),
    ],
)
def test_a_shard_is_never_guessed(text, environment, message, fix):
    with pytest.raises(InvalidInput) as caught:
        shard(text, environment)
    [finding] = caught.value.findings
    assert (finding.rule, finding.message, finding.fix) == ("AICR-L007", message, fix)


@pytest.mark.parametrize("total", [1, 2, 3, 7, 100, 150])
def test_every_cluster_is_in_exactly_one_shard_and_shards_are_equal(total):
    fleet = tuple(range(100))
    parts = [part(fleet, Shard(index=index, total=total)) for index in range(1, total + 1)]
    assert sorted(chain.from_iterable(parts)) == sorted(fleet)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
