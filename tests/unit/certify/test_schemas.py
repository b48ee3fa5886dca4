"""Requirements on Certification, Workflow and WorkloadRun as they are written. Source: the CRDs of nvcre.nvidia.com/v1alpha1."""

import pytest

from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump

CATEGORY = {"domain": "communication", "variant": "nccl-all-reduce"}
TORCH = {"torch": {"script": "train.py"}}


def findings(catalog, kind, spec):
    data = {"apiVersion": "nvcre.nvidia.com/v1alpha1", "kind": kind, "metadata": {"name": "x"}, "spec": spec}
    document = read(dump(data).encode(), "x.yaml")
    return catalog.validator(kind.lower()).check(document.data, document=document)


def of_certification(catalog, category=None, **spec):
    return findings(catalog, "Certification", {"target": {}, "categories": [{**CATEGORY, **(category or {})}], **spec})


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("nodesPerJob", 1),
        ("maxSteps", -1),
        ("mlnxPerNode", 0),
        ("maxRestarts", 0),
        ("rdmaDeviceAccess", "hostPath"),
        ("nicResourceName", "rdma/ib"),
        ("nicResourceName", "nvidia.com/mlnxnics"),
        ("timeoutPerJob", "1h30m"),
        ("maxBytes", "32G"),
        ("storageSize", "1.5Ti"),
        ("sourceRepo", "https://git.example/Megatron-LM.git"),
        ("workloadMetadata", {"labels": {"app.kubernetes.io/name": "x", "team": "a", "example.com/queue": ""}}),
        ("resources", {"limits": {"cpu": 128, "memory": "800Gi"}}),
        ("thresholds", {"goodputRatio": "value > 0.9"}),
    ],
)
def test_an_option_stands_at_both_levels(catalog, option, value):
    assert of_certification(catalog, **{option: value}) == ()
    assert of_certification(catalog, {"options": {option: value}}) == ()


@pytest.mark.parametrize(
    ("option", "value", "rule", "said"),
    [
        ("nodesPerJob", 0, "AICR-S006", "0 is less than the minimum of 1"),
        ("nodePerJob", 2, "AICR-S001", "unknown field 'nodePerJob'"),
        ("rdmaDeviceAccess", "HostPath", "AICR-S005", "'HostPath' is not one of hostPath, devicePlugin"),
        ("rdmaDeviceAccess", "hostpath", "AICR-S005", "'hostpath' is not one of hostPath, devicePlugin"),
        ("testScale", "Full-Scale", "AICR-S005", "'Full-Scale' is not one of"),
        ("nicResourceName", "ib", "AICR-S006", "does not match"),
        ("nicResourceName", "kubernetes.io/ib", "AICR-S006", "does not match"),
        ("nicResourceName", "k8s.io/ib", "AICR-S006", "does not match"),
        ("nicResourceName", "x.k8s.io/ib", "AICR-S006", "does not match"),
        ("timeoutPerJob", "1 hour", "AICR-S006", "does not match"),
        ("maxBytes", "16GB", "AICR-S006", "does not match"),
        ("sourceRepo", "http://git.example/x.git", "AICR-S006", "does not match"),
        ("workloadMetadata", {"labels": {"nvcre.nvidia.com/certification": "x"}}, "AICR-S006", ""),
        ("workloadMetadata", {"labels": {"app.kubernetes.io/managed-by": "x"}}, "AICR-S006", ""),
        ("workloadMetadata", {"labels": {f"l{number}": "" for number in range(33)}}, "AICR-S006", "has more than 32 properties"),
        ("nodesPerJob", 2**31, "AICR-S006", "2147483648 is greater than the maximum of 2147483647"),
        ("maxSteps", -2, "AICR-S006", "-2 is less than the minimum of -1"),
        ("gpusPerNode", 0, "AICR-S006", "0 is less than the minimum of 1"),
        ("mlnxPerNode", -1, "AICR-S006", "-1 is less than the minimum of 0"),
        ("image", "", "AICR-S006", "shorter than 1 character"),
        ("image", "x" * 513, "AICR-S006", "longer than 512 characters"),
        ("nicResourceName", f"{'a' * 251}/ib", "AICR-S006", "longer than 253 characters"),
        ("sourceRepo", f"https://{'a' * 2048}", "AICR-S006", "longer than 2048 characters"),
        ("storageSize", "10TB", "AICR-S006", "does not match"),
        ("minGroupSize", 0, "AICR-S006", "0 is less than the minimum of 1"),
        ("saveInterval", 0, "AICR-S006", "0 is less than the minimum of 1"),
        ("repeatCount", 0, "AICR-S006", "0 is less than the minimum of 1"),
        ("maxRestarts", -1, "AICR-S006", "-1 is less than the minimum of 0"),
    ],
)
@pytest.mark.parametrize("of_category", [False, True])
def test_a_wrong_option_is_found_where_it_stands(catalog, option, value, rule, said, of_category):
    if of_category:
        (finding,) = of_certification(catalog, {"options": {option: value}})
    else:
        (finding,) = of_certification(catalog, **{option: value})
    assert finding.rule == rule
    assert said in finding.message
    assert finding.pointer.startswith("/spec/categories/0/options/" if of_category else "/spec/")
    assert finding.location.line > 1


