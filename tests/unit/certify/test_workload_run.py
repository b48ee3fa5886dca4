"""Requirements on rendered WorkloadRuns. Source: pkg/workloadrun of cluster-readiness-engine, and what it lacks on GKE."""

import json

import pytest

from bundler.certify.entries import overlays
from bundler.certify.site import Site
from bundler.certify.workload_run import render_workload_run
from bundler.detect.gpus import Gpus
from bundler.detect.platforms import platforms
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump
from tests.unit.certify.kit import env, handed_over, node, pod, runtime, trainer

TORCH = {"torch": {"script": "train.py", "args": ["--steps", "5"]}}
MPI = {"mpi": {"binary": "/opt/test", "mpirunPath": "/usr/bin/mpirun", "args": ["-n", "1"], "mpiArgs": ["--tag-output"]}}


@pytest.fixture
def run(catalog):
    def call(platform, architecture="h100", *, explain=False, **spec):
        data = {
            "apiVersion": "nvcre.nvidia.com/v1alpha1",
            "kind": "WorkloadRun",
            "metadata": {"name": "my-run", "namespace": "team"},
            "spec": {"image": "registry.example/train:1", "framework": TORCH, "numNodes": 2, **spec},
        }
        document = read(dump(data).encode(), "run.yaml")
        assert catalog.validator("workloadrun").check(document.data, document=document) == ()
        rendering = render_workload_run(catalog, document, Site(platform=platform, architecture=architecture), explain=explain)
        (workflow,) = rendering.workflows
        return workflow

    return call


def test_a_run_keeps_its_name_and_is_labelled(run):
    metadata = run("aws")["metadata"]
    assert (metadata["name"], metadata["namespace"]) == ("my-run", "team")
    assert metadata["labels"] == {"app.kubernetes.io/managed-by": "nvcre", "nvcre.nvidia.com/workload-run": "my-run"}
    assert metadata["annotations"] == {
        "nvcrectl.nvidia.com/detected-gpu-architecture": "h100",
        "nvcrectl.nvidia.com/detected-platform": "aws",
    }


def test_without_a_platform_the_overrides_stay(run, catalog):
    made = run(None)
    assert made["metadata"]["annotations"] == {"nvcrectl.nvidia.com/detected-gpu-architecture": "h100"}
    concerned = [overlay for overlay in overlays(catalog) if "run" in overlay.families and not overlay.options]
    assert [override["when"] for override in made["spec"]["overrides"]] == [overlay.when for overlay in concerned]


def test_variables_are_those_of_every_run_then_the_platforms_then_the_users(run):
    assert env(trainer(run("forge"))) == {
        "NCCL_DEBUG": "INFO",
        "NCCL_DEBUG_SUBSYS": "NET,INIT",
        "NCCL_NVLS_ENABLE": "1",
        "NCCL_CUMEM_ENABLE": "1",
        "NCCL_NET_GDR_C2C": "1",
        "NCCL_NET_GDR_LEVEL": "PHB",
        "NCCL_P2P_NET_CHUNKSIZE": "2097152",
        "NCCL_SHM_DISABLE": "1",
        "NCCL_MNNVL_ENABLE": "0",
        "NCCL_SOCKET_IFNAME": "eth0",
    }
    stated = env(trainer(run("azure", env=[{"name": "NCCL_MIN_NCHANNELS", "value": "1"}, {"name": "MINE", "value": "x"}])))
    assert (stated["NCCL_MIN_NCHANNELS"], stated["MINE"], stated["UCX_TLS"]) == ("1", "x", "tcp")


def test_torchrun_starts_a_script_or_a_module(run):
    assert (trainer(run("aws"))["command"], trainer(run("aws"))["args"]) == (["torchrun"], ["train.py", "--steps", "5"])
    assert trainer(run("aws", framework={"torch": {"module": "pkg.train"}}))["args"] == ["-m", "pkg.train"]


def test_mpirun_hands_over_the_platforms_variables_and_the_users_by_name(run):
    made = run("azure", framework=MPI, env=[{"name": "UCX_TLS", "value": "rc"}])
    assert trainer(made)["command"] == ["timeout", "3600", "/usr/bin/mpirun"]
    assert trainer(made)["args"][:6] == [
        *("-N", "8", "--allow-run-as-root"),
        *("--mca", "plm_rsh_args", "-o StrictHostKeyChecking=no -o ConnectionAttempts=10"),
    ]
    assert trainer(made)["args"][-4:] == ["--tag-output", "/opt/test", "-n", "1"]
    assert handed_over(made)[:2] == ["NCCL_DEBUG=INFO", "NCCL_MNNVL_ENABLE=0"]
    assert "UCX_TLS" in handed_over(made)
    assert "UCX_TLS=tcp" not in handed_over(made)
    assert trainer(made)["env"] == [{"name": "UCX_TLS", "value": "rc"}]
    assert sorted(runtime(made)["spec"]["mlPolicy"]) == ["mpi", "numNodes"]


