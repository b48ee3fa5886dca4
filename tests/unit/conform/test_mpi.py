"""Requirements on MPI runtimes: what the Trainer connects, and what makes such a job end.

Source: mpi.go of kubeflow/trainer and recorded runs: keys for `launcher` and `node`, four variables on the launcher, slots as the
runtime says.
"""

import copy

import pytest

from bundler.conform.pods import training_pods
from bundler.kube.resource import Resource
from bundler.model.request import Scheduling

IMAGE = "registry.example.com/mpi@sha256:" + "0" * 64
JOBS = "/spec/template/spec/replicatedJobs"
NODE = f"{JOBS}/0/template/spec/template/spec"
LAUNCHER = f"{JOBS}/1/template/spec/template/spec"
STEP = "trainer.kubeflow.org/trainjob-ancestor-step"


def put(path, value):
    return {"op": "add", "path": path, "value": value}


def drop(path):
    return {"op": "remove", "path": path}


@pytest.fixture
def mpi():
    """An MPI runtime that is right in every respect."""
    return copy.deepcopy(
        {
            "apiVersion": "trainer.kubeflow.org/v1alpha1",
            "kind": "TrainingRuntime",
            "metadata": {"name": "bench", "namespace": "team", "labels": {"trainer.kubeflow.org/framework": "mpi"}},
            "spec": {
                "mlPolicy": {"mpi": {"numProcPerNode": 8}},
                "template": {
                    "spec": {
                        "successPolicy": {"operator": "All", "targetReplicatedJobs": ["launcher"]},
                        "replicatedJobs": [
                            job("node", resources={name: {"nvidia.com/gpu": "8"} for name in ("requests", "limits")}),
                            job("launcher", dependsOn=[{"name": "node", "status": "Ready"}], labels={STEP: "trainer"}),
                        ],
                    }
                },
            },
        }
    )


def job(name, *, labels=None, resources=None, **fields):
    container = {"name": "node", "image": IMAGE} | ({"resources": resources} if resources else {})
    template = {"spec": {"template": {"spec": {"containers": [container]}}}} | ({"metadata": {"labels": labels}} if labels else {})
    return {"name": name, **fields, "template": template}


def test_a_right_runtime_has_no_findings(mpi, judge):
    assert judge(mpi) == ()


@pytest.mark.parametrize(
    ("operations", "found"),
    [
        (
            [put(f"{JOBS}/0/name", "worker"), put(f"{JOBS}/1/dependsOn/0/name", "worker")],
            [("AICR-K038", JOBS)],
        ),
        (
            [put(f"{JOBS}/1/name", "start"), put("/spec/template/spec/successPolicy/targetReplicatedJobs", ["start"])],
            [("AICR-K038", JOBS), ("AICR-K038", f"{JOBS}/1"), ("AICR-K039", "/spec/template/spec/successPolicy")],
        ),
        ([drop(f"{JOBS}/1/template/metadata")], [("AICR-K038", f"{JOBS}/1")]),
        ([put(f"{JOBS}/0/template/metadata", {"labels": {STEP: "trainer"}})], [("AICR-K038", f"{JOBS}/0")]),
        ([put(f"{NODE}/containers/0/name", "worker")], [("AICR-K038", f"{NODE}/containers")]),
        ([drop("/spec/template/spec/successPolicy")], [("AICR-K039", "/spec/template/spec")]),
        (
            [put("/spec/template/spec/successPolicy/targetReplicatedJobs", ["launcher", "node"])],
            [("AICR-K039", "/spec/template/spec/successPolicy")],
        ),
        (
            [put(f"{LAUNCHER}/containers/0/env", [{"name": "OMPI_MCA_plm_rsh_args", "value": "-v"}])],
            [("AICR-K032", f"{LAUNCHER}/containers/0/env/0")],
        ),
        ([put("/spec/mlPolicy/mpi/numProcPerNode", 4)], [("AICR-K036", "/spec/mlPolicy/mpi")]),
        ([drop("/spec/mlPolicy/mpi/numProcPerNode")], [("AICR-K036", "/spec/mlPolicy/mpi")]),
        ([drop(f"{NODE}/containers/0/resources")], []),  # the GPUs are the job's to ask for
    ],
)
def test_each_fault_is_found_at_its_place(operations, found, mpi, after):
    assert after(mpi, *operations) == found


def test_the_pods_that_use_the_gpus_are_the_nodes_and_the_launcher_where_it_is_one(mpi):
    def names():
        return [pod.name for pod in training_pods(Resource(data=mpi, template="x", positions={}, owner="test"))]

    assert names() == ["node"]
    mpi["spec"]["mlPolicy"]["mpi"]["runLauncherAsNode"] = True
    assert names() == ["node", "launcher"]


def test_only_the_nodes_have_to_stand_where_the_gpus_are(mpi, judge, composed):
    placed = composed(accelerated=Scheduling(node_selector={"pool": "gpu"}))
    found = judge(mpi, composition=placed)
    assert [(finding.rule, finding.pointer) for finding in found] == [("AICR-K065", f"{NODE}/nodeSelector")]
