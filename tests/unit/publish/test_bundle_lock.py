"""Requirements on bundle.lock.yaml: what went in, what was chosen, what came out, and nothing that changes by itself."""

import hashlib
import re
from dataclasses import replace

import pytest

from bundler.catalog.catalog import Catalog
from bundler.catalog.root import packaged_root
from bundler.model.digest import canonical_digest


@pytest.fixture
def lock(made):
    return made.data("bundle.lock.yaml")


def sha256(content):
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def test_its_digest_is_of_everything_else(lock):
    digest = lock.pop("digest")
    assert digest == canonical_digest(lock)


def test_outputs_are_all_files_but_the_lock_and_the_inventory(made, lock):
    expected = {path: sha256(content) for path, content in made.bundle.files.items()}
    del expected["bundle.lock.yaml"], expected["checksums.txt"]
    assert lock["outputs"] == expected


def test_choices_are_those_of_the_recipe(made, lock):
    recipe = made.data("recipe.yaml")
    assert {key: lock[key] for key in ("recipe", "criteria", "profiles")} == {
        key: recipe[key] for key in ("recipe", "criteria", "profiles")
    }
    assert lock["allowUnpinned"] is False
    assert [runtime["name"] for runtime in lock["runtimes"]] == ["torch-distributed", "torch-distributed-tcpxo"]


def test_a_profile_is_recorded_by_the_value_that_was_chosen(lock):
    """One more value in the same file leaves the locks of those who did not choose it as they are."""
    values = Catalog.load().profiles["fabricAttachment"].data["values"]
    layers = {layer["layer"]: (layer["file"], layer["digest"]) for layer in lock["inputs"]["layers"]}
    digest = canonical_digest(values["gke-tcpxo-multinetwork"])
    assert layers["profile fabricAttachment=gke-tcpxo-multinetwork"] == ("recipes/profiles/fabricAttachment.yaml", digest)


def test_every_input_is_a_packaged_file_with_its_digest(lock):
    inputs = lock["inputs"]
    named = {layer["file"]: layer["digest"] for layer in inputs["layers"] if not layer["layer"].startswith("profile ")}
    named |= inputs["templates"] | inputs["fragments"] | inputs["releases"]
    for file, digest in named.items():
        assert digest == sha256((packaged_root() / file).read_bytes()), file
    assert {
        "recipes/base.yaml",
        "overlays/service/gke.yaml",
        "recipes/h100-gke-cos-training-kubeflow.yaml",
        "recipes/components/gpu-operator/values.yaml",
        "manifests/bundle/README.md.j2",
        "manifests/runtimes/torch-distributed-tcpxo.yaml.j2",
        "manifests/components/gke-nccl-tcpxo/installer.yaml.j2",
        "bom/releases/tcpxo.yaml",
    } <= named.keys()


def test_layers_stand_in_the_order_in_which_they_apply(lock):
    labels = [layer["layer"] for layer in lock["inputs"]["layers"]]
    kinds = list(dict.fromkeys(label.partition(" ")[0] for label in labels))
    assert kinds == ["component", "base", "overlay", "recipe", "profile"]


def test_an_input_that_is_not_used_is_not_named(make, tcpxo):
    plain = make(replace(tcpxo, profiles={"gpuStack": "gke-default", "fabricAttachment": "none"}, parameters={}))
    inputs = plain.data("bundle.lock.yaml")["inputs"]
    assert inputs["releases"] == {}
    assert not [file for file in inputs["templates"] if "tcpxo" in file]
    assert not [file for file in inputs["fragments"] if "tcpxo" in file]


def test_components_stand_in_install_order_with_what_they_are(lock):
    names = [component["name"] for component in lock["components"]]
    for component in lock["components"]:
        assert all(names.index(name) < names.index(component["name"]) for name in component.get("dependsOn", ()))
    trainer = lock["components"][names.index("kubeflow-trainer")]
    assert trainer["chart"] == "kubeflow-trainer"
    assert trainer["repository"] == "oci://ghcr.io/kubeflow/charts"
    assert trainer["version"] == "2.2.0"


def test_a_release_is_locked_as_the_pair_its_vendor_couples(lock):
    """v1.0.15 with daemon v1.0.21: release notes of January 9, 2026, with the digests upstream resolved."""
    (release,) = lock["releases"]
    repository = "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo"
    assert release["images"] == {
        "plugin": f"{repository}/nccl-plugin-gpudirecttcpx-dev:v1.0.15"
        "@sha256:4c9f0de3f39455a2ea35e844e0fc92564ca5629f6b03250fde40e8160719dae4",
        "daemon": f"{repository}/tcpgpudmarxd-dev:v1.0.21@sha256:8d9e10fd589a34ab8a0aa64f7e70ad075c8f1c69bea176350f8d211367697e3d",
    }
    assert (release["axis"], release["parameter"], release["table"], release["name"]) == (
        "fabricAttachment",
        "release",
        "tcpxo",
        "v1.0.15",
    )
    assert release["source"].startswith("https://github.com/GoogleCloudPlatform/container-engine-accelerators/")


def test_an_unpinned_release_says_so(make, tcpxo):
    parameters = {"fabricAttachment": {**tcpxo.parameters["fabricAttachment"], "release": "v1.0.8-1"}}
    lock = make(replace(tcpxo, parameters=parameters, allow_unpinned=True)).data("bundle.lock.yaml")
    assert lock["allowUnpinned"] is True
    unpinned = [image["image"] for image in lock["images"] if image["digest"] == "tag only"]
    assert [image for image in unpinned if "tcpgpudmarxd" in image]
    assert [image for image in unpinned if "nccl-plugin-gpudirecttcpx" in image]


def test_nothing_in_it_tells_when_where_or_by_what_it_was_made(made):
    text = made.bundle.files["bundle.lock.yaml"].decode() + made.bundle.files["recipe.yaml"].decode()
    assert not re.search(r"\d{4}-\d{2}-\d{2}T|\d{2}:\d{2}:\d{2}", text)
    assert str(packaged_root()) not in text


def test_it_says_which_form_it_has(lock):
    assert lock["lockVersion"] == 1


def test_what_a_measurement_proves_is_locked_with_each_runtime(lock):
    assert lock["runtimes"] == [
        {"name": "torch-distributed", "evidence": "cluster-capability"},
        {"name": "torch-distributed-tcpxo", "evidence": "delivered-artifact"},
    ]
    assert lock["trainer"] == {"delivered": True, "present": "reuse", "missing": "fail"}


def test_images_of_charts_are_locked_with_those_of_objects(lock):
    owners = {image["image"]: image["owners"] for image in lock["images"]}
    assert owners["registry.k8s.io/jobset/jobset:v0.11.0"] == [{"component": "kubeflow-trainer", "name": "jobset"}]
    digest = "sha256:eee11b3b3872a8c838e35ef48f08b2d5def2080902c7f666831310ca1a0ef2be"
    torch = owners[f"docker.io/pytorch/pytorch:2.11.0-cuda12.8-cudnn9-runtime@{digest}"]
    assert "ClusterTrainingRuntime/torch-distributed" in {owner["object"] for owner in torch}
    assert not [component for component in lock["components"] if "images" in component]
