"""Every chart that a bundle may name has its images declared, through value paths that the chart has.

Sources of the images: NVIDIA/aicr docs/user/container-images.md (47 components, 111 images), the charts themselves where noted.
"""

import pytest

from bundler.bom.catalogue import every_chart
from bundler.bom.chart_images import declaration
from bundler.catalog.catalog import Catalog
from bundler.cluster.facts import facts
from bundler.kube.image import Image

CATALOG = Catalog.load()
CHARTS = [*every_chart(CATALOG)]
DECLARED = [(component, image) for component in CHARTS for image in (declaration(CATALOG, component) or {"images": []})["images"]]


def schema_at(component, path):
    """What the values schema of a component says of a dotted path."""
    root = CATALOG.values_schema(component)
    node = root
    for key in path.split("."):
        node = node["properties"][key]
        while "$ref" in node:
            target = root
            for step in node["$ref"].removeprefix("#/").split("/"):
                target = target[step]
            node = target
    return node


@pytest.mark.parametrize("component", CHARTS, ids=lambda component: f"{component.name}-{component.version}")
def test_the_images_of_every_version_that_may_be_chosen_are_declared(component):
    assert declaration(CATALOG, component) is not None, f"add version {component.version} to bom/charts/{component.name}.yaml"


@pytest.mark.parametrize(("component", "image"), DECLARED, ids=lambda value: getattr(value, "name", None) or value["name"])
def test_a_declared_image_is_a_reference_that_the_chart_can_be_told(component, image):
    Image.parse(f"{image['repository']}:{image['tag']}")
    for path in [*image.get("values", {}).values(), *([image["when"]["path"]] if "when" in image else [])]:
        schema_at(component.name, path)
    assert "values" in image, "without a value for its name the image cannot be mirrored"


@pytest.mark.parametrize(
    ("component", "images"),
    [
        ("nfd", {"registry.k8s.io/nfd/node-feature-discovery:v0.19.0"}),
        ("aws-efa", {"602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/aws-efa-k8s-device-plugin:v0.5.20"}),
        ("nvidia-dra-driver-gpu", {"registry.k8s.io/dra-driver-nvidia/dra-driver-nvidia-gpu:v0.5.0"}),
        ("nvcre", {"ghcr.io/nvidia/cluster-readiness-engine/manager:v0.2.0"}),
    ],
)
def test_known_charts_bring_what_is_published_of_them(component, images):
    assert {f"{image['repository']}:{image['tag']}" for owner, image in DECLARED if owner.name == component} == images


def test_the_operator_brings_the_fifteen_images_of_the_published_list_but_for_its_driver():
    found = {f"{image['repository']}:{image['tag']}" for owner, image in DECLARED if owner.name == "gpu-operator"}
    # The published list has the driver that its recipes set, and busybox of a manifest of its own.
    assert "nvcr.io/nvidia/driver:595.91.07" in found
    assert len(found) == 14


def test_no_digest_is_stated_that_is_not_published():
    pinned = {image["repository"] for _, image in DECLARED if "digest" in image}
    # Mellanox/network-operator-docs docs/advanced/images-sha256.rst at v26.4.1.
    assert pinned == {
        "nvcr.io/nvidia/cloud-native/network-operator",
        "nvcr.io/nvidia/mellanox/network-operator-init-container",
    }


def test_the_controllers_that_a_snapshot_looks_for_are_those_of_the_chart():
    controllers = {image["repository"].rpartition("/")[2] for one, image in DECLARED if one.name == "kubeflow-trainer"} - {"alpine"}
    assert facts(CATALOG)["deployments.apps"].images == controllers
