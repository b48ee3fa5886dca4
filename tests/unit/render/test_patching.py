"""Requirements on patches of rendered objects."""

import pytest

from bundler.errors import InvalidInput
from bundler.kube.resource import Resource
from bundler.model.composition import Patch
from bundler.model.location import Location
from bundler.render.patching import patched

DATA = {"spec": {"env": [{"name": "A"}, {"name": "B"}, {"name": "C"}], "n": 1, "labels": {"a/b": "c"}}}
PATCH = Location(file="overlays/o.yaml", line=9, column=5)


def line(number):
    return Location(file="manifests/a.yaml.j2", line=number, column=1)


POSITIONS = {
    "": line(1),
    "/spec": line(2),
    "/spec/env": line(3),
    "/spec/env/0": line(4),
    "/spec/env/0/name": line(4),
    "/spec/env/1": line(5),
    "/spec/env/1/name": line(5),
    "/spec/env/2": line(6),
    "/spec/env/2/name": line(6),
    "/spec/n": line(7),
    "/spec/labels": line(8),
    "/spec/labels/a~1b": line(9),
}


def apply(*operations):
    resource = Resource(data=DATA, template="manifests/a.yaml.j2", positions=POSITIONS, owner="x")
    return patched(resource, [Patch(operations=operations, layer="overlay o", location=PATCH)])


@pytest.mark.parametrize(
    ("operation", "names", "lines"),
    [
        ({"op": "add", "path": "/spec/env/1", "value": {"name": "X"}}, "AXBC", [4, 9, 5, 6]),
        ({"op": "add", "path": "/spec/env/-", "value": {"name": "X"}}, "ABCX", [4, 5, 6, 9]),
        ({"op": "remove", "path": "/spec/env/0"}, "BC", [5, 6]),
        ({"op": "replace", "path": "/spec/env/1", "value": {"name": "X"}}, "AXC", [4, 9, 6]),
        ({"op": "move", "from": "/spec/env/0", "path": "/spec/env/2"}, "BCA", [5, 6, 9]),
        ({"op": "copy", "from": "/spec/env/2", "path": "/spec/env/0"}, "CABC", [9, 4, 5, 6]),
        ({"op": "replace", "path": "/spec/env/2/name", "value": "X"}, "ABX", [4, 5, 9]),
    ],
)
def test_what_a_patch_wrote_stands_where_the_patch_stands_and_the_rest_where_it_stood(operation, names, lines):
    resource = apply(operation)
    assert "".join(item["name"] for item in resource.data["spec"]["env"]) == names
    assert [resource.locate(f"/spec/env/{index}/name").line for index in range(len(names))] == lines
    assert resource.locate("/spec/n") == line(7)


def test_a_replaced_map_takes_its_members_positions_with_it():
    resource = apply({"op": "replace", "path": "/spec/labels", "value": {"a/b": "d"}})
    assert resource.locate("/spec/labels/a~1b") == PATCH


def test_a_member_named_with_a_slash_is_reached():
    resource = apply({"op": "replace", "path": "/spec/labels/a~1b", "value": "d"})
    assert resource.data["spec"]["labels"] == {"a/b": "d"}
    assert resource.locate("/spec/labels/a~1b") == PATCH


def test_operations_apply_in_order_and_leave_the_rendered_object_alone():
    resource = apply({"op": "add", "path": "/spec/m", "value": 2}, {"op": "move", "from": "/spec/m", "path": "/spec/n"})
    assert resource.data["spec"]["n"] == 2
    assert "m" not in resource.data["spec"]
    assert DATA["spec"]["n"] == 1


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "replace", "path": "/spec/nn", "value": 1},
        {"op": "remove", "path": "/spec/env/3"},
        {"op": "add", "path": "/specs/n", "value": 1},
        {"op": "test", "path": "/spec/n", "value": True},
        {"op": "test", "path": "/spec/n", "value": 1.0},
        {"op": "replace", "path": "", "value": {}},
        {"op": "replace", "path": "/spec/n", "vlaue": 1, "value": 1},
        {"op": "replace", "path": "/spec/n"},
        {"op": "swap", "path": "/spec/n"},
        {"op": "replace", "path": "/spec/env/01", "value": 1},
        {"op": "copy", "from": "/spec/absent", "path": "/spec/n"},
    ],
)
def test_no_operation_misses_or_is_malformed_in_silence(operation):
    with pytest.raises(InvalidInput) as caught:
        apply(operation)
    [found] = caught.value.findings
    assert found.location == PATCH
    assert found.fix
