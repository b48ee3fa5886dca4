"""Requirements on what each cloud adds to a test.

Sources: pkg/certification/testdata of NVIDIA/cluster-readiness-engine, its documentation of platform detection and overrides.
"""

import json

import pytest

from tests.unit.certify.kit import (
    ALL_REDUCE,
    COMMUNICATION,
    GPU,
    MPI,
    SWEEP,
    env,
    handed_over,
    kinds,
    node,
    pod,
    resources,
    runtime,
    trainer,
)


@pytest.mark.parametrize("category", COMMUNICATION)
def test_every_communication_entry_runs_over_tcpxo_on_gcp_h100(workflow, category):
    made = workflow("gcp", "h100", category)
    image = "nvcr.io/nvidia/pytorch:25.06-py3"
    assert trainer(made)["image"] == node(made)["image"] == image
    sidecar = pod(made)["spec"]["initContainers"][0]
    assert sidecar["name"] == "tcpxo-daemon"
    assert sidecar["image"] == "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/tcpgpudmarxd-dev:v1.0.21"
    assert sidecar["securityContext"]["capabilities"]["add"] == ["NET_ADMIN", "NET_BIND_SERVICE"]
    assert sidecar["restartPolicy"] == "Always"
    if category in MPI:
        assert node(made, "launcher")["image"] == pod(made, "launcher")["spec"]["initContainers"][0]["image"] == image
    names = {job["name"] for job in runtime(made)["spec"]["template"]["spec"]["replicatedJobs"]}
    assert names == ({"node", "launcher"} if category in MPI else {"node"})


def test_gcp_h100_attaches_eight_networks_and_the_devices(workflow):
    made = workflow("gcp", "h100", ALL_REDUCE)
    annotations = pod(made)["metadata"]["annotations"]
    assert json.loads(annotations["networking.gke.io/interfaces"]) == [
        {"interfaceName": "eth0", "network": "default"},
        *({"interfaceName": f"eth{index + 1}", "network": f"gpu-nic{index}"} for index in range(8)),
    ]
    assert annotations["networking.gke.io/default-interface"] == "eth0"
    assert annotations["devices.gke.io/container.tcpxo-daemon"].splitlines() == [
        *(f"- path: /dev/nvidia{index}" for index in range(8)),
        "- path: /dev/nvidiactl",
        "- path: /dev/nvidia-uvm",
        "- path: /dev/dmabuf_import_helper",
    ]
    paths = [volume["hostPath"]["path"] for volume in pod(made)["spec"]["volumes"]]
    assert paths == ["/home/kubernetes/bin/nvidia", "/sys", "/proc/sys", "/dev/aperture_devices"]
    assert pod(made)["spec"]["tolerations"] == [GPU]
    assert resources(made) == {"nvidia.com/gpu": "8"}
    assert "hostNetwork" not in pod(made)["spec"]
    assert "NCCL_PROTO=Simple,LL128" in handed_over(made)
    assert not [one for one in handed_over(made) if one.startswith("NCCL_ALGO")]


def test_the_daemon_writes_settings_of_the_host_and_the_worker_reads_its_libraries(workflow):
    made = workflow("gcp", "h100", "training/nemotron5-8b")
    (daemon,) = [one for one in pod(made)["spec"]["initContainers"] if one["name"] == "tcpxo-daemon"]
    assert daemon["imagePullPolicy"] == daemon["restartPolicy"] == "Always"
    assert daemon["command"] == ["/bin/sh", "-c"]
    assert "chmod 755 /fts/entrypoint_rxdm_container.sh\n/fts/entrypoint_rxdm_container.sh --num_hops=2\n" in daemon["args"][0]
    assert env(daemon) == {"LD_LIBRARY_PATH": "/usr/local/nvidia/lib64"}
    assert daemon["volumeMounts"] == [
        {"name": "nvtcpxo-libraries", "mountPath": "/usr/local/nvidia", "readOnly": True},
        {"name": "nvtcpxo-sys", "mountPath": "/hostsysfs"},
        {"name": "nvtcpxo-proc-sys", "mountPath": "/hostprocsysfs"},
    ]
    mounts = {mount["mountPath"]: mount.get("readOnly", False) for mount in node(made)["volumeMounts"]}
    assert (mounts["/usr/local/nvidia"], mounts["/dev/aperture_devices"]) == (True, False)
    assert env(trainer(made))["TRITON_LIBCUDA_PATH"] == "/usr/local/nvidia/lib64"


