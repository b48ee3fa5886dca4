"""Requirements on what machines of one's own, Metal3 sites and Nscale add to a test.

Sources: pkg/certification/testdata of NVIDIA/cluster-readiness-engine, its documentation of platform detection and overrides.
"""

import pytest

from bundler.certify.certification import render_certification
from bundler.certify.site import Site
from tests.unit.certify.kit import ALL_REDUCE, ANY_GPU, ARM64, GPU, env, handed_over, kinds, node, pod, resources, runtime, trainer


def test_onprem_gb300_requests_the_named_resource_in_the_count_given(workflow):
    made = workflow("onprem", "gb300", ALL_REDUCE, nicResourceName="rdma/ib", mlnxPerNode=1, enableMNNVL=True, nodesPerJob=18)
    assert kinds(made) == ["TrainingRuntime", "ComputeDomain"]
    assert made["spec"]["dependencies"][1]["spec"]["numNodes"] == 18
    assert handed_over(made) == [
        "NCCL_DEBUG=INFO",
        "NCCL_NVLS_ENABLE=1",
        "NCCL_CUMEM_ENABLE=1",
        "NCCL_P2P_NET_CHUNKSIZE=2097152",
        "NCCL_MNNVL_ENABLE=1",
        "NCCL_IB_PCI_RELAXED_ORDERING=1",
        "SHARP_COLL_ENABLE_PCI_RELAXED_ORDERING=1",
        "OMPI_MCA_btl_openib_warn_default_gid_prefix=0",
        "PMIX_MCA_gds=^ds12",
    ]
    assert resources(made) == {"rdma/ib": "1", "nvidia.com/gpu": "4"}
    assert env(node(made)) == {"NCCL_MNNVL_ENABLE": "1"}
    assert pod(made)["spec"]["tolerations"] == pod(made, "launcher")["spec"]["tolerations"] == [ARM64, GPU]


def test_without_a_cluster_no_nic_is_requested_that_nobody_named(workflow):
    assert resources(workflow("onprem", "gb300", ALL_REDUCE)) == {"nvidia.com/gpu": "4"}
    assert resources(workflow("onprem", "b200", ALL_REDUCE)) == {"nvidia.com/gpu": "8"}


def test_onprem_hgx_gets_tolerations_and_nics_and_no_settings(workflow):
    made = workflow("onprem", "b300", ALL_REDUCE, nicResourceName="rdma/rdma_shared_device_a", mlnxPerNode=1)
    assert handed_over(made) == ["NCCL_DEBUG=INFO", "NCCL_MNNVL_ENABLE=0"]
    assert pod(made)["spec"]["tolerations"] == pod(made, "launcher")["spec"]["tolerations"] == [ANY_GPU]
    assert resources(made) == {"rdma/rdma_shared_device_a": "1", "nvidia.com/gpu": "8"}


def test_onprem_nvswitch_loopback_keeps_every_toleration_and_one_policy(workflow):
    made = workflow("onprem", "gb300", "communication/nccl-loopback-nvswitch")
    assert runtime(made)["spec"]["mlPolicy"] == {"numNodes": 1, "torch": {"numProcPerNode": 1}}
    assert pod(made)["spec"]["tolerations"] == [{"operator": "Exists"}]
    assert trainer(made)["args"][-4:] == ["-n", "100", "-N", "10"]


def test_without_a_platform_the_nodes_are_onprem(catalog, certification):
    document = certification(ALL_REDUCE, product="NVIDIA-GB300")
    stated, silent = (render_certification(catalog, document, Site(platform=platform)) for platform in ("onprem", None))
    assert stated == silent


def test_a_metal3_site_is_told_whose_overrides_it_gets(render):
    rendering = render("mistral", "gb300", ALL_REDUCE)
    assert [note.rule for note in rendering.notes] == ["AICR-R021"]
    assert rendering.notes[0].fix == "give --platform onprem to see what another site renders to"
    (made,) = rendering.workflows
    assert resources(made)["rdma/ib"] == "1"
    assert "NCCL_IB_HCA=mlx5_0:1,mlx5_1:1,mlx5_2:1,mlx5_3:1" in handed_over(made)


def test_a_metal3_hgx_site_matches_neither_block(workflow):
    made = workflow("mistral", "b200", ALL_REDUCE, nicResourceName="rdma/ib")
    assert resources(made) == {"nvidia.com/gpu": "8"}
    assert "tolerations" not in pod(made)["spec"]


@pytest.mark.parametrize(("architecture", "gpus", "nics", "mnnvl"), [("gb300", 4, 4, "1"), ("b200", 8, 8, "0")])
def test_nscale_claims_its_devices(workflow, architecture, gpus, nics, mnnvl):
    made = workflow("nscale", architecture, ALL_REDUCE)
    domain = ["ComputeDomain"] if architecture == "gb300" else []
    assert kinds(made) == ["TrainingRuntime", *domain, "ResourceClaimTemplate", "ResourceClaimTemplate"]
    requests = [one["spec"]["spec"]["devices"]["requests"][0] for one in made["spec"]["dependencies"][-2:]]
    assert [(one["exactly"]["deviceClassName"], one["exactly"]["count"]) for one in requests] == [
        ("gpu.nvidia.com", gpus),
        ("rdma.nscale.com", nics),
    ]
    channel = [{"name": "compute-domain-channel"}] if domain else []
    assert node(made)["resources"] == {"limits": {}, "requests": {}, "claims": [*channel, {"name": "gpu"}, {"name": "rdma"}]}
    assert handed_over(made)[:2] == ["NCCL_SOCKET_IFNAME=eth0", "NCCL_NET=IB"]
    assert f"NCCL_MNNVL_ENABLE={mnnvl}" in handed_over(made)


def test_nscale_without_nics_keeps_the_gpu_claim(workflow):
    made = workflow("nscale", "gb300", ALL_REDUCE, mlnxPerNode=0)
    assert kinds(made) == ["TrainingRuntime", "ComputeDomain", "ResourceClaimTemplate"]
    assert [one["name"] for one in node(made)["resources"]["claims"]] == ["compute-domain-channel", "gpu"]


def test_nscale_groups_by_its_own_label(workflow):
    key = "topology.nks.nscale.com/accelerator-domain"
    orchestration = workflow("nscale", "gb300", "training/nemotron5-8b")["spec"]["orchestration"]
    assert orchestration["topology"] == {"topologyKey": key}
    assert (
        workflow("nscale", "gb300", ALL_REDUCE, testScale="intra-rack")["spec"]["orchestration"]["topology"]["topologyKey"] == key
    )
    assert "topology" not in workflow("nscale", "gb300", ALL_REDUCE)["spec"]["orchestration"]
