"""Requirements on component values whose schema gives a list keys: merged, traced, patched and deleted by key."""

from bundler.model.location import Location
from bundler.model.request import Override
from tests.unit.compose.catalogues import composed, overlay, recipe, refused, set_, values

SCHEMA = """\
{"properties": {"driver": {}, "agents": {}, "labels": {}, "env": {
  "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
  "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "value": {"type": "string"}}}}}}
"""


def layered(one, other):
    body = "components:\n  - name: operator\n    values: {{env: {}}}\n"
    return {
        "schemas/values/operator.json": SCHEMA,
        "overlays/a.yaml": overlay("a", "{service: gke}", body.format(one)),
        "recipes/mega.yaml": recipe("mega", body.format(other)),
    }


def test_items_merge_by_key_and_each_is_traced_by_it(tmp_path):
    files = layered("[{name: A, value: '1'}, {name: B, value: '2'}]", "[{name: B, value: '3'}, {name: C, value: null}]")
    composition = composed(tmp_path, files)
    assert values(composition)["env"] == [{"name": "A", "value": "1"}, {"name": "B", "value": "3"}, {"name": "C"}]
    made = composition.trace.assignments["/components/operator/values/env/B/value"]
    assert [(each.layer, each.value) for each in made] == [("overlay a", "2"), ("recipe mega", "3")]


def test_a_patched_item_that_a_later_layer_extends_is_kept(tmp_path):
    files = layered("[{name: A, value: '1'}]", "[{name: B, value: '2'}]")
    files["overlays/a.yaml"] += "    patches:\n      - {op: replace, path: /env/0/value, value: '9'}\n"
    composition = composed(tmp_path, files)
    assert values(composition)["env"] == [{"name": "A", "value": "9"}, {"name": "B", "value": "2"}]
    assert [each.action for each in composition.trace.assignments["/components/operator/values/env/A/value"]] == ["set", "patch"]


def test_equal_overlays_disagree_on_an_item_and_not_on_the_list(tmp_path):
    body = "components:\n  - name: operator\n    values: {{env: [{{name: {}, value: '{}'}}]}}\n"
    files = {
        "schemas/values/operator.json": SCHEMA,
        "overlays/a.yaml": overlay("a", "{service: gke}", body.format("A", 1)),
        "overlays/b.yaml": overlay("b", "{os: cos}", body.format("B", 2)),
    }
    assert values(composed(tmp_path, files))["env"] == [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    files["overlays/b.yaml"] = overlay("b", "{os: cos}", body.format("A", 2))
    [finding] = refused(composed, tmp_path / "same", files)
    assert "disagree on /components/operator/values/env/A/value: set '1'" in finding


def test_a_key_that_stands_twice_is_refused(tmp_path):
    twice = "[{name: A, value: '1'}, {name: A, value: '2'}]"
    assert refused(composed, tmp_path, layered("[]", twice)) == [
        (
            "AICR-C011: /components/operator/values/env/A/name is written twice, first at recipes/mega.yaml:7:21\n"
            "  --> recipes/mega.yaml:7:44\n  fix: join the two entries"
        )
    ]
    override = Override(component="op", path=("env",), value=[{"name": "A"}, {"name": "A"}], location=Location(file="--set-json"))
    assert refused(composed, tmp_path, layered("[]", "[]"), overrides=(override,)) == [
        "AICR-C011: /components/operator/values/env/A/name is written twice\n  --> --set-json\n  fix: join the two entries"
    ]


def test_a_path_into_a_list_is_no_path_of_a_flag(tmp_path):
    assert refused(composed, tmp_path, layered("[]", "[]"), overrides=(set_("op", "env.A.value", "1"),)) == [
        "AICR-C053: operator has no value 'env.A.value'\n  --> --set\n  fix: nothing stands below operator:env"
    ]
