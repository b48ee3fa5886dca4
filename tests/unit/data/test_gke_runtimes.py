"""Facts of what TCPX, gIB and managed DRANET ship.

Sources: GoogleCloudPlatform/container-engine-accelerators gpudirect-tcpx and gpudirect-rdma; docs.cloud.google.com on A4X and on
managed DRANET; NVIDIA/aicr docs/integrator/gke-gb200-networking.md.
"""

import json

import pytest
import yaml

from bundler.model.request import Scheduling
from tests.unit.data.rendering import CATALOG, GKE, PARAMETERS, containers, pod, rendered
from tests.unit.data.test_manifests import accelerators, assert_a_node_daemon, placed_by

H200 = "h200-gke-cos-training-kubeflow"
B200 = "b200-gke-cos-training-kubeflow"
GB200 = "gb200-gke-cos-training-kubeflow"
RDMA = {"fabricAttachment": "gke-rdma-multinetwork"}
NVLS = {"fabricAttachment": "gke-nvls-rdma"}
DRANET = {"fabricAttachment": "gke-managed-dranet"}
TRAINER = "trainer.kubeflow.org/v1alpha1"
ARM64 = {"key": "kubernetes.io/arch", "operator": "Equal", "value": "arm64", "effect": "NoSchedule"}


@pytest.fixture(scope="module")
def tcpx():
    return rendered(GKE, {"fabricAttachment": "gke-tcpx-multinetwork"})


def test_tcpx_pods_are_bound_to_five_interfaces(tcpx):
    annotations = pod(tcpx["ClusterTrainingRuntime/torch-distributed-tcpx"])["metadata"]["annotations"]
    assert annotations.pop("networking.gke.io/default-interface") == "eth0"
    assert json.loads(annotations.pop("networking.gke.io/interfaces")) == [
        {"interfaceName": "eth0", "network": "default"},
        *({"interfaceName": f"eth{number}", "network": f"vpc{number}"} for number in range(1, 5)),
    ]
    devices = yaml.safe_load(annotations.pop("devices.gke.io/container.tcpx-daemon"))
    assert [device["path"] for device in devices] == CATALOG.release_table("tcpx").data["devices"]
    assert not annotations


def test_the_tcpx_daemon_is_a_native_sidecar_and_not_privileged(tcpx):
    (daemon,) = pod(tcpx["ClusterTrainingRuntime/torch-distributed-tcpx"])["spec"]["initContainers"]
    assert daemon == {
        "name": "tcpx-daemon",
        "image": "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpx/tcpgpudmarxd-dev:v2.0.15",
        "restartPolicy": "Always",
        "command": [
            *("/tcpgpudmarxd/build/app/tcpgpudmarxd", "--gpu_nic_preset", "a3vm", "--gpu_shmem_type", "fd"),
            *("--uds_path", "/run/tcpx", "--setup_param", "--verbose 128 2 0 "),
        ],
        "securityContext": {"capabilities": {"add": ["NET_ADMIN"]}},
        "env": [{"name": "LD_LIBRARY_PATH", "value": "/usr/local/nvidia/lib64"}],
        "volumeMounts": [
            {"name": "nvtcpx-libraries", "mountPath": "/usr/local/nvidia/lib64", "readOnly": True},
            {"name": "nvtcpx-socket", "mountPath": "/run/tcpx"},
            {"name": "nvtcpx-sys", "mountPath": "/hostsysfs"},
            {"name": "nvtcpx-proc-sys", "mountPath": "/hostprocsysfs"},
        ],
    }


def test_daemon_and_worker_of_tcpx_meet_in_a_volume_of_the_pod(tcpx):
    spec = pod(tcpx["ClusterTrainingRuntime/torch-distributed-tcpx"])["spec"]
    (worker,) = spec["containers"]
    assert worker["resources"] == {"requests": {"nvidia.com/gpu": "8"}, "limits": {"nvidia.com/gpu": "8"}}
    assert worker["securityContext"] == {"capabilities": {"add": ["IPC_LOCK"]}}
    assert {mount["name"]: mount["mountPath"] for mount in worker["volumeMounts"]} == {
        "dshm": "/dev/shm",
        "nvtcpx-libraries": "/usr/local/nvidia/lib64",
        "nvtcpx-socket": "/tmp",  # where the plugin looks for the daemon's sockets
    }
    volumes = {volume.pop("name"): volume for volume in spec["volumes"]}
    # Upstream's sample mounts /proc/sys from the volume `proc` in one pod and from `proc-sys` in the other. Here it has one name.
    assert volumes == {
        "dshm": {"emptyDir": {"medium": "Memory"}},
        "nvtcpx-libraries": {"hostPath": {"path": "/home/kubernetes/bin/nvidia/lib64"}},
        "nvtcpx-socket": {"emptyDir": {}},
        "nvtcpx-sys": {"hostPath": {"path": "/sys"}},
        "nvtcpx-proc-sys": {"hostPath": {"path": "/proc/sys"}},
    }


