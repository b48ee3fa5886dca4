"""Requirements on `aicr bom`: every image and chart, in the form that was asked for, and what the list lacks."""

import json

import pytest
import yaml

KIND = "h100-kind-training-kubeflow"
AKS = ["h100-aks-ubuntu-training-kubeflow", "--profile", "fabricAttachment=none"]


@pytest.fixture
def bundle(run, tmp_path):
    assert run("bundle", "--recipe", KIND, "-o", tmp_path / "out").code == 0
    return tmp_path / "out"


def test_the_images_of_a_recipe_are_listed(run):
    code, out, err = run("bom", KIND)
    assert (code, err) == (0, "")
    assert out.splitlines()[0].split() == ["CLASS", "IMAGE", "DIGEST", "NAMED", "BY"]
    assert "tag only  registry.k8s.io/jobset/jobset:v0.11.0" in out
    assert "pinned    docker.io/pytorch/pytorch:2.11.0-cuda12.8-cudnn9-runtime" in out


def test_a_bundle_has_the_list_of_its_recipe(run, bundle):
    assert run("bom", bundle).out == run("bom", KIND).out


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_the_list_is_printed_as_data(run, form):
    code, out, err = run("bom", KIND, "--format", form)
    assert (code, err) == (0, "")
    data = json.loads(out) if form == "json" else yaml.safe_load(out)
    assert data["name"] == KIND
    assert {image["class"] for image in data["images"]} == {"pinned", "tag only"}
    assert {chart["images"] for chart in data["charts"]} == {"known"}


def test_cyclonedx_is_printed_twice_alike(run):
    first = run("bom", KIND, "--format", "cyclonedx")
    assert first.code == 0
    assert json.loads(first.out)["specVersion"] == "1.6"
    assert run("bom", KIND, "--format", "cyclonedx").out == first.out


def test_a_list_of_references_is_one_a_line(run):
    out = run("bom", KIND, "--format", "images").out
    data = json.loads(run("bom", KIND, "--format", "json").out)
    assert out.splitlines() == [image["image"] for image in data["images"]]


def test_a_manifest_for_hauler_is_two_documents(run):
    images, charts = yaml.safe_load_all(run("bom", KIND, "--format", "hauler").out)
    assert (images["kind"], charts["kind"]) == ("Images", "Charts")


def test_a_list_of_digests_that_lacks_images_ends_with_1(run):
    code, out, err = run("bom", KIND, "--format", "imgpkg")
    assert code == 1
    assert yaml.safe_load(out)["kind"] == "ImagesLock"
    assert err.startswith("error[AICR-I019]: ")


def test_a_tag_that_is_completed_later_is_said(run):
    code, _, err = run("bom", *AKS, "--format", "images")
    assert code == 0
    assert "warning[AICR-I018]: the tag of nvcr.io/nvidia/mellanox/doca-driver:" in err


def test_what_the_flags_change_is_in_the_list(run):
    out = run("bom", *AKS, "--profile", "gpuStack=operator-managed", "--set", "gpu-operator:driver.version=580.173.02").out
    assert "nvcr.io/nvidia/driver:580.173.02" in out
    assert "nvcr.io/nvidia/driver" not in run("bom", *AKS).out


def test_a_chart_whose_images_nobody_declared_ends_with_1(run, tmp_path):
    registry = tmp_path / "recipes/registry.yaml"
    registry.parent.mkdir()
    registry.write_text(
        "apiVersion: aicr.run/v2\nkind: Registry\nmetadata: {name: components, description: A test.}\ncomponents:\n"
        "  - {name: extra, description: A test., namespace: extra, version: 1.0.0, chart: &chart}\n".replace(
            "&chart", '{repository: "https://c.example.com", name: extra}'
        )
    )
    overlay = tmp_path / "overlays/site.yaml"
    overlay.parent.mkdir()
    overlay.write_text(
        "apiVersion: aicr.run/v2\nkind: Overlay\nmetadata: {name: site, description: A test.}\n"
        "criteria: {service: kind}\ncomponents:\n  - name: extra\n"
    )
    code, out, err = run("bom", KIND, "--data", tmp_path)
    assert (code, "extra" in out) == (1, True)
    assert "error[AICR-I010]: the images of chart extra 1.0.0 are not all declared" in err
    assert "fix: declare them in bom/charts/extra.yaml" in err
    code, _, err = run("bundle", "--recipe", KIND, "--data", tmp_path, "--dry-run")
    assert code == 0
    assert "warning[AICR-I010]: the images of chart extra 1.0.0 are not declared" in err


def test_a_bundle_that_was_changed_has_no_list(run, bundle):
    (bundle / "README.md").write_text("changed")
    code, out, err = run("bom", bundle)
    assert (code, out) == (2, "")
    assert err.startswith("error[AICR-O032]: README.md is not the file that checksums.txt lists")


def test_the_committed_page_is_of_the_whole_catalogue(run):
    code, _, err = run("bom", KIND, "--check")
    assert code == 2
    assert "--check is about the page of the whole catalogue" in err


def test_a_page_that_is_not_there_is_not_found(run, tmp_path):
    (tmp_path / "bom").mkdir()
    assert run("bom", "--check", "--data", tmp_path).code == 3
