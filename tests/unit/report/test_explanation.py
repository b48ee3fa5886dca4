"""Requirements on explanations: what stands at a pointer now, who said so, and the nearest pointer where nothing stands."""

import pytest

from bundler.errors import NotFound
from bundler.kube.resource import Resource
from bundler.model.composition import Component, Composition, Constraint, Runtime
from bundler.model.criteria import Criteria
from bundler.model.location import Location
from bundler.model.trace import Assignment, Trace
from bundler.report.explanation import explain_resource, explain_value, explanation_data, explanation_text, find_resource

PLACE = Location(file="aicr explain")


def made(pointer, value, action="set", layer="base", line=1):
    return Assignment(pointer=pointer, value=value, action=action, layer=layer, location=Location(file=f"{layer}.yaml", line=line))


def composition(values, *assignments):
    component = Component(name="x", version="1", namespace="n", chart=None, values=values, dependencies=("y",))
    by_pointer = {}
    for assignment in assignments:
        by_pointer.setdefault(assignment.pointer, []).append(assignment)
    return Composition(
        recipe="r",
        criteria=Criteria(service="kind"),
        layers=(),
        components=(component,),
        runtimes=(Runtime(name="t"),),
        constraints=(Constraint(name="K8s.server.version", value=">= 1.32"),),
        selections=(),
        trace=Trace(assignments={pointer: tuple(every) for pointer, every in by_pointer.items()}),
    )


def resource(kind="ConfigMap", name="m", namespace=""):
    data = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}, "data": {"a/b": "c"}}
    positions = {"/data": Location(file="t.yaml.j2", line=5), "/data/a~1b": Location(file="t.yaml.j2", line=6)}
    return Resource(data=data, template="t.yaml.j2", positions=positions, owner="x")


VALUES = "/components/x/values"


def test_the_last_word_on_a_pointer_is_what_stands_there():
    found = explain_value(
        composition({"a": 2}, made(f"{VALUES}/a", 1), made(f"{VALUES}/a", 2, layer="recipe r")), f"{VALUES}/a", place=PLACE
    )
    assert (found.value, found.present) == (2, True)
    assert [assignment.layer for assignment in found.assignments] == ["base", "recipe r"]


def test_false_and_null_are_values():
    for value in (False, None, 0, ""):
        found = explain_value(composition({"a": value}, made(f"{VALUES}/a", value)), f"{VALUES}/a", place=PLACE)
        assert (found.value, found.present) == (value, True)


@pytest.mark.parametrize("step", ["b", "1"])
def test_items_of_lists_are_found_by_key_and_by_index(step):
    values = {"list": [{"name": "a"}, {"name": "b", "value": 7}]}
    found = explain_value(composition(values, made(f"{VALUES}/list/b/value", 7)), f"{VALUES}/list/{step}/value", place=PLACE)
    assert found.value == 7


@pytest.mark.parametrize(
    ("pointer", "value"),
    [("/constraints/K8s.server.version", ">= 1.32"), ("/components/x/dependencies/y", "y"), ("/runtimes/t", "t")],
)
def test_everything_that_the_trace_points_at_has_a_value(pointer, value):
    assert explain_value(composition({}, made(pointer, value)), pointer, place=PLACE).value == value


def test_a_deletion_is_explained():
    found = explain_value(composition({}, made(f"{VALUES}/a", 1), made(f"{VALUES}/a", None, "delete")), f"{VALUES}/a", place=PLACE)
    assert (found.present, found.value) == (False, None)
    assert "  value: (deleted)\n" in explanation_text(found)


def test_what_only_stands_below_a_deleted_map_is_explained_by_the_deletion():
    found = explain_value(composition({}, made(f"{VALUES}/a", None, "delete")), f"{VALUES}/a/b", place=PLACE)
    assert [assignment.action for assignment in found.assignments] == ["delete"]


@pytest.mark.parametrize("pointer", [f"{VALUES}/enabld", "/components/z", "/x/y/z"])
def test_where_nothing_ever_stood_is_not_found(pointer):
    with pytest.raises(NotFound) as caught:
        explain_value(composition({"enabled": True}, made(f"{VALUES}/enabled", True)), pointer, place=PLACE)
    (finding,) = caught.value.findings
    assert (finding.rule, finding.message) == ("AICR-U019", f"nothing is at {pointer!r}")


def test_the_nearest_pointer_is_named():
    with pytest.raises(NotFound) as caught:
        explain_value(composition({"enabled": True}, made(f"{VALUES}/enabled", True)), f"{VALUES}/enabld", place=PLACE)
    assert caught.value.findings[0].fix == f"did you mean '{VALUES}/enabled'?"


def test_a_rendered_value_has_its_template_line_and_its_patches():
    patch = made("/runtimes/m/data/a~1b", "c", "patch", layer="overlay o")
    found = explain_resource(composition({}, patch), resource(), "/data/a~1b", place=PLACE)
    assert (found.subject, found.value, found.location) == ("ConfigMap/m", "c", Location(file="t.yaml.j2", line=6))
    assert found.assignments == (patch,)
    assert explanation_text(found).startswith('ConfigMap/m /data/a~1b\n  value: "c"\n  --> t.yaml.j2:6\n')


def test_where_an_object_has_nothing_is_not_found():
    with pytest.raises(NotFound):
        explain_resource(composition({}), resource(), "/data/x", place=PLACE)


@pytest.mark.parametrize("name", ["m", "M", "ConfigMap/m", "configmap/m", "ConfigMap/n/m"])
def test_an_object_is_named_by_kind_namespace_and_name(name):
    assert find_resource([resource(namespace="n"), resource(name="o")], name, place=PLACE).name == "m"


def test_a_name_that_two_objects_have_is_refused():
    with pytest.raises(NotFound) as caught:
        find_resource([resource(), resource(kind="Secret")], "m", place=PLACE)
    (finding,) = caught.value.findings
    assert (finding.message, finding.fix) == ("2 objects are named 'm'", "name one of ConfigMap/m, Secret/m")


def test_the_data_holds_what_the_text_holds():
    found = explain_value(composition({"a": 1}, made(f"{VALUES}/a", 1, line=4)), f"{VALUES}/a", place=PLACE)
    assert explanation_data(found) == {
        "pointer": f"{VALUES}/a",
        "present": True,
        "value": 1,
        "assignments": [
            {
                "layer": "base",
                "action": "set",
                "pointer": f"{VALUES}/a",
                "value": 1,
                "location": {"file": "base.yaml", "line": 4, "column": 0},
            }
        ],
    }
    assert "base.yaml:4" in explanation_text(found)


def test_a_hostile_value_does_not_act_on_the_terminal():
    text = explanation_text(
        explain_value(composition({"a": "\x1b[2J"}, made(f"{VALUES}/a", "\x1b[2J")), f"{VALUES}/a", place=PLACE)
    )
    assert "\x1b" not in text
