"""Facts of the runtimes.

Sources: NVIDIA/aicr recipes/components/kubeflow-trainer/manifests; kubeflow/trainer manifests/base/runtimes;
GoogleCloudPlatform/container-engine-accelerators gpudirect-tcpxo.
"""

import json

import pytest
import yaml

from bundler.model.request import Scheduling
from bundler.yamlio.writer import dump
from tests.unit.data.rendering import CASES, CATALOG, GKE, INTERFACES, TCPXO, containers, pod, rendered

RELEASES = [row["name"] for row in CATALOG.release_table("tcpxo").data["releases"]]


@pytest.fixture(scope="module")
def tcpxo():
    return rendered(GKE, TCPXO)


def test_the_plain_runtime_is_the_same_in_every_bundle():
    texts = {dump(rendered(recipe, profiles)["ClusterTrainingRuntime/torch-distributed"]) for recipe, profiles in CASES}
    assert len(texts) == 1


def test_the_plain_runtime_is_one_container_and_nothing_else(tcpxo):
    runtime = tcpxo["ClusterTrainingRuntime/torch-distributed"]
    assert runtime["spec"]["mlPolicy"] == {"numNodes": 1, "torch": {}}
    assert pod(runtime) == {
        "spec": {
            "containers": [
                {
                    "name": "node",
                    "image": "docker.io/pytorch/pytorch:2.11.0-cuda12.8-cudnn9-runtime@sha256:"
                    "eee11b3b3872a8c838e35ef48f08b2d5def2080902c7f666831310ca1a0ef2be",
                }
            ]
        }
    }


@pytest.mark.parametrize("name", ["torch-distributed", "torch-distributed-tcpxo"])
def test_a_torch_runtime_has_the_names_that_trainer_looks_for(tcpxo, name):
    runtime = tcpxo[f"ClusterTrainingRuntime/{name}"]
    assert runtime["apiVersion"] == "trainer.kubeflow.org/v1alpha1"
    assert runtime["metadata"] == {"name": name, "labels": {"trainer.kubeflow.org/framework": "torch"}}
    (job,) = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    assert (job["name"], job["replicas"]) == ("node", 1)
    assert job["template"]["metadata"]["labels"] == {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}
    assert [container["name"] for container in pod(runtime)["spec"]["containers"]] == ["node"]


@pytest.mark.parametrize("name", ["torch-distributed", "torch-distributed-tcpxo"])
def test_a_runtime_goes_where_accelerated_pods_go(name):
    tolerations = ({"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"},)
    placed = rendered(GKE, TCPXO, accelerated=Scheduling(node_selector={"pool": "a3"}, tolerations=tolerations))
    spec = pod(placed[f"ClusterTrainingRuntime/{name}"])["spec"]
    assert spec["nodeSelector"] == {"pool": "a3"}
    assert spec["tolerations"] == list(tolerations)


@pytest.mark.parametrize("name", ["torch-distributed", "torch-distributed-tcpxo"])
def test_a_runtime_without_placement_says_nothing_of_it(tcpxo, name):
    assert not pod(tcpxo[f"ClusterTrainingRuntime/{name}"])["spec"].keys() & {"nodeSelector", "tolerations", "affinity"}


def test_tcpxo_pods_are_bound_to_nine_interfaces(tcpxo):
    annotations = pod(tcpxo["ClusterTrainingRuntime/torch-distributed-tcpxo"])["metadata"]["annotations"]
    assert annotations["networking.gke.io/default-interface"] == "eth0"
    assert json.loads(annotations["networking.gke.io/interfaces"]) == [
        {"interfaceName": "eth0", "network": "default"},
        *({"interfaceName": name, "network": network} for name, network in INTERFACES.items()),
    ]
    devices = yaml.safe_load(annotations["devices.gke.io/container.tcpxo-daemon"])
    assert [device["path"] for device in devices] == CATALOG.release_table("tcpxo").data["devices"]
    assert len(annotations) == 3


def test_the_daemon_is_a_native_sidecar_by_digest_and_not_privileged(tcpxo):
    runtime = tcpxo["ClusterTrainingRuntime/torch-distributed-tcpxo"]
    assert runtime["spec"]["mlPolicy"] == {"numNodes": 2, "torch": {}}
    (daemon,) = pod(runtime)["spec"]["initContainers"]
    assert daemon == {
        "name": "tcpxo-daemon",
        "image": "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/tcpgpudmarxd-dev:v1.0.21@sha256:"
        "8d9e10fd589a34ab8a0aa64f7e70ad075c8f1c69bea176350f8d211367697e3d",
        "restartPolicy": "Always",
        "command": ["/bin/sh", "-c"],
        "args": ["set -ex\nchmod 755 /fts/entrypoint_rxdm_container.sh\n/fts/entrypoint_rxdm_container.sh --num_hops=2\n"],
        "securityContext": {"capabilities": {"add": ["NET_ADMIN", "NET_BIND_SERVICE"]}},
        "env": [{"name": "LD_LIBRARY_PATH", "value": "/usr/local/nvidia/lib64"}],
        "volumeMounts": [
            {"name": "nvtcpxo-libraries", "mountPath": "/usr/local/nvidia", "readOnly": True},
            {"name": "nvtcpxo-sys", "mountPath": "/hostsysfs"},
            {"name": "nvtcpxo-proc-sys", "mountPath": "/hostprocsysfs"},
        ],
    }


def test_the_worker_takes_the_whole_node(tcpxo):
    spec = pod(tcpxo["ClusterTrainingRuntime/torch-distributed-tcpxo"])["spec"]
    (worker,) = spec["containers"]
    assert worker["resources"] == {"requests": {"nvidia.com/gpu": "8"}, "limits": {"nvidia.com/gpu": "8"}}
    assert worker["securityContext"] == {"capabilities": {"add": ["IPC_LOCK"]}}
    assert {mount["mountPath"] for mount in worker["volumeMounts"]} == {"/dev/shm", "/usr/local/nvidia", "/dev/aperture_devices"}
    assert {volume["name"]: volume.get("hostPath", {}).get("path") for volume in spec["volumes"]} == {
        "dshm": None,
        "nvtcpxo-libraries": "/home/kubernetes/bin/nvidia",
        "nvtcpxo-sys": "/sys",
        "nvtcpxo-proc-sys": "/proc/sys",
        "nvtcpxo-aperture-devices": "/dev/aperture_devices",
    }


@pytest.mark.parametrize("release", RELEASES)
def test_installer_daemon_and_settings_come_from_one_release(release):
    objects = rendered(GKE, TCPXO, release=release)
    row = next(row for row in CATALOG.release_table("tcpxo").data["releases"] if row["name"] == release)
    runtime = containers(objects["ClusterTrainingRuntime/torch-distributed-tcpxo"])
    installer = containers(objects["DaemonSet/nccl-tcpxo-installer"])
    for image, part in (
        (runtime["tcpxo-daemon"]["image"], row["daemon"]),
        (installer["nccl-tcpxo-installer"]["image"], row["plugin"]),
    ):
        digest = f"@{part['digest']}" if "digest" in part else ""
        assert image == f"{part['repository']}:{part['tag']}{digest}"
    assert runtime["tcpxo-daemon"]["args"][0].endswith(f"container.sh {' '.join(row['daemon']['args'])}\n")
    assert runtime["node"]["env"] == [{"name": each["name"], "value": each["value"]} for each in row["env"]]
    assert f"cuda{row['cuda']['major']}." in runtime["node"]["image"]