def test_the_tcpx_installer_runs_on_a3_high_and_prepares_the_kernel(tcpx):
    installer = tcpx["DaemonSet/nccl-tcpx-installer"]
    assert_a_node_daemon(installer, "nccl-tcpx-installer")
    assert placed_by(installer) == [accelerators("nvidia-h100-80gb")]
    prepare, install = pod(installer)["spec"]["initContainers"]
    # optmem-max-ds.yaml; the host's network namespace makes it the node's.
    assert prepare["args"] == ["echo 131072 > /proc/sys/net/core/optmem_max"]
    assert install["image"] == "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpx/nccl-plugin-gpudirecttcpx-dev:v3.1.12"
    assert "container_entry.sh install --install-nccl" in install["args"][0]
    assert "/var/lib/tcpx/lib64/. /usr/local/nvidia/lib64" in install["args"][0]
    assert all(container["securityContext"] == {"privileged": True} for container in (prepare, install))


def test_the_device_injector_reaches_the_nodes_of_tcpx(tcpx):
    (accelerator,) = placed_by(tcpx["DaemonSet/device-injector"])
    assert "nvidia-h100-80gb" in accelerator["values"]


@pytest.mark.parametrize(
    ("recipe", "gpus", "rails", "tuning"),
    [(H200, "8", range(2, 10), "a3u"), (B200, "8", range(2, 10), "a4"), (GB200, "4", range(2, 6), "a4x")],
)
def test_gib_pods_take_the_whole_node_with_every_rail(*, recipe, gpus, rails, tuning):
    runtime = rendered(recipe, RDMA)["ClusterTrainingRuntime/torch-distributed-gib"]
    annotations = pod(runtime)["metadata"]["annotations"]
    assert annotations.keys() == {"networking.gke.io/default-interface", "networking.gke.io/interfaces"}
    assert json.loads(annotations["networking.gke.io/interfaces"]) == [
        {"interfaceName": "eth0", "network": "default"},
        *({"interfaceName": f"eth{number}", "network": f"rdma-{number - 2}"} for number in rails),
    ]
    (worker,) = pod(runtime)["spec"]["containers"]
    assert worker["resources"] == {"requests": {"nvidia.com/gpu": gpus}, "limits": {"nvidia.com/gpu": gpus}}
    assert worker["env"] == [*release_env(), *CATALOG.fragment("gib-tuning")[tuning]]


def release_env(name="v1.1.2"):
    (row,) = (row for row in CATALOG.release_table("gib").data["releases"] if row["name"] == name)
    return [{"name": each["name"], "value": each["value"]} for each in row["env"]]


@pytest.mark.parametrize(
    ("recipe", "profiles", "runtime"),
    [
        (B200, RDMA, "ClusterTrainingRuntime/torch-distributed-gib"),
        (B200, DRANET, "TrainingRuntime/torch-distributed-dranet"),
        (GB200, NVLS, "TrainingRuntime/torch-distributed-nvls-gib"),
    ],
)
def test_every_pod_of_gib_mounts_the_plugin_and_may_pin_memory(recipe, profiles, runtime):
    spec = pod(rendered(recipe, profiles)[runtime])["spec"]
    assert "initContainers" not in spec  # there is no daemon
    (worker,) = spec["containers"]
    assert worker["securityContext"] == {"capabilities": {"add": ["IPC_LOCK"]}}
    paths = {volume["name"]: volume.get("hostPath", {}).get("path") for volume in spec["volumes"]}
    assert {mount["mountPath"]: paths[mount["name"]] for mount in worker["volumeMounts"]} == {
        "/dev/shm": None,
        "/usr/local/nvidia": "/home/kubernetes/bin/nvidia",
        "/usr/local/gib": "/home/kubernetes/bin/gib",
    }


