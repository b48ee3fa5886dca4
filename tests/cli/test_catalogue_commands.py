"""Requirements on the commands that show authored data: text for people, JSON and YAML for programs, and both say the same."""

import json

import jsonschema_rs
import pytest
import yaml

GKE = "h100-gke-cos-training-kubeflow"
TCPXO, TCPX = "gke-tcpxo-multinetwork", "gke-tcpx-multinetwork"
INTERFACES = {f"eth{number}": f"gpu-nic-{number - 1}" for number in range(1, 9)}
INTERFACES_FLAG = "--param fabricAttachment.interfaces=" + ",".join(f"{name}={network}" for name, network in INTERFACES.items())


def data_of(run, *words):
    """What a command prints as JSON, which is the same in YAML."""
    code, out, err = run(*words, "-t", "json")
    assert (code, err) == (0, "")
    in_yaml = run(*words, "--format", "yaml")
    assert yaml.safe_load(in_yaml.out) == json.loads(out)
    return json.loads(out)


def test_recipes_are_listed_with_what_is_left_to_choose(run):
    code, out, err = run("recipe", "list")
    assert (code, err) == (0, "")
    row = next(line for line in out.splitlines() if line.startswith(GKE))
    assert "gpuStack=gke-default fabricAttachment=?" in row
    assert out.splitlines()[0].split() == ["NAME", "PROFILES", "DESCRIPTION"]


def test_recipes_are_listed_as_data(run):
    recipes = {recipe["name"]: recipe for recipe in data_of(run, "recipe", "list")}
    assert {GKE, "h100-kind-training-kubeflow"} <= set(recipes)
    assert recipes[GKE]["criteria"]["service"] == "gke"
    assert recipes[GKE]["profiles"]["fabricAttachment"] == {"required": True, "values": ["none", TCPXO, TCPX]}


def test_a_recipe_is_shown_as_authored(run):
    assert data_of(run, "recipe", "show", GKE)["metadata"]["name"] == GKE
    out = run("recipe", "show", GKE).out
    assert "criteria  service=gke accelerator=h100 os=cos intent=training platform=kubeflow\n" in out
    assert f"fabricAttachment  required             none, {TCPXO}, {TCPX}\n" in out


def test_a_recipe_recommends_from_its_criteria_alone_what_attaches_its_jobs(run):
    words = ("--service", "gke", "--accelerator", "h100")
    found = data_of(run, "recipe", "show", *words)["recommended"]
    assert found == data_of(run, "recipe", "show", GKE)["recommended"]
    assert found["plainRuntimes"] == ["torch-distributed"]
    mega, high = found["attachments"]
    assert mega == {
        "axis": "fabricAttachment",
        "value": TCPXO,
        "description": mega["description"],
        "flag": f"--profile fabricAttachment={TCPXO}",
        "machines": ["a3-megagpu-8g"],
        "runtimes": ["torch-distributed-tcpxo"],
        "parameters": [
            {
                "parameter": "interfaces",
                "description": "Pod interface to GKE Network, in the order of the node's NICs.",
                "flag": INTERFACES_FLAG,
                "discoveredBy": "kubectl get networks.networking.gke.io",
            }
        ],
        "components": ["gke-device-injector", "gke-nccl-tcpxo"],
        "constraints": ["K8s.server.version >= 1.29"],
        "transport": "FasTrak",
    }
    assert (high["value"], high["machines"], high["runtimes"]) == (TCPX, ["a3-highgpu-8g"], ["torch-distributed-tcpx"])
    out = run("recipe", "show", *words).out
    assert f"\n--profile fabricAttachment={TCPXO}\n" in out
    assert "\n  machines  a3-megagpu-8g\n  runtime   torch-distributed-tcpxo\n" in out
    assert out.endswith("\nwithout a fabric, a job names the runtime torch-distributed\n")


def test_a_machine_type_leaves_what_fits_it(run):
    found = data_of(run, "recipe", "show", GKE, "--machine-type", "a3-highgpu-8g")["recommended"]["attachments"]
    assert [(each["value"], each["machines"]) for each in found] == [(TCPX, ["a3-highgpu-8g"])]
    code, _, err = run("recipe", "show", GKE, "--machine-type", "a3-megagpu-9g")
    assert (code, err.splitlines()[0]) == (
        2,
        "error[AICR-P021]: machine type 'a3-megagpu-9g' is not in bom/machines/gke.yaml",
    )


