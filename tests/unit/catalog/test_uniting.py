"""Requirements on data of several directories: entries are added or replaced by name, nothing is hidden, every place is kept."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.catalog.uniting import entries, unite, united
from bundler.errors import InvalidInput
from bundler.yamlio.reader import read

HEAD = "apiVersion: aicr.run/v2\n"
PROFILE = HEAD + "kind: Profile\nmetadata: {name: fabricAttachment, description: D.}\nvalues:\n  NAME:\n    description: Mine.\n"
TABLE = HEAD + "kind: MachineTable\nmetadata: {name: eks, description: Mine., source: s}\n"
ROW = "  - {name: NAME, accelerator: h100, gpus: 4, arch: amd64, source: s}\n"


def catalog(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return Catalog.load(root)


def said(action):
    with pytest.raises(InvalidInput) as caught:
        action()
    return [(finding.rule, finding.message, str(finding.location), finding.fix) for finding in caught.value.findings]


def test_entries_of_a_list_are_united_by_name_each_at_the_place_where_it_was_written():
    one = read(b"a: 1\nitems:\n  - {name: x, v: 1}\n  - {name: w, v: 1}\n", "one.yaml")
    two = read(b"a: 2\nitems:\n  - {name: z, v: 2}\n  - {name: x, v: 2}\n", "two.yaml")
    both = unite((one, two), "items")
    assert both.data == {"a": 2, "items": [{"name": "x", "v": 2}, {"name": "w", "v": 1}, {"name": "z", "v": 2}]}
    assert [str(both.locate(f"/items/{index}/v")) for index in range(3)] == ["two.yaml:4:15", "one.yaml:4:15", "two.yaml:3:15"]
    assert str(both.locate("/a")) == "two.yaml:1:1"


def test_entries_of_a_map_are_united_by_key():
    one = read(b"items:\n  x: {v: 1}\n  a/b: {v: 1}\n", "one.yaml")
    two = read(b"items:\n  x: {v: 2}\n", "two.yaml")
    both = unite((one, two), "items")
    assert both.data == {"items": {"x": {"v": 2}, "a/b": {"v": 1}}}
    assert str(both.locate("/items/x/v")) == "two.yaml:2:7"
    assert str(both.locate("/items/a~1b/v")) == "one.yaml:3:9"
    assert entries(both, "items")["a/b"] == ("/items/a~1b", {"v": 1})


def test_one_document_stays_as_it_is():
    one = read(b"items: []\n", "one.yaml")
    assert unite((one,), "items") is one


@pytest.mark.parametrize(
    ("path", "how"),
    [
        ("recipes/registry.yaml", ("Registry", "components")),
        ("recipes/profiles/gpuStack.yaml", ("Profile", "values")),
        ("bom/images.yaml", ("ImageTable", "images")),
        ("bom/machines/eks.yaml", ("MachineTable", "machines")),
        ("bom/releases/tcpxo.yaml", None),
        ("recipes/base.yaml", None),
        ("recipes/profiles/deep/x.yaml", None),
    ],
)
def test_which_files_are_united(path, how):
    assert united(path) == how


def test_a_value_of_a_profile_is_added_and_hides_none(tmp_path):
    extended = catalog(tmp_path, {"recipes/profiles/fabricAttachment.yaml": PROFILE.replace("NAME", "mine")})
    packaged = list(Catalog.load().profiles["fabricAttachment"].data["values"])
    assert list(extended.profiles["fabricAttachment"].data["values"]) == [*packaged, "mine"]
    assert extended.notes == ()


def test_a_value_of_the_same_name_replaces_and_is_said(tmp_path):
    extended = catalog(tmp_path, {"recipes/profiles/fabricAttachment.yaml": PROFILE.replace("NAME", "none")})
    assert extended.profiles["fabricAttachment"].data["values"]["none"] == {"description": "Mine."}
    (note,) = extended.notes
    assert (note.rule, note.message) == ("AICR-S021", "replaces the packaged entry none of recipes/profiles/fabricAttachment.yaml")
    assert str(note.location) == f"{tmp_path}/recipes/profiles/fabricAttachment.yaml:5:3"


def test_a_machine_is_added_or_replaced_by_name(tmp_path):
    rows = ROW.replace("NAME", "p5.48xlarge") + ROW.replace("NAME", "mine-4")
    extended = catalog(tmp_path, {"bom/machines/eks.yaml": TABLE + "machines:\n" + rows})
    packaged = [row["name"] for row in Catalog.load().machine_table("eks").data["machines"]]
    found = {row["name"]: row for row in extended.machine_table("eks").data["machines"]}
    assert list(found) == [*packaged, "mine-4"]
    assert found["p5.48xlarge"]["gpus"] == 4
    assert [note.message for note in extended.notes] == ["replaces the packaged entry p5.48xlarge of bom/machines/eks.yaml"]


def test_a_fact_that_is_described_nowhere_is_refused_where_it_stands(tmp_path):
    row = ROW.replace("NAME", "mine-4").replace("source: s", "source: s, warps: 4, eFa: 4")
    extended = catalog(tmp_path, {"bom/machines/eks.yaml": TABLE + "facts: {warp: Cards.}\nmachines:\n" + row})
    file = f"{tmp_path}/bom/machines/eks.yaml"
    assert said(lambda: extended.machine_table("eks")) == [
        (
            "AICR-S023",
            "machine 'mine-4' states 'eFa', which is no described fact",
            f"{file}:6:82",
            "did you mean 'efa'?; or describe it under facts",
        ),
        (
            "AICR-S023",
            "machine 'mine-4' states 'warps', which is no described fact",
            f"{file}:6:72",
            "did you mean 'warp'?; or describe it under facts",
        ),
    ]


def test_a_fact_that_the_packaged_table_describes_needs_no_second_description(tmp_path):
    declared = Catalog.load().machine_table("gke").data["facts"]
    row = ROW.replace("NAME", "mine-4").replace("source: s", f"source: s, {next(iter(declared))}: x")
    table = TABLE.replace("name: eks", "name: gke") + "machines:\n" + row
    assert catalog(tmp_path, {"bom/machines/gke.yaml": table}).machine_table("gke").data["machines"][-1]["name"] == "mine-4"


def test_a_table_that_does_not_exist_is_named_with_the_nearest():
    assert said(lambda: Catalog.load().machine_table("gkee")) == [
        ("AICR-S022", "no machine table 'gkee' in bom/machines", "None", "did you mean 'gke'?")
    ]


@pytest.mark.parametrize("name", sorted(Catalog.load().machine_tables))
def test_the_packaged_tables_are_sound(name):
    packaged = Catalog.load()
    document = packaged.machine_table(name)
    assert packaged.validator("machinetable").check(document.data, document=document) == ()
    names = [row["name"] for row in document.data["machines"]]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("row", "accepted"),
    [
        ({}, True),
        ({"efa": 32, "hugepages2Mi": "5120Mi", "interfaces": ["eth1"], "warning": "One."}, True),
        ({"own": True}, True),
        ({"own": ["a", "b"]}, True),
        ({"own": {"a": 1}}, False),
        ({"own": ["a", "a"]}, False),
        ({"own": [1]}, False),
        ({"efa": "32"}, False),
        ({"efa": -1}, False),
        ({"gpus": 0}, False),
        ({"arch": "x86"}, False),
        ({"interfaces": []}, False),
        ({"name": "a b"}, False),
        ({"Own": 1}, False),
    ],
)
def test_what_a_row_may_state(row, accepted):
    data = {"name": "x", "accelerator": "h100", "gpus": 8, "arch": "amd64", "source": "s", **row}
    table = {
        "apiVersion": "aicr.run/v2",
        "kind": "MachineTable",
        "metadata": {"name": "x", "description": "X.", "source": "s"},
        "machines": [data],
    }
    assert (Catalog.load().validator("machinetable").check(table) == ()) is accepted
