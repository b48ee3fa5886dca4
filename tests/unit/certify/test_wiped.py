"""Requirements on patches that a later override undoes. Source: the documentation of jobTemplatePatch."""

import pytest

from bundler.certify.entries import entries
from bundler.certify.wiped import wiped_patches
from bundler.lint.certification import check_certification

APPEND = [{"op": "add", "path": "/spec/workload/trainJob/trainer/env/-", "value": {"name": "A", "value": "1"}}]
REPLACE = {"spec": {"workload": {"trainJob": {"trainer": {"env": [{"name": "B", "value": "2"}]}}}}}


def found(*overrides):
    return list(wiped_patches([(index, override, None) for index, override in enumerate(overrides)]))


def test_an_appended_value_is_lost_when_a_later_override_sets_the_list():
    (finding,) = found({"when": {}, "jobTemplatePatch": APPEND}, {"when": {}, "jobTemplate": REPLACE})
    assert finding.message == "override[0] patches /spec/workload/trainJob/trainer/env/-, and override[1] replaces that list"
    assert finding.rule == "AICR-R017"


def test_a_patch_behind_the_list_is_kept():
    assert found({"when": {}, "jobTemplate": REPLACE}, {"when": {}, "jobTemplatePatch": APPEND}) == []


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ({"platform": {"equals": "aws"}}, {"platform": {"equals": "gcp"}}, False),
        ({"platform": {"equals": "aws"}}, {"platform": {"in": ["aws", "gcp"]}}, True),
        ({"platform": {"equals": "aws"}}, {"platform": {"notIn": ["aws"]}}, False),
        ({"platform": {"equals": "aws"}}, {"gpuArchitecture": {"equals": "h100"}}, True),
        ({"gpuArchitecture": {"in": ["gb200", "gb300"]}}, {"gpuArchitecture": {"equals": "h100"}}, False),
    ],
)
def test_only_overrides_that_can_both_apply_undo_each_other(first, second, together):
    assert bool(found({"when": first, "jobTemplatePatch": APPEND}, {"when": second, "jobTemplate": REPLACE})) is together


def test_no_packaged_override_is_undone(catalog):
    assert entries(catalog)
    assert list(check_certification(catalog)) == []
