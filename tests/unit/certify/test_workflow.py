"""Requirements on Workflows whose overrides are resolved. Source: nvcrectl workflow render."""

import copy
import json
from functools import partial

import pytest

from bundler.certify.workflow import render_workflow
from bundler.errors import InvalidInput
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


def test_a_workflow_of_a_queue_keeps_it_and_one_whose_pods_are_elsewhere_is_refused(rendered, workflow):
    queued = workflow("aws", "h100", "communication/nccl-all-reduce", gangScheduler={"schedulerName": "kai-scheduler"})
    (made,) = rendered(queued).workflows
    assert made["spec"] == queued["spec"]
    elsewhere = copy.deepcopy(queued)
    node = elsewhere["spec"]["dependencies"][0]["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]
    node["spec"]["template"]["spec"]["schedulerName"] = "default-scheduler"
    node["metadata"]["labels"]["kai.scheduler/queue"] = "other"
    with pytest.raises(InvalidInput) as caught:
        rendered(elsewhere)
    assert [(finding.rule, finding.message) for finding in caught.value.findings] == [
        ("AICR-R013", "the label kai.scheduler/queue on the job of 'node' is 'other'; gangScheduler says 'default-queue'"),
        ("AICR-R013", "the pods of 'node' are scheduled by default-scheduler, not by kai-scheduler"),
    ]


def test_a_queue_without_pods_to_be_in_it_is_refused(rendered):
    with pytest.raises(InvalidInput) as caught:
        rendered({**DATA, "spec": {**DATA["spec"], "gangScheduler": {"schedulerName": "kai-scheduler"}}})
    assert caught.value.findings[0].message == (
        "gangScheduler is stated, and no runtime among the dependencies has pods to be scheduled by it"
    )


def test_a_patch_that_is_undone_is_said(rendered):
    append = {"op": "add", "path": "/spec/workload/trainJob/trainer/args", "value": []}
    more = {"op": "add", "path": "/spec/workload/trainJob/trainer/args/-", "value": "a"}
    replace = {"spec": {"workload": {"trainJob": {"trainer": {"args": ["b"]}}}}}
    overrides = [{"when": {}, "jobTemplatePatch": [append, more]}, {"when": {}, "jobTemplate": replace}]
    notes = rendered({**DATA, "spec": {**DATA["spec"], "overrides": overrides}}).notes
    assert [note.rule for note in notes] == ["AICR-R017", "AICR-R017"]
    assert json.dumps([note.message for note in notes]).count("replaces that list") == 2
