"""Requirements on what a template may render."""

import pytest

from bundler.kube.resource import Resource
from bundler.model.location import Location
from bundler.render.objects import check_runtime, check_scope, check_shape, check_unique

HERE = Location(file="manifests/a.yaml.j2", line=1, column=1)


def resource(kind, name="a", group="", namespace="", version="v1"):
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    data = {"apiVersion": f"{group}/{version}" if group else version, "kind": kind, "metadata": metadata}
    return Resource(data=data, template=HERE.file, positions={"": HERE}, owner="x")


def runtime(name="a", kind="ClusterTrainingRuntime", namespace=""):
    return resource(kind, name, "trainer.kubeflow.org", namespace, "v1alpha1")


@pytest.mark.parametrize(
    ("data", "rule", "message"),
    [
        ([], "AICR-T013", "a rendered document is no map"),
        ("text", "AICR-T013", "a rendered document is no map"),
        ({}, "AICR-T013", "a rendered object has no apiVersion and no kind and no metadata.name"),
        ({"apiVersion": "v1", "kind": "Pod"}, "AICR-T013", "a rendered object has no metadata.name"),
        ({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": ""}}, "AICR-T013", "a rendered object has no metadata.name"),
        ({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": 1}}, "AICR-T013", "a rendered object has no metadata.name"),
        ({"apiVersion": "v1", "kind": "Pod", "metadata": []}, "AICR-T013", "a rendered object has no metadata.name"),
        ({"apiVersion": 1, "kind": "Pod", "metadata": {"name": "a"}}, "AICR-T013", "a rendered object has no apiVersion"),
        (
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": None}},
            "AICR-T013",
            "metadata.namespace is no text",
        ),
        ({"apiVersion": "v1", "kind": "List", "items": []}, "AICR-T016", "a template renders a List"),
        ({"apiVersion": "v1", "kind": "List"}, "AICR-T016", "a template renders a List"),
        ({"apiVersion": "v1", "kind": "ConfigMapList", "items": []}, "AICR-T016", "a template renders a ConfigMapList"),
        ({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}, "AICR-T015", "a template renders the Secret 's'"),
    ],
)
def test_a_document_is_one_named_object_that_may_be_committed(data, rule, message):
    found = check_shape(data, HERE)
    assert (found.rule, found.message, found.location) == (rule, message, HERE)
    assert found.fix


@pytest.mark.parametrize(
    "data",
    [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}},
        {"apiVersion": "example.com/v1", "kind": "Secret", "metadata": {"name": "a"}},
        {"apiVersion": "example.com/v1", "kind": "AllowList", "metadata": {"name": "a"}},
    ],
)
def test_any_other_named_object_has_the_shape_of_one(data):
    assert check_shape(data, HERE) is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (resource("Namespace", namespace="n"), "Namespace/a is cluster-scoped and states the namespace 'n'"),
        (runtime(namespace="n"), "ClusterTrainingRuntime/a is cluster-scoped and states the namespace 'n'"),
        (resource("DaemonSet", group="apps"), "DaemonSet/a is namespaced and states no namespace"),
        (runtime(kind="TrainingRuntime"), "TrainingRuntime/a is namespaced and states no namespace"),
    ],
)
def test_a_namespace_fits_the_scope(given, message):
    [found] = check_scope(given)
    assert (found.rule, found.message, found.subject) == ("AICR-T017", message, given.subject)


@pytest.mark.parametrize(
    "given",
    [
        resource("Namespace"),
        resource("DaemonSet", group="apps", namespace="n"),
        # Of a kind that is not known here, nothing is claimed.
        resource("NicClusterPolicy", group="mellanox.com"),
        resource("Namespace", group="example.com", namespace="n"),
    ],
)
def test_a_fitting_or_unknown_scope_is_no_finding(given):
    assert list(check_scope(given)) == []


@pytest.mark.parametrize(
    ("resources", "found"),
    [
        ([runtime("b")], "ClusterTrainingRuntime/b"),
        ([resource("ConfigMap", namespace="n")], "none"),
        ([runtime("a"), runtime("a", "TrainingRuntime", "n")], "ClusterTrainingRuntime/a, TrainingRuntime/a"),
    ],
)
def test_a_runtime_template_renders_exactly_the_runtime_of_its_name(resources, found):
    [finding] = check_runtime(resources, "a")
    assert (finding.rule, finding.message) == ("AICR-T018", f"a runtime template renders exactly the runtime 'a', not {found}")


def test_beside_a_cluster_scoped_runtime_stands_nothing_of_one_namespace():
    claim = resource("ResourceClaimTemplate", "c", "resource.k8s.io", "n")
    [found] = check_runtime([runtime(), claim], "a")
    assert (found.rule, found.message) == ("AICR-T017", "ResourceClaimTemplate/c lives in the namespace 'n', its runtime in none")
    assert list(check_runtime([runtime(kind="TrainingRuntime", namespace="n"), claim], "a")) == []


def test_beside_a_runtime_of_one_namespace_stands_nothing_of_another():
    claim = resource("ResourceClaimTemplate", "c", "resource.k8s.io", "m")
    [found] = check_runtime([runtime(kind="TrainingRuntime", namespace="n"), claim], "a")
    assert (found.rule, found.message) == ("AICR-T017", "ResourceClaimTemplate/c lives in the namespace 'm', its runtime in 'n'")
    assert found.fix == "render both in one namespace"


def test_two_objects_of_one_identity_are_told_with_the_place_of_the_first():
    first, second = resource("ConfigMap", namespace="n"), resource("ConfigMap", namespace="n", version="v1beta1")
    [found] = check_unique([first, resource("ConfigMap", namespace="m"), second])
    assert (found.rule, found.message) == ("AICR-T014", "ConfigMap/a is rendered twice, first at manifests/a.yaml.j2:1:1")