def test_a_recipe_without_a_fabric_recommends_the_plain_runtime(run):
    out = run("recipe", "show", "h100-kind-training-kubeflow").out
    assert out.endswith("no value attaches jobs to a fabric\n\nwithout a fabric, a job names the runtime torch-distributed\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "error[AICR-U010]: nothing chooses a recipe\n  --> aicr recipe show\n  fix: name a recipe, or state criteria"),
        (
            (GKE, "--service", "gke"),
            "error[AICR-U011]: a recipe states all its criteria; --service cannot stand beside one that is named\n",
        ),
        (("--service", "gkee"), "error[AICR-C002]: no recipe has service=gkee\n"),
    ],
)
def test_one_recipe_is_shown(run, words, said):
    code, out, err = run("recipe", "show", *words)
    assert (code, out) == (2, "")
    assert err.startswith(said)


def test_a_recipe_is_shown_from_a_file(run, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        "apiVersion: aicr.run/v2\nkind: Recipe\nmetadata: {name: mine, description: Mine.}\n"
        "criteria: {service: kind, accelerator: h100, os: ubuntu, intent: training, platform: kubeflow}\n"
    )
    assert run("recipe", "show", path).out.startswith("mine\nMine.\n")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("recipe", "show", "h100-gke-training"), 3, "error[AICR-U017]: no recipe 'h100-gke-training'\n  --> aicr recipe show\n"),
        (("profile", "show", "gpuStak"), 3, "error[AICR-U016]: no profile axis 'gpuStak'\n  --> aicr profile show\n  fix: did"),
        (("schema", "recpe"), 3, "error[AICR-U015]: no schema 'recpe'\n  --> aicr schema\n  fix: did you mean 'recipe'?\n"),
        (("schema",), 2, "error[AICR-U003]: one schema or the list is printed\n"),
        (("schema", "recipe", "--list"), 2, "error[AICR-U003]: one schema or the list is printed\n"),
    ],
)  # fmt: skip
def test_an_unknown_name_is_not_found_and_the_nearest_is_named(run, words, code, said):
    outcome = run(*words)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith(said)


def test_a_resolved_recipe_says_what_every_choice_came_to(run):
    words = ("--recipe", GKE, "--profile", "fabricAttachment=none", "--set", "gpu-operator:driver.rdma.enabled=true")
    resolved = data_of(run, "recipe", "resolve", *words)
    assert resolved["recipe"] == GKE
    assert resolved["profiles"]["fabricAttachment"]["value"] == "none"
    assert resolved["components"]["gpu-operator"]["values"]["driver"]["rdma"] == {"enabled": True}
    assert resolved["runtimes"] == ["torch-distributed"]
    assert [layer["label"] for layer in resolved["layers"]][-1] == "flags"
    order = list(json.loads(run("recipe", "resolve", *words, "-t", "json").out)["components"])
    assert order.index("nfd") < order.index("gpu-operator"), "components stand in the order in which they are installed"
    text = run("recipe", "resolve", *words).out
    assert "gpuStack          gke-default" in text


def test_profiles_are_listed(run):
    axes = {axis["axis"]: axis for axis in data_of(run, "profile", "list")}
    assert set(axes) == {"fabricAttachment", "gpuStack"}
    assert axes["fabricAttachment"]["recipes"][GKE]["required"] is True
    assert run("profile", "list").out.splitlines()[0].split() == ["AXIS", "VALUES", "DESCRIPTION"]


def test_a_profile_is_shown_with_the_flags_of_its_parameters(run):
    out = run("profile", "show", "fabricAttachment").out
    assert f"  {INTERFACES_FLAG}\n" in out
    assert "    found with: kubectl get networks.networking.gke.io\n" in out
    assert "  machines     a3-megagpu-8g\n" in out
    assert ", p5.48xlarge, p5e.48xlarge, p5en.48xlarge, " in out
    assert "(a row of bom/machines/eks.yaml with efa and hugepages2Mi; the machine type when left out)\n" in out
    assert "(required, one entry for each of machineType.interfaces)\n" in out
    assert "K8s.aks-gpu-pools.gpu-driver None (with service=aks)" in run("profile", "show", "gpuStack").out
    assert data_of(run, "profile", "show", "gpuStack")["kind"] == "Profile"
    assert "gpu-operator:devicePlugin.enabled=false" in run("profile", "show", "gpuStack").out


def test_inputs_are_what_a_recipe_still_has_to_be_told(run):
    found = data_of(run, "inputs", "--recipe", GKE)
    assert found["recipe"] == GKE
    profile, parameter, other = found["inputs"]
    assert (other["value"], other["parameter"]) == (TCPX, "interfaces")
    assert (profile["kind"], profile["axis"], profile["flag"]) == (
        "profile",
        "fabricAttachment",
        "--profile fabricAttachment=VALUE",
    )
    assert profile["schema"] == {"type": "string", "enum": ["none", TCPXO, TCPX]}
    assert profile["machines"] == {TCPXO: ["a3-megagpu-8g"], TCPX: ["a3-highgpu-8g"]}
    assert parameter == {
        "kind": "parameter",
        "axis": "fabricAttachment",
        "value": "gke-tcpxo-multinetwork",
        "parameter": "interfaces",
        "required": True,
        "given": False,
        "description": parameter["description"],
        "schema": parameter["schema"],
        "default": None,
        "example": INTERFACES,
        "discoveredBy": "kubectl get networks.networking.gke.io",
        "flag": INTERFACES_FLAG,
    }


