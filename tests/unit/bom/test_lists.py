"""Requirements on the lists for tools that fetch images: the forms these tools read, and nothing left out in silence."""

import yaml

from bundler.bom.bill import Bill, BilledChart, BilledImage, Pinning
from bundler.bom.lists import hauler, image_list, imgpkg, incomplete, unlisted

DIGEST = "sha256:" + "a" * 64
CHART = BilledChart(component="nfd", version="0.19.0", repository="oci://c.example.com/charts", chart="node-feature-discovery")
BILL = Bill(
    name="x",
    images=(
        BilledImage(image=f"a.io/b:1@{DIGEST}", pinning=Pinning.PINNED, digest=DIGEST),
        BilledImage(image="a.io/c:1", pinning=Pinning.BY_TAG, digest=DIGEST),
        BilledImage(image="a.io/d:1", pinning=Pinning.TAG_ONLY, completed="the system is added"),
        BilledImage(image="cos-nvidia-installer:fixed", pinning=Pinning.PRELOADED),
    ),
    charts=(CHART,),
)


def test_a_list_of_images_has_one_reference_a_line_and_none_that_no_registry_has():
    assert image_list(BILL) == f"a.io/b:1@{DIGEST}\na.io/c:1\na.io/d:1\n"


def test_a_manifest_for_hauler_lists_images_and_charts():
    images, charts = yaml.safe_load_all(hauler(BILL))
    assert (images["apiVersion"], images["kind"], images["metadata"]["name"]) == ("content.hauler.cattle.io/v1", "Images", "aicr-x")
    assert [image["name"] for image in images["spec"]["images"]] == image_list(BILL).splitlines()
    assert charts["kind"] == "Charts"
    assert charts["spec"]["charts"] == [
        {"name": "node-feature-discovery", "repoURL": "oci://c.example.com/charts", "version": "0.19.0"}
    ]


def test_without_charts_there_is_no_document_of_charts():
    assert len([*yaml.safe_load_all(hauler(Bill(name="x", images=BILL.images, charts=())))]) == 1


def test_a_lock_for_imgpkg_names_images_by_digest_and_keeps_how_they_were_written():
    lock = yaml.safe_load(imgpkg(BILL))
    assert (lock["apiVersion"], lock["kind"]) == ("imgpkg.carvel.dev/v1alpha1", "ImagesLock")
    assert lock["images"] == [
        {"image": f"a.io/b@{DIGEST}", "annotations": {"kbld.carvel.dev/id": f"a.io/b:1@{DIGEST}"}},
        {"image": f"a.io/c@{DIGEST}", "annotations": {"kbld.carvel.dev/id": "a.io/c:1"}},
    ]


def test_what_a_list_of_digests_lacks_is_one_finding():
    (finding,) = unlisted(BILL)
    assert (finding.rule, str(finding.severity)) == ("AICR-I019", "error")
    assert finding.message == "a list of digests lacks 1 image, since none is published: a.io/d:1"


def test_an_unknown_chart_and_a_tag_that_grows_are_said_in_every_format():
    unknown = BilledChart(component="nfd", version="1", repository="r", chart="c", complete=False)
    chart, tag = incomplete(Bill(name="x", images=BILL.images, charts=(unknown,)))
    assert (chart.rule, str(chart.severity), chart.message) == (
        "AICR-I010",
        "error",
        "the images of chart c 1 are not all declared",
    )
    assert (tag.rule, str(tag.severity)) == ("AICR-I018", "warning")
    assert tag.message == "the tag of a.io/d:1 is completed when it is pulled: the system is added"


def test_a_complete_bill_lacks_nothing():
    assert not [*incomplete(Bill(name="x", images=BILL.images[:2], charts=(CHART,)))]
    assert not [*unlisted(Bill(name="x", images=BILL.images[:2], charts=()))]