@pytest.mark.parametrize("name", ["-a", "a-", ".a", "a.", "a..b", "A", "a" * 64, ""])
def test_a_name_is_one_that_a_server_takes_and_a_label_holds(catalog, name):
    data = {"apiVersion": "nvcre.nvidia.com/v1alpha1", "kind": "Certification", "metadata": {"name": name}}
    document = read(dump({**data, "spec": {"target": {}, "categories": [CATEGORY]}}).encode(), "x.yaml")
    (finding,) = catalog.validator("certification").check(document.data, document=document)
    assert (finding.rule, finding.pointer) == ("AICR-S006", "/metadata/name")


def test_a_certification_has_one_to_sixty_four_categories(catalog):
    assert len(findings(catalog, "Certification", {"target": {}, "categories": []})) == 1
    assert len(findings(catalog, "Certification", {"target": {}, "categories": [CATEGORY] * 65})) == 1


@pytest.mark.parametrize(
    ("gang", "valid"),
    [
        ({"schedulerName": "kai-scheduler"}, True),
        ({"schedulerName": "runai-scheduler", "queue": "a", "queueLabelKey": "runai/queue"}, True),
        ({"queue": "a"}, False),
        ({"schedulerName": "x", "queueLabelKey": "nvcre.nvidia.com/queue"}, False),
        ({"schedulerName": "x", "queueLabelKey": "app.kubernetes.io/managed-by"}, False),
    ],
)
def test_a_gang_scheduler_has_a_name_and_no_label_of_the_controller(catalog, gang, valid):
    assert (of_certification(catalog, gangScheduler=gang) == ()) is valid


@pytest.mark.parametrize(
    ("framework", "valid"),
    [
        (TORCH, True),
        ({"torch": {"module": "m", "args": ["a"]}}, True),
        ({"torch": {"module": "m", "script": "s"}}, False),
        ({"mpi": {"binary": "/b", "mpirunPath": "/m"}}, True),
        ({"mpi": {"binary": "/b"}}, False),
        ({"exec": {"command": ["a"]}}, True),
        ({"exec": {"command": []}}, False),
        ({**TORCH, "exec": {"command": ["a"]}}, False),
        ({}, False),
    ],
)
def test_a_run_has_exactly_one_framework(catalog, framework, valid):
    assert (findings(catalog, "WorkloadRun", {"image": "a", "numNodes": 1, "framework": framework}) == ()) is valid


def test_a_workflow_states_its_job_and_orchestration(catalog):
    sound = {"jobTemplate": {"spec": {}}, "orchestration": {"execution": {}}, "overrides": [{"when": {}}]}
    assert findings(catalog, "Workflow", sound) == ()
    assert [finding.rule for finding in findings(catalog, "Workflow", {})] == ["AICR-S004", "AICR-S004"]
    (finding,) = findings(catalog, "Workflow", {**sound, "overrides": [{"when": {"platforms": {"equals": "aws"}}}]})
    assert (finding.message, finding.fix) == ("unknown field 'platforms'", "did you mean 'platform'?")
