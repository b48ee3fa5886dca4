"""Requirements on the Workflows of a Certification: the object, its options, its errors and its text.

Sources: pkg/certification/testdata of NVIDIA/cluster-readiness-engine, its documentation of platform detection and overrides.
"""

import json

import pytest

from bundler.certify.certification import render_certification
from bundler.certify.output import workflows_text
from bundler.certify.site import Site
from bundler.errors import InvalidInput
from tests.unit.certify.kit import ALL_REDUCE, SWEEP, handed_over, node, pod, resources, trainer


def test_a_workflow_has_the_name_and_labels_of_its_category_and_nothing_of_a_cluster(workflow):
    made = workflow("aws", "h100", "diagnostics/dcgm-level4")
    assert made["metadata"] == {
        "name": "test-cert-diagnostics-dcg-917bf",
        "labels": {
            "app.kubernetes.io/managed-by": "nvcre",
            "nvcre.nvidia.com/certification": "test-cert",
            "nvcre.nvidia.com/category-domain": "diagnostics",
            "nvcre.nvidia.com/category-variant": "dcgm-level4",
        },
    }
    assert set(made) == {"apiVersion", "kind", "metadata", "spec"}
    assert "overrides" not in made["spec"]
    assert len(made["spec"]["dependencies"]) == 1


@pytest.mark.parametrize(
    ("category", "options", "timeout"),
    [
        (ALL_REDUCE, {}, "1h0m0s"),
        ("communication/nccl-loopback", {}, "1h0m0s"),
        (ALL_REDUCE, {"testScale": "diagnose"}, "15m0s"),
        ("diagnostics/dcgm-level4", {}, "2h0m0s"),
        ("training/nemotron5-8b", {}, "24h0m0s"),
        ("training/nemotron5-8b", {"timeoutPerJob": "90m"}, "1h30m0s"),
        (ALL_REDUCE, {"testScale": "diagnose", "timeoutPerJob": "2h"}, "2h0m0s"),
    ],
)
def test_a_job_ends_after_the_users_timeout_then_the_entrys_then_the_scales(workflow, category, options, timeout):
    made = workflow("aws", "h100", category, **options)
    assert made["spec"]["orchestration"]["execution"]["timeoutPerJob"] == timeout


def test_dcgm_runs_its_longest_level_with_the_devices_of_the_host(workflow):
    made = workflow("aws", "h100", "diagnostics/dcgm-level4")
    assert [*trainer(made)["command"], *trainer(made)["args"]] == [
        *("dcgmi", "diag", "--host", "nvidia-dcgm.gpu-operator.svc:5555", "--run", "4", "--json", "--verbose"),
        *(
            "-p",
            "targeted_power.test_duration=1200s",
            "-p",
            "targeted_stress.test_duration=1200s",
            "-p",
            "nvbandwidth.is_allowed=true",
        ),
    ]
    assert trainer(made)["image"] == "nvcr.io/nvidia/cloud-native/dcgm:4.5.2-1-ubuntu22.04"
    assert node(made)["securityContext"] == {"privileged": True}
    assert pod(made)["spec"]["hostNetwork"] is True
    assert pod(made)["spec"]["tolerations"] == [{"operator": "Exists"}]


def test_dcgm_is_unprivileged_on_oci(workflow):
    assert node(workflow("oci", "h100", "diagnostics/dcgm-level4"))["securityContext"] == {"privileged": False}


def test_alltoall_sends_bytes_before_its_sweep(workflow):
    assert trainer(workflow("forge", "h100", "communication/nccl-alltoall"))["args"][-13:] == [
        "/usr/local/bin/alltoall_perf_mpi",
        "-d",
        "uint8",
        *SWEEP,
    ]


def test_an_option_of_a_category_stands_over_that_of_the_certification(render):
    categories = [
        {
            "domain": "communication",
            "variant": "nccl-all-reduce",
            "options": {"numIterations": 7, "workloadMetadata": {"labels": {"b": "2"}}},
        },
        {"domain": "communication", "variant": "nccl-all-gather"},
    ]
    first, second = render("aws", "h100", *categories, numIterations=5, workloadMetadata={"labels": {"a": "1", "b": "1"}}).workflows
    assert trainer(first)["args"][-3:] == ["7", "-N", "10"]
    assert trainer(second)["args"][-3:] == ["5", "-N", "10"]
    labels = [made["spec"]["jobTemplate"]["spec"]["workloadMetadata"]["labels"] for made in (first, second)]
    assert labels == [{"a": "1", "b": "2"}, {"a": "1", "b": "1"}]
    assert "metadata" not in pod(first)  # they are the workload object's, and no pod's


