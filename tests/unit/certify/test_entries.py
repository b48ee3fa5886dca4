"""Requirements on the tests of the catalogue and on the order of what is laid over them.

Sources: entries/**.yaml and meta.yaml of NVIDIA/cluster-readiness-engine, its CRDs for the defaults, and its changelog.
"""

import re

import pytest

from bundler.certify.entries import entries, overlays
from bundler.certify.options import merged_options, resolved
from bundler.certify.parallelism import split_of
from bundler.detect.gpus import Gpus
from tests.unit.certify.kit import ALL_REDUCE, MPI, node, pod, resources, runtime, trainer


@pytest.mark.parametrize(
    ("entry", "measured"),
    [
        ("communication/nccl-all-reduce", {"testType": "all_reduce", "logProfileRef": "nccl-bandwidth", "sampleInterval": "30s"}),
        ("communication/nccl-all-gather", {"testType": "all_gather", "logProfileRef": "nccl-bandwidth", "sampleInterval": "30s"}),
        ("communication/nccl-alltoall", {"testType": "alltoall", "logProfileRef": "nccl-bandwidth", "sampleInterval": "30s"}),
        (
            "communication/nccl-loopback",
            {"testType": "loopback_all_reduce", "logProfileRef": "nccl-loopback", "sampleInterval": "30s"},
        ),
        (
            "communication/nccl-loopback-nvswitch",
            {"testType": "loopback_all_reduce", "logProfileRef": "nccl-loopback", "sampleInterval": "30s"},
        ),
        ("diagnostics/dcgm-level4", None),
        ("training/nemotron5-8b", {"logProfileRef": "megatron-training", "sampleInterval": "10s"}),
        ("training/nemotron5-56b", {"logProfileRef": "megatron-training", "sampleInterval": "10s"}),
    ],
)
def test_what_is_measured_and_when_a_node_is_ill(workflow, entry, measured):
    job = workflow("forge", "h100", entry, nodesPerJob=4)["spec"]["jobTemplate"]["spec"]
    assert job.get("bandwidthMeasurement", job.get("goodputMeasurement")) == measured
    assert job["nodeHealthMonitor"] == {"cel": {"expression": "node.spec.unschedulable == true"}}
    stalls = {"stallMultiplier": 3, "startupStallTimeoutSeconds": 1200} if entry.startswith("training") else {}
    assert {key: job[key] for key in job if "tall" in key} == stalls


@pytest.mark.parametrize(
    ("entry", "least", "splits"),
    [
        ("nemotron5-8b", 4, {"gb300": (1, 1), "b200": (1, 1), "h100": (2, 1), "a100": (8, 1), "l40s": (4, 1), "l40": (4, 1)}),
        ("nemotron5-56b", 32, {"gb300": (4, 1), "b200": (4, 1), "h100": (8, 1), "a100": (8, 1), "l40s": (4, 1)}),
    ],
)
def test_a_model_needs_gpus_and_is_split_over_them(catalog, entry, least, splits):
    found = entries(catalog)[f"training/{entry}"]
    assert found.facts["minimumGPUs"] == least
    assert {name: (split_of(found, name)["tensor"], split_of(found, name)["pipeline"]) for name in splits} == splits


def test_the_options_that_nobody_states(catalog):
    gpus = catalog.derived(Gpus.of)
    found = resolved(entries(catalog)["training/nemotron5-8b"], {}, gpus=gpus, platform="aws", architecture="gb300")
    assert {name: found[name] for name in sorted(found) if name not in {"parallelism", "platform", "gpuArchitecture"}} == {
        "enableCheckpoint": False,
        "enableMNNVL": True,  # on GB200 and GB300
        "exitDurationMins": 30,
        "gpusPerNode": 4,
        "image": "",
        "imagePullSecrets": [],
        "maxBytes": "16G",
        "maxConcurrent": 0,
        "maxRestarts": 3,
        "maxSteps": 50,
        "measurementTimeout": "",
        "minGroupSize": 2,
        "mlnxPerNode": 8,
        "mnnvl": "1",
        "nicResourceName": "",
        "nodesPerJob": 1,
        "numCycles": 10,
        "numIterations": 100,
        "rdmaDeviceAccess": "devicePlugin",
        "repeatCount": 1,
        "resources": {"limits": {"cpu": "128", "memory": "800Gi"}, "requests": {"cpu": "64", "memory": "500Gi"}},
        "saveInterval": 250,
        "saveRetainInterval": 1000,
        "saveTopK": 1,
        "sourceRepo": "",
        "startupStallTimeoutSeconds": 1200,
        "storageClassName": "",
        "storageSize": "10Ti",
        "testScale": "full-scale",
        "thresholds": {},
        "timeoutPerJob": "24h",
        "topologyKey": "nvidia.com/gpu.clique",
        "workloadMetadata": {},
    }


def test_what_is_replaced_whole_and_what_is_united():
    spec = {"thresholds": {"a": "1"}, "resources": {"limits": {"cpu": 1}}, "imagePullSecrets": [{"name": "a"}], "target": {}}
    category = {"thresholds": {"b": "2"}, "resources": {"requests": {"cpu": 1}}, "imagePullSecrets": []}
    assert merged_options(spec, category) == {
        "thresholds": {"b": "2"},
        "resources": {"requests": {"cpu": 1}},
        "imagePullSecrets": [{"name": "a"}],  # an empty list states nothing
    }


