"""What only the realised pod has wrong: the part of the job that brings it is named."""

import pytest

from tests.unit.trainer.made import BOTH, found, patch, pod_patch, replicated, runtime, submitted
from tests.unit.trainer.recorded import check

PATCHED = "/spec/runtimePatches/0/trainingRuntimeSpec/template/spec/replicatedJobs/0/template/spec/template/spec"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def torch(**fields):
    return runtime(replicated(**fields), policy={"numNodes": 1, "torch": {}})


def test_huge_pages_lose_the_cpu_beside_them_in_2_2_only():
    base = torch(resources={"requests": {"cpu": "1", "hugepages-2Mi": "1Gi"}, "limits": {"hugepages-2Mi": "1Gi"}})
    job = submitted({"resourcesPerNode": {"limits": {"hugepages-2Mi": "2Gi"}, "requests": {"hugepages-2Mi": "2Gi"}}})
    message = "container 'node' asks for huge pages and for neither cpu nor memory, so no pod is made"
    assert found(check("2.2", job, base), "AICR-K040") == [("AICR-K040", "/spec/trainer/resourcesPerNode", message)]
    assert found(check("2.3", job, base), "AICR-K040") == []


@pytest.mark.parametrize("version", BOTH)
def test_a_variable_from_a_secret_without_name(version):
    job = submitted({"env": [{"name": "TOKEN", "valueFrom": {"secretKeyRef": {"key": "token"}}}]})
    ((_, pointer, message),) = found(check(version, job, torch()), "AICR-K059")
    assert pointer.startswith("/spec/trainer/env/0")
    assert message == "secretKeyRef has no name, and no pod is made without it"


@pytest.mark.parametrize("version", BOTH)
def test_an_affinity_that_selects_nothing(version):
    terms = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "pool", "operator": "In"}]}]}
    change = pod_patch(affinity={"nodeAffinity": {REQUIRED: terms}})
    ((_, pointer, message),) = found(check(version, submitted({}, runtimePatches=[patch(change)]), torch()), "AICR-K061")
    assert pointer.startswith(f"{PATCHED}/affinity")
    assert message == "term 'pool' In needs values"


@pytest.mark.parametrize("version", BOTH)
def test_what_the_runtime_has_wrong_is_not_blamed_on_a_patch(version):
    base = torch(env=[{"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.node"}}}])
    ((_, pointer, _),) = found(check(version, submitted({}, runtimePatches=[patch(pod_patch())]), base), "AICR-K059")
    assert pointer == "/spec/runtimeRef"
