"""What could not be read is named, with why and with what can be done about it in the command that asked."""

import pytest

from bundler.detect.unread import unread
from bundler.model.snapshot import Gap, GapReason


@pytest.mark.parametrize(
    ("reason", "message", "fix"),
    [
        (
            GapReason.FORBIDDEN,
            "nodes: reading it is forbidden (403 Forbidden); nothing is proven",
            "grant list on it, or take `kubectl get nodes -A -o yaml` of who may, and --snapshot in place of the cluster",
        ),
        (
            GapReason.NOT_ASKED,
            "nodes: the snapshot does not have it (403 Forbidden); nothing is proven",
            "add the output of `kubectl get nodes -A -o yaml` as another --snapshot",
        ),
        (GapReason.ABSENT, "nodes: the cluster does not have it (403 Forbidden); nothing is proven", ""),
    ],
)
def test_a_gap_says_why_and_what_to_do(reason, message, fix):
    found = unread(Gap(resource="nodes", reason=reason, message="403 Forbidden"), "nothing is proven")
    assert (found.rule, found.message, found.fix) == ("AICR-N002", message, fix)
