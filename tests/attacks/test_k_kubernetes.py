"""Rows K1 to K4: objects that no server should see."""

import copy

import pytest

from bundler.catalog.catalog import Catalog
from bundler.conform.conform import check
from bundler.kube.quantity import Quantity
from bundler.kube.resource import Resource
from bundler.model.composition import Component, Composition
from bundler.model.criteria import Criteria
from bundler.model.finding import Severity
from bundler.model.trace import Trace

CATALOG = Catalog.load()
POD = "/spec/template/spec/replicatedJobs/0/template/spec/template"
NODE = f"{POD}/spec/containers/0"
IMAGE = "registry.example.com/train/base:1.0@sha256:" + "a" * 64


def runtime():
    node = {"name": "node", "image": IMAGE, "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "$(A)"}]}
    job = {
        "name": "node",
        "template": {
            "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
            "spec": {"template": {"metadata": {"labels": {}, "annotations": {}}, "spec": {"containers": [node]}}},
        },
    }
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "torch-distributed", "labels": {"trainer.kubeflow.org/framework": "torch"}},
        "spec": {"mlPolicy": {"numNodes": 1, "torch": {}}, "template": {"spec": {"replicatedJobs": [job]}}},
    }


def pod_of(data):
    return data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]


def findings_on(data, version="2.3.0"):
    components = (
        (Component(name="kubeflow-trainer", version=version, namespace="kubeflow", chart=None, values={}),) if version else ()
    )
    composition = Composition(
        recipe="test",
        criteria=Criteria(),
        layers=(),
        components=components,
        runtimes=(),
        constraints=(),
        selections=(),
        trace=Trace(assignments={}),
    )
    return check((Resource(data=data, template="t.yaml.j2", positions={}, owner="test"),), composition, CATALOG)


def errors_on(data, **options):
    return [(each.rule, each.pointer) for each in findings_on(data, **options) if each.severity is Severity.ERROR]


def test_the_object_to_attack_is_right():
    assert findings_on(runtime()) == ()


@pytest.mark.parametrize(
    ("attack", "expected"),
    [
        (lambda data: data["metadata"].update(name="n" * 254), ("AICR-K011", "/metadata/name")),
        (lambda data: data["metadata"].update(name="torch/../../etc"), ("AICR-K011", "/metadata/name")),
        (lambda data: data["metadata"].update(name="torch\n"), ("AICR-K011", "/metadata/name")),
        (lambda data: data["metadata"].update(name="törch"), ("AICR-K011", "/metadata/name")),
        (lambda data: data["metadata"]["labels"].update(a="v" * 64), ("AICR-K012", "/metadata/labels/a")),
        (lambda data: data["metadata"]["labels"].update(a="-x"), ("AICR-K012", "/metadata/labels/a")),
        (lambda data: pod_of(data)["metadata"]["labels"].update(a="a b"), ("AICR-K012", f"{POD}/metadata/labels/a")),
        (
            lambda data: pod_of(data)["metadata"]["annotations"].update({f"k{index}": "x" * 1024 for index in range(256)}),
            ("AICR-K012", f"{POD}/metadata/annotations"),
        ),
        (
            lambda data: pod_of(data)["spec"]["containers"][0]["env"].append({"name": "A", "value": "2"}),
            ("AICR-K006", f"{NODE}/env/2"),
        ),
        (lambda data: pod_of(data)["spec"]["containers"][0]["env"].reverse(), ("AICR-K054", f"{NODE}/env/0/value")),
        (lambda data: pod_of(data)["spec"]["containers"][0].update(name="n" * 64), ("AICR-K051", f"{NODE}/name")),
    ],
)
def test_k1_names_sizes_duplicates_and_order_of_references(attack, expected):
    data = runtime()
    attack(data)
    assert expected in errors_on(data)


def test_k1_annotations_up_to_the_limit_pass():
    data = runtime()
    pod_of(data)["metadata"]["annotations"] = {"k": "x" * (256 * 1024 - 1)}
    assert findings_on(data) == ()


