"""Requirements on the images of a lock: each as written, with what it resolves to and where it stands."""

import pytest

from bundler.bom.chart_images import ChartImage
from bundler.bom.images import locked_images
from bundler.bom.known import Known
from bundler.kube.image import Image
from bundler.kube.references import Declared
from bundler.kube.resource import Resource
from bundler.model.location import Location
from bundler.model.relocation import Relocation

DIGEST = "sha256:" + "a" * 64
KNOWN = Known(
    tagged={
        (Image.parse("cos-nvidia-installer").name, "fixed"): {"preloaded": True},
        ("gke.gcr.io/pause", "3.8"): {"digest": DIGEST},
        ("nvcr.io/nvidia/driver", "1"): {"completed": "the operator adds the system"},
    }
)


def holder(data, name="x"):
    whole = {"apiVersion": "v1", "kind": "Thing", "metadata": {"name": name}, "spec": data}
    return Resource(data=whole, template="x", positions={"": Location(file="x")}, owner="x")


def locked(*objects, charts=(), relocation=None):
    return locked_images(objects, charts, declared=Declared(), known=KNOWN, relocation=relocation)


@pytest.mark.parametrize(
    ("data", "image", "digest", "pointer"),
    [
        ({"containers": [{"image": f"a.io/b:c@{DIGEST}"}]}, f"a.io/b:c@{DIGEST}", DIGEST, "/spec/containers/0/image"),
        ({"image": "a.io/b:c"}, "a.io/b:c", "tag only", "/spec/image"),
        ({"image": "gke.gcr.io/pause:3.8"}, "gke.gcr.io/pause:3.8", DIGEST, "/spec/image"),
        ({"image": "cos-nvidia-installer:fixed"}, "cos-nvidia-installer:fixed", "preloaded", "/spec/image"),
        ({"scalingPodImage": "a.io/b"}, "a.io/b", "tag only", "/spec/scalingPodImage"),
        (
            {"ofedDriver": {"repository": "nvcr.io/nvidia/mellanox", "image": "doca-driver", "version": "doca3.1"}},
            "nvcr.io/nvidia/mellanox/doca-driver:doca3.1",
            "tag only",
            "/spec/ofedDriver/image",
        ),
        (
            {"plugin": {"repository": "nvcr.io/nvidia", "image": "k8s-rdma", "version": DIGEST}},
            f"nvcr.io/nvidia/k8s-rdma@{DIGEST}",
            DIGEST,
            "/spec/plugin/image",
        ),
        ({"image": {"repository": "a.io/b", "tag": "c"}}, "a.io/b:c", "tag only", "/spec/image"),
        ({"image": {"reference": f"a.io/b@{DIGEST}"}}, f"a.io/b@{DIGEST}", DIGEST, "/spec/image/reference"),
        ({"image": "Not an image"}, "Not an image", "tag only", "/spec/image"),
        ({"env": [{"name": "PAUSE_IMAGE", "value": "a.io/b"}]}, "a.io/b", "tag only", "/spec/env/0/value"),
    ],
)
def test_every_image_is_locked_as_written(data, image, digest, pointer):
    assert locked(("a.yaml", holder(data))) == [
        {"image": image, "digest": digest, "owners": [{"file": "a.yaml", "pointer": pointer, "object": "Thing/x"}]}
    ]


def test_one_image_has_all_its_owners_sorted():
    chart = ChartImage(component="c", name="n", image=Image.parse("i.io/a:1"))
    objects = [("b.yaml", holder({"image": "i.io/a:1"}, "b")), ("a.yaml", holder({"image": "i.io/a:1"}, "a"))]
    (image,) = locked(*objects, charts=[chart])
    assert [owner.get("object", owner.get("component")) for owner in image["owners"]] == ["Thing/a", "Thing/b", "c"]


def test_a_tag_that_is_completed_later_says_by_what():
    (image,) = locked(("a.yaml", holder({"image": "nvcr.io/nvidia/driver:1"})))
    assert image["completed"] == "the operator adds the system"


def test_a_relocation_adds_where_an_image_is_pulled_and_changes_nothing_else():
    objects = [("a.yaml", holder({"image": f"a.io/b:c@{DIGEST}", "initImage": "cos-nvidia-installer:fixed"}))]
    plain, moved = locked(*objects), locked(*objects, relocation=Relocation(to="mirror.example/x"))
    assert moved[0].pop("at") == f"mirror.example/x/b:c@{DIGEST}"
    assert moved == plain
