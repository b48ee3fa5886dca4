"""Every recipe of GKE with every fabric, release and machine: what fits gives its bundle, all else is refused by its reason."""

import json
from itertools import product

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.model.request import Request
from bundler.pipeline import compose, render
from tests.unit.data.gke import (
    A4X,
    ATTACHED,
    BOUND,
    CLAIMS,
    FABRICS,
    MACHINES,
    RECIPES,
    RELEASES,
    TABLES,
    TYPED,
    asked,
    built,
    fitting,
    given,
    refusals,
)
from tests.unit.data.rendering import CATALOG, containers, pod

NAMED = CATALOG.profiles["fabricAttachment"].data["values"]
RUNTIMES = {
    "gke-tcpxo-multinetwork": "ClusterTrainingRuntime/torch-distributed-tcpxo",
    "gke-tcpx-multinetwork": "ClusterTrainingRuntime/torch-distributed-tcpx",
    "gke-rdma-multinetwork": "ClusterTrainingRuntime/torch-distributed-gib",
    "gke-nvls-rdma": "TrainingRuntime/torch-distributed-nvls-gib",
    "gke-managed-dranet": "TrainingRuntime/torch-distributed-dranet",
}
INSTALLERS = {
    "tcpxo": "DaemonSet/nccl-tcpxo-installer",
    "tcpx": "DaemonSet/nccl-tcpx-installer",
    "gib": "DaemonSet/nccl-rdma-installer",
}
NVLS = {"NCCL_CUMEM_ENABLE": "1", "NCCL_MNNVL_ENABLE": "1", "NCCL_NVLS_ENABLE": "1"}
FOREIGN = [pair for pair in product(RECIPES, NAMED) if pair[1] != "none" and not fitting(*pair)]
MISFITS = [
    (recipe, value, machine)
    for recipe, value, machine in product(RECIPES, FABRICS, MACHINES)
    if fitting(recipe, value) and machine not in fitting(recipe, value)
]


def settings(value, machine, release):
    tuning = CATALOG.fragment("gib-tuning")
    expected = {row["name"]: row["value"] for row in RELEASES[TABLES[value]][release]["env"]}
    if value == "gke-nvls-rdma":
        return expected | {row["name"]: row["value"] for row in tuning["a4x-nvls"]} | NVLS
    if value in TYPED:
        return expected | {row["name"]: row["value"] for row in tuning[MACHINES[machine][3]]}
    return expected


def reference(image):
    digest = f"@{image['digest']}" if "digest" in image else ""
    return f"{image['repository']}:{image['tag']}{digest}"


def test_the_tables_of_this_test_are_those_of_the_product():
    rows = CATALOG.machine_table("gke").data["machines"]
    assert {row["name"]: (row["accelerator"], row["gpus"]) for row in rows} == {
        name: machine[:2] for name, machine in MACHINES.items()
    }
    packaged = {name for name, recipe in CATALOG.recipes.items() if recipe.data["criteria"]["service"] == "gke"}
    assert set(RECIPES) == packaged
    declared = CATALOG.profiles["fabricAttachment"].data["values"]
    assert set(FABRICS) == {name for name in declared if name.startswith("gke-")}


@pytest.mark.parametrize(("recipe", "stack", "value", "machine", "release"), ATTACHED)
def test_a_fitting_choice_gives_a_bundle_that_keeps_every_rule(*, recipe, stack, value, machine, release):
    request = asked(recipe, value, given(value, machine, release=release), profiles={"gpuStack": stack}, machine_type=machine)
    objects = built(request)
    _, gpus, interfaces, _ = MACHINES[machine]
    runtime = objects[RUNTIMES[value]]
    template, worker = pod(runtime), containers(runtime)["node"]

    assert worker["resources"]["limits"] == {"nvidia.com/gpu": str(gpus)}
    assert worker["resources"]["requests"] == worker["resources"]["limits"]
    env = {each["name"]: each["value"] for each in worker["env"]}
    assert env == settings(value, machine, release)
    assert len(worker["env"]) == len(env)

    annotations = template.get("metadata", {}).get("annotations", {})
    if value in BOUND:
        assert json.loads(annotations["networking.gke.io/interfaces"]) == [
            {"interfaceName": "eth0", "network": "default"},
            *({"interfaceName": name, "network": f"net-{index}"} for index, name in enumerate(interfaces)),
        ]
    else:
        assert annotations == {}
    assert template["spec"].get("resourceClaims", []) == CLAIMS.get(value, [])
    assert worker["resources"].get("claims", []) == [{"name": claim["name"]} for claim in CLAIMS.get(value, [])]
    assert runtime["metadata"].get("namespace") == ("team-a" if value in CLAIMS else None)

    row = RELEASES[TABLES[value]][release]
    plugin = row["pluginArm64"] if machine in A4X else row["plugin"]
    images = [each["image"] for each in objects[INSTALLERS[TABLES[value]]]["spec"]["template"]["spec"]["initContainers"]]
    assert reference(plugin) in images
    daemons = [each for name, each in containers(runtime).items() if name != "node"]
    assert [each["image"] for each in daemons] == ([reference(row["daemon"])] if "daemon" in row else [])
    assert ("DaemonSet/nvidia-driver-installer" in objects) == (stack == "driver-installer")
    # The runtime of jobs that need no fabric is there whatever is chosen.
    assert "ClusterTrainingRuntime/torch-distributed" in objects
    assert {name for name in objects if name.startswith("ClusterTrainingRuntime/")} == {
        "ClusterTrainingRuntime/torch-distributed",
        *([RUNTIMES[value]] if value not in CLAIMS else []),
    }