def test_the_example_of_an_input_is_valid_by_its_schema(run):
    inputs = data_of(run, "inputs", "--recipe", GKE, "--all")["inputs"]
    assert [item["parameter"] for item in inputs] == [None, *["interfaces", "release"] * 2, None]
    for item in inputs:
        jsonschema_rs.validate(item["schema"], item["example"])


def test_a_machine_is_asked_for_by_those_that_fit_with_the_keys_that_it_lists(run):
    words = ("inputs", "--service", "gke", "--accelerator", "gb200", "--profile", "fabricAttachment=gke-rdma-multinetwork")
    machine, interfaces = data_of(run, *words)["inputs"]
    assert machine["schema"]["enum"] == ["a4x-highgpu-4g", "a4x-highgpu-4g-nolssd"]
    assert (machine["example"], machine["flag"]) == ("a4x-highgpu-4g", "--param fabricAttachment.machineType=a4x-highgpu-4g")
    assert "properties" not in interfaces["schema"]
    for given in (("--machine-type", "a4x-highgpu-4g"), ("--param", "fabricAttachment.machineType=a4x-highgpu-4g")):
        (interfaces,) = data_of(run, *words, *given)["inputs"]
        assert list(interfaces["schema"]["properties"]) == interfaces["schema"]["required"] == ["eth2", "eth3", "eth4", "eth5"]
        assert list(interfaces["example"]) == ["eth2", "eth3", "eth4", "eth5"]
    out = run(*words, "-t", "text").out
    assert "\n  one of: a4x-highgpu-4g, a4x-highgpu-4g-nolssd\n" in out


def test_a_machine_type_leaves_the_values_that_fit_it(run):
    words = ("inputs", "--recipe", GKE, "--machine-type", "a3-highgpu-8g")
    profile, interfaces = data_of(run, *words)["inputs"]
    assert profile["schema"]["enum"] == ["none", TCPX]
    assert profile["machines"] == {TCPX: ["a3-highgpu-8g"]}
    assert interfaces["value"] == TCPX
    assert f"\n    {TCPX}  " in run(*words, "-t", "text").out


def test_the_flags_of_the_inputs_are_enough_to_bundle(run):
    profile = ("--profile", "fabricAttachment=gke-tcpxo-multinetwork")
    flags = []
    while inputs := data_of(run, "inputs", "--recipe", GKE, *profile, *flags)["inputs"]:
        flags += inputs[0]["flag"].split(" ", 1)
    assert flags == INTERFACES_FLAG.split(" ", 1)
    assert run("bundle", "--recipe", GKE, *profile, *flags, "--dry-run").code == 0


def test_a_chosen_value_asks_only_for_its_own_parameters(run):
    assert data_of(run, "inputs", "--recipe", GKE, "--profile", "fabricAttachment=none")["inputs"] == []
    assert run("inputs", "--recipe", GKE, "--profile", "fabricAttachment=none", "-t", "text").out == "nothing has to be given\n"


def test_inputs_are_read_by_people_too(run):
    out = run("inputs", "--recipe", GKE, "-t", "text").out
    assert out.startswith("--profile fabricAttachment=VALUE\n")
    assert f"\n{INTERFACES_FLAG}\n" in out
    assert "\n  with --profile fabricAttachment=gke-tcpxo-multinetwork\n" in out


def test_what_is_given_already_is_checked(run):
    code, out, err = run("inputs", "--recipe", GKE, "--profile", "fabricAttachment=nne")
    assert (code, out) == (2, "")
    assert err.startswith("error[AICR-P003]: fabricAttachment has no value 'nne'\n")


def test_inputs_without_a_selection_are_the_axes(run):
    assert [axis["axis"] for axis in data_of(run, "inputs")["axes"]] == ["fabricAttachment", "gpuStack"]


def test_schemas_are_listed_and_printed(run):
    names = run("schema", "--list").out.split()
    assert {"base", "bundlerecipe", "overlay", "profile", "recipe", "registry"} <= set(names)
    for name in names:
        schema = json.loads(run("schema", name).out)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert run("schema", "Recipe").out == run("schema", "recipe").out