def test_overlays_stand_in_the_order_of_the_controllers_catalogue(catalog):
    assert [overlay.name for overlay in overlays(catalog)] == [
        "aws-efa",
        "aws-h100-training",
        "pcie-training",
        "gcp-h100",
        "azure-ib",
        "azure-h100",
        "azure-a100",
        "azure-training",
        "oci",
        "oci-pcie-training",
        "togetherai",
        "nvlink-domain",  # what comes after it for GB200 and GB300 repeats the whole list
        "aws-gb200",
        "aws-gb200-training",
        "gcp-nvl72",
        "aws-gb300",
        "oci-gb200",
        "oci-gb300",
        "mistral-gb300",
        "forge-l40",
        "forge-l40-loopback",
        "onprem-nvl72",
        "onprem-hgx",
        "gcp-rtxpro6000",
        "nscale",
        "nscale-gb300-topology",
        "oci-diagnostics",
        "rdma-host-devices",  # last, so that no other takes privilege and mount away
    ]


@pytest.mark.parametrize("category", [*MPI[:1], "training/nemotron5-8b"])
@pytest.mark.parametrize(
    ("platform", "architecture"), [("azure", "h100"), ("oci", "l40s"), ("oci", "gb300"), ("togetherai", "h100"), ("forge", "l40")]
)
def test_no_nic_is_requested_and_attached_at_a_count_of_zero(workflow, platform, architecture, category):
    made = workflow(platform, architecture, category, mlnxPerNode=0, nodesPerJob=2)
    assert "nvidia.com/mlnxnics" not in {**node(made)["resources"]["limits"], **node(made)["resources"]["requests"]}
    assert "metadata" not in pod(made)


def test_the_base_of_an_mpi_test(workflow):
    made = workflow("forge", "h100", ALL_REDUCE)
    spec = runtime(made)["spec"]
    assert runtime(made)["metadata"] == {
        "name": "nccl-all-reduce-runtime",
        "labels": {"app": "nccl-all-reduce", "trainer.kubeflow.org/framework": "mpi"},
    }
    assert spec["mlPolicy"] == {
        "numNodes": 1,
        "mpi": {"mpiImplementation": "OpenMPI", "numProcPerNode": 8, "sshAuthMountPath": "/tmp/mpi-ssh-raw"},
    }
    assert spec["template"]["spec"]["network"] == {"publishNotReadyAddresses": True}
    assert spec["template"]["spec"]["successPolicy"] == {"operator": "All", "targetReplicatedJobs": ["launcher"]}
    assert node(made)["readinessProbe"] == {"tcpSocket": {"port": 22}, "initialDelaySeconds": 5}
    assert node(made)["securityContext"] == {"capabilities": {"add": ["IPC_LOCK"]}}
    assert resources(made) == {"nvidia.com/gpu": "8"}
    assert trainer(made)["command"] == ["timeout", "3600", "/usr/local/mpi/bin/mpirun"]
    assert trainer(made)["image"] == node(made)["image"] == "nvcr.io/nvidia/pytorch:26.01-py3"
    (launcher,) = [one for one in spec["template"]["spec"]["replicatedJobs"] if one["name"] == "launcher"]
    assert launcher["dependsOn"] == [{"name": "node", "status": "Ready"}]
    assert "if [ ! -x /usr/sbin/sshd ]" in node(made)["args"][0]  # a closed network brings it in the image
    patch = made["spec"]["jobTemplate"]["spec"]["workload"]["trainJob"]["runtimePatches"][0]
    assert patch["manager"] == "nvcre.nvidia.com/catalog"


@pytest.mark.parametrize("category", ["communication/nccl-loopback", "diagnostics/dcgm-level4", "training/nemotron5-8b"])
@pytest.mark.parametrize("scale", ["intra-rack", "diagnose"])
def test_the_scale_is_of_tests_between_nodes_alone(workflow, category, scale):
    orchestration = workflow("aws", "h100", category, testScale=scale)["spec"]["orchestration"]
    assert not {"topology", "diagnose"} & set(orchestration)


def test_training_code_is_fetched_once_and_its_address_is_never_logged(workflow):
    made = workflow("aws", "h100", "training/nemotron5-8b", sourceRepo="https://git.example/m.git")
    (clone,) = [one for one in pod(made)["spec"]["initContainers"] if one["name"] == "megatron-clone"]
    script = clone["args"][0]
    assert "set -e\n" in script
    assert "-x" not in script.splitlines()[0]  # a trace would print the password
    assert re.search(r"git clone --depth 1 --branch 'core_v0\.15\.2' 'https://git\.example/m\.git'", script)
    assert "https://github.com/NVIDIA/Megatron-LM.git" not in script
    assert "[ -d /opt/megatron-lm ]" in script  # an image may bring the code


def test_the_training_script_takes_its_bounds_from_the_worker(workflow):
    made = workflow("aws", "h100", "training/nemotron5-8b", maxSteps=7, nodesPerJob=3)
    files = next(one for one in made["spec"]["dependencies"] if one["kind"] == "ConfigMap")
    script = files["data"]["train.sh"]
    assert {"name": "TRAIN_ITERS", "value": "7"} in node(made)["env"]
    assert '--train-iters "$TRAIN_ITERS"' in script
    assert "--tensor-model-parallel-size ${TENSOR_PARALLELISM:-2}" in script
    assert "--global-batch-size ${GLOBAL_BATCH_SIZE:-24}" in script  # 3 nodes of 8 GPUs
