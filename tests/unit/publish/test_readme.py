"""Requirements on a bundle's README: someone who was handed the directory knows what it is and what to do."""

import re
import shlex
from dataclasses import replace

import pytest

from bundler.kube.resource import Resource
from bundler.model.location import Location
from bundler.model.request import Request
from bundler.publish.layout import lay_out


@pytest.fixture
def text(made):
    return made.bundle.files["README.md"].decode()


def section(text, title):
    return re.search(rf"^## {title}\n\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]


def test_says_what_it_is(text):
    assert text.startswith("# h100-gke-cos-training-kubeflow\n\nTraining on GKE A3 Mega")
    for line in ("- service: `gke`", "- accelerator: `h100`", "- os: `cos`", "- intent: `training`", "- platform: `kubeflow`"):
        assert line in section(text, "What it fits").splitlines()


def test_says_which_machines_and_clusters_it_fits(text):
    fits = section(text, "What it fits")
    assert "`a3-megagpu-8g`" in fits
    assert "- `K8s.server.version` `>= 1.32`" in fits


def test_says_what_was_chosen_with_every_parameter(text):
    chosen = section(text, "What was chosen")
    assert "### fabricAttachment: gke-tcpxo-multinetwork" in chosen
    assert "### gpuStack: gke-default" in chosen
    assert "    interfaces:\n      eth1: net-1\n" in chosen
    assert "    release: v1.0.15\n" in chosen


def test_lists_components_in_install_order_with_chart_version_and_namespace(made, text):
    numbered = re.findall(r"^\d+\. \*\*(\S+?)(?: (\S+))?\*\* in namespace `(\S+)`", section(text, "Components"), re.MULTILINE)
    assert numbered == [(part.name, part.version, part.namespace) for part in made.composition.components]
    assert "Chart `gpu-operator` of `https://helm.ngc.nvidia.com/nvidia`" in text


def test_tells_how_to_run_on_the_full_node_runtime(text):
    runtime = text[text.index("### torch-distributed-tcpxo") : text.index("## Check")]
    assert "Each node is taken whole, with `nvidia.com/gpu: 8`. Do not set\n`spec.trainer.resourcesPerNode`: " in runtime
    assert "Trainer 2.2 puts it in the place of all this; Trainer 2.3 lays it over this name by name,\nand counts" in runtime
    assert "      runtimeRef:\n        name: torch-distributed-tcpxo\n      trainer: {}\n" in runtime
    assert "Its `spec.trainer` must be present, empty at least" in text


def test_does_not_forbid_resources_where_the_runtime_has_none(text):
    runtime = text[text.index("### torch-distributed\n") : text.index("### torch-distributed-tcpxo")]
    assert "Do not set" not in runtime
    assert "set `spec.trainer.resourcesPerNode`" in runtime


def test_a_namespaced_runtime_is_referenced_by_its_kind(catalog, made):
    data = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainingRuntime",
        "metadata": {"name": "x", "namespace": "team"},
        "spec": {"mlPolicy": {"numNodes": 3}, "template": {"spec": {"replicatedJobs": []}}},
    }
    runtime = Resource(data=data, template="x", positions={"": Location(file="x")}, owner="kubeflow-trainer")
    text = lay_out(made.composition, [runtime], made.request, catalog).files["README.md"].decode()
    assert "TrainingRuntime for jobs in the namespace `team`: `runtimes/trainingruntime-x.yaml`" in text
    assert "        kind: TrainingRuntime\n        name: x\n" in text
    assert "      namespace: team\n" in text


def test_tells_how_to_check(text):
    assert "    aicr bundle --check DIR\n" in section(text, "Check")


def test_tells_how_to_apply_in_an_order_that_holds(made, text):
    commands = [shlex.split(line) for line in section(text, "Apply").splitlines() if line.startswith("    ")]
    helm = [words for words in commands if words[0] == "helm"]
    assert [words[3] for words in helm] == [component.name for component in made.composition.components]
    assert commands[-1] == ["kubectl", "apply", "--server-side", "--filename", "runtimes"]
    for words in helm:
        values = words[words.index("--values") + 1] if "--values" in words else None
        assert values is None or values in made.bundle.files
        if words[4].startswith("./"):
            assert f"{words[4].removeprefix('./')}/Chart.yaml" in made.bundle.files
    assert "oci://ghcr.io/kubeflow/charts/kubeflow-trainer --version 2.2.0" in text
    assert "cert-manager --repo https://charts.jetstack.io --version v1.20.2" in text


def test_says_when_images_are_not_pinned(make, tcpxo, text):
    assert "--allow-unpinned" not in text
    assert "--allow-unpinned" in make(replace(tcpxo, allow_unpinned=True)).bundle.files["README.md"].decode()


def test_a_bundle_without_fabric_says_nothing_of_one(make):
    text = make(Request(recipe="h100-kind-training-kubeflow")).bundle.files["README.md"].decode()
    assert "machine types" not in text
    assert "NCCL" not in text


@pytest.mark.parametrize("recipe", ["h100-kind-training-kubeflow", "h100-eks-ubuntu-training-kubeflow"])
def test_is_tidy_markdown(make, recipe):
    profiles = {"fabricAttachment": "none"} if "eks" in recipe else {}
    text = make(Request(recipe=recipe, profiles=profiles)).bundle.files["README.md"].decode()
    assert "\n\n\n" not in text
    assert not re.search(r"[ \t]+$", text, re.MULTILINE)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert not re.search(r"[^\n]\n#", text)