@pytest.mark.parametrize(("recipe", "accelerator"), RECIPES.items())
@pytest.mark.parametrize("machine", MACHINES)
def test_jobs_without_a_fabric_fit_every_machine_of_the_accelerator(recipe, accelerator, machine):
    profiles = {} if accelerator == "a100" else {"fabricAttachment": "none"}
    request = Request(recipe=recipe, profiles=profiles, machine_type=machine, allow_unpinned=True)
    if MACHINES[machine][0] == accelerator:
        assert "ClusterTrainingRuntime/torch-distributed" in built(request)
    else:
        message = f"machine type {machine} has the accelerator {MACHINES[machine][0]}, the recipe is for {accelerator}"
        assert refusals(request) == [("AICR-P022", message)]


def test_an_a3_high_with_fewer_gpus_says_that_its_jobs_run_over_tcp():
    small = [name for name in MACHINES if name.startswith("a3-highgpu-") and name != "a3-highgpu-8g"]
    for machine in small:
        request = Request(recipe="h100-gke-cos-training-kubeflow", profiles={"fabricAttachment": "none"}, machine_type=machine)
        (warning,) = compose(CATALOG, request).warnings
        assert warning.rule == "AICR-P025"
        assert warning.message.startswith(f"{machine}: ")
        assert "run over TCP" in warning.message


@pytest.mark.parametrize(("recipe", "value"), FOREIGN)
def test_a_value_of_other_machines_or_another_cloud_is_refused(recipe, value):
    ((rule, message),) = refusals(asked(recipe, value, {}))
    if RECIPES[recipe] == "a100":
        # A2 has no NICs for GPUs: there is nothing to choose.
        assert (rule, message) == ("AICR-P001", f"recipe '{recipe}' has no profile 'fabricAttachment'")
    else:
        criteria = {"service": "gke", "accelerator": RECIPES[recipe]}
        fits = NAMED[value]["appliesTo"]["criteria"]
        wrong = [f"{name}={criteria[name]}" for name in criteria if name in fits and criteria[name] not in fits[name]]
        assert rule == "AICR-P004"
        assert message.startswith(f"fabricAttachment={value} does not apply to {', '.join(wrong)}: it fits ")


@pytest.mark.parametrize(("recipe", "value", "machine"), MISFITS)
def test_a_machine_type_that_the_fabric_does_not_fit_is_refused(recipe, value, machine):
    accelerator, actual = RECIPES[recipe], MACHINES[machine][0]
    request = asked(recipe, value, given(value, fitting(recipe, value)[0]), machine_type=machine)
    if actual != accelerator:
        message = f"machine type {machine} has the accelerator {actual}, the recipe is for {accelerator}"
        assert refusals(request)[0] == ("AICR-P022", message)
    else:
        # A3 High asked for TCPXO, A3 Mega for TCPX, and A3 High with fewer GPUs for either.
        reason = f"which is not among its machine types ({', '.join(FABRICS[value])})"
        assert refusals(request) == [("AICR-P023", f"fabricAttachment={value} does not fit machine type {machine}, {reason}")]


@pytest.mark.parametrize(("recipe", "value", "machine"), [case for case in MISFITS if case[1] in TYPED])
def test_a_machine_that_the_fabric_does_not_fit_is_refused_as_a_parameter(recipe, value, machine):
    reason = f"has the accelerator {MACHINES[machine][0]}, not {RECIPES[recipe]}"
    message = f"parameter fabricAttachment.machineType: {machine} {reason}"
    assert refusals(asked(recipe, value, given(value, machine))) == [("AICR-P022", message)]


@pytest.mark.parametrize(
    ("recipe", "value", "stated", "parameter"),
    [("gb200-gke-cos-training-kubeflow", value, *pair) for value in TYPED for pair in (A4X, reversed(A4X))],
)
def test_two_machine_types_that_differ_are_a_contradiction(recipe, value, stated, parameter):
    (refusal, *_) = refusals(asked(recipe, value, given(value, parameter), machine_type=stated))
    message = f"parameter fabricAttachment.machineType is '{parameter}', the machine type is '{stated}' (--machine-type)"
    assert refusal == ("AICR-P024", message)


def test_a_stated_machine_type_needs_no_second_statement():
    recipe, value, machine = "b200-gke-cos-training-kubeflow", "gke-rdma-multinetwork", "a4-highgpu-8g"
    parameters = given(value, machine)
    del parameters["machineType"]
    assert built(asked(recipe, value, parameters, machine_type=machine)) == built(asked(recipe, value, given(value, machine)))


OVERLAY = """\
apiVersion: aicr.run/v2
kind: Overlay
metadata: {name: site, description: Both ways to the NICs.}
criteria: {service: gke, accelerator: b200, os: cos}
runtimes:
  - name: torch-distributed-dranet
    patches:
      - op: add
        path: /spec/template/spec/replicatedJobs/0/template/spec/template/metadata
        value: {annotations: {networking.gke.io/interfaces: '[{"interfaceName":"eth0","network":"default"}]'}}
"""


def test_device_networks_and_managed_dranet_do_not_meet_in_one_bundle(tmp_path):
    (tmp_path / "overlays").mkdir()
    (tmp_path / "overlays" / "site.yaml").write_text(OVERLAY)
    catalog = Catalog.load(tmp_path)
    request = asked("b200-gke-cos-training-kubeflow", "gke-managed-dranet", given("gke-managed-dranet", "a4-highgpu-8g"))
    with pytest.raises(InvalidInput) as caught:
        render(catalog, compose(catalog, request))
    message = (
        "annotation networking.gke.io/interfaces cannot stand beside fabricAttachment=gke-managed-dranet: "
        "Device networks and managed DRANET both manage the RDMA NICs"
    )
    assert [(finding.rule, finding.message) for finding in caught.value.findings] == [("AICR-F016", message)]