def test_the_installed_plugin_chooses_the_images(render):
    rendering = render("gcp", "h100", ALL_REDUCE, "training/nemotron5-8b", site={"plugin": "v1.0.17-1"})
    test, training = rendering.workflows
    assert node(test)["image"] == "nvcr.io/nvidia/pytorch:26.01-py3"
    assert node(training)["image"] == trainer(training)["image"] == "nvcr.io/nvidia/pytorch:25.08-py3"
    clone = next(one for one in pod(training)["spec"]["initContainers"] if one["name"] == "megatron-clone")
    assert clone["image"] == "nvcr.io/nvidia/pytorch:25.08-py3"
    assert rendering.notes == ()


def test_the_networks_of_a_cluster_are_attached_in_the_order_given(render):
    (made,) = render("gcp", "h100", ALL_REDUCE, site={"networks": tuple(f"vpc{index}" for index in range(1, 9))}).workflows
    attached = json.loads(pod(made)["metadata"]["annotations"]["networking.gke.io/interfaces"])
    assert [one["network"] for one in attached] == ["default", *(f"vpc{index}" for index in range(1, 9))]


def test_oci_gb200_requests_no_nic_and_reaches_the_hosts(workflow):
    made = workflow("oci", "gb200", ALL_REDUCE, rdmaDeviceAccess="hostPath")
    args = trainer(made)["args"]
    assert args[:6] == ["-N", "4", "--allow-run-as-root", "--mca", "plm_rsh_args", "-o StrictHostKeyChecking=no"]
    assert handed_over(made)[-6:] == [
        "NCCL_DEBUG=INFO",
        "NCCL_NVLS_ENABLE=1",
        "NCCL_CUMEM_ENABLE=1",
        "NCCL_P2P_NET_CHUNKSIZE=2097152",
        "NCCL_MNNVL_ENABLE=1",
        "UCX_IB_GID_INDEX=3",
    ]
    assert args[-11:] == ["/usr/local/bin/all_reduce_perf_mpi", *SWEEP]
    assert trainer(made)["env"][0] == {"name": "NCCL_DEBUG", "value": "INFO"}
    assert trainer(made)["env"][-1] == {"name": "UCX_IB_GID_INDEX", "value": "3"}
    assert resources(made) == {"nvidia.com/gpu": "4"}
    assert node(made)["securityContext"] == {"privileged": True, "capabilities": {"add": ["IPC_LOCK"]}}
    assert node(made)["volumeMounts"] == [
        {"name": "mpi-ssh-auth", "mountPath": "/tmp/mpi-ssh-raw", "readOnly": True},
        {"name": "rdma-devices", "mountPath": "/dev/infiniband"},
    ]
    assert pod(made)["spec"]["volumes"] == [{"name": "rdma-devices", "hostPath": {"path": "/dev/infiniband", "type": "Directory"}}]
    launcher = node(made, "launcher")
    assert launcher["resources"] == {"limits": {"cpu": "2", "memory": "1Gi"}}
    assert "securityContext" not in launcher
    assert "metadata" not in pod(made)


def test_oci_gb200_with_a_count_requests_and_attaches_it(workflow):
    made = workflow("oci", "gb200", ALL_REDUCE, mlnxPerNode=2)
    assert resources(made) == {"nvidia.com/gpu": "4", "nvidia.com/mlnxnics": "2"}
    assert pod(made)["metadata"]["annotations"] == {
        "k8s.v1.cni.cncf.io/networks": "network-operator/sriov-net,network-operator/sriov-net"
    }


