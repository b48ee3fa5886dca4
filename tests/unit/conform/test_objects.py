"""Requirements on objects as such: kinds, names, labels, namespaces, identity."""

import pytest

CONFIG = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "cfg", "namespace": "default"},
    "data": {"nvidia.conf": "options"},
}
NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "gpu-operator"}}
QUOTA = {
    "apiVersion": "v1",
    "kind": "ResourceQuota",
    "metadata": {"name": "gcp-critical-pods", "namespace": "gpu-operator"},
    "spec": {
        "hard": {"pods": "1000"},
        "scopeSelector": {
            "matchExpressions": [{"operator": "In", "scopeName": "PriorityClass", "values": ["system-node-critical"]}]
        },
    },
}


@pytest.mark.parametrize("data", [CONFIG, NAMESPACE, QUOTA])
def test_the_plain_kinds_of_a_bundle_pass(data, judge):
    assert judge(data) == ()


@pytest.mark.parametrize(
    ("kind", "fix"),
    [
        ("Secret", "a bundle is committed in clear text; create the secret in the cluster and refer to it by name"),
        ("List", "render each object as a document of its own"),
        ("ConfigMapList", "render each object as a document of its own"),
    ],
)
def test_kinds_that_no_bundle_holds_are_refused_with_one_finding(kind, fix, judge):
    (finding,) = judge({"apiVersion": "v1", "kind": kind, "metadata": {"name": "x"}})
    assert (finding.rule, finding.message, finding.fix) == ("AICR-K010", f"a bundle holds no object of kind {kind}", fix)


@pytest.mark.parametrize(
    "data", [{"apiVersion": "v1", "kind": "ConfigMap"}, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": []}]
)
def test_an_object_without_metadata_is_one_finding(data, judge):
    (finding,) = judge(data)
    assert (finding.rule, finding.pointer, finding.subject) == ("AICR-K004", "/metadata", "ConfigMap")


@pytest.mark.parametrize(
    ("operation", "found"),
    [
        ({"op": "replace", "path": "/metadata/name", "value": "a_b"}, ("AICR-K011", "/metadata/name")),
        ({"op": "remove", "path": "/metadata/name"}, ("AICR-K011", "/metadata/name")),
        ({"op": "replace", "path": "/metadata/name", "value": "n" * 254}, ("AICR-K011", "/metadata/name")),
        ({"op": "add", "path": "/metadata/labels", "value": {"-bad-": "x"}}, ("AICR-K012", "/metadata/labels/-bad-")),
        ({"op": "add", "path": "/metadata/labels", "value": {"a/b": "v" * 64}}, ("AICR-K012", "/metadata/labels/a~1b")),
        ({"op": "add", "path": "/metadata/annotations", "value": {"a b": "x"}}, ("AICR-K012", "/metadata/annotations/a b")),
        ({"op": "add", "path": "/metadata/annotations", "value": {"a": "x" * 2**18}}, ("AICR-K012", "/metadata/annotations")),
        ({"op": "remove", "path": "/metadata/namespace"}, ("AICR-K013", "/metadata")),
        ({"op": "replace", "path": "/metadata/namespace", "value": "a.b"}, ("AICR-K013", "/metadata/namespace")),
        ({"op": "add", "path": "/data/a", "value": "{{ .Values.x }}"}, ("AICR-K015", "/data/a")),
        ({"op": "add", "path": "/data/{{x}}", "value": "y"}, ("AICR-K015", "/data/{{x}}")),
        ({"op": "add", "path": "/data/a b", "value": "y"}, ("AICR-K016", "/data/a b")),
        ({"op": "add", "path": "/data/x", "value": None}, ("AICR-K007", "/data/x")),
    ],
)
def test_each_fault_is_found_at_its_place(operation, found, after):
    expected = {found, ("AICR-K016", found[1])} if "{{x}}" in found[1] else {found}
    assert set(after(CONFIG, operation)) == expected


def test_annotation_keys_may_have_upper_case_prefixes_as_servers_take_them(after):
    assert after(CONFIG, {"op": "add", "path": "/metadata/annotations", "value": {"Example.COM/Key": "x"}}) == []


def test_a_cluster_scoped_object_has_no_namespace(after):
    assert after(NAMESPACE, {"op": "add", "path": "/metadata/namespace", "value": "x"}) == [("AICR-K013", "/metadata/namespace")]


def test_the_name_of_a_namespace_has_no_dots(after):
    assert after(NAMESPACE, {"op": "replace", "path": "/metadata/name", "value": "gpu.operator"}) == [
        ("AICR-K011", "/metadata/name")
    ]


def test_the_second_of_two_objects_with_one_identity_is_found(judge):
    (finding,) = judge(CONFIG, {**CONFIG, "data": {}})
    assert finding.rule == "AICR-K014"
    assert finding.message == "ConfigMap/cfg is rendered twice, first by manifests/0.yaml.j2:1:1"
    assert finding.location.file == "manifests/1.yaml.j2"


def test_one_name_in_two_namespaces_is_two_objects(judge):
    assert judge(CONFIG, {**CONFIG, "metadata": {"name": "cfg", "namespace": "other"}}) == ()


def test_a_runtime_may_hold_template_text_which_no_one_evaluates(runtime, after):
    pointer = "/spec/template/spec/replicatedJobs/0/template/spec/template/spec/containers/0/env/0/value"
    assert after(runtime, {"op": "replace", "path": pointer, "value": "{{ literal }}"}) == []


def test_labels_and_annotations_of_pods_are_checked_too(runtime, after):
    pod = "/spec/template/spec/replicatedJobs/0/template/spec/template/metadata"
    operation = {"op": "add", "path": f"{pod}/labels", "value": {"a": "v" * 64}}
    assert after(runtime, operation) == [("AICR-K012", f"{pod}/labels/a")]
