"""Requirements on the bill of materials: every image once, with how firmly it is named and by whom."""

import pytest

from bundler.bom.bill import Pinning, bill_of

DIGEST = "sha256:" + "a" * 64


def lock(*images, components=()):
    return {"images": list(images), "components": list(components)}


def image(text, digest, *owners, **more):
    return {"image": text, "digest": digest, "owners": list(owners), **more}


def thing(name):
    return {"object": f"Thing/{name}", "file": "x", "pointer": "/x"}


@pytest.mark.parametrize(
    ("text", "digest", "pinning", "shown"),
    [
        (f"a.io/b:1@{DIGEST}", DIGEST, Pinning.PINNED, DIGEST),
        ("a.io/b:1", DIGEST, Pinning.BY_TAG, DIGEST),
        ("a.io/b:1", "tag only", Pinning.TAG_ONLY, ""),
        ("b:fixed", "preloaded", Pinning.PRELOADED, ""),
    ],
)
def test_an_image_is_named_firmly_or_not(text, digest, pinning, shown):
    (found,) = bill_of("x", [lock(image(text, digest, thing("a")))]).images
    assert (found.pinning, found.digest, found.owners) == (pinning, shown, ("Thing/a",))


def test_one_image_of_two_spellings_and_two_bundles_is_billed_once():
    locks = [
        lock(image("a/b:1", "tag only", thing("a"))),
        lock(image("docker.io/a/b:1", "tag only", thing("b")), image("docker.io/a/b:2", "tag only", thing("b"))),
    ]
    bill = bill_of("x", locks)
    assert [(found.image, found.owners) for found in bill.images] == [
        ("docker.io/a/b:1", ("Thing/a", "Thing/b")),
        ("docker.io/a/b:2", ("Thing/b",)),
    ]


def test_an_image_of_a_chart_is_named_by_the_chart_in_its_version():
    component = {"name": "nfd", "version": "1", "repository": "https://c.example.com", "chart": "n"}
    bill = bill_of("x", [lock(image("a.io/b:1", "tag only", {"component": "nfd", "name": "w"}), components=[component])])
    (chart,) = bill.charts
    assert bill.images[0].owners == (chart.owner,) == ("chart nfd 1",)
    assert chart.complete


def test_what_is_known_to_be_missing_and_what_is_added_later_is_kept():
    component = {"name": "nfd", "version": "1", "repository": "https://c.example.com", "chart": "n", "images": "unknown"}
    entry = image("a.io/b:1", "tag only", thing("a"), completed="the system", at="m.io/b:1")
    bill = bill_of("x", [lock(entry, components=[component, {"name": "plain"}])])
    assert [chart.complete for chart in bill.charts] == [False]
    assert (bill.images[0].completed, bill.images[0].at) == ("the system", "m.io/b:1")


def test_the_bill_of_a_bundle_holds_every_image_of_its_objects_and_charts(made):
    bill = bill_of("x", [made.lock])
    assert len(bill.images) == len(made.lock["images"])
    registries = {found.image.partition("/")[0] for found in bill.images}
    assert {"docker.io", "gcr.io", "ghcr.io", "nvcr.io", "quay.io", "registry.k8s.io", "us-docker.pkg.dev"} <= registries
    # The plugin's image stands in an init container of the installer.
    installer = next(found for found in bill.images if "nccl-plugin-gpudirecttcpx" in found.image)
    assert installer.owners == ("DaemonSet/nccl-tcpxo-installer",)
