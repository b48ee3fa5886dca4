"""Every recipe of GKE with every fabric value, release and machine: what fits gives its bundle, all else is refused by its reason.

Which machine has which fabric: GoogleCloudPlatform/container-engine-accelerators gpudirect-tcpxo, gpudirect-tcpx, gpudirect-rdma;
docs.cloud.google.com on managed DRANET.
"""

import json
from itertools import chain, product

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.model.finding import Severity
from bundler.model.request import Request
from bundler.pipeline import compose, render
from tests.unit.data.rendering import CATALOG, containers, pod

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
RUNTIMES = {
    "gke-tcpxo-multinetwork": "ClusterTrainingRuntime/torch-distributed-tcpxo",
    "gke-tcpx-multinetwork": "ClusterTrainingRuntime/torch-distributed-tcpx",
    "gke-rdma-multinetwork": "ClusterTrainingRuntime/torch-distributed-gib",
    "gke-nvls-rdma": "TrainingRuntime/torch-distributed-nvls-gib",
    "gke-managed-dranet": "TrainingRuntime/torch-distributed-dranet",
}
TABLES = dict(zip(FABRICS, ("tcpxo", "tcpx", "gib", "gib", "gib"), strict=True))
INSTALLERS = {
    "tcpxo": "DaemonSet/nccl-tcpxo-installer",
    "tcpx": "DaemonSet/nccl-tcpx-installer",
    "gib": "DaemonSet/nccl-rdma-installer",
}
RELEASES = {name: {row["name"]: row for row in CATALOG.release_table(name).data["releases"]} for name in INSTALLERS}
CLAIMS = {
    "gke-nvls-rdma": [{"name": "imex-channel", "resourceClaimTemplateName": "torch-distributed-nvls-gib-channel"}],
    "gke-managed-dranet": [{"name": "rdma", "resourceClaimTemplateName": "torch-distributed-dranet"}],
}
NVLS = {"NCCL_CUMEM_ENABLE": "1", "NCCL_MNNVL_ENABLE": "1", "NCCL_NVLS_ENABLE": "1"}
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
NAMED = CATALOG.profiles["fabricAttachment"].data["values"]
NETWORK = "the name of a GKE Network (RFC 1123 label of at most 41 characters), not the cluster's default network"


def fitting(recipe, value):
    return [machine for machine in FABRICS.get(value, ()) if MACHINES[machine][0] == RECIPES[recipe]]


FOREIGN = [pair for pair in product(RECIPES, NAMED) if pair[1] != "none" and not fitting(*pair)]
MISFITS = [
    (recipe, value, machine)
    for recipe, value, machine in product(RECIPES, FABRICS, MACHINES)
    if fitting(recipe, value) and machine not in fitting(recipe, value)
]


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


FIRST = {value: next(case for case in ATTACHED if case[2] == value) for value in FABRICS}


@pytest.mark.parametrize("name", ["v0.0.1", "latest", "", *chain(*RELEASES.values())])
@pytest.mark.parametrize("value", FABRICS)
def test_a_release_outside_its_table_is_refused(value, name):
    recipe, _, _, machine, _ = FIRST[value]
    request = asked(recipe, value, given(value, machine, release=name))
    if name in RELEASES[TABLES[value]]:
        assert compose(CATALOG, request)
    else:
        message = f"parameter fabricAttachment.release: '{name}' is no release of {TABLES[value]}"
        assert refusals(request) == [("AICR-P014", message)]


@pytest.mark.parametrize("value", FABRICS)
def test_every_parameter_that_has_no_default_must_be_given(value):
    recipe, _, _, machine, _ = FIRST[value]
    needed = list(given(value, machine))
    found = refusals(asked(recipe, value, {}))
    assert {rule for rule, _ in found} == {"AICR-P006"}
    prefix = f"fabricAttachment={value} needs the parameter "
    assert sorted(message.removeprefix(prefix).partition(":")[0] for _, message in found) == sorted(map(repr, needed))


@pytest.mark.parametrize("value", FABRICS)
def test_no_parameter_of_another_value_is_taken(value):
    recipe, _, _, machine, _ = FIRST[value]
    foreign = {"instanceType": "p5.48xlarge", "resourceName": "rdma/hca"}
    if value not in BOUND:
        foreign["interfaces"] = {"eth2": "rdma-0"}
    if value not in CLAIMS:
        foreign["namespace"] = "team-a"
    found = refusals(asked(recipe, value, given(value, machine) | foreign))
    assert found == [("AICR-P007", f"fabricAttachment={value} has no parameter '{name}'") for name in foreign]


def faulty(value):
    """Interface maps of a value that are each wrong in one way, with the rule and the end of its message."""
    right = given(value, FIRST[value][3])["interfaces"]
    names = list(right)
    first, last, count = names[0], names[-1], len(names)
    for name in ("default", "Net-0", "net_0", "net.0", "-net", "net-", "n" * 42, "", "net-0\n"):
        yield right | {first: name}, "AICR-P012", f": {first} is {name!r}, not {NETWORK}"
    yield right | {first: right[last]}, "AICR-P011", f" gives '{right[last]}' to {first}, {last}"
    yield right | {first: 0}, "AICR-P013", f": {first} is a string, not 0"
    yield {name: right[name] for name in names[:-1]}, "AICR-P008", f" has {count - 1} of {count} entries: {last} is missing"
    yield {}, "AICR-P008", f" has 0 of {count} entries: {', '.join(names)} are missing"
    for name in ("eth0", "eth10", "rdma0"):
        yield right | {name: "net-10"}, "AICR-P009", f" has no entry '{name}'"


@pytest.mark.parametrize(("value", "interfaces", "rule", "end"), [(value, *fault) for value in BOUND for fault in faulty(value)])
def test_interfaces_are_exactly_those_of_the_machine_each_with_a_network_of_its_own(*, value, interfaces, rule, end):
    recipe, _, _, machine, _ = FIRST[value]
    request = asked(recipe, value, given(value, machine) | {"interfaces": interfaces})
    assert refusals(request) == [(rule, f"parameter fabricAttachment.interfaces{end}")]


@pytest.mark.parametrize("value", BOUND)
def test_the_longest_name_of_a_network_is_taken(value):
    recipe, _, _, machine, _ = FIRST[value]
    right = given(value, machine)
    right["interfaces"] |= {min(right["interfaces"]): "n" * 41}
    assert compose(CATALOG, asked(recipe, value, right))


@pytest.mark.parametrize("value", CLAIMS)
@pytest.mark.parametrize("namespace", ["Team", "team_a", "-team", "team-", "", "a" * 64, "team\n", "team.a"])
def test_the_namespace_of_a_claim_is_a_label(value, namespace):
    recipe, _, _, machine, _ = FIRST[value]
    ((rule, message),) = refusals(asked(recipe, value, given(value, machine, namespace=namespace)))
    assert rule == "AICR-P012"
    assert message.startswith(f"parameter fabricAttachment.namespace: it is {namespace!r}"[:80])
    assert message.endswith(", not a namespace (RFC 1123 label)")


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
