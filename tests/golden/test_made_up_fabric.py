"""A fabric that does not exist, by data files alone: `warp` is a `--data` directory with all that the shipped fabrics have.

A component, a runtime of one namespace with its claim, a machine table with a fact of its own, a release table, wiring, a value of
the packaged axis and a recipe that offers it. No line of code knows any of them.
"""

import json
import shutil
from pathlib import Path

import pytest

from bundler import Catalog, InvalidInput, Request, bundle
from bundler.lint.lint import lint_path
from bundler.model.finding import Severity
from bundler.publish.recipe_file import read_request
from bundler.yamlio.reader import read

DATA = Path(__file__).parent / "warp"
RECIPE = "h100-lab-ubuntu-training-kubeflow"
RUNTIME = "runtimes/trainingruntime-torch-distributed-warp.yaml"


@pytest.fixture(scope="module")
def catalog():
    return Catalog.load(DATA)


def request(machine="loom-8", networks="warp1=a,warp2=b", **stated):
    parameters = {"machine": machine, "networks": networks, "namespace": "team-a", **stated.pop("more", {})}
    given = {name: value for name, value in parameters.items() if value is not None}
    return Request(recipe=RECIPE, profiles={"fabricAttachment": "lab-warp"}, parameters={"fabricAttachment": given}, **stated)


def refused(catalog, asked):
    with pytest.raises(InvalidInput) as caught:
        bundle(catalog, asked)
    return [(finding.rule, finding.message) for finding in caught.value.findings]


def pod_of(made):
    runtime = read(made.files[RUNTIME], RUNTIME).data
    return runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]


def test_the_data_is_sound_and_replaces_nothing(catalog):
    assert [finding for finding in lint_path(DATA) if finding.severity is Severity.ERROR] == []
    assert catalog.notes == ()
    assert {"none", "gke-tcpxo-multinetwork", "lab-warp"} <= set(catalog.profiles["fabricAttachment"].data["values"])


def test_the_bundle_has_all_parts_of_the_fabric(catalog):
    made = bundle(catalog, request())
    assert made.warnings == ()
    assert {
        "components/warp-plugin/templates/daemonset-warp-plugin.yaml",
        "runtimes/resourceclaimtemplate-torch-distributed-warp.yaml",
        RUNTIME,
    } <= set(made.files)
    pod = pod_of(made)
    node = pod["spec"]["containers"][0]
    assert node["resources"]["limits"] == {"nvidia.com/gpu": "8", "example.com/warp": "4"}
    assert node["env"] == [{"name": "WARP_NET", "value": "2"}]
    bound = json.loads(pod["metadata"]["annotations"]["networks.example.com/interfaces"])
    assert [entry["network"] for entry in bound] == ["default", "a", "b"]
    devices = read(pod["metadata"]["annotations"]["devices.example.com/container.warpd"].encode(), "annotation").data
    assert devices == [{"path": "/dev/warp0"}, {"path": "/dev/warpctl"}]


def test_another_machine_changes_every_count(catalog):
    made = bundle(catalog, request("loom-4", "warp1=a"))
    assert [warning.message for warning in made.warnings] == ["loom-4: Half a loom"]
    assert pod_of(made)["spec"]["containers"][0]["resources"]["limits"] == {"nvidia.com/gpu": "4", "example.com/warp": "2"}
    installer = read(made.files["components/warp-plugin/templates/daemonset-warp-plugin.yaml"], "x").data
    assert installer["spec"]["template"]["spec"]["nodeSelector"] == {"kubernetes.io/arch": "arm64"}


def test_the_bundle_says_what_its_jobs_must_know(catalog):
    text = bundle(catalog, request()).files["README.md"].decode()
    assert "The fabric is attached on these machine types and on no others: `loom-8`." in text
    assert "TrainingRuntime for jobs in the namespace `team-a`" in text
    assert (
        "Each pod claims `loom` by the template `torch-distributed-warp`, "
        "which `runtimes/resourceclaimtemplate-torch-distributed-warp.yaml` brings.\n"
    ) in text
    assert "Each node is taken whole, with `example.com/warp: 4, nvidia.com/gpu: 8`." in text
    assert (
        "Trainer 2.2 puts it in the place of all this and of the claims; Trainer 2.3 lays it over this name by name,\ndrops" in text
    )
    assert "      runtimeRef:\n        kind: TrainingRuntime\n        name: torch-distributed-warp\n" in text


def test_the_lock_records_the_machine_and_the_bundle_makes_itself_again(catalog, tmp_path):
    made = bundle(catalog, request(None, machine_type="loom-8"))
    lock = read(made.files["bundle.lock.yaml"], "bundle.lock.yaml").data
    assert (lock["machineType"], lock["machineTypes"]) == ("loom-8", ["loom-8"])
    assert [(row["table"], row["name"]) for row in lock["machines"]] == [("lab", "loom-8")]
    assert catalog.validator("bundlelock").check(lock) == ()
    (tmp_path / "recipe.yaml").write_bytes(made.files["recipe.yaml"])
    again = bundle(catalog, read_request(catalog.open(tmp_path / "recipe.yaml", kinds=("BundleRecipe",))))
    assert again.files == made.files


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (request("thread-1"), [("AICR-P022", "parameter fabricAttachment.machine: thread-1 has no warpLinks and no interfaces")]),
        (request("loom-9"), [("AICR-P021", "parameter fabricAttachment.machine: 'loom-9' is no machine of lab")]),
        (
            request(networks="warp1=a"),
            [("AICR-P008", "parameter fabricAttachment.networks has 1 of 2 entries: warp2 is missing")],
        ),
        (
            request(more={"release": "1.0"}),
            [
                ("AICR-I004", "image 'registry.example.com/warp/plugin:1.0' is not pinned by digest"),
                ("AICR-I004", "image 'registry.example.com/warp/daemon:1.0' is not pinned by digest"),
            ],
        ),
    ],
)
def test_what_does_not_fit_is_refused_by_name(catalog, asked, found):
    assert refused(catalog, asked) == found


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        ('"example.com/warp": fabric.machine.warpLinks | string', '"example.com/warp": "1"', {"AICR-F013"}),
        ("fabric.machine.gpus | string", '"2"', {"AICR-F015"}),
        ("                        claims:\n                          - name: loom\n", "", {"AICR-F014", "AICR-K045"}),
        ("args: {{ daemon.args | to_json }}", "args: [--weave, --links]", {"AICR-F006"}),
        ('fabric.release.env | pick("name", "value")', "[]", {"AICR-F007"}),
        ("deviceClassName: warp", "deviceClassName: weft", {"AICR-F016"}),
        ('(fabric.table.devices | entries("path"))', '[{"path": "/dev/warp0"}]', {"AICR-F004"}),
        ("fabric.parameters.networks |", '{"warp2": "b", "warp1": "a"} |', {"AICR-F002"}),
        ("            count:", "            counts:", {"AICR-K002"}),
        ("{{ fabric.parameters.namespace | quote }}\nspec:\n  spec", "other\nspec:\n  spec", {"AICR-T017"}),
    ],
)  # fmt: skip
def test_a_template_that_departs_from_the_data_is_found(tmp_path, old, new, rules):
    shutil.copytree(DATA, tmp_path / "data")
    path = tmp_path / "data/manifests/runtimes/torch-distributed-warp.yaml.j2"
    text = path.read_text().replace('fabric.table.devices | entries("path") |', '(fabric.table.devices | entries("path")) |')
    assert old in text
    path.write_text(text.replace(old, new))
    assert {rule for rule, _ in refused(Catalog.load(tmp_path / "data"), request())} == rules