@pytest.mark.parametrize(("recipe", "nics"), [(H200, 8), (B200, 8), (GB200, 4)])
def test_a_claim_of_dranet_and_its_runtime_live_in_one_namespace(recipe, nics):
    objects = rendered(recipe, DRANET)
    template, runtime = (
        objects["ResourceClaimTemplate/torch-distributed-dranet"],
        objects["TrainingRuntime/torch-distributed-dranet"],
    )
    assert template == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "torch-distributed-dranet", "namespace": "team-a"},
        "spec": {
            "spec": {
                "devices": {
                    "requests": [
                        {
                            "name": "req-mrdma",
                            "exactly": {"deviceClassName": "mrdma.google.com", "allocationMode": "ExactCount", "count": nics},
                        }
                    ]
                }
            }
        },
    }
    assert (runtime["apiVersion"], runtime["metadata"]["namespace"]) == (TRAINER, "team-a")
    # Both halves: without the container's the claim is allocated and no device appears.
    assert pod(runtime)["spec"]["resourceClaims"] == [{"name": "rdma", "resourceClaimTemplateName": "torch-distributed-dranet"}]
    assert pod(runtime)["spec"]["containers"][0]["resources"]["claims"] == [{"name": "rdma"}]


def test_a_pod_of_dranet_is_bound_to_no_device_network():
    runtime = rendered(B200, DRANET)["TrainingRuntime/torch-distributed-dranet"]
    assert "metadata" not in pod(runtime)


def test_nvlink_between_nodes_is_a_claim_beside_the_rails():
    objects = rendered(GB200, NVLS)
    runtime, domain = (objects[f"{kind}/torch-distributed-nvls-gib"] for kind in ("TrainingRuntime", "ComputeDomain"))
    assert domain["metadata"]["namespace"] == runtime["metadata"]["namespace"] == "team-a"
    assert domain["spec"]["numNodes"] == 0
    template = domain["spec"]["channel"]["resourceClaimTemplate"]["name"]
    assert pod(runtime)["spec"]["resourceClaims"] == [{"name": "imex-channel", "resourceClaimTemplateName": template}]
    worker = containers(runtime)["node"]
    assert worker["resources"]["claims"] == [{"name": "imex-channel"}]
    env = {each["name"]: each["value"] for each in worker["env"]}
    assert (env["NCCL_NET"], env["NCCL_MNNVL_ENABLE"], env["NCCL_NVLS_ENABLE"]) == ("gIB", "1", "1")
    bound = json.loads(pod(runtime)["metadata"]["annotations"]["networking.gke.io/interfaces"])
    assert [entry["interfaceName"] for entry in bound] == ["eth0", "eth2", "eth3", "eth4", "eth5"]


@pytest.mark.parametrize(
    ("recipe", "image", "machines", "arch"),
    [
        (H200, "nccl-plugin-gib:v1.1.2", ["nvidia-h200-141gb", "nvidia-b200"], "amd64"),
        (B200, "nccl-plugin-gib:v1.1.2", ["nvidia-h200-141gb", "nvidia-b200"], "amd64"),
        (
            GB200,
            "nccl-plugin-gib-arm64:v1.1.2@sha256:6b7950cac6e6833661d4206920f5633b6e361b18bfd5315b63f9bf4a4b84a80e",
            ["nvidia-gb200"],
            "arm64",
        ),
    ],
)
@pytest.mark.parametrize("profiles", [RDMA, DRANET], ids=lambda profiles: profiles["fabricAttachment"])
def test_gib_is_installed_from_the_image_of_the_nodes_architecture(*, recipe, image, machines, arch, profiles):
    installer = rendered(recipe, profiles)["DaemonSet/nccl-rdma-installer"]
    assert_a_node_daemon(installer, "nccl-rdma-installer")
    assert placed_by(installer) == [accelerators(*machines), {"key": "kubernetes.io/arch", "operator": "In", "values": [arch]}]
    spec = pod(installer)["spec"]
    (install,) = spec["initContainers"]
    assert install["image"] == f"us-docker.pkg.dev/gce-ai-infra/gpudirect-gib/{image}"
    assert [container["name"] for container in spec["containers"]] == ["pause"]
    paths = {volume["name"]: volume["hostPath"]["path"] for volume in spec["volumes"]}
    assert {mount["mountPath"]: paths[mount["name"]] for mount in install["volumeMounts"]} == {
        "/usr/local/home/kubernetes/bin/nvidia/lib64": "/home/kubernetes/bin/nvidia/lib64",
        "/usr/local/home/kubernetes/bin/gib": "/home/kubernetes/bin/gib",
    }


