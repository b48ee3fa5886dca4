"""Requirements on the catalogue's lock: whole, current, and what a bundle is held to."""

import copy

import pytest

from bundler.audit import every_bundle
from bundler.bom.catalogue import lock_digest
from bundler.bom.lock_check import corruption, differences, unlocked
from bundler.pipeline import bundle
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump


@pytest.fixture(scope="module")
def lock(small):
    return every_bundle.lock(small)


def document(data):
    return read(dump(data).encode(), "bom/lock.yaml")


def resealed(lock, change):
    """The lock after a change, with the digest of what it holds then."""
    data = copy.deepcopy(lock)
    change(data)
    data["digest"] = lock_digest(data)
    return document(data)


def said(lock, change, fresh):
    found = resealed(lock, change)
    assert corruption(found) is None
    return [(finding.rule, finding.message) for finding in differences(found, fresh)]


def test_a_lock_is_whole_and_current_when_it_was_just_made(lock, small):
    found = document(lock)
    assert corruption(found) is None
    assert [*differences(found, every_bundle.lock(small))] == []
    assert small.validator("lock").check(found.data, document=found) == ()


def test_the_order_of_entries_is_no_difference(lock):
    def reorder(data):
        for key in ("images", "charts", "releases", "recipes"):
            data[key].reverse()
        for recipe in data["recipes"]:
            recipe["choices"].reverse()

    data = copy.deepcopy(lock)
    reorder(data)
    assert corruption(document(data)) is None
    assert [*differences(document(data), lock)] == []


def test_it_holds_images_of_objects_charts_and_release_rows(lock):
    digests = {image["image"]: image["digest"] for image in lock["images"]}
    assert digests["cos-nvidia-installer:fixed"] == "preloaded"
    assert digests["registry.k8s.io/jobset/jobset:v0.12.0"] == "tag only"  # a version that may be chosen
    host = "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo"
    assert digests[f"{host}/tcpgpudmarxd-dev:v1.0.20"] == "tag only"  # a row that no bundle takes by itself


def test_it_holds_every_layer_template_and_output(lock):
    assert {"base", "overlay service-gke", "profile fabricAttachment=none"} <= lock["inputs"]["layers"].keys()
    assert "manifests/runtimes/torch-distributed-tcpxo.yaml.j2" in lock["inputs"]["templates"]
    recipes = {recipe["name"]: recipe for recipe in lock["recipes"]}
    assert recipes.keys() == {"h100-kind-training-kubeflow", "h100-gke-cos-training-kubeflow"}
    gke = recipes["h100-gke-cos-training-kubeflow"]
    assert "components/nfd/values.yaml" in gke["outputs"]
    tcpxo = [choice for choice in gke["choices"] if choice["profiles"]["fabricAttachment"]["value"] == "gke-tcpxo-multinetwork"]
    assert "runtimes/clustertrainingruntime-torch-distributed-tcpxo.yaml" in tcpxo[0]["outputs"]
    for choice in gke["choices"]:
        assert not choice["outputs"].keys() & gke["outputs"].keys()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data["images"].pop(0), "is not in the lock"),
        (
            lambda data: data["images"].append({"image": "a.io/b:1", "digest": "tag only"}),
            "image a.io/b:1 is in the lock and nowhere else",
        ),
        (lambda data: data["images"][0].update(digest="sha256:" + "0" * 64), "is not the one in the lock"),
        (lambda data: data["charts"][0].update(repository="https://other.example.com"), "is not the one in the lock"),
        (lambda data: data["inputs"]["layers"].update(base="sha256:" + "0" * 64), "layers base is not the one in the lock"),
        (lambda data: data["releases"][0].update(digest="sha256:" + "0" * 64), "is not the one in the lock"),
        (
            lambda data: data["recipes"][0]["outputs"].update({"components/nfd/values.yaml": "sha256:" + "0" * 64}),
            "components/nfd/values.yaml of ",
        ),
    ],
)  # fmt: skip
def test_each_difference_is_one_finding(lock, change, message):
    ((rule, text),) = said(lock, change, lock)
    assert rule == "AICR-I024"
    assert message in text


def test_one_file_that_differs_everywhere_is_one_finding(lock):
    def change(data):
        for recipe in data["recipes"]:
            for outputs in (recipe["outputs"], *(choice["outputs"] for choice in recipe["choices"])):
                if "README.md" in outputs:
                    outputs["README.md"] = "sha256:" + "0" * 64

    bundles = sum(len(recipe["choices"]) for recipe in lock["recipes"])
    assert said(lock, change, lock) == [("AICR-I024", f"README.md of {bundles} bundles of 2 recipes is not the one in the lock")]


def test_a_difference_names_its_place_and_how_to_mend_it(lock):
    found = resealed(lock, lambda data: data["inputs"]["layers"].update(base="sha256:" + "0" * 64))
    (finding,) = differences(found, lock)
    assert finding.pointer == "/inputs/layers/base"
    assert finding.location == found.locate("/inputs/layers/base")
    assert finding.fix == "run 'aicr lock', and read the difference before committing it"


def test_half_of_a_release_never_moves_alone(lock, edited):
    catalog = edited("bom/releases/tcpxo.yaml", "      tag: v1.0.20\n", "      tag: v1.0.21\n")
    found = [(finding.rule, finding.message) for finding in differences(document(lock), every_bundle.lock(catalog))]
    assert ("AICR-I025", "release tcpxo v1.0.14: daemon moved and plugin did not") in found
    assert not [message for rule, message in found if rule == "AICR-I024" and message.startswith("release ")]


def test_a_release_that_moves_whole_is_a_plain_difference(lock, edited):
    edited("bom/releases/tcpxo.yaml", "      tag: v1.0.20\n", "      tag: v1.0.99\n")
    catalog = edited("bom/releases/tcpxo.yaml", "      tag: v1.0.14\n    daemon:\n", "      tag: v1.0.98\n    daemon:\n")
    found = [finding.rule for finding in differences(document(lock), every_bundle.lock(catalog))]
    assert set(found) == {"AICR-I024"}


def test_a_bundle_of_the_catalogue_is_locked(lock, small, tcpxo):
    assert [*unlocked(bundle(small, tcpxo).lock, lock)] == []


def test_where_images_are_pulled_from_does_not_count(lock, small, tcpxo):
    from dataclasses import replace

    from bundler.model.relocation import Relocation

    mirrored = bundle(small, replace(tcpxo, relocation=Relocation(to="m.io")))
    assert any("at" in image for image in mirrored.lock["images"])
    assert [*unlocked(mirrored.lock, lock)] == []


@pytest.mark.parametrize(
    ("file", "before", "after", "labels"),
    [
        ("recipes/base.yaml", "What every bundle has", "What each bundle has", {"layers base"}),
        ("recipes/registry.yaml", "version: 0.19.0", "version: 0.18.0", {"chart nfd 0.18.0"}),
    ],
)
def test_what_is_not_locked_is_refused(lock, edited, tcpxo, file, before, after, labels):
    found = [*unlocked(bundle(edited(file, before, after), tcpxo).lock, lock)]
    assert {finding.message.partition(" is ")[0] for finding in found} >= labels
    assert {finding.rule for finding in found} == {"AICR-I026"}
