"""Requirements on the CycloneDX document: valid by its own schema, equal bytes for equal bills, no time."""

import json
from importlib.resources import files

import cyclonedx.schema._res as shipped
import jsonschema_rs
import pytest

from bundler.bom.bill import Bill, BilledChart, BilledImage, Pinning, bill_of
from bundler.bom.cyclonedx import cyclonedx

DIGEST = "sha256:" + "a" * 64


@pytest.fixture(scope="module")
def validator():
    """The schemas that the library ships: no validation extra is needed, and nothing is fetched."""

    def load(name):
        return json.loads(files(shipped).joinpath(f"{name}.SNAPSHOT.schema.json").read_text())

    others = [(f"http://cyclonedx.org/schema/{name}.SNAPSHOT.schema.json", load(name)) for name in ("spdx", "jsf-0.82")]
    return jsonschema_rs.Draft7Validator(load("bom-1.6"), registry=jsonschema_rs.Registry(others))


def test_the_bill_of_a_bundle_is_valid_cyclonedx_1_6(made, validator):
    document = json.loads(cyclonedx(bill_of("x", [made.lock])))
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    assert [error.message for error in validator.iter_errors(document)] == []


def test_a_document_that_breaks_the_schema_is_found(validator):
    assert not validator.is_valid({"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [{"name": "x"}]})


def test_equal_bills_are_equal_bytes_and_hold_no_time(made):
    bill = bill_of("x", [made.lock])
    text = cyclonedx(bill)
    assert text == cyclonedx(bill)
    assert "timestamp" not in text


def bill(*images, charts=()):
    return Bill(name="x", images=images, charts=charts)


def test_the_serial_number_is_that_of_the_content():
    one = BilledImage(image="a.io/b:1", pinning=Pinning.TAG_ONLY)
    other = BilledImage(image="a.io/b:2", pinning=Pinning.TAG_ONLY)
    serials = [json.loads(cyclonedx(bill(image)))["serialNumber"] for image in (one, one, other)]
    assert serials[0] == serials[1] != serials[2]
    assert serials[0].startswith("urn:uuid:")


def test_an_image_has_its_package_address_and_says_how_it_is_named():
    image = BilledImage(image="a.io/n/b:1", pinning=Pinning.BY_TAG, digest=DIGEST, owners=("Thing/x",), at="m.io/n/b:1")
    (component,) = json.loads(cyclonedx(bill(image)))["components"]
    assert component["type"] == "container"
    assert component["purl"] == f"pkg:oci/b@{DIGEST}?repository_url=a.io/n/b&tag=1"
    assert {(entry["name"], entry["value"]) for entry in component["properties"]} == {
        ("aicr:pinning", "by tag"),
        ("aicr:owner", "Thing/x"),
        ("aicr:at", "m.io/n/b:1"),
    }


def test_a_chart_depends_on_the_images_that_it_brings():
    chart = BilledChart(component="nfd", version="1", repository="https://c.example.com", chart="n")
    images = (
        BilledImage(image="a.io/b:1", pinning=Pinning.TAG_ONLY, owners=(chart.owner,)),
        BilledImage(image="a.io/c:1", pinning=Pinning.TAG_ONLY, owners=("Thing/x",)),
    )
    document = json.loads(cyclonedx(bill(*images, charts=(chart,))))
    depends = {entry["ref"]: entry.get("dependsOn", []) for entry in document["dependencies"]}
    assert depends["chart:nfd@1"] == ["a.io/b:1"]
    assert depends["aicr:x"] == ["a.io/b:1", "a.io/c:1", "chart:nfd@1"]
