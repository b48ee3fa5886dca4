"""Facts of what the templates render.

Sources: GoogleCloudPlatform/container-engine-accelerators gpudirect-tcpxo and nri_device_injector; NVIDIA/aicr recipes/components;
kubeflow/trainer manifests/base/runtimes.
"""

import json

import pytest
import yaml

from bundler.catalog.catalog import Catalog
from bundler.model.request import Request, Scheduling
from bundler.pipeline import compose
from bundler.render.render import render_resources
from bundler.yamlio.writer import dump

CATALOG = Catalog.load()
RELEASES = [row["name"] for row in CATALOG.release_table("tcpxo").data["releases"]]
INTERFACES = {f"eth{number}": f"vpc{number}" for number in range(1, 9)}
GKE = "h100-gke-cos-training-kubeflow"
TCPXO = {"fabricAttachment": "gke-tcpxo-multinetwork"}
CASES = [
    (GKE, {"fabricAttachment": "none"}),
    (GKE, TCPXO),
    (GKE, TCPXO | {"gpuStack": "driver-installer"}),
    ("h100-eks-ubuntu-training-kubeflow", {"fabricAttachment": "none"}),
    ("h100-aks-ubuntu-training-kubeflow", {"fabricAttachment": "none"}),
    ("h100-aks-ubuntu-training-kubeflow", {"fabricAttachment": "none", "gpuStack": "operator-managed"}),
    ("gb200-oke-ubuntu-training-kubeflow", {"fabricAttachment": "none"}),
    ("gb200-oke-ubuntu-training-kubeflow", {"fabricAttachment": "none", "gpuStack": "operator-managed"}),
    ("h100-kind-training-kubeflow", {}),
]


def rendered(recipe, profiles, *, release=None, **placement):
    parameters = {}
    if profiles.get("fabricAttachment") == TCPXO["fabricAttachment"]:
        parameters = {"fabricAttachment": {"interfaces": INTERFACES} | ({"release": release} if release else {})}
    request = Request(recipe=recipe, profiles=profiles, parameters=parameters, allow_unpinned=True, **placement)
    return {resource.subject: resource.data for resource in render_resources(CATALOG, compose(CATALOG, request))}


def pod(resource):
    spec = resource["spec"]["template"]["spec"]
    return spec["replicatedJobs"][0]["template"]["spec"]["template"] if "replicatedJobs" in spec else resource["spec"]["template"]


def containers(resource):
    spec = pod(resource)["spec"]
    return {container["name"]: container for container in (*spec.get("initContainers", ()), *spec["containers"])}


@pytest.fixture(scope="module")
def tcpxo():
    return rendered(GKE, TCPXO)


@pytest.mark.parametrize(("recipe", "profiles"), CASES, ids=str)
def test_what_is_rendered_holds_no_template_of_another_tool(recipe, profiles):
    for subject, data in rendered(recipe, profiles).items():
        text = json.dumps(data)
        assert "{{" not in text, subject
        assert "{%" not in text, subject


@pytest.mark.parametrize(
    ("recipe", "profiles", "subjects"),
    [
        (GKE, {"fabricAttachment": "none"}, {"ResourceQuota/gcp-critical-pods"}),
        (
            GKE,
            TCPXO,
            {
                "ResourceQuota/gcp-critical-pods",
                "DaemonSet/device-injector",
                "DaemonSet/nccl-tcpxo-installer",
                "ClusterTrainingRuntime/torch-distributed-tcpxo",
            },
        ),
        (
            GKE,
            {"fabricAttachment": "none", "gpuStack": "driver-installer"},
            {"ResourceQuota/gcp-critical-pods", "DaemonSet/nvidia-driver-installer"},
        ),
        (
            "h100-aks-ubuntu-training-kubeflow",
            {"fabricAttachment": "none"},
            {"NicClusterPolicy/nic-cluster-policy", "DaemonSet/nvidia-peermem-reloader", "DaemonSet/nvidia-toolkit-hardening"},
        ),
        (
            "h100-aks-ubuntu-training-kubeflow",
            {"fabricAttachment": "none", "gpuStack": "operator-managed"},
            {"NicClusterPolicy/nic-cluster-policy", "DaemonSet/nvidia-peermem-reloader"},
        ),
        (
            "gb200-oke-ubuntu-training-kubeflow",
            {"fabricAttachment": "none"},
            {"NicClusterPolicy/nic-cluster-policy", "ConfigMap/nvidia-kernel-module-params-6b18566532"},
        ),
        ("h100-eks-ubuntu-training-kubeflow", {"fabricAttachment": "none"}, set()),
        ("h100-kind-training-kubeflow", {}, set()),
    ],
)
def test_each_choice_ships_its_objects_beside_the_plain_runtime(recipe, profiles, subjects):
    assert rendered(recipe, profiles).keys() == subjects | {"ClusterTrainingRuntime/torch-distributed"}


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


