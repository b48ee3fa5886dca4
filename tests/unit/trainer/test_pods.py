"""Jobs and pods of a JobSet. `test_recorded_runs.py` holds whole pods against recorded ones."""

import pytest

from bundler.trainer.pods import job_of, pod_of
from tests.unit.trainer.made import made, replicated, runtime, trainjob


@pytest.fixture
def jobset():
    first = {**replicated("prepare", step=""), "replicas": 2}
    second = {**replicated(resources={"limits": {"cpu": "1"}}), "groupName": "training"}
    return made(trainjob({"numNodes": 3}), runtime(first, second, policy={"torch": {}}))


def test_names_tell_jobset_job_replica_and_index(jobset):
    assert job_of(jobset, "prepare", 1)["metadata"]["name"] == "test-job-prepare-1"
    pod = pod_of(jobset, "node", index=2)
    assert pod["metadata"]["generateName"] == "test-job-node-0-2-"
    assert (pod["spec"]["hostname"], pod["spec"]["subdomain"]) == ("test-job-node-0-2", "test-job")


def test_pods_know_their_place_among_all_and_in_their_group(jobset):
    labels = pod_of(jobset, "node")["metadata"]["labels"]
    wanted = {
        "global-replicas": "3",
        "job-global-index": "2",
        "group-name": "training",
        "group-replicas": "1",
        "job-group-index": "0",
    }
    assert {key: labels[f"jobset.sigs.k8s.io/{key}"] for key in wanted} == wanted


def test_what_is_only_limited_is_requested(jobset):
    assert pod_of(jobset, "node")["spec"]["containers"][0]["resources"] == {"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}


def test_a_job_that_is_not_there_has_no_pods(jobset):
    with pytest.raises(LookupError):
        pod_of(jobset, "nope")


def test_a_namespace_that_is_left_to_the_client_is_on_no_pod():
    job = {**trainjob({}), "metadata": {"name": "test-job"}}
    jobset = made(job, runtime(replicated(), policy={}))
    assert "namespace" not in pod_of(jobset, "node")["metadata"]
    assert "namespace" not in job_of(jobset, "node")["metadata"]
    assert pod_of(made(trainjob({}), runtime(replicated(), policy={})), "node")["metadata"]["namespace"] == "ns"
