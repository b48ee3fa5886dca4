"""Requirements on doing many clusters: none stops another, in one process or in several, and what came out is the same."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.fleet import run as running
from bundler.fleet.cluster import Cluster
from bundler.fleet.outcome import Outcome, Status, counted, exit_code, told
from bundler.fleet.run import run
from bundler.fleet.shard import Shard
from bundler.fleet.summary import Summary, merged, read_summary, summary_data
from bundler.fleet.work import Action
from bundler.model.document import Document
from bundler.model.finding import Finding
from bundler.model.location import Location
from bundler.model.request import Request

CATALOG = Catalog.load()
KIND = "h100-kind-training-kubeflow"


def cluster(name, recipe=KIND):
    return Cluster(name=name, request=Request(recipe=recipe), output=name, location=Location(file="fleet.yaml", line=1, column=1))


FLEET = [cluster("b"), cluster("broken", "no-such-recipe"), cluster("a")]


def test_a_cluster_that_fails_does_not_stop_the_others(tmp_path):
    seen = []

    def watch(items):
        for item in items:
            seen.append(item)
            yield item

    outcomes = run(CATALOG, FLEET, tmp_path, Action.WRITE, jobs=1, watch=watch)
    assert [(each.name, each.status, each.exit_code) for each in outcomes] == [
        ("a", Status.WRITTEN, 0),
        ("b", Status.WRITTEN, 0),
        ("broken", Status.FAILED, 3),
    ]
    assert seen == [0, 1, 2]
    assert exit_code(outcomes) == 3
    assert counted(outcomes) == "2 written, 1 failed"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
    assert (tmp_path / "a/checksums.txt").read_bytes() == (tmp_path / "b/checksums.txt").read_bytes()


def test_several_processes_do_the_same_as_one(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "_CHUNK", 1)
    alone = run(CATALOG, FLEET, tmp_path / "alone", Action.WRITE, jobs=1)
    assert run(CATALOG, FLEET, tmp_path / "shared", Action.WRITE, jobs=2) == alone
    assert {each.status for each in run(CATALOG, FLEET[:1], tmp_path / "shared", Action.CHECK, jobs=2)} == {Status.CURRENT}


def test_drift_is_told_of_its_cluster(tmp_path):
    run(CATALOG, FLEET[:1], tmp_path, Action.WRITE, jobs=1)
    (tmp_path / "b/recipe.yaml").write_text("edited: true\n")
    [outcome] = run(CATALOG, FLEET[:1], tmp_path, Action.CHECK, jobs=1)
    assert (outcome.status, outcome.note, outcome.exit_code) == (Status.DRIFTED, "1 changed", 1)
    [finding] = [each for each in outcome.findings if each.rule == "AICR-U020"]
    assert finding.message == "'b' is not what its recipe renders to: 1 changed (changed: recipe.yaml)"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_a_process_that_dies_is_the_outcome_of_its_clusters(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "_prepare", dies)
    outcomes = run(CATALOG, FLEET[:1], tmp_path, Action.WRITE, jobs=2)
    assert [(each.status, each.exit_code, each.findings[0].rule) for each in outcomes] == [(Status.FAILED, 8, "AICR-L008")]


def dies(_data):
    os.kill(os.getpid(), signal.SIGKILL)


def outcome(name, *findings, status=Status.CURRENT, code=0):
    place = Location(file="fleet.yaml", line=ord(name), column=3)
    return Outcome(name=name, output=name, status=status, note="1 file", exit_code=code, location=place, findings=findings)


FINDING = Finding(
    rule="AICR-P001", message="said of many", location=Location(file="overlays/x.yaml", line=2, column=1), fix="mend it"
)


def test_what_is_said_of_many_clusters_is_said_once():
    [finding] = told(outcome(name, FINDING) for name in "abcde")
    assert finding.message == "said of many"
    assert [place.subject for place in finding.related] == ["cluster a", "cluster b", "cluster c", "2 more"]


def whole(*outcomes, shard=None, action=Action.CHECK):
    return Summary(fleet="sha256:" + "0" * 64, action=action, shard=shard, outcomes=outcomes)


def read_back(summary):
    data = summary_data(summary, root="/nowhere")
    assert CATALOG.store.validator("fleetsummary").check(data) == ()
    return read_summary(Document(file="s.json", data=data, positions={}))


def test_a_summary_is_read_as_it_was_written():
    summary = whole(outcome("a", FINDING, status=Status.DRIFTED, code=1), outcome("b", FINDING), shard=Shard(index=1, total=2))
    assert read_back(summary) == summary


def test_a_summary_shows_no_secret():
    secret = Finding(rule="AICR-S006", message="'hunter2' breaks its schema", pointer="/values/password", location=FINDING.location)
    assert "hunter2" not in str(summary_data(whole(outcome("a", secret)), root="/nowhere"))


def test_shards_make_the_whole():
    one, two = (whole(outcome(name), shard=Shard(index=index, total=2)) for index, name in ((1, "b"), (2, "a")))
    assert merged([("1.json", one), ("2.json", two)]) == whole(outcome("a"), outcome("b"))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([whole(outcome("a"))], "'1.json' is the summary of a whole fleet"),
        ([whole(outcome("a"), shard=Shard(index=2, total=3))], "shards are missing of 3: 1, 3"),
        ([whole(shard=Shard(index=1, total=1)), whole(shard=Shard(index=1, total=1))], "'2.json' and '1.json' are both shard 1/1"),
        (
            [whole(shard=Shard(index=1, total=1)), whole(shard=Shard(index=1, total=1), action=Action.WRITE)],
            (
                "'2.json' is a shard of another run: write in 1 shard of sha256:000000000000, "
                "not check in 1 shard of sha256:000000000000"
            ),
        ),
    ],
)
def test_parts_that_do_not_make_the_whole_are_refused(parts, message):
    with pytest.raises(InvalidInput) as caught:
        merged([(f"{number}.json", each) for number, each in enumerate(parts, 1)])
    [finding] = caught.value.findings
    assert (finding.rule, finding.message) == ("AICR-L009", message)


def test_a_shard_of_another_fleet_is_refused():
    one = whole(shard=Shard(index=1, total=2))
    other = replace(one, fleet="sha256:" + "1" * 64, shard=Shard(index=2, total=2))
    with pytest.raises(InvalidInput):
        merged([("1.json", one), ("2.json", other)])


def test_a_snapshot_fills_in_what_a_cluster_leaves_open(tmp_path):
    samples = Path(__file__).parents[2] / "samples"
    names = ("01-gke-a3mega-nodes", "03-gke-a3mega-networks", "04-gke-tcpxo-installer-pods")
    seen = Cluster(
        name="seen",
        request=Request(
            recipe="h100-gke-cos-training-kubeflow",
            profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
        ),
        snapshots=tuple(samples / f"{name}.yaml" for name in names[:2]),
        output="seen",
        location=Location(file="fleet.yaml"),
    )
    [outcome] = run(CATALOG, [seen], tmp_path, Action.WRITE, jobs=1)
    assert outcome.status is Status.WRITTEN
    recorded = yaml.safe_load((tmp_path / "seen/recipe.yaml").read_text())
    assert recorded["profiles"]["fabricAttachment"]["parameters"]["interfaces"]["eth1"] == "demo-gpu-nic-0"
    assert "observed" in recorded
    assert any(finding.rule.startswith("AICR-N") for finding in outcome.findings)