def test_one_node_is_tested_unless_more_are_stated_and_always_within_a_node(workflow):
    assert trainer(workflow("aws", "h100", ALL_REDUCE))["numNodes"] == 1
    assert trainer(workflow("aws", "h100", ALL_REDUCE, nodesPerJob=4))["numNodes"] == 4
    assert trainer(workflow("aws", "h100", ALL_REDUCE, nodesPerJob=4, testScale="intra-node"))["numNodes"] == 1


def test_the_scale_says_how_nodes_are_grouped(workflow):
    rack = workflow("aws", "gb300", ALL_REDUCE, testScale="intra-rack")["spec"]["orchestration"]
    assert rack["topology"] == {"topologyKey": "nvidia.com/gpu.clique", "strictDomain": True}
    halves = workflow("aws", "h100", ALL_REDUCE, testScale="diagnose")
    assert halves["spec"]["orchestration"]["diagnose"] == {"minGroupSize": 2, "topologyKey": "nvidia.com/gpu.clique"}
    assert trainer(halves)["args"][-4:] == ["-n", "5", "-N", "1"]


def test_an_explicit_zero_or_false_is_a_choice(workflow):
    assert resources(workflow("azure", "h100", ALL_REDUCE))["nvidia.com/mlnxnics"] == "8"
    assert resources(workflow("azure", "h100", ALL_REDUCE, mlnxPerNode=0)) == {"nvidia.com/gpu": "8"}
    assert "NCCL_MNNVL_ENABLE=0" in handed_over(workflow("onprem", "gb300", ALL_REDUCE, enableMNNVL=False))


def test_each_amount_of_a_training_worker_falls_back_alone(workflow):
    made = node(workflow("forge", "h100", "training/nemotron5-8b", resources={"limits": {"memory": "1Ti"}}))
    assert made["resources"] == {
        "limits": {"cpu": "128", "memory": "1Ti", "nvidia.com/gpu": "8"},
        "requests": {"cpu": "64", "memory": "500Gi", "nvidia.com/gpu": "8"},
    }


@pytest.mark.parametrize("metric", ["busBandwidthGBps", "algBandwidthGBps", "goodputRatio", "avgTFLOPsPerGPU", "avgStepTimeSec"])
def test_there_are_five_metrics_to_set_a_threshold_on(workflow, metric):
    made = workflow("aws", "h100", ALL_REDUCE, thresholds={metric: "value >= 1"})
    assert made["spec"]["validation"]["performance"]["thresholds"] == {"thresholds": {metric: "value >= 1"}}


def test_an_architecture_that_is_stated_wins_over_the_node_selector(catalog, certification):
    document = certification(ALL_REDUCE)
    (made,) = render_certification(catalog, document, Site(platform="onprem", architecture="gb300")).workflows
    assert trainer(made)["numProcPerNode"] == 4
    assert made["spec"]["orchestration"]["target"] == document.data["spec"]["target"]


def test_thresholds_turn_judging_on(workflow):
    assert "validation" not in workflow("aws", "h100", ALL_REDUCE)["spec"]
    made = workflow("aws", "h100", ALL_REDUCE, thresholds={"busBandwidthGBps": "value >= 300"}, measurementTimeout="5m")
    assert made["spec"]["validation"] == {
        "performance": {
            "enabled": True,
            "measurementTimeout": "5m0s",
            "thresholds": {"thresholds": {"busBandwidthGBps": "value >= 300"}},
        }
    }


def test_checkpoints_bring_a_volume_and_restarts(workflow):
    made = workflow("forge", "h100", "training/nemotron5-8b", enableCheckpoint=True, maxRestarts=0, storageClassName="fast")
    assert made["spec"]["jobTemplate"]["spec"]["checkpoint"] == {"pvcName": "nemotron5-8b-pvc", "maxRestarts": 0}
    claim = made["spec"]["dependencies"][0]
    assert (claim["kind"], claim["spec"]["storageClassName"], claim["spec"]["resources"]["requests"]["storage"]) == (
        "PersistentVolumeClaim",
        "fast",
        "10Ti",
    )


def test_two_categories_that_make_one_workflow_are_refused_and_two_that_differ_are_not(render):
    category = {"domain": "communication", "variant": "nccl-all-reduce"}
    both = [{**category, "options": {"enableMNNVL": enabled}} for enabled in (True, False)]
    names = [one["metadata"]["name"] for one in render("aws", "gb300", *both).workflows]
    assert len(set(names)) == 2
    with pytest.raises(InvalidInput) as caught:
        render("aws", "gb300", category, {**category, "options": {"maxBytes": "1G"}})  # a name has no room for it
    (finding,) = caught.value.findings
    assert (finding.rule, finding.pointer) == ("AICR-R027", "/spec/categories/1")
    assert finding.message == (
        "categories 0 and 1 make one Workflow, 'test-cert-communication-n-29796': the second would take the place of the first"
    )


