"""Requirements on applying a relocation: every image of every object and chart, and nothing else."""

import pytest

from bundler.bom.relocate import Mirror
from bundler.errors import InvalidInput
from bundler.kube.resource import Resource
from bundler.model.composition import Chart, Component, Composition
from bundler.model.criteria import Criteria
from bundler.model.location import Location
from bundler.model.relocation import Relocation
from bundler.model.trace import Trace

DIGEST = "sha256:" + "a" * 64


@pytest.fixture(scope="module")
def mirror(packaged):
    composition = Composition(
        recipe="x",
        criteria=Criteria(),
        layers=(),
        components=(),
        runtimes=(),
        constraints=(),
        selections=(),
        trace=Trace(assignments={}),
    )
    return Mirror.of(Relocation(to="m.io:5000/x"), composition, packaged)


def moved(mirror, spec):
    data = {"apiVersion": "v1", "kind": "Thing", "metadata": {"name": "x"}, "spec": spec}
    resource = Resource(data=data, template="x", positions={"": Location(file="x", line=3)}, owner="x")
    result = mirror.resource(resource).data["spec"]
    assert data["spec"] == spec
    return result


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"image": f"a.io/b:c@{DIGEST}"}, {"image": f"m.io:5000/x/b:c@{DIGEST}"}),
        ({"args": ["--solver-image=a.io/b:c", "-v"]}, {"args": ["--solver-image=m.io:5000/x/b:c", "-v"]}),
        ({"env": [{"name": "PAUSE_IMAGE", "value": "b"}]}, {"env": [{"name": "PAUSE_IMAGE", "value": "m.io:5000/x/library/b"}]}),
        ({"anything": "a.io/b:c"}, {"anything": "m.io:5000/x/b:c"}),
        (
            {"ofed": {"repository": "a.io/n/m", "image": "d", "version": "1"}},
            {"ofed": {"repository": "m.io:5000/x/n/m", "image": "d", "version": "1"}},
        ),
        ({"image": {"repository": "a.io/b", "tag": "1"}}, {"image": {"repository": "m.io:5000/x/b", "tag": "1"}}),
        (
            {"image": {"registry": "a.io", "repository": "b/c", "tag": "1"}},
            {"image": {"registry": "m.io:5000", "repository": "x/b/c", "tag": "1"}},
        ),
        ({"image": "cos-nvidia-installer:fixed"}, {"image": "cos-nvidia-installer:fixed"}),
        ({"imagePullPolicy": "Always", "note": "nothing"}, {"imagePullPolicy": "Always", "note": "nothing"}),
    ],
)
def test_an_image_is_replaced_in_the_way_it_is_written(mirror, before, after):
    assert moved(mirror, before) == after


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"args": ["-c", "pull a.io/b:1"]}, "'a.io/b:1' stands in a longer text, where it cannot be replaced by the mirror's"),
        ({"imageName": "b"}, "'b' is what 'imageName' holds, where it cannot be replaced by the mirror's"),
    ],
)
def test_an_image_that_cannot_be_replaced_is_refused(mirror, spec, message):
    with pytest.raises(InvalidInput) as caught:
        moved(mirror, spec)
    (finding,) = caught.value.findings
    assert (finding.rule, finding.message, str(finding.location)) == ("AICR-I016", message, "x:3")


def component(name, version, values):
    chart = Chart(repository="https://charts.example.com", name=name, version=version)
    return Component(name=name, version=version, namespace="x", chart=chart, values=values)


@pytest.mark.parametrize(
    ("name", "version", "values", "expected"),
    [
        ("nfd", "0.19.0", {"a": 1}, {"a": 1, "image": {"repository": "m.io:5000/x/nfd/node-feature-discovery"}}),
        (
            "kubeflow-trainer",
            "2.2.0",
            {"jobset": {"install": False}},
            {
                "jobset": {"install": False},
                "image": {"registry": "m.io:5000", "repository": "x/kubeflow/trainer/trainer-controller-manager"},
            },
        ),
    ],
)
def test_a_chart_is_told_where_its_images_are(mirror, name, version, values, expected):
    before = component(name, version, values)
    assert mirror.component(before).values == expected
    assert before.values == values


def test_only_the_parts_that_change_are_told(mirror):
    values = mirror.component(component("gpu-operator", "v26.7.0", {})).values
    assert values["operator"] == {"repository": "m.io:5000/x/nvidia"}
    assert values["driver"]["manager"] == {"repository": "m.io:5000/x/nvidia/cloud-native"}


def test_a_component_without_a_chart_keeps_its_values(mirror):
    plain = Component(name="gke-nccl-tcpxo", version="", namespace="x", chart=None, values={"a": 1})
    assert mirror.component(plain) == plain


def test_a_chart_that_names_its_image_itself_is_refused(edited):
    text = "        values: {name: image.repository, tag: image.tag}\n"
    catalog = edited("bom/charts/nfd.yaml", text, "")
    composition = Composition(
        recipe="x",
        criteria=Criteria(),
        layers=(),
        components=(),
        runtimes=(),
        constraints=(),
        selections=(),
        trace=Trace(assignments={}),
    )
    with pytest.raises(InvalidInput) as caught:
        Mirror.of(Relocation(to="m.io"), composition, catalog).component(component("nfd", "0.19.0", {}))
    (finding,) = caught.value.findings
    assert finding.rule == "AICR-I017"
    assert finding.message == (
        "chart of nfd has no value for the name of its image 'registry.k8s.io/nfd/node-feature-discovery:v0.19.0'"
    )
