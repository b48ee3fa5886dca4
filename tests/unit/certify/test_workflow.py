"""Requirements on Workflows whose overrides are resolved. Source: nvcrectl workflow render."""

import json
from functools import partial

import pytest

from bundler.certify.workflow import render_workflow
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump

DATA = {
    "apiVersion": "nvcre.nvidia.com/v1alpha1",
    "kind": "Workflow",
    "metadata": {"name": "w", "annotations": {"kept": "yes"}},
    "spec": {
        "jobTemplate": {"spec": {"workload": {"trainJob": {"trainer": {}}}}},
        "orchestration": {"execution": {}},
        "overrides": [
            {"when": {"gpuArchitecture": {"equals": "h100"}}, "jobTemplate": {"spec": {"stallMultiplier": 2}}},
            {
                "when": {"platform": {"equals": "aws"}},
                "dependencies": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}],
            },
        ],
    },
}


@pytest.fixture
def rendered(catalog):
    return partial(_rendered, catalog)


def _rendered(catalog, data=DATA, *, platform="aws", architecture="h100"):
    return render_workflow(catalog, read(dump(data).encode(), "w.yaml"), platform=platform, architecture=architecture)


def test_what_applied_stands_in_an_annotation(rendered):
    (made,) = rendered().workflows
    annotations = made["metadata"]["annotations"]
    assert annotations["kept"] == "yes"
    assert annotations["nvcrectl.nvidia.com/applied-overrides"] == (
        '[{"index":0,"when":"gpuArchitecture=h100","patches":"jobTemplate"},'
        '{"index":1,"when":"platform=aws","patches":"1 dependencies"}]'
    )
    assert made["spec"]["orchestration"] == {"execution": {}}
    assert "overrides" not in made["spec"]


def test_only_what_was_detected_is_said_when_nothing_applied(rendered):
    (made,) = rendered(platform="gcp", architecture="a100").workflows
    assert made["spec"]["jobTemplate"] == DATA["spec"]["jobTemplate"]
    assert set(made["metadata"]["annotations"]) == {
        "kept",
        "nvcrectl.nvidia.com/detected-platform",
        "nvcrectl.nvidia.com/detected-gpu-architecture",
    }


def test_a_patch_that_is_undone_is_said(rendered):
    append = {"op": "add", "path": "/spec/workload/trainJob/trainer/args", "value": []}
    more = {"op": "add", "path": "/spec/workload/trainJob/trainer/args/-", "value": "a"}
    replace = {"spec": {"workload": {"trainJob": {"trainer": {"args": ["b"]}}}}}
    overrides = [{"when": {}, "jobTemplatePatch": [append, more]}, {"when": {}, "jobTemplate": replace}]
    notes = rendered({**DATA, "spec": {**DATA["spec"], "overrides": overrides}}).notes
    assert [note.rule for note in notes] == ["AICR-R017", "AICR-R017"]
    assert json.dumps([note.message for note in notes]).count("replaces that list") == 2
