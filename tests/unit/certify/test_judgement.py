"""Requirements on every rendered Workflow. Sources: the CRDs of Kubeflow Trainer and of the controller."""

import pytest

from bundler.certify.judgement import check_workflow


def spec(*, policy=("torch",), resources=None, env=(), trainer_env=()):
    container = {"name": "node", "resources": resources or {}, "env": [{"name": name, "value": ""} for name in env]}
    job = {"name": "node", "template": {"spec": {"template": {"spec": {"containers": [container]}}}}}
    runtime = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainingRuntime",
        "metadata": {"name": "r"},
        "spec": {"mlPolicy": {"numNodes": 1, **{name: {} for name in policy}}, "template": {"spec": {"replicatedJobs": [job]}}},
    }
    trainer = {"env": [{"name": name, "value": ""} for name in trainer_env]}
    return {"jobTemplate": {"spec": {"workload": {"trainJob": {"trainer": trainer}}}}, "dependencies": [runtime]}


def found(data):
    return [(finding.rule, finding.message) for finding in check_workflow(data, subject="Workflow/w")]


def test_a_sound_workflow_has_no_finding():
    nics = {"rdma/ib": "1"}
    assert found(spec(resources={"limits": nics, "requests": nics}, env=("A", "B"), trainer_env=("A",))) == []


@pytest.mark.parametrize(("policy", "said"), [(("torch", "mpi"), "torch and mpi"), ((), "no policy")], ids=["both", "neither"])
def test_a_runtime_has_exactly_one_policy(policy, said):
    assert found(spec(policy=policy)) == [("AICR-R014", f"the runtime's mlPolicy has {said}; a server takes exactly one")]


def test_a_variable_stands_once_in_an_environment():
    assert found(spec(env=("A", "B", "A"))) == [("AICR-R015", "A stands twice in one environment")]
    assert found(spec(trainer_env=("A", "A"))) == [("AICR-R015", "A stands twice in one environment")]


@pytest.mark.parametrize("name", ["rdma/ib", "nvidia.com/mlnxnics", "vpc.amazonaws.com/efa", "networking.gke.io.networks/rdma-0"])
@pytest.mark.parametrize(("limit", "request_"), [("0", "0"), ("8", "4"), ("", "8")])
def test_nics_are_requested_in_one_positive_number(name, limit, request_):
    resources = {"limits": {name: limit} if limit else {}, "requests": {name: request_}}
    assert [rule for rule, _ in found(spec(resources=resources))] == ["AICR-R016"]