A3_MEGA = [{"key": "cloud.google.com/gke-accelerator", "operator": "In", "values": ["nvidia-h100-mega-80gb"]}]


@pytest.mark.parametrize("name", ["nccl-tcpxo-installer", "device-injector"])
def test_the_fabric_software_runs_on_a3_mega_only_and_on_all_of_it(tcpxo, name):
    daemon_set = tcpxo[f"DaemonSet/{name}"]
    assert daemon_set["metadata"]["namespace"] == "kube-system"
    assert daemon_set["metadata"]["labels"] == {"k8s-app": name, "app.kubernetes.io/managed-by": "aicr"}
    assert daemon_set["spec"]["selector"] == {"matchLabels": {"k8s-app": name}}
    assert pod(daemon_set)["metadata"]["labels"] == {"k8s-app": name, "name": name}
    spec = pod(daemon_set)["spec"]
    assert (spec["priorityClassName"], spec["hostNetwork"], spec["hostPID"]) == ("system-node-critical", True, True)
    assert spec["tolerations"] == [{"operator": "Exists"}]
    (term,) = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term == {"matchExpressions": A3_MEGA}


def test_the_plugin_is_installed_by_init_containers(tcpxo):
    # Whoever looks for the plugin's version among `containers` finds only a pause.
    spec = pod(tcpxo["DaemonSet/nccl-tcpxo-installer"])["spec"]
    assert [container["name"] for container in spec["initContainers"]] == ["pre-installation", "nccl-tcpxo-installer"]
    assert [container["image"].partition(":")[0] for container in spec["containers"]] == ["gke.gcr.io/pause"]
    prepare, install = spec["initContainers"]
    assert prepare["command"] == ["nsenter", "-at", "1", "--", "sh", "-c"]
    assert "1ae0:0084" in prepare["args"][0]
    assert "container_entry.sh install --install-nccl" in install["args"][0]
    assert {mount["name"]: mount["mountPath"] for mount in install["volumeMounts"]} == {
        "var-lib": "/var/lib",
        "library-dir-host": "/usr/local",
    }
    assert {volume["name"]: volume["hostPath"]["path"] for volume in spec["volumes"]} == {
        "var-lib": "/var/lib",
        "library-dir-host": "/home/kubernetes/bin",
    }


def test_the_injector_mounts_what_an_nri_plugin_needs(tcpxo):
    spec = pod(tcpxo["DaemonSet/device-injector"])["spec"]
    (injector,) = spec["containers"]
    assert injector["securityContext"] == {"privileged": True}
    assert not injector.keys() & {"command", "args"}
    assert {mount["mountPath"] for mount in injector["volumeMounts"]} == {"/dev", "/var/run/nri"}


def test_the_driver_installer_keeps_off_pools_that_google_serves():
    objects = rendered(GKE, {"fabricAttachment": "none", "gpuStack": "driver-installer"})
    spec = pod(objects["DaemonSet/nvidia-driver-installer"])["spec"]
    (term,) = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert [(each["key"], each["operator"], each.get("values")) for each in term["matchExpressions"]] == [
        ("cloud.google.com/gke-accelerator", "Exists", None),
        ("cloud.google.com/gke-gpu-driver-version", "DoesNotExist", None),
        ("gke-no-default-nvidia-gpu-device-plugin", "In", ["true"]),
        ("cloud.google.com/gke-confidential-nodes-instance-type", "DoesNotExist", None),
    ]
    install, partition = spec["initContainers"]
    # The node brings the image: no registry has it, and pulling would fail.
    assert (install["image"], install["imagePullPolicy"]) == ("cos-nvidia-installer:fixed", "Never")
    assert {"name": "DRIVER_VERSION", "value": "580.173.02"} in install["env"]
    assert partition["name"] == "partition-gpus"


