"""Requirements on rendering a whole composition."""

import pytest

from bundler.errors import InvalidInput
from bundler.model.composition import Patch, Runtime
from bundler.model.location import Location
from bundler.render.render import render_resources
from tests.unit.render.kit import catalog, component, composition

CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ (component.name + "-config") | quote }}
  namespace: {{ component.namespace | quote }}
data: {{ values.data | to_json }}
"""
RUNTIME = """\
# A comment.
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: plain
spec:
  image: {{ image("torch") | quote }}
  devices: {{ fragment("devices") | to_json }}
  service: {{ criteria.service | quote }}
"""
IMAGES = "  - {name: torch, repository: docker.io/pytorch/pytorch, tag: 2.7.1, source: 'https://example.com/'}\n"
TEMPLATES = {"components/x/config.yaml.j2": CONFIG_MAP, "runtimes/plain.yaml.j2": RUNTIME}


def rendered(tmp_path, *, templates=TEMPLATES, **parts):
    made = catalog(tmp_path, templates, IMAGES, {"devices": "- /dev/nvidia0\n"})
    return render_resources(made, composition(**parts))


def refused(tmp_path, *, templates=TEMPLATES, **parts):
    with pytest.raises(InvalidInput) as caught:
        rendered(tmp_path, templates=templates, **parts)
    return caught.value.findings


def test_components_and_runtimes_render_to_objects_sorted_by_identity(tmp_path):
    resources = rendered(tmp_path, components=[component("components/x/config.yaml.j2", data={"k": "v"})], runtimes=["plain"])
    assert [(resource.subject, resource.namespace, resource.owner) for resource in resources] == [
        ("ConfigMap/x-config", "ns-x", "x"),
        ("ClusterTrainingRuntime/plain", "", "kubeflow-trainer"),
    ]
    assert resources[0].data["data"] == {"k": "v"}
    assert resources[1].data["spec"] == {
        "image": "docker.io/pytorch/pytorch:2.7.1",
        "devices": ["/dev/nvidia0"],
        "service": "gke",
    }
    assert resources[1].template == f"{tmp_path}/manifests/runtimes/plain.yaml.j2"
    assert str(resources[1].locate("/spec/devices/0")) == f"{resources[1].template}:8:12"


def test_a_patch_applies_to_the_runtime_and_is_where_its_values_stand(tmp_path):
    location = Location(file="overlays/o.yaml", line=7, column=3)
    patch = Patch(operations=({"op": "add", "path": "/spec/n", "value": 2},), layer="overlay o", location=location)
    [runtime] = rendered(tmp_path, runtimes=[Runtime(name="plain", patches=(patch,))])
    assert runtime.data["spec"]["n"] == 2
    assert runtime.locate("/spec/n") == location
    assert runtime.locate("/spec/service").line == 9


@pytest.mark.parametrize(
    ("operation", "rule"),
    [
        ({"op": "replace", "path": "/metadata/name", "value": "other"}, "AICR-T018"),
        ({"op": "remove", "path": "/metadata/name"}, "AICR-T013"),
        ({"op": "replace", "path": "/metadata", "value": "text"}, "AICR-T013"),
        ({"op": "add", "path": "/metadata/namespace", "value": "n"}, "AICR-T017"),
        ({"op": "replace", "path": "/kind", "value": "ConfigMap"}, "AICR-T018"),
    ],
)
def test_what_a_patch_makes_of_a_runtime_is_checked_again(tmp_path, operation, rule):
    patch = Patch(operations=(operation,), layer="overlay o", location=Location(file="overlays/o.yaml", line=7, column=3))
    [found] = refused(tmp_path, runtimes=[Runtime(name="plain", patches=(patch,))])
    assert found.rule == rule


def test_findings_of_all_templates_are_told_at_once(tmp_path):
    templates = TEMPLATES | {"runtimes/other.yaml.j2": "a: {{ profiles.x | quote }}\n"}
    found = refused(
        tmp_path,
        templates=templates,
        components=[component("components/x/config.yaml.j2"), component("components/x/absent.yaml.j2", name="y")],
        runtimes=["other", "plain"],
    )
    assert [(each.rule, each.message) for each in found] == [
        ("AICR-T002", "a map has no member 'data'"),
        ("AICR-S018", "no template 'components/x/absent.yaml.j2' in manifests"),
        ("AICR-T002", "a map has no member 'x'"),
    ]


@pytest.mark.parametrize("name", ["../outside.yaml.j2", "/etc/passwd", "components/../../x"])
def test_a_layer_names_no_template_outside_manifests(tmp_path, name):
    [found] = refused(tmp_path, components=[component(name)])
    assert (found.rule, found.message) == ("AICR-T008", f"a template name leads out of manifests/: {name!r}")


def test_a_runtime_template_has_no_component(tmp_path):
    [found] = refused(tmp_path, templates={"runtimes/plain.yaml.j2": "a: {{ values | to_json }}\n"}, runtimes=["plain"])
    assert (found.rule, found.message) == ("AICR-T002", "nothing is named 'values'")


def test_a_template_is_compiled_once_for_all_compositions_of_a_catalogue(tmp_path):
    made = catalog(tmp_path, TEMPLATES, IMAGES, {"devices": "- /dev/nvidia0\n"})
    first = render_resources(made, composition(runtimes=["plain"]))
    (tmp_path / "manifests/runtimes/plain.yaml.j2").unlink()
    second = render_resources(made, composition(runtimes=["plain"]))
    assert first[0].data == second[0].data


def test_many_components_share_one_template(tmp_path):
    components = [component("components/x/config.yaml.j2", name=f"x{number:03}", data={"n": str(number)}) for number in range(200)]
    resources = rendered(tmp_path, components=components)
    assert [resource.data["data"]["n"] for resource in resources] == [str(number) for number in range(200)]
