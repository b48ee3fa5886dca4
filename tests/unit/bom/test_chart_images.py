"""Requirements on the images of charts: declared, composed with the values a chart gets, never guessed."""

import pytest

from bundler.bom.chart_images import chart_images, undeclared
from bundler.errors import InvalidInput
from bundler.model.composition import Chart, Component

DIGEST = "sha256:" + "b" * 64


def component(name, version, values, chart="any"):
    return Component(
        name=name,
        version=version,
        namespace="x",
        chart=chart and Chart(repository="https://charts.example.com", name=chart, version=version),
        values=values,
    )


def images(catalog, name, version, values):
    return {image.name: str(image.image) for image in chart_images(catalog, component(name, version, values))}


def test_without_values_a_chart_pulls_its_defaults(packaged):
    assert images(packaged, "kubeflow-trainer", "2.2.0", {}) == {
        "controller-manager": "ghcr.io/kubeflow/trainer/trainer-controller-manager:v2.2.0",
        "jobset": "registry.k8s.io/jobset/jobset:v0.11.0",
    }


@pytest.mark.parametrize(
    ("name", "version", "values", "image", "expected"),
    [
        ("nfd", "0.19.0", {"image": {"repository": "m.io/nfd"}}, "node-feature-discovery", "m.io/nfd:v0.19.0"),
        ("nfd", "0.19.0", {"image": {"tag": f"v1@{DIGEST}"}}, "node-feature-discovery",
         f"registry.k8s.io/nfd/node-feature-discovery:v1@{DIGEST}"),
        ("cert-manager", "v1.20.2", {"image": {"digest": DIGEST}}, "controller",
         f"quay.io/jetstack/cert-manager-controller:v1.20.2@{DIGEST}"),
        ("kubeflow-trainer", "2.2.0", {"image": {"registry": "m.io/x"}}, "controller-manager",
         "m.io/x/kubeflow/trainer/trainer-controller-manager:v2.2.0"),
        ("gpu-operator", "v26.7.0", {"driver": {"version": "580.173.02"}}, "driver", "nvcr.io/nvidia/driver:580.173.02"),
        ("gpu-operator", "v26.7.0", {"driver": {"version": DIGEST}}, "driver", f"nvcr.io/nvidia/driver@{DIGEST}"),
        ("gpu-operator", "v26.7.0", {"driver": {"repository": "m.io/n", "image": "d"}}, "driver", "m.io/n/d:595.91.07"),
    ],
)  # fmt: skip
def test_a_value_replaces_the_part_that_it_holds(packaged, name, version, values, image, expected):
    assert images(packaged, name, version, values)[image] == expected


def test_what_the_values_turn_off_is_not_pulled(packaged):
    off = {"driver": {"enabled": False}, "toolkit": {"enabled": False}}
    assert not {"driver", "driver-manager", "toolkit"} & images(packaged, "gpu-operator", "v26.7.0", off).keys()
    assert {"driver", "toolkit", "device-plugin"} <= images(packaged, "gpu-operator", "v26.7.0", {}).keys()


def test_a_published_digest_is_no_part_of_a_reference_that_the_chart_pulls_by_tag(packaged):
    found = images(packaged, "network-operator", "26.4.1", {})
    assert found["operator"] == "nvcr.io/nvidia/cloud-native/network-operator:v26.4.1"


def test_values_that_name_no_image_are_refused_where_they_are_set(packaged):
    with pytest.raises(InvalidInput) as caught:
        images(packaged, "nfd", "0.19.0", {"image": {"repository": "Not An Image"}})
    (finding,) = caught.value.findings
    assert finding.rule == "AICR-I002"
    assert finding.message.startswith("the values of nfd name no image for node-feature-discovery: ")
    assert finding.fix == "correct nfd:image.repository, nfd:image.tag"


def test_a_component_of_manifests_has_no_chart_images(packaged):
    assert images(packaged, "gke-nccl-tcpxo", "", {}) == {}
    assert not [*undeclared(packaged, component("gke-nccl-tcpxo", "", {}, chart=None))]


def test_a_version_that_is_not_declared_is_said_and_guessed_from_no_other(packaged):
    unknown = component("nfd", "9.9.9", {})
    assert not [*chart_images(packaged, unknown)]
    (finding,) = undeclared(packaged, unknown)
    assert (finding.rule, str(finding.severity)) == ("AICR-I010", "warning")
    assert finding.message == "the images of chart any 9.9.9 are not declared"
    assert finding.fix == "declare them in bom/charts/nfd.yaml"


@pytest.mark.parametrize(
    ("name", "version", "values", "path"),
    [
        ("cert-manager", "v1.20.2", {"imageRegistry": "m.io"}, "imageRegistry"),
        ("nfd", "0.19.0", {"worker": {"sidecarImage": "m.io/x:1"}}, "worker.sidecarImage"),
    ],
)
def test_a_value_that_names_an_image_in_a_way_nobody_declared_is_said(packaged, name, version, values, path):
    (finding,) = undeclared(packaged, component(name, version, values))
    assert finding.rule == "AICR-I009"
    assert finding.message == f"{name}:{path} names an image that bom/charts/{name}.yaml does not know"


def test_values_that_are_declared_are_known(packaged):
    values = {"image": {"repository": "m.io/x", "tag": "1", "pullPolicy": "Always"}, "imagePullSecrets": []}
    assert not [*undeclared(packaged, component("nfd", "0.19.0", values))]
