"""Requirements on nodes that take no pods: they are named, and what they lack is held against nobody.

Matching of taints: k8s.io/api core/v1 (Toleration). Admission: ExtendedResourceToleration, where the service has it.
"""

from dataclasses import replace

import pytest

from bundler.model.check import Outcome
from bundler.model.request import Request, Scheduling
from bundler.model.snapshot import Snapshot
from bundler.validate.shipped import Shipped
from tests.unit.validate.kit import CATALOG, NETWORKS, deployed, read_samples, said, with_objects

GPU = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}


def tolerating(*tolerations):
    request = Request(
        recipe="h100-gke-cos-training-kubeflow",
        profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
        parameters={"fabricAttachment": {"interfaces": NETWORKS}},
        accelerated=Scheduling(tolerations=tolerations),
    )
    return Shipped.of_request(CATALOG, request)


def spec(node, **changes):
    return {**node, "spec": {**node["spec"], **changes}}


def offering(node, gpus):
    return {**node, "status": {**node["status"], "allocatable": {**node["status"]["allocatable"], "nvidia.com/gpu": gpus}}}


def test_a_cordoned_node_is_named_and_what_it_lacks_is_held_against_nobody(snapshot, shipped):
    first, second = snapshot.of("nodes")
    found = deployed(with_objects(snapshot, "nodes", spec(offering(first, "0"), unschedulable=True), second), shipped)
    check = found["nodes-schedulable"]
    says = f"1 of 2 nodes takes the pods of torch-distributed-tcpxo: {first['metadata']['name']} is cordoned"
    assert said(check) == ("passed", says)
    assert [(finding.rule, str(finding.severity), finding.message) for finding in check.findings] == [
        ("AICR-V032", "warning", says)
    ]
    assert said(found["resources-allocatable"]) == ("passed", "the only node offers nvidia.com/gpu 8")


def test_where_every_node_is_kept_away_the_check_fails_and_the_others_prove_nothing(snapshot, shipped):
    first, second = snapshot.of("nodes")
    conditions = [{"type": "Ready", "status": "Unknown"}]
    taints = [GPU, {"key": "team", "value": "a", "effect": "NoExecute"}, {"key": "x", "effect": "PreferNoSchedule"}]
    nodes = spec(first, taints=taints), {**second, "status": {**second["status"], "conditions": conditions}}
    found = deployed(with_objects(snapshot, "nodes", *nodes), shipped)
    names = [node["metadata"]["name"] for node in nodes]
    assert said(found["nodes-schedulable"]) == (
        "failed",
        f"no node takes the pods of torch-distributed-tcpxo: {names[0]} has the taint team=a:NoExecute, {names[1]} is not ready",
    )
    assert found["networks-usable"].outcome is found["resources-allocatable"].outcome is Outcome.UNPROVEN


@pytest.mark.parametrize(
    ("toleration", "taken"),
    [
        ({"key": "team", "operator": "Equal", "value": "a", "effect": "NoExecute"}, True),
        ({"key": "team", "value": "a"}, True),  # every effect
        ({"key": "team", "operator": "Exists"}, True),
        ({"operator": "Exists"}, True),  # every taint
        ({"key": "team", "operator": "Equal", "value": "b"}, False),
        ({"key": "team", "operator": "Exists", "effect": "NoSchedule"}, False),
        ({"key": "other", "operator": "Exists"}, False),
    ],
)
def test_tolerations_answer_taints_as_in_kubernetes(snapshot, toleration, taken):
    first, _ = snapshot.of("nodes")
    tainted = spec(first, taints=[{"key": "team", "value": "a", "effect": "NoExecute"}])
    check = deployed(with_objects(snapshot, "nodes", tainted), tolerating(toleration))["nodes-schedulable"]
    assert check.outcome is (Outcome.PASSED if taken else Outcome.FAILED)


def test_a_taint_of_a_resource_is_answered_where_the_service_is_known_to_admit_it(snapshot, shipped):
    first, _ = snapshot.of("nodes")
    found = with_objects(snapshot, "nodes", spec(first, taints=[GPU]))
    assert said(deployed(found, shipped)["nodes-schedulable"]) == (
        "passed",
        "the only node takes the pods of torch-distributed-tcpxo",
    )
    criteria = replace(shipped.composition.criteria, service="rke2")
    elsewhere = replace(shipped, composition=replace(shipped.composition, criteria=criteria))
    says = (
        "whether the API server has ExtendedResourceToleration is not known, "
        "and else the taint nvidia.com/gpu=present:NoSchedule keeps pods away"
    )
    assert said(deployed(found, elsewhere)["nodes-schedulable"]) == ("unproven", says)
    own = spec(first, taints=[{**GPU, "effect": "NoExecute"}])
    assert deployed(with_objects(snapshot, "nodes", own), shipped)["nodes-schedulable"].outcome is Outcome.FAILED


def test_the_recorded_gb200_node_of_oke_takes_pods():
    request = Request(
        recipe="gb200-oke-ubuntu-training-kubeflow",
        profiles={"fabricAttachment": "nvls-imex"},
        parameters={"fabricAttachment": {"gpus": 4, "namespace": "team-a"}},
    )
    nodes = read_samples("13-oke-gb200-node").of("nodes")
    found = deployed(Snapshot(sources=("x",), objects={"nodes": nodes}), Shipped.of_request(CATALOG, request))
    assert said(found["nodes-schedulable"]) == ("passed", "the only node takes the pods of torch-distributed-nvls")