def test_gke_admits_critical_pods_beside_the_operator():
    quota = rendered(GKE, {"fabricAttachment": "none"})["ResourceQuota/gcp-critical-pods"]
    assert quota["metadata"]["namespace"] == "gpu-operator"
    (scope,) = quota["spec"]["scopeSelector"]["matchExpressions"]
    assert scope == {
        "operator": "In",
        "scopeName": "PriorityClass",
        "values": ["system-node-critical", "system-cluster-critical"],
    }
    assert quota["spec"]["hard"] == {"pods": "1000"}


def test_the_nic_policy_of_aks_installs_mofed_and_shares_one_resource():
    policy = rendered("h100-aks-ubuntu-training-kubeflow", {"fabricAttachment": "none"})["NicClusterPolicy/nic-cluster-policy"]
    spec = policy["spec"]
    assert spec["ofedDriver"]["version"] == "doca3.2.0-25.10-1.2.8.0-2"
    assert spec["ofedDriver"]["upgradePolicy"]["drain"] == {
        "enable": True,
        "force": True,
        "deleteEmptyDir": True,
        "timeoutSeconds": 300,
    }
    assert spec["rdmaSharedDevicePlugin"]["version"] == f"network-operator-v{CATALOG.registry['network-operator'].version}"
    assert json.loads(spec["rdmaSharedDevicePlugin"]["config"]) == {
        "periodicUpdateInterval": 300,
        "configList": [
            {
                "resourceName": "hca_shared_devices_a",
                "rdmaHcaMax": 1000,
                "selectors": {"vendors": ["15b3"], "drivers": ["mlx5_core"]},
            }
        ],
    }
    (term,) = spec["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term["matchExpressions"] == [
        {"key": "feature.node.kubernetes.io/pci-15b3.present", "operator": "In", "values": ["true"]}
    ]


def test_the_nic_policy_of_gb200_on_oke_leaves_mofed_to_the_host():
    policy = rendered("gb200-oke-ubuntu-training-kubeflow", {"fabricAttachment": "none"})["NicClusterPolicy/nic-cluster-policy"]
    spec = policy["spec"]
    assert spec.keys() == {"deploymentTolerations", "tolerations", "rdmaSharedDevicePlugin"}
    assert json.loads(spec["rdmaSharedDevicePlugin"]["config"]) == {
        "configList": [
            {
                "resourcePrefix": "nvidia.com",
                "resourceName": "mlnxnics",
                "rdmaHcaMax": 63,
                "selectors": {"linkTypes": ["infiniband"], "ifNames": ["rdma0", "rdma1", "rdma2", "rdma3"]},
            }
        ]
    }


@pytest.mark.parametrize(
    ("name", "namespace", "key", "read_only"),
    [
        ("nvidia-peermem-reloader", "nvidia-network-operator", "feature.node.kubernetes.io/pci-15b3.present", True),
        ("nvidia-toolkit-hardening", "gpu-operator", "kubernetes.azure.com/accelerator", None),
    ],
)
def test_the_privileged_helpers_of_aks(name, namespace, key, read_only):
    daemon_set = rendered("h100-aks-ubuntu-training-kubeflow", {"fabricAttachment": "none"})[f"DaemonSet/{name}"]
    assert daemon_set["metadata"]["namespace"] == namespace
    spec = pod(daemon_set)["spec"]
    (term,) = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert [each["key"] for each in term["matchExpressions"]] == [key]
    (container,) = spec["containers"]
    assert container["volumeMounts"][0].get("readOnly") is read_only
    assert ("readinessProbe" in container) is (name == "nvidia-toolkit-hardening")
