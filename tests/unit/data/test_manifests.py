"""Facts of the components' manifests, and what each choice ships.

Sources: GoogleCloudPlatform/container-engine-accelerators gpudirect-tcpxo and nri_device_injector; NVIDIA/aicr recipes/components.
"""

import json

import pytest

from tests.unit.data.rendering import CASES, CATALOG, GKE, TCPXO, pod, rendered


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
                "TrainingRuntime/nccl-all-reduce-tcpxo",
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


def accelerators(*names):
    return {"key": "cloud.google.com/gke-accelerator", "operator": "In", "values": list(names)}


def assert_a_node_daemon(daemon_set, name):
    """What Google's and AICR's DaemonSets for GPU nodes have in common."""
    assert daemon_set["metadata"]["namespace"] == "kube-system"
    assert daemon_set["metadata"]["labels"] == {"k8s-app": name, "app.kubernetes.io/managed-by": "aicr"}
    assert daemon_set["spec"]["selector"] == {"matchLabels": {"k8s-app": name}}
    assert pod(daemon_set)["metadata"]["labels"] == {"k8s-app": name, "name": name}
    spec = pod(daemon_set)["spec"]
    assert (spec["priorityClassName"], spec["hostNetwork"], spec["hostPID"]) == ("system-node-critical", True, True)
    assert spec["tolerations"] == [{"operator": "Exists"}]


def placed_by(daemon_set):
    affinity = pod(daemon_set)["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    (term,) = affinity["nodeSelectorTerms"]
    return term["matchExpressions"]


@pytest.mark.parametrize(
    ("name", "machines"),
    [
        ("nccl-tcpxo-installer", ["nvidia-h100-mega-80gb"]),
        # One injector serves A3 High and A3 Mega: bundles for both may share a cluster.
        ("device-injector", ["nvidia-h100-80gb", "nvidia-h100-mega-80gb"]),
    ],
)
def test_the_fabric_software_runs_on_every_node_of_its_machines_and_on_no_other(tcpxo, name, machines):
    assert_a_node_daemon(tcpxo[f"DaemonSet/{name}"], name)
    assert placed_by(tcpxo[f"DaemonSet/{name}"]) == [accelerators(*machines)]


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
