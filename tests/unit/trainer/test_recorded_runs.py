"""What is worked out offline is what a real controller made, case by case (Kubernetes 1.36.2, Kubeflow Trainer v2.3.0)."""

import pytest

from bundler.errors import InvalidInput
from bundler.model.finding import Severity
from bundler.trainer.clients import UNKNOWN_FIELD
from bundler.trainer.materialise import materialise
from bundler.trainer.pods import pod_of
from bundler.trainer.versions import trainer_version
from tests.unit.trainer.recorded import cases, check, comparable, pod_as_asked, pod_without_defaults

RUNS = cases("materialise")
VERDICTS = cases("admission")
ADMITTED = {name: case for name, case in RUNS.items() if case["result"]["admitted"]}
WITH_JOBSET = {name: case for name, case in ADMITTED.items() if case["result"]["jobSet"]}
WITH_POD = {name: case for name, case in WITH_JOBSET.items() if case["result"]["pod"]}


def made(case):
    return materialise(case["trainJob"], case["runtime"], trainer_version(case["trainerVersion"]))


@pytest.mark.parametrize("name", RUNS)
def test_admits_what_was_admitted_and_no_more(name):
    case = RUNS[name]
    verdict = check(case["trainerVersion"], case["trainJob"], case["runtime"])
    assert verdict.admitted == case["result"]["admitted"], verdict.findings


@pytest.mark.parametrize("name", WITH_JOBSET)
def test_makes_the_jobset_that_was_stored(name):
    case = WITH_JOBSET[name]
    jobset = made(case).data
    stored = case["result"]["jobSet"]
    assert comparable({"metadata": jobset["metadata"], "spec": jobset["spec"]}) == comparable(stored)


@pytest.mark.parametrize("name", WITH_POD)
def test_makes_the_pods_that_were_made(name):
    case = WITH_POD[name]
    jobset, recorded = made(case), case["result"]["pod"]
    for job, pod in {recorded["replicatedJob"]: recorded, **case["result"].get("otherPods", {})}.items():
        mine = pod_as_asked(pod_of(jobset, job))
        assert comparable(mine) == comparable(pod_without_defaults(pod, mine))


@pytest.mark.parametrize("name", WITH_POD)
def test_makes_as_many_pods_as_there_were(name):
    counts = {job["name"]: job["template"]["spec"]["parallelism"] * job["replicas"] for job in made(WITH_POD[name]).jobs}
    assert counts == WITH_POD[name]["result"]["podCount"]


@pytest.mark.parametrize("name", WITH_JOBSET)
def test_makes_what_was_made_beside_the_jobset(name):
    case = WITH_JOBSET[name]
    others = made(case).others
    maps = {one["metadata"]["name"]: one["data"] for one in others if one["kind"] == "ConfigMap"}
    secrets = {
        one["metadata"]["name"]: {"type": one["type"], "immutable": one["immutable"], "keys": list(one["data"])}
        for one in others
        if one["kind"] == "Secret"
    }
    assert maps == case["result"].get("configMaps", {})
    assert secrets == case["result"].get("secrets", {})


@pytest.mark.parametrize("name", sorted(ADMITTED.keys() - WITH_JOBSET.keys()))
def test_says_why_no_jobset_was_made(name):
    case = ADMITTED[name]
    try:
        rules = {one.rule for one in check("2.3", case["trainJob"], case["runtime"]).findings if one.severity is Severity.ERROR}
    except InvalidInput as error:
        rules = {one.rule for one in error.findings}
    assert rules & {"AICR-J002", "AICR-J030", "AICR-J032", "AICR-J035", "AICR-K064"}


@pytest.mark.parametrize("name", sorted(WITH_JOBSET.keys() - WITH_POD.keys()))
def test_says_why_no_pod_was_made(name):
    case = WITH_JOBSET[name]
    rules = {one.rule for one in check("2.3", case["trainJob"], case["runtime"]).findings}
    assert any(rule.startswith("AICR-K") or rule in {"AICR-J031", "AICR-J033", "AICR-J034"} for rule in rules)


@pytest.mark.parametrize("name", WITH_POD)
def test_says_of_no_job_that_ran_that_it_would_not(name):
    case = WITH_POD[name]
    for finding in check("2.3", case["trainJob"], case["runtime"]).findings:
        assert not finding.rule.startswith("AICR-K"), finding
        assert not finding.rule.startswith("AICR-J03"), finding


@pytest.mark.parametrize("name", VERDICTS)
def test_admits_a_trainjob_as_the_server_did(name):
    case = VERDICTS[name]
    verdict = check(case["trainerVersion"], case["manifest"], *case.get("given", ()))
    drops_silently = case["client"] == "create-ignore"
    errors = [one for one in verdict.findings if one.severity is Severity.ERROR]
    refused = [one for one in errors if not (drops_silently and one.rule == UNKNOWN_FIELD)]
    assert verdict.admitted == case["result"]["accepted"] or (drops_silently and not refused), verdict.findings


@pytest.mark.parametrize(
    "name", [name for name, case in VERDICTS.items() if "unknown field" in (case["result"].get("message") or "")]
)
def test_points_at_the_field_that_the_server_did_not_know(name):
    case = VERDICTS[name]
    path = case["result"]["message"].partition('unknown field "')[2].partition('"')[0]
    pointer = "/" + path.replace("[", ".").replace("]", "").replace(".", "/")
    found = [
        one.pointer for one in check(case["trainerVersion"], case["manifest"], *case["given"]).findings if one.rule == UNKNOWN_FIELD
    ]
    assert found == [pointer]
