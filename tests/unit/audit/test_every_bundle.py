"""Requirements on what is made of a whole catalogue: every choice of every recipe, every release, every version."""

import pytest

from bundler.audit import every_bundle


@pytest.fixture(scope="module")
def bill(small):
    return every_bundle.bill(small)


def test_every_recipe_is_bundled_with_every_choice(small):
    chosen = [
        (bundle.lock["recipe"], *(bundle.lock["profiles"].get(axis, {}).get("value") for axis in ("gpuStack", "fabricAttachment")))
        for bundle in every_bundle.bundles(small)
    ]
    assert ("h100-kind-training-kubeflow", None, None) in chosen
    gke = [values for recipe, *values in chosen if recipe == "h100-gke-cos-training-kubeflow"]
    assert ["gke-default", "gke-tcpxo-multinetwork"] in gke
    assert ["driver-installer", "none"] in gke
    assert len(chosen) == len(set(chosen))


def test_images_without_a_digest_are_accepted_only_where_there_are_some(small):
    accepted = {bundle.lock["recipe"]: bundle.lock["allowUnpinned"] for bundle in every_bundle.bundles(small)}
    assert accepted["h100-kind-training-kubeflow"] is False


def test_the_bill_holds_releases_and_versions_that_no_recipe_takes_by_itself(bill):
    owners = {image.image: image.owners for image in bill.images}
    host = "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo"
    assert owners[f"{host}/tcpgpudmarxd-dev:v1.0.20"] == ("release tcpxo v1.0.14",)
    assert owners["registry.k8s.io/jobset/jobset:v0.12.0"] == ("chart kubeflow-trainer 2.3.0",)
    assert {(chart.component, chart.version) for chart in bill.charts} >= {
        ("kubeflow-trainer", "2.2.0"),
        ("kubeflow-trainer", "2.3.0"),
    }


def test_every_image_of_every_bundle_is_in_the_bill(small, bill):
    from bundler.bom.bill import bill_of

    held = {image.image for image in bill.images}
    for bundle in every_bundle.bundles(small):
        assert {image.image for image in bill_of("x", [bundle.lock]).images} <= held