def test_oci_gb200_loopback_turns_off_everything_but_the_nics(workflow):
    made = workflow("oci", "gb200", "communication/nccl-loopback", rdmaDeviceAccess="hostPath")
    assert trainer(made)["args"] == ["-b", "8", "-e", "16G", "-f", "2", "-g", "4", "-n", "10", "-N", "2"]
    assert list(env(trainer(made)).items()) == [
        ("NCCL_SHM_DISABLE", "1"),
        ("NCCL_P2P_DISABLE", "1"),
        ("NCCL_DEBUG", "INFO"),
        ("NCCL_NVLS_ENABLE", "1"),
        ("NCCL_CUMEM_ENABLE", "1"),
        ("NCCL_P2P_NET_CHUNKSIZE", "2097152"),
        ("NCCL_MNNVL_ENABLE", "1"),
        ("UCX_IB_GID_INDEX", "3"),
        ("NCCL_IB_GID_INDEX", "3"),
    ]


def test_oci_gb300_attaches_four_nics(workflow):
    made = workflow("oci", "gb300", ALL_REDUCE)
    assert kinds(made) == ["TrainingRuntime", "ComputeDomain"]
    assert pod(made)["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"] == ",".join(["network-operator/sriov-net"] * 4)
    assert resources(made) == {"nvidia.com/gpu": "4", "nvidia.com/mlnxnics": "4"}
    assert {"name": "nccl-topo", "hostPath": {"path": "/etc/nccl/topo.xml", "type": "File"}} in pod(made)["spec"]["volumes"]


@pytest.mark.parametrize(("enabled", "dmabuf"), [(True, []), (False, ["NCCL_DMABUF_ENABLE=0"])])
def test_oci_gb300_without_nvlink_between_nodes_turns_dmabuf_off(workflow, enabled, dmabuf):
    made = workflow("oci", "gb300", ALL_REDUCE, enableMNNVL=enabled)
    assert [one for one in handed_over(made) if "DMABUF" in one] == dmabuf


@pytest.mark.parametrize("architecture", ["h100", "h200", "a100", "b200"])
def test_efa_is_requested_on_every_aws_machine_but_nvl72(workflow, architecture):
    made = workflow("aws", architecture, ALL_REDUCE)
    assert resources(made)["vpc.amazonaws.com/efa"] == "32"
    assert trainer(made)["command"] == ["timeout", "3600", "/opt/amazon/openmpi/bin/mpirun"]
    assert "/opt/nccl-tests/build/all_reduce_perf" in trainer(made)["args"]
    assert handed_over(made)[-1] == "LD_LIBRARY_PATH"


def test_aws_gb300_claims_roce_and_removes_the_efa_plugin(workflow):
    made = workflow("aws", "gb300", ALL_REDUCE)
    assert [one["name"] for one in pod(made)["spec"]["resourceClaims"]] == ["compute-domain-channel", "roce-channel"]
    assert kinds(made) == ["TrainingRuntime", "ComputeDomain", "ResourceClaimTemplate"]
    assert "vpc.amazonaws.com/efa" not in resources(made)
    assert "rm -rf /opt/amazon/efa /opt/amazon/ofi-nccl /opt/aws-ofi-nccl" in node(made)["args"][0]


@pytest.mark.parametrize(("architecture", "bus"), [("h100", "0008:00:00.0"), ("a100", "0004:00:00.0")])
def test_azure_describes_the_buses_of_the_machine(workflow, architecture, bus):
    made = workflow("azure", architecture, ALL_REDUCE)
    files = next(one for one in made["spec"]["dependencies"] if one["kind"] == "ConfigMap")
    assert files["metadata"]["name"] == "nccl-all-reduce-azure-topo"
    assert bus in files["data"]["topo.xml"]
    assert "NCCL_TOPO_FILE=/etc/nccl/topo.xml" in handed_over(made)
    assert {"name": "nccl-topo", "mountPath": "/etc/nccl"} in node(made)["volumeMounts"]


@pytest.mark.parametrize(("gpus", "level"), [(None, "SYS"), (8, "SYS"), (4, "PHB"), (2, "PHB")])
def test_the_peer_level_of_rtx_pro_6000_follows_the_gpus_that_are_asked_for(workflow, gpus, level):
    made = workflow("gcp", "rtxpro6000", ALL_REDUCE, **({"gpusPerNode": gpus} if gpus else {}))
    stated = handed_over(made)
    assert f"NCCL_P2P_LEVEL={level}" in stated
    assert {"NCCL_IB_DISABLE=1", "NCCL_NET_PLUGIN=none"} <= set(stated)
    assert set(resources(made)) == {"nvidia.com/gpu"}