@pytest.mark.parametrize("version", ["2.2.0", "2.3.0"])
@pytest.mark.parametrize(
    "pointer",
    [
        "",
        "/spec",
        "/spec/mlPolicy",
        "/spec/mlPolicy/torch",
        "/spec/template",
        "/spec/template/spec",
        "/spec/template/spec/replicatedJobs/0",
        "/spec/template/spec/replicatedJobs/0/template",
        "/spec/template/spec/replicatedJobs/0/template/metadata",
        "/spec/template/spec/replicatedJobs/0/template/spec",
        POD,
        f"{POD}/metadata",
        f"{POD}/spec",
        NODE,
        f"{NODE}/env/0",
    ],
)
def test_k2_an_unknown_field_at_any_level_is_found_there(pointer, version):
    data = runtime()
    place = data
    for step in pointer.split("/")[1:]:
        place = place[int(step)] if isinstance(place, list) else place[step]
    place["bogusField"] = "pruned in silence"
    assert errors_on(data, version=version) == [("AICR-K002", f"{pointer}/bogusField")]


def test_k2_a_dead_field_of_an_older_trainer_is_found():
    # Servers of 2.2 accept torch.numProcPerNode and drop it.
    data = runtime()
    data["spec"]["mlPolicy"]["torch"] = {"numProcPerNode": "auto"}
    for version in ("2.2.0", "2.3.0"):
        assert errors_on(data, version=version) == [("AICR-K002", "/spec/mlPolicy/torch/numProcPerNode")]


@pytest.mark.parametrize("written", [1, "1", "1000m", "1e0", "1.0", "+1"])
def test_k3_spellings_of_one_quantity_are_equal_and_none_is_rewritten(written):
    assert Quantity.parse(written) == Quantity.parse("1")
    assert str(Quantity.parse(written)) == str(written)


@pytest.mark.parametrize("written", ["1", "1000m"])
def test_k3_an_object_keeps_the_spelling_it_came_with(written):
    data = runtime()
    pod_of(data)["spec"]["containers"][0]["resources"] = {"limits": {"cpu": written}}
    before = copy.deepcopy(data)
    assert findings_on(data) == ()
    assert data == before


def test_k3_a_quantity_as_a_number_is_not_text():
    data = runtime()
    pod_of(data)["spec"]["containers"][0]["resources"] = {"limits": {"cpu": 1}}
    assert errors_on(data) == [("AICR-K042", f"{NODE}/resources/limits/cpu")]


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("trainer.kubeflow.org/v1", "ClusterTrainingRuntime"),
        ("trainer.kubeflow.org/v1alpha1", "clustertrainingruntime"),
        ("apps/v1beta2", "DaemonSet"),
        ("v1", "DaemonSet"),
        ("", ""),
        ("networking.gke.io/v1", "Network"),
        ("resource.nvidia.com/v1beta1", "ComputeDomainClique"),
    ],
)
def test_k4_a_kind_without_schema_is_not_validated_and_never_valid(api_version, kind):
    data = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x", "namespace": "y"}, "spec": {"anything": [{}]}}
    assert ("AICR-K001", "/kind") in errors_on(data)


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("2.4.0", "no schema is known for kubeflow-trainer 2.4.0"),
        ("2.1.0", "no schema is known for kubeflow-trainer 2.1.0"),
        ("", "no schema is known for a bundle without kubeflow-trainer"),
    ],
)
def test_k4_a_trainer_without_schema_is_not_validated(version, message):
    (finding,) = [each for each in findings_on(runtime(), version=version) if each.rule == "AICR-K001"]
    assert finding.message == f"trainer.kubeflow.org/v1alpha1 ClusterTrainingRuntime is not validated: {message}"
    assert finding.fix == "use kubeflow-trainer 2.2.0 or 2.3.0"
    assert finding.severity is Severity.ERROR


@pytest.mark.parametrize("metadata", [None, [], "x", {"name": ["x"], "labels": ["y"], "annotations": "z", "namespace": {}}])
@pytest.mark.parametrize("kind", ["ClusterTrainingRuntime", "Unheard"])
def test_an_object_of_any_shape_ends_in_findings(metadata, kind):
    data = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": kind, "metadata": metadata, "spec": [1, {"template": 2}]}
    assert errors_on(data)
