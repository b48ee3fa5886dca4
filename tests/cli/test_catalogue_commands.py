"""Requirements on the commands that show authored data: text for people, JSON and YAML for programs, and both say the same."""

import json

import jsonschema_rs
import pytest
import yaml

GKE = "h100-gke-cos-training-kubeflow"
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
    assert len(recipes) == 5
    assert recipes[GKE]["criteria"]["service"] == "gke"
    assert recipes[GKE]["profiles"]["fabricAttachment"] == {"required": True, "values": ["none", "gke-tcpxo-multinetwork"]}


def test_a_recipe_is_shown_as_authored(run):
    assert data_of(run, "recipe", "show", GKE)["metadata"]["name"] == GKE
    out = run("recipe", "show", GKE).out
    assert "criteria  service=gke accelerator=h100 os=cos intent=training platform=kubeflow\n" in out
    assert "fabricAttachment  required             none, gke-tcpxo-multinetwork\n" in out


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
    assert data_of(run, "profile", "show", "gpuStack")["kind"] == "Profile"
    assert "gpu-operator:devicePlugin.enabled=false" in run("profile", "show", "gpuStack").out


def test_inputs_are_what_a_recipe_still_has_to_be_told(run):
    found = data_of(run, "inputs", "--recipe", GKE)
    assert found["recipe"] == GKE
    profile, parameter = found["inputs"]
    assert (profile["kind"], profile["axis"], profile["flag"]) == (
        "profile",
        "fabricAttachment",
        "--profile fabricAttachment=VALUE",
    )
    assert profile["schema"] == {"type": "string", "enum": ["none", "gke-tcpxo-multinetwork"]}
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
    assert [item["parameter"] for item in inputs] == [None, "interfaces", "release", None]
    for item in inputs:
        jsonschema_rs.validate(item["schema"], item["example"])


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
    out = run("inputs", "--service", "gke", "-t", "text").out
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