def test_an_unknown_category_names_the_nearest(certification, catalog):
    with pytest.raises(InvalidInput) as caught:
        render_certification(catalog, certification("communication/nccl-all-reduc"), Site(platform="aws"))
    (finding,) = caught.value.findings
    assert (finding.message, finding.fix) == (
        "unknown certification category: communication/nccl-all-reduc",
        "did you mean 'communication/nccl-all-reduce'?",
    )


def test_without_a_product_the_architecture_is_asked_for(certification, catalog):
    document = certification(ALL_REDUCE, product=None)
    with pytest.raises(InvalidInput) as caught:
        render_certification(catalog, document, Site(platform="nscale"))
    (finding,) = caught.value.findings
    assert finding.rule == "AICR-R002"
    assert "(nvidia.com/gpu.product label is required)" in finding.message
    assert render_certification(catalog, document, Site(platform="nscale", architecture="gb300")).workflows


@pytest.mark.parametrize(
    ("architecture", "category", "options", "message", "fix"),
    [
        (
            "h100",
            "training/nemotron5-56b",
            {},
            "training/nemotron5-56b: requires at least 32 GPUs (the model does not fit fewer), got 8 (1 node of 8 GPUs)",
            "set nodesPerJob to 4 or higher",
        ),
        (
            "a100",
            "training/nemotron5-8b",
            {"gpusPerNode": 6, "nodesPerJob": 3},
            "training/nemotron5-8b: 18 GPUs (3 nodes of 6 GPUs) cannot be divided by tensor x pipeline parallelism 8 x 1",
            "set nodesPerJob to 4",
        ),
        (
            "a100",
            "training/nemotron5-8b",
            {"gpusPerNode": 4, "nodesPerJob": 3},
            "training/nemotron5-8b: 12 GPUs (3 nodes of 4 GPUs) cannot be divided by tensor x pipeline parallelism 8 x 1",
            "set nodesPerJob to 2 or 4",
        ),
    ],
)
def test_nodes_that_cannot_hold_the_model_are_refused_with_a_number(render, architecture, category, options, message, fix):
    with pytest.raises(InvalidInput) as caught:
        render("aws", architecture, category, **options)
    (finding,) = caught.value.findings
    assert (finding.message, finding.fix) == (message, fix)


@pytest.mark.parametrize(
    ("thresholds", "rule", "message"),
    [
        ({"busBandwidth": "value >= 300"}, "AICR-R009", "no metric is named 'busBandwidth'"),
        ({"goodputRatio": "value >="}, "AICR-R010", "the threshold 'value >=' cannot be used: it cannot be parsed at column 7"),
        ({"goodputRatio": "speed > 1"}, "AICR-R010", "the threshold 'speed > 1' cannot be used: undeclared reference to 'speed'"),
        ({"goodputRatio": "value"}, "AICR-R010", "the threshold 'value' cannot be used: it yields no true or false"),
    ],
)
@pytest.mark.parametrize("of_category", [False, True])
def test_a_bad_threshold_is_refused_at_its_place(catalog, certification, thresholds, rule, message, of_category):
    category = {"domain": "communication", "variant": "nccl-all-reduce"}
    if of_category:
        document = certification({**category, "options": {"thresholds": thresholds}})
    else:
        document = certification(category, thresholds=thresholds)
    with pytest.raises(InvalidInput) as caught:
        render_certification(catalog, document, Site(platform="aws"))
    (finding,) = caught.value.findings
    assert (finding.rule, finding.message) == (rule, message)
    assert finding.pointer.startswith("/spec/categories/0/options/thresholds/" if of_category else "/spec/thresholds/")


def test_annotations_stand_only_where_they_are_asked_for(render):
    (plain,) = render("aws", "h100", ALL_REDUCE).workflows
    (told,) = render("aws", "h100", ALL_REDUCE, explain=True).workflows
    assert "annotations" not in plain["metadata"]
    annotations = told["metadata"]["annotations"]
    assert annotations["nvcrectl.nvidia.com/detected-platform"] == "aws"
    assert annotations["nvcrectl.nvidia.com/detected-gpu-architecture"] == "h100"
    assert json.loads(annotations["nvcrectl.nvidia.com/applied-overrides"]) == [
        {
            "index": 0,
            "when": "gpuArchitecture=notIn [gb200,gb300], platform=aws",
            "patches": "jobTemplate, 1 dependencies",
        }
    ]


def test_json_is_an_array_with_the_escapes_of_go(render):
    workflows = render("aws", "h100", ALL_REDUCE, thresholds={"busBandwidthGBps": "value >= 300"}).workflows
    text = workflows_text(workflows, "json")
    assert '"value \\u003e= 300"' in text
    assert json.loads(text) == list(workflows)
    assert workflows_text(workflows * 2, "yaml").count("---\n") == 1
