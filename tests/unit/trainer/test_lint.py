"""Runtimes that somebody wrote: the rules of every bundle, and what a TrainJob could take from them."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.kube.resource import Resource
from bundler.model.finding import Severity
from bundler.trainer.lint import lint_runtime
from bundler.trainer.standards import context_of
from bundler.trainer.versions import trainer_version
from tests.unit.trainer.made import replicated, runtime, wired

PORTS = "/spec/template/spec/replicatedJobs/0/template/spec/template/spec/containers/0/ports"


@pytest.fixture(scope="module")
def lint():
    catalog = Catalog.load()

    def judge(data, version="2.3"):
        known = trainer_version(version)
        labels = {"trainer.kubeflow.org/framework": "torch"}
        data = {**data, "kind": "TrainingRuntime"}
        data["metadata"] = {"labels": labels, "namespace": "team", **data["metadata"]}
        return lint_runtime(Resource(data=data, template="rt.yaml", positions={}, owner=""), known, context_of(catalog, known))

    return judge


def costs(verdict):
    return {each.field: {str(part) for part in each.parts} for each in verdict.erasures}


def test_a_sound_runtime_has_no_errors(lint):
    verdict = lint(wired())
    rules = {finding.rule for finding in verdict.findings}
    assert rules == {"AICR-I004", "AICR-K047"}, "images without digest and templates made elsewhere are only warnings here"
    assert {finding.severity for finding in verdict.findings} == {Severity.WARNING}


@pytest.mark.parametrize(
    ("version", "resources"),
    [
        ("2.2", {"trainer.resourcesPerNode.limits": {"resource nvidia.com/gpu", "resource example.com/nic", "claim channel"}}),
        (
            "2.3",
            {
                "trainer.resourcesPerNode, whatever it says": {"claim channel"},
                "trainer.resourcesPerNode.limits": {"claim channel"},
            },
        ),
        ("2.4-preview", {}),
    ],
)
def test_lists_what_a_trainjob_can_take(lint, version, resources):
    assert costs(lint(wired(), version)) == {
        **resources,
        "trainer.env, by name": {"variable NCCL_NET"},
        "runtimePatches: tolerations": {"toleration example.com/gpu:*"},
        "runtimePatches: capabilities of daemon": {"capability NET_ADMIN"},
        "runtimePatches: capabilities of node": {"capability IPC_LOCK"},
    }


def test_a_runtime_that_is_refused_has_nothing_to_take(lint):
    base = runtime(replicated(container="main"), policy={"torch": {}})
    verdict = lint(base)
    assert "AICR-K025" in {finding.rule for finding in verdict.findings}
    assert verdict.erasures == ()


@pytest.mark.parametrize(
    ("ports", "at"),
    [
        ([{"containerPort": 1}, {"containerPort": 2}], [f"{PORTS}/1"]),
        ([{"containerPort": 1, "name": "a"}, {"containerPort": 1, "name": "b", "protocol": "UDP"}], [f"{PORTS}/1"]),
        ([{"containerPort": 1, "name": "a"}, {"containerPort": 2, "name": "b"}], []),
    ],
)
def test_ports_that_the_trainer_takes_for_one(lint, ports, at):  # recorded: no JobSet is ever made
    found = lint(runtime(replicated(ports=ports), policy={"torch": {}})).findings
    assert [finding.pointer for finding in found if finding.rule == "AICR-K037"] == at


def test_a_namespace_may_be_the_clients_to_state(lint):
    (finding,) = [one for one in lint({**wired(), "metadata": {"name": "rt", "namespace": ""}}).findings if one.rule == "AICR-K013"]
    assert (finding.severity, finding.fix) == (Severity.WARNING, "add metadata.namespace, or state it to the client")


def test_a_step_that_nobody_knows_is_said(lint):
    other = replicated("data", step="dataset-initialiser", container="dataset-initializer")
    base = runtime(replicated(), other, policy={"torch": {}})
    (finding,) = [one for one in lint(base).findings if one.rule == "AICR-K026"]
    assert finding.message == "replicated job 'data' carries out step 'dataset-initialiser', which the Trainer passes over"
    assert finding.pointer.endswith("/replicatedJobs/1/template/metadata/labels/trainer.kubeflow.org~1trainjob-ancestor-step")
    assert (finding.severity, finding.fix) == (Severity.WARNING, "did you mean 'dataset-initializer'?")


def test_a_gpu_limit_alone_is_a_warning(lint):  # recorded: the one form that a job on 2.3 can lower
    base = runtime(replicated(resources={"limits": {"nvidia.com/gpu": "8"}}), policy={"torch": {}})
    (finding,) = [one for one in lint(base).findings if one.rule == "AICR-K036"]
    assert (finding.severity, finding.message) == (Severity.WARNING, "nvidia.com/gpu is not stated in requests and 8 in limits")


def test_what_no_job_on_the_runtime_gets_past_is_told_of_the_runtime(lint):
    targets = [{"jobName": "node", "containerNames": ["ghost"]}]
    base = wired()
    base["spec"]["mlPolicy"]["torch"] = {"envInjection": {"targets": targets}}
    verdict = lint(base)
    (finding,) = [one for one in verdict.findings if one.severity is Severity.ERROR]
    assert (finding.rule, finding.pointer, finding.subject) == (
        "AICR-J018",
        "/spec/mlPolicy/torch/envInjection",
        "TrainingRuntime/rt",
    )
    assert finding.message == "envInjection of the runtime names container 'ghost' of 'node', which is not there"
    assert verdict.erasures == ()
    targets[0]["containerNames"] = ["daemon"]
    assert [one for one in lint(base).findings if one.severity is Severity.ERROR] == []
