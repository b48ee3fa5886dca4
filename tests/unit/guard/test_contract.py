"""Requirements on the contract: the longest line covers, wildcards stay in their step, and `--data` adds lines or replaces them."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.catalog.root import packaged_root
from bundler.guard.contract import PATH, Contract, Line, Order, Owner, Reads
from bundler.model.location import Location
from bundler.model.pointer import tokens


def contract(*paths):
    lines = (Line(path=path, owner=Owner.FABRIC, reason="r", location=Location(file="c")) for path in paths)
    return Contract(lines=tuple(lines))


def cover(paths, path):
    cursor = contract(*paths).start
    for step in tokens(path):
        cursor = cursor.child(step)
    return cursor


@pytest.mark.parametrize(
    ("paths", "path", "line"),
    [
        (["/pod/a"], "/pod/a", "/pod/a"),
        (["/pod/a"], "/pod/a/b/c", "/pod/a"),
        (["/pod/a"], "/pod/ab", None),
        (["/pod/a"], "/pod", None),
        (["/pod/a", "/pod/a/b"], "/pod/a/b/c", "/pod/a/b"),
        (["/pod/a", "/pod/a/b"], "/pod/a/c", "/pod/a"),
        (["/pod/*/image"], "/pod/x/image", "/pod/*/image"),
        (["/pod/*/image"], "/pod/x/y/image", None),
        (["/pod/devices.*"], "/pod/devices.x", "/pod/devices.*"),
        (["/pod/devices.*"], "/pod/devices", None),
        (["/pod/k~1v"], "/pod/k~1v", "/pod/k~1v"),
        # Of two that end at one path the more literal covers, whichever stands first.
        (["/pod/*", "/pod/a"], "/pod/a", "/pod/a"),
        (["/pod/a", "/pod/*"], "/pod/a", "/pod/a"),
        (["/pod/*/b", "/pod/a/*"], "/pod/a/b", "/pod/a/*"),
    ],
)
def test_the_longest_and_most_literal_line_covers(paths, path, line):
    covering = cover(paths, path).line
    assert (covering.path if covering else None) == line


def test_knows_whether_a_line_says_something_deeper():
    assert cover(["/pod/a/b"], "/pod/a").deeper
    assert not cover(["/pod/a/b"], "/pod/a/b").deeper
    assert not cover(["/pod/a/b"], "/pod/x").deeper


def test_the_packaged_contract_states_a_reason_for_every_line():
    lines = Contract.of(Catalog.load()).lines
    assert {line.owner for line in lines} == set(Owner)
    assert all(line.reason.endswith(".") for line in lines)
    assert {line.reads for line in lines} == set(Reads)
    assert {line.order for line in lines} == set(Order)
    assert all(line.location.file == PATH for line in lines)


def test_the_daemon_the_settings_and_the_claims_are_the_fabrics_and_the_launcher_the_benchmarks():
    owners = {line.path: line.owner for line in Contract.of(Catalog.load()).lines}
    container = "/pod/spec/containers/node"
    fabric = {"/pod/metadata/annotations", "/pod/spec/initContainers", "/pod/spec/volumes", "/pod/spec/resourceClaims"}
    fabric |= {f"{container}/{field}" for field in ("env", "resources", "resources/claims", "volumeMounts", "securityContext")}
    benchmark = {f"{container}/{field}" for field in ("image", "command", "args")}
    benchmark |= {"/object/spec/mlPolicy", "/object/spec/template/spec/replicatedJobs/launcher"}
    assert {path for path, owner in owners.items() if owner is Owner.FABRIC} >= fabric
    assert {path for path, owner in owners.items() if owner is Owner.BENCHMARK} >= benchmark


@pytest.fixture
def extended(tmp_path):
    (tmp_path / PATH).parent.mkdir(parents=True)
    (tmp_path / PATH).write_text(
        "apiVersion: aicr.run/v2\nkind: Contract\nmetadata: {name: wiring, description: Ours.}\nlines:\n"
        "  - {path: /pod/spec/hostNetwork, owner: fabric, reason: Our NICs are the host's.}\n"
        "  - {path: /pod/spec/tolerations, owner: benchmark, reason: Our benchmark runs elsewhere.}\n"
    )
    return Catalog.load(tmp_path)


def test_a_data_directory_adds_lines_and_replaces_them_by_path(extended, tmp_path):
    packaged = {line.path: line for line in Contract.of(Catalog.load()).lines}
    lines = {line.path: line for line in Contract.of(extended).lines}
    assert lines.keys() - packaged.keys() == {"/pod/spec/hostNetwork"}
    assert packaged.keys() <= lines.keys()
    assert lines["/pod/spec/tolerations"].owner is Owner.BENCHMARK
    assert lines["/pod/spec/tolerations"].location == Location(file=f"{tmp_path}/{PATH}", line=6, column=6)
    assert lines["/pod/spec/volumes"].location.file == PATH


def test_a_replaced_line_is_said(extended):
    messages = [note.message for note in extended.notes]
    assert messages == [f"replaces the packaged entry /pod/spec/tolerations of {PATH}"]


@pytest.mark.parametrize(
    "line",
    [
        "{path: /pod/x, owner: fabric}",
        "{path: /pods/x, owner: fabric, reason: r}",
        "{path: /pod/, owner: fabric, reason: r}",
        "{path: /pod/x, owner: vendor, reason: r}",
        "{path: /pod/x, owner: fabric, reads: xml, reason: r}",
        "{path: /pod/x, owner: benchmark, reads: json, reason: r}",
        "{path: /pod/x, owner: fabric, reason: r, fixtures: [a]}",
    ],
)
def test_a_malformed_line_is_refused_by_the_schema(line, tmp_path):
    data = {"apiVersion": "aicr.run/v2", "kind": "Contract", "metadata": {"name": "a", "description": "b"}}
    document = tmp_path / "contract.yaml"
    rows = "".join(f"{key}: {value}\n" for key, value in data.items() if key != "metadata")
    document.write_text(f"{rows}metadata: {{name: a, description: b}}\nlines:\n  - {line}\n")
    with pytest.raises(Exception, match="AICR-S00"):
        Catalog.load().open(document, kinds=("Contract",))


def test_the_contract_stands_beside_the_fixtures():
    assert (packaged_root() / PATH).is_file()
