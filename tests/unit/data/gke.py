"""What GKE's recipes, machines, fabrics and releases are expected to be, and requests made of them.

Which machine has which fabric: GoogleCloudPlatform/container-engine-accelerators gpudirect-tcpxo, gpudirect-tcpx, gpudirect-rdma;
docs.cloud.google.com on managed DRANET.
"""

from itertools import product

import pytest

from bundler.errors import InvalidInput
from bundler.model.finding import Severity
from bundler.model.request import Request
from bundler.pipeline import compose, render
from tests.unit.data.rendering import CATALOG

__all__ = [
    "A4X",
    "ATTACHED",
    "BOUND",
    "CLAIMS",
    "FABRICS",
    "FIRST",
    "MACHINES",
    "RECIPES",
    "RELEASES",
    "TABLES",
    "TYPED",
    "asked",
    "built",
    "fitting",
    "given",
    "refusals",
]

RAILS = [f"eth{number}" for number in range(2, 10)]
DEVICES = [f"eth{number}" for number in range(1, 9)]
RECIPES = {f"{accelerator}-gke-cos-training-kubeflow": accelerator for accelerator in ("a100", "b200", "gb200", "h100", "h200")}
STACKS = dict.fromkeys(("a100", "b200", "gb200", "h100"), ("gke-default", "driver-installer"))
STACKS["h200"] = ("gke-default",)
MACHINES = {
    # name: accelerator, GPUs, the fabric's interfaces, settings of gIB
    **{f"a2-highgpu-{gpus}g": ("a100", gpus, [], None) for gpus in (1, 2, 4, 8)},
    "a2-megagpu-16g": ("a100", 16, [], None),
    **{f"a2-ultragpu-{gpus}g": ("a100", gpus, [], None) for gpus in (1, 2, 4, 8)},
    **{f"a3-highgpu-{gpus}g": ("h100", gpus, [], None) for gpus in (1, 2, 4)},
    "a3-highgpu-8g": ("h100", 8, DEVICES[:4], None),
    "a3-megagpu-8g": ("h100", 8, DEVICES, None),
    "a3-ultragpu-8g": ("h200", 8, RAILS, "a3u"),
    "a4-highgpu-8g": ("b200", 8, RAILS, "a4"),
    "a4x-highgpu-4g": ("gb200", 4, RAILS[:4], "a4x"),
    "a4x-highgpu-4g-nolssd": ("gb200", 4, RAILS[:4], "a4x"),
}
A4X = ["a4x-highgpu-4g", "a4x-highgpu-4g-nolssd"]
RDMA = ["a3-ultragpu-8g", "a4-highgpu-8g", *A4X]
FABRICS = {
    "gke-tcpxo-multinetwork": ["a3-megagpu-8g"],
    "gke-tcpx-multinetwork": ["a3-highgpu-8g"],
    "gke-rdma-multinetwork": RDMA,
    "gke-nvls-rdma": A4X,
    "gke-managed-dranet": RDMA,
}
TABLES = dict(zip(FABRICS, ("tcpxo", "tcpx", "gib", "gib", "gib"), strict=True))
RELEASES = {name: {row["name"]: row for row in CATALOG.release_table(name).data["releases"]} for name in ("tcpxo", "tcpx", "gib")}
CLAIMS = {
    "gke-nvls-rdma": [{"name": "imex-channel", "resourceClaimTemplateName": "torch-distributed-nvls-gib-channel"}],
    "gke-managed-dranet": [{"name": "rdma", "resourceClaimTemplateName": "torch-distributed-dranet"}],
}
ATTACHED = [
    (recipe, stack, value, machine, release)
    for (recipe, accelerator), (value, machines) in product(RECIPES.items(), FABRICS.items())
    for machine in machines
    if MACHINES[machine][0] == accelerator
    for stack, release in product(STACKS[accelerator], RELEASES[TABLES[value]])
]
TYPED = ("gke-rdma-multinetwork", "gke-nvls-rdma", "gke-managed-dranet")
"""The values that take the machine type as a parameter, because what their runtime holds depends on it."""
BOUND = [value for value in FABRICS if value != "gke-managed-dranet"]
FIRST = {value: next(case for case in ATTACHED if case[2] == value) for value in FABRICS}
"""A fitting choice of each value."""


def fitting(recipe, value):
    return [machine for machine in FABRICS.get(value, ()) if MACHINES[machine][0] == RECIPES[recipe]]


def given(value, machine, **more):
    parameters = {"machineType": machine} if value in TYPED else {}
    if value in BOUND:
        # A machine without rails has none to name: what is said is about the machine.
        rails = MACHINES[machine][2] or RAILS
        parameters["interfaces"] = {name: f"net-{index}" for index, name in enumerate(rails)}
    if value in CLAIMS:
        parameters["namespace"] = "team-a"
    return parameters | more


def asked(recipe, value, parameters, **more):
    profiles = {"fabricAttachment": value} | more.pop("profiles", {})
    given = {"fabricAttachment": parameters} if parameters else {}
    return Request(recipe=recipe, profiles=profiles, parameters=given, allow_unpinned=True, **more)


def built(request):
    """The objects of a request by subject; none may break a rule, and only an image without digest may be remarked on."""
    resources, notes = render(CATALOG, compose(CATALOG, request))
    assert {note.rule for note in notes} <= {"AICR-I004"}
    assert {note.severity for note in notes} <= {Severity.WARNING}
    return {resource.subject: resource.data for resource in resources}


def refusals(request):
    with pytest.raises(InvalidInput) as caught:
        compose(CATALOG, request)
    return [(finding.rule, finding.message) for finding in caught.value.findings]
