"""O4: names that are no file names, or that two file systems would take for one another, are findings and never a lost file."""

import pytest

from bundler.errors import InvalidInput
from bundler.kube.resource import Resource
from bundler.model.composition import Component, Composition
from bundler.model.criteria import Criteria
from bundler.model.location import Location
from bundler.model.trace import Trace
from bundler.publish.charts import local_chart
from bundler.publish.files import OutputFile, closed
from bundler.publish.objects import object_path

NFC, NFD = "caf\u00e9", "cafe\u0301"


def resource(name, *, kind="ConfigMap", owner="x", group="", namespace="n"):
    api = f"{group}/v1" if group else "v1"
    data = {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": namespace}}
    return Resource(
        data=data, template="manifests/t.yaml.j2", positions={"": Location(file="manifests/t.yaml.j2", line=4)}, owner=owner
    )


def composition(*components):
    return Composition(
        recipe="r",
        criteria=Criteria(),
        layers=(),
        components=tuple(Component(name=name, version="", namespace="n", chart=None, values={}) for name in components),
        runtimes=(),
        constraints=(),
        selections=(),
        trace=Trace(assignments={}),
    )


def close(*resources, components=("x",)):
    made = composition(*components)
    return closed(
        OutputFile(path=object_path(each, made), content=b"", of=each.subject, location=each.locate("")) for each in resources
    )


def refusal(*resources, components=("x",)):
    with pytest.raises(InvalidInput) as caught:
        close(*resources, components=components)
    return [(finding.rule, finding.message, str(finding.location)) for finding in caught.value.findings]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("a/b", "holds the name 'configmap-a%2fb.yaml', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("../x", "holds the name 'configmap-..%2fx.yaml', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("/x", "holds the name 'configmap-%2fx.yaml', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("a b", "holds the name 'configmap-a b.yaml', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("a:b", "holds the name 'configmap-a:b.yaml', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("a\\b", "holds the name 'configmap-a\\\\b.yaml', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("a\nb", "holds the name 'configmap-a\\nb.yaml', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("a\0b", "holds the name 'configmap-a\\x00b.yaml', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        (NFC, "holds the name 'configmap-caf\\xe9.yaml', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        (NFD, "holds the name 'configmap-cafe\\u0301.yaml', which is not made of ASCII letters, digits, '.', '_' and '-' alone"),
        ("x" * 253, "holds a name of 268 bytes, more than the 255 a file system takes"),
    ],
)
def test_a_name_that_is_no_file_name(name, fault):
    assert refusal(resource(name)) == [("AICR-O001", f"the file of ConfigMap/{name} {fault}", "manifests/t.yaml.j2:4")]


@pytest.mark.parametrize("name", [".", "..", "con", "-"])
def test_a_kind_before_the_name_makes_a_file_name_of_it(name):
    """`configmap-...yaml` and `configmap-con.yaml` are ordinary names everywhere; conformance judges the object's own."""
    assert list(close(resource(name))) == [f"components/x/templates/configmap-{name}.yaml"]


@pytest.mark.parametrize("owner", ["con", "aux", "NUL", "..", ".", "a/../..", NFC])
def test_a_component_whose_name_is_no_directory(owner):
    ((rule, message, _location),) = refusal(resource("a", owner=owner), components=(owner,))
    assert rule == "AICR-O001"
    assert message.startswith("the file of ConfigMap/a holds ")


def test_names_that_differ_only_in_case():
    assert refusal(resource("a"), resource("A")) == [
        (
            "AICR-O002",
            "ConfigMap/a and ConfigMap/A would be written to one file, both as components/x/templates/configmap-a.yaml",
            "manifests/t.yaml.j2:4",
        )
    ]


def test_components_that_differ_only_in_case():
    ((rule, message, _location),) = refusal(resource("a", owner="x"), resource("a", owner="X"), components=("x", "X"))
    assert rule == "AICR-O002"
    assert message == (
        "ConfigMap/a and ConfigMap/a would be written to one file, "
        "as components/x/templates/configmap-a.yaml and components/X/templates/configmap-a.yaml"
    )


@pytest.mark.parametrize("other", [{"namespace": "other"}, {"group": "example.com"}])
def test_objects_that_only_a_cluster_tells_apart(other):
    ((rule, message, _location),) = refusal(resource("a"), resource("a", **other))
    assert (rule, message) == (
        "AICR-O002",
        "ConfigMap/a and ConfigMap/a would be written to one file, both as components/x/templates/configmap-a.yaml",
    )


def test_a_file_where_another_needs_a_directory():
    files = [OutputFile(path="a", content=b"", of="one"), OutputFile(path="A/b", content=b"", of="two")]
    with pytest.raises(InvalidInput, match="one and two would be written to one file, as a and A/b"):
        closed(files)


def test_every_finding_is_reported_at_once():
    assert [rule for rule, _, _ in refusal(resource("a b"), resource("é"), resource("a"), resource("A"))] == [
        "AICR-O001",
        "AICR-O001",
        "AICR-O002",
    ]


def test_kind_and_name_meet_at_one_hyphen():
    """`Role` `binding-a` and `RoleBinding` `a` stay two files."""
    assert len(close(resource("binding-a", kind="Role"), resource("a", kind="RoleBinding"))) == 2


def test_a_chart_version_does_not_depend_on_the_order_of_objects():
    files = [OutputFile(path=path, content=path.encode(), of=path) for path in ("b", "a")]
    assert local_chart("x", "", "", files) == local_chart("x", "", "", files[::-1])