@pytest.mark.parametrize(
    ("recipe", "profiles", "runtime"),
    [
        (GB200, RDMA, "ClusterTrainingRuntime/torch-distributed-gib"),
        (GB200, DRANET, "TrainingRuntime/torch-distributed-dranet"),
        (GB200, NVLS, "TrainingRuntime/torch-distributed-nvls-gib"),
    ],
)
def test_pods_of_a4x_go_to_arm64_nodes_through_their_taint(recipe, profiles, runtime):
    gpu = {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"}
    for stated in ((gpu,), (gpu, ARM64)):
        spec = pod(rendered(recipe, profiles, accelerated=Scheduling(tolerations=stated))[runtime])["spec"]
        assert spec["tolerations"] == [gpu, ARM64]
        assert placed_by({"spec": {"template": {"spec": spec}}}) == [
            {"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]}
        ]


def test_pods_of_other_machines_say_nothing_of_an_architecture():
    for profiles, runtime in (
        (RDMA, "ClusterTrainingRuntime/torch-distributed-gib"),
        (DRANET, "TrainingRuntime/torch-distributed-dranet"),
    ):
        spec = pod(rendered(B200, profiles)[runtime])["spec"]
        assert not spec.keys() & {"tolerations", "affinity", "nodeSelector"}
        assert "annotations" not in rendered(B200, profiles)[runtime]["metadata"]


@pytest.mark.parametrize(
    ("profiles", "runtime"),
    [
        (RDMA, "ClusterTrainingRuntime/torch-distributed-gib"),
        (DRANET, "TrainingRuntime/torch-distributed-dranet"),
        (NVLS, "TrainingRuntime/torch-distributed-nvls-gib"),
    ],
)
def test_a_runtime_of_a4x_says_that_its_default_image_is_for_other_machines(profiles, runtime):
    # pytorch/pytorch#188815: the official images with CUDA are built for amd64 only.
    assert rendered(GB200, profiles)[runtime]["metadata"]["annotations"] == {
        "aicr.run/worker-image": "set spec.trainer.image: an image for arm64; the default is for amd64 only"
    }


def test_the_driver_installer_partitions_gpus_of_a4x_with_an_image_for_arm64():
    # NVIDIA/aicr docs/integrator/gke-gb200-networking.md: the image for amd64 fails there with `exec format error`.
    images = {}
    for recipe in (B200, GB200):
        objects = rendered(recipe, {"fabricAttachment": "none", "gpuStack": "driver-installer"})
        images[recipe] = containers(objects["DaemonSet/nvidia-driver-installer"])["partition-gpus"]["image"].rpartition("@")[2]
    assert images == {
        B200: "sha256:e226275da6c45816959fe43cde907ee9a85c6a2aa8a429418a4cadef8ecdb86a",
        GB200: "sha256:de12f85ebfb4fb6c1893cd30c23aab662a72fa0448f97ef74fccb82d7522ef17",
    }


def test_whatever_runs_on_a4x_nodes_tolerates_their_taints():
    (overlay,) = (overlay for overlay in CATALOG.overlays if overlay.name == "gb200-gke")
    values = {component["name"]: component["values"] for component in overlay.data["components"]}
    for tolerations in (
        values["gpu-operator"]["daemonsets"]["tolerations"],
        values["nfd"]["worker"]["tolerations"],
        values["nfd"]["topologyUpdater"]["tolerations"],
        values["nvidia-dra-driver-gpu"]["kubeletPlugin"]["tolerations"],
    ):
        assert ARM64 in tolerations
        assert "nvidia.com/gpu" in {toleration["key"] for toleration in tolerations}


def test_the_parameters_of_the_tests_are_those_that_each_machine_needs():
    assert {value for recipe, value in PARAMETERS if recipe.endswith("-gke-cos-training-kubeflow")} == {
        name for name in CATALOG.profiles["fabricAttachment"].data["values"] if name.startswith("gke-")
    }
