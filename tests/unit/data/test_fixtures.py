"""Requirements on the fixtures: one for every fabric, the pods of its runtime, and a benchmark that the Trainer starts.

Sources: NVIDIA/aicr validators/performance/testdata (shape); pkg/runtime/framework/plugins/mpi of kubeflow/trainer (what an MPI
policy adds).
"""

import pytest

from bundler import pipeline
from bundler.conform import conform
from bundler.guard.side import Role
from bundler.model.finding import Severity
from bundler.model.request import Request
from bundler.trainer.derive import derive
from bundler.trainer.materialise import materialise
from bundler.trainer.versions import trainer_version
from tests.unit.data.rendering import CATALOG, GKE, INTERFACES, TCPXO
from tests.unit.guard.kit import FIXTURES, case

VALUES = CATALOG.profiles["fabricAttachment"].data["values"]
BENCHMARK = CATALOG.fragment("nccl-all-reduce")


def jobs(fixture, role=Role.FIXTURE):
    return {job["name"]: job["template"] for job in case(fixture).data(role)["spec"]["template"]["spec"]["replicatedJobs"]}


def containers(job):
    return {container["name"]: container for container in job["spec"]["template"]["spec"]["containers"]}


def test_every_value_that_ships_a_runtime_for_a_fabric_names_its_fixture():
    named = {name: value.get("fixture") for name, value in VALUES.items() if "runtimes" in value}
    assert [name for name, fixture in named.items() if not fixture] == []
    assert set(named.values()) == set(FIXTURES)


@pytest.mark.parametrize("name", [name for name, value in VALUES.items() if "fixture" in value])
def test_a_fixture_is_named_after_the_runtime_that_it_measures(name):
    (runtime,) = (runtime["name"] for runtime in VALUES[name]["runtimes"])
    assert VALUES[name]["fixture"] == runtime.replace("torch-distributed", "nccl-all-reduce")


@pytest.mark.parametrize("fixture", FIXTURES)
def test_conforms_and_measures_what_ships(fixture):
    resource, context = case(fixture).pair.fixture, case(fixture).context
    assert [finding for finding in conform.check_object(resource, context) if finding.severity is Severity.ERROR] == []
    assert case(fixture).held().findings == ()


@pytest.mark.parametrize("fixture", FIXTURES)
def test_torch_ships_and_mpi_measures(fixture):
    runtime, measured = case(fixture).data(Role.RUNTIME), case(fixture).data(Role.FIXTURE)
    assert runtime["metadata"]["labels"]["trainer.kubeflow.org/framework"] == "torch"
    assert measured["metadata"]["labels"]["trainer.kubeflow.org/framework"] == "mpi"
    assert measured["kind"] == "TrainingRuntime"
    assert measured["metadata"]["namespace"]
    assert measured["spec"]["mlPolicy"]["mpi"]["mpiImplementation"] == "OpenMPI"
    gpus = containers(jobs(fixture)["node"])["node"]["resources"]["limits"]["nvidia.com/gpu"]
    assert measured["spec"]["mlPolicy"]["mpi"]["numProcPerNode"] == int(gpus)


@pytest.mark.parametrize("fixture", FIXTURES)
@pytest.mark.parametrize("version", ["2.2.0", "2.3.0"])
def test_the_trainer_makes_two_nodes_and_a_launcher_that_reaches_them(fixture, version):
    data = case(fixture).data(Role.FIXTURE)
    metadata = {"name": "measure", "namespace": data["metadata"]["namespace"]}
    trainjob = {"kind": "TrainJob", "metadata": metadata, "spec": {"runtimeRef": {"name": fixture}}}
    jobset = materialise(trainjob, data, trainer_version(version))
    hosts = next(one for one in jobset.others if one["kind"] == "ConfigMap")["data"]["hostfile"].splitlines()
    slots = data["spec"]["mlPolicy"]["mpi"]["numProcPerNode"]
    assert hosts == [f"measure-node-0-{number}.measure slots={slots}" for number in (0, 1)]
    for name in ("launcher", "node"):
        container = containers(jobset.job(name)["template"])["node"]
        assert {"name": "mpi-ssh-auth", "mountPath": BENCHMARK["keys"]} in container["volumeMounts"]
        assert f"cp {BENCHMARK['keys']}/*" in container["args"][0]
    launcher = containers(jobset.job("launcher")["template"])["node"]
    assert {"name": "mpi-hostfile", "mountPath": "/etc/mpi"} in launcher["volumeMounts"]
    assert jobset.job("launcher")["dependsOn"] == [{"name": "node", "status": "Ready"}]
    assert jobset.data["spec"]["successPolicy"] == {"operator": "All", "targetReplicatedJobs": ["launcher"]}


@pytest.mark.parametrize("fixture", FIXTURES)
def test_the_launcher_takes_no_gpu_and_waits_for_nodes_that_answer_on_the_port_it_calls(fixture):
    launcher, node = (containers(jobs(fixture)[name])["node"] for name in ("launcher", "node"))
    assert set(launcher["resources"]["limits"]) == {"cpu", "memory"}
    assert launcher["image"] == node["image"]
    port = node["readinessProbe"]["tcpSocket"]["port"]
    assert f" -p {port} " in node["args"][0]
    assert f"Port {port}\\n" in launcher["args"][0]


@pytest.mark.parametrize("fixture", FIXTURES)
def test_what_is_derived_from_the_shipped_runtime_is_what_the_fixture_measures(fixture):
    """`aicr runtime derive` and the fixtures are two ways to one benchmark."""
    one = case(fixture)
    image = containers(jobs(fixture)["node"])["node"]["image"]
    derived = derive(one.pair.runtime, "nccl-all-reduce", BENCHMARK, image=image, namespace="bench")
    assert [finding.message for finding in one.held(fixture=derived.data).findings] == []


def test_a_fixture_is_in_no_kustomization_and_is_no_part_of_what_is_applied():
    parameters = {"fabricAttachment": {"interfaces": INTERFACES}}
    bundle = pipeline.bundle(CATALOG, Request(recipe=GKE, profiles={"gpuStack": "gke-default", **TCPXO}, parameters=parameters))
    fixture = "validators/trainingruntime-nccl-all-reduce-tcpxo.yaml"
    assert fixture in bundle.files
    assert "validators/" not in str(bundle.files["kustomization.yaml"])
    assert fixture in str(bundle.files["checksums.txt"])