def test_gcp_h100_gets_the_whole_wiring_and_keeps_the_users_image(run):
    made = run("gcp")
    assert len(json.loads(pod(made)["metadata"]["annotations"]["networking.gke.io/interfaces"])) == 9
    assert pod(made)["spec"]["initContainers"][0]["name"] == "tcpxo-daemon"
    assert {mount["mountPath"] for mount in node(made)["volumeMounts"]} >= {
        "/usr/local/nvidia",
        "/dev/aperture_devices",
        "/dev/shm",
    }
    assert node(made)["image"] == "registry.example/train:1"
    assert env(trainer(made))["NCCL_FASTRAK_IFNAME"] == "eth1,eth2,eth3,eth4,eth5,eth6,eth7,eth8"


def test_the_count_of_nics_wins_over_the_users_amount_of_the_same_resource(run):
    stated = {"limits": {"rdma/ib": 4, "cpu": 32}, "requests": {"rdma/ib": 4, "cpu": 32}}
    made = run("onprem", "gb300", resources=stated, nicResourceName="rdma/ib", mlnxPerNode=1)
    assert node(made)["resources"]["limits"] == {"cpu": "32", "nvidia.com/gpu": "4", "rdma/ib": "1"}


def test_files_stand_below_config_and_may_be_run(run):
    made = run("aws", config={"inline": {"start.sh": "echo\n"}})
    files = next(one for one in made["spec"]["dependencies"] if one["kind"] == "ConfigMap")
    assert (files["metadata"]["name"], files["data"]) == ("my-run-config", {"start.sh": "echo\n"})
    volume = next(one for one in pod(made)["spec"]["volumes"] if one["name"] == "config")
    assert volume["configMap"] == {"name": "my-run-config", "defaultMode": 0o755}


@pytest.mark.parametrize(
    ("platform", "architecture", "key"),
    [
        ("aws", "gb200", "topology.k8s.aws/network-node-layer-1"),
        ("gcp", "gb200", "cloud.google.com/gce-topology-block"),
        ("azure", "gb300", "kubernetes.azure.com/ppg"),
        ("oci", "gb300", "nvidia.com/gpu.clique"),
        ("aws", "h100", "nvidia.com/gpu.clique"),
    ],
)
def test_racks_are_the_platforms_own(run, platform, architecture, key):
    orchestration = run(platform, architecture, orchestration={"testScale": "intra-rack"})["spec"]["orchestration"]
    assert orchestration["topology"] == {"topologyKey": key, "strictDomain": True}


def test_a_run_may_last_a_day_unless_less_is_stated(run):
    assert run("aws")["spec"]["orchestration"]["execution"] == {"timeoutPerJob": "24h0m0s"}
    assert run("aws", orchestration={"timeoutPerJob": "90m"})["spec"]["orchestration"]["execution"] == {"timeoutPerJob": "1h30m0s"}


def test_the_users_overrides_are_laid_over_the_platforms(run):
    change = {"when": {"platform": {"equals": "aws"}}, "jobTemplate": {"spec": {"stallMultiplier": 5}}}
    assert run("aws", overrides=[change])["spec"]["jobTemplate"]["spec"]["stallMultiplier"] == 5


@pytest.mark.parametrize("framework", [TORCH, MPI, {"exec": {"command": ["run"]}}], ids=["torch", "mpi", "exec"])
def test_every_platform_and_architecture_renders(run, catalog, framework):
    for platform in platforms(catalog):
        for architecture in catalog.derived(Gpus.of).architectures:
            made = run(platform, architecture, framework=framework)
            assert catalog.validator("workflow").check(made) == ()


def test_a_part_of_the_users_that_an_override_merges_with_its_own_is_told(catalog):
    containers = [{"name": name, "image": "registry.example/x:1"} for name in ("mine", "tcpxo-daemon")]
    data = {
        "apiVersion": "nvcre.nvidia.com/v1alpha1",
        "kind": "WorkloadRun",
        "metadata": {"name": "my-run"},
        "spec": {"image": "registry.example/train:1", "framework": TORCH, "numNodes": 2, "initContainers": containers},
    }
    document = read(dump(data).encode(), "run.yaml")

    def merged(platform):
        rendering = render_workload_run(catalog, document, Site(platform=platform, architecture="h100"))
        return [(one.pointer, one.message) for one in rendering.notes if one.rule == "AICR-R035"]

    message = "init container 'tcpxo-daemon' is merged with the one of that name that an override adds"
    assert merged("gcp") == [("/spec/initContainers/1/name", message)]
    assert merged("aws") == merged(None) == []
