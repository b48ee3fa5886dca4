"""Requirements on overrides: the fourteen cases by which the controller's engine is known, and what cannot be applied.

Case names are those of pkg/controller/testdata/apply-overrides of cluster-readiness-engine; inputs and results are our own.
"""

from pathlib import Path

import pytest

from bundler.certify.overrides import applied_data, apply, situation_of
from bundler.errors import InvalidInput
from bundler.yamlio.reader import read

CASES = sorted(path for path in (Path(__file__).parent / "overrides").iterdir() if path.is_dir())


def numbered(overrides):
    return [(index, override, None) for index, override in enumerate(overrides)]


def document(path):
    return read(path.read_bytes(), path.name).data


def test_every_known_case_is_here():
    assert len(CASES) == 14


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_workflow_is_what_its_overrides_make_of_it(case):
    given, expected = document(case / "input.yaml"), document(case / "expected.yaml")
    situation = situation_of(given["spec"], platform=given["platform"], architecture=given["gpuArchitecture"])
    spec, applied = apply(given["spec"], numbered(given["spec"]["overrides"]), situation)
    assert spec == expected["spec"]
    assert applied_data(applied) == expected["applied"]


@pytest.mark.parametrize(
    ("override", "reason"),
    [
        ({"jobTemplatePatch": [{"op": "replace", "path": "/spec/absent", "value": 1}]}, "override[3]: jobTemplatePatch: "),
        ({"jobTemplatePatch": [{"op": "test", "path": "/spec/stallMultiplier", "value": 1}]}, "override[3]: jobTemplatePatch: "),
        ({"jobTemplate": {"$setElementOrder/env": []}}, "override[3]: directive '$setElementOrder/env' is not accepted"),
    ],
)
def test_an_override_that_cannot_be_applied_says_which_it_is(override, reason):
    spec = {"jobTemplate": {"spec": {"stallMultiplier": 3}}, "orchestration": {"execution": {}}}
    with pytest.raises(InvalidInput) as caught:
        apply(spec, [(3, {"when": {}, **override}, None)], situation_of(spec, platform="aws", architecture="h100"))
    (finding,) = caught.value.findings
    assert finding.rule == "AICR-R011"
    assert finding.message.startswith(reason)


def test_the_input_stays_as_it_is():
    spec = {"jobTemplate": {"spec": {"a": {"b": [1]}}}, "orchestration": {"execution": {}}, "dependencies": []}
    patch = {"when": {}, "jobTemplatePatch": [{"op": "add", "path": "/spec/a/b/-", "value": 2}], "orchestration": {"iterations": 2}}
    before = repr(spec)
    apply(spec, [(0, patch, None)], situation_of(spec, platform="aws", architecture="h100"))
    assert repr(spec) == before


def test_two_mounts_of_one_volume_share_a_name_and_collapse():
    """A trap of merging by name that the controller has, too: the second mount is lost."""
    mounts = [{"name": "data", "mountPath": "/a"}]
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"mounts": mounts}}
    change = {**pod, "spec": {"mounts": [{"name": "data", "mountPath": "/b"}]}}
    spec = {"jobTemplate": {"spec": {}}, "orchestration": {"execution": {}}, "dependencies": [pod]}
    result, _ = apply(spec, [(0, {"when": {}, "dependencies": [change]}, None)], situation_of(spec, platform="a", architecture="b"))
    assert result["dependencies"][0]["spec"]["mounts"] == [{"name": "data", "mountPath": "/b"}]
