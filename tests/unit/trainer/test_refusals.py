"""What is admitted and still never runs: no JobSet, or no pod."""

import pytest

from tests.unit.trainer.made import BOTH, found, patch, pod_patch, replicated, runtime, submitted
from tests.unit.trainer.recorded import check


def torch(*jobs, nodes=1, **fields):
    return runtime(*(jobs or (replicated(**fields),)), policy={"numNodes": nodes, "torch": {}})


def named(length):
    return {**submitted({}), "metadata": {"name": "n" * length, "namespace": "ns"}}


@pytest.mark.parametrize("version", BOTH)
@pytest.mark.parametrize(("nodes", "longest"), [(1, 48), (10, 48), (11, 47), (100, 47), (101, 46)])
def test_a_name_leaves_room_for_the_pods(version, nodes, longest):  # jobset pkg/webhooks/jobset_webhook.go
    assert not found(check(version, named(longest), torch(nodes=nodes)), "AICR-J030")
    (finding,) = [one for one in check(version, named(longest + 1), torch(nodes=nodes)).findings if one.rule == "AICR-J030"]
    assert finding.message == "the name of a pod of 'node' is 64 characters long, at most 63 are allowed, so no JobSet is made"
    assert finding.fix == f"shorten the job's name to {longest} characters"


def test_a_name_that_is_no_name_is_said_once():
    verdict = check("2.3", {**submitted({}), "metadata": {"name": "Demo", "namespace": "ns"}}, torch())
    assert [rule for rule, _, _ in found(verdict)][:1] == ["AICR-K011"]
    assert not found(verdict, "AICR-J030")


@pytest.mark.parametrize(
    ("ports", "twice"),
    [
        ([{"containerPort": 8080}, {"containerPort": 8081}], "8081/TCP"),
        ([{"containerPort": 7, "name": "a"}, {"containerPort": 7, "name": "b", "protocol": "UDP"}], "7/UDP"),
    ],
)
def test_ports_that_are_taken_for_one(ports, twice):
    (found_one,) = [one for one in check("2.3", submitted({}), torch(ports=ports)).findings if one.rule == "AICR-J035"]
    assert f"leaves {twice} twice" in found_one.message


def test_a_jobset_that_is_not_made_has_no_parts_to_lose():
    verdict = check("2.3", submitted({}), torch(ports=[{"containerPort": 8080}, {"containerPort": 8081}]))
    assert [rule for rule, _, _ in found(verdict)] == ["AICR-J035"]


@pytest.mark.parametrize("version", BOTH)
@pytest.mark.parametrize("key", ["containers", "initContainers"])
def test_a_misspelt_container_is_a_new_one(version, key):
    base = torch(replicated(pod={"initContainers": [{"name": "init", "image": "registry.example.com/i:1"}]}))
    job = submitted({}, runtimePatches=[patch(pod_patch(**{key: [{"name": "inti", "volumeMounts": []}]}))])
    verdict = check(version, job, base)
    assert [(rule, message) for rule, _, message in found(verdict) if rule[5] in "JK" and rule != "AICR-J054"] == [
        ("AICR-J031", f"'node' of the runtime has no 'inti' in {key}; the patch adds one without image")
    ]
    assert verdict.admitted


def test_a_misspelt_job_is_a_new_one_in_2_3():
    verdict = check("2.3", submitted({}, runtimePatches=[patch(pod_patch("nodes"))]), torch())
    message = "the runtime has no replicated job 'nodes'; the patch adds one that no pod can be made of"
    assert [(rule, pointer.rpartition("/")[2], text) for rule, pointer, text in found(verdict)] == [("AICR-J031", "name", message)]
    assert verdict.findings[0].fix == "did you mean 'node'?"


@pytest.mark.parametrize(("nodes", "ends"), [(0, "the job is complete without a pod"), (-1, "its Job is refused")])
def test_no_nodes(nodes, ends):
    verdict = check("2.3", submitted({"numNodes": nodes}), torch())
    assert found(verdict, "AICR-J033") == [("AICR-J033", "/spec/trainer/numNodes", f"numNodes is {nodes}, so {ends}")]
    assert verdict.admitted


def test_a_suspended_job_is_said_to_be():
    assert [rule for rule, _, _ in found(check("2.3", submitted({}, suspend=True), torch()), "AICR-J034")] == ["AICR-J034"]


def test_a_fault_of_the_runtime_is_not_blamed_on_the_job():
    base = torch(volumeMounts=[{"name": "nope", "mountPath": "/x"}])
    (finding,) = [one for one in check("2.3", submitted({}), base).findings if one.rule == "AICR-K058"]
    assert finding.pointer == "/spec/runtimeRef"


def test_a_fault_that_a_patch_makes_is_blamed_on_it():
    change = pod_patch(volumes=[{"name": "v", "hostPath": {"path": "/x"}}])
    base = torch(replicated(pod={"volumes": [{"name": "v", "emptyDir": {}}]}))
    verdict = check("2.3", submitted({}, runtimePatches=[patch(change)]), base)
    ((_, pointer, message),) = found(verdict, "AICR-K057")
    assert pointer.endswith("/volumes/0/hostPath")
    assert message == "volume 'v' has emptyDir and hostPath; it takes exactly one source"


def test_more_pods_than_one_job_takes():  # pkg/apis/batch/validation of Kubernetes: 100,000 of an indexed Job at once
    message = "100001 pods of 'node', so its Job is refused: it takes at most 100000 at once"
    verdict = check("2.3", submitted({"numNodes": 100_001}), torch())
    assert found(verdict, "AICR-J033") == [("AICR-J033", "/spec/trainer/numNodes", message)]
    assert found(check("2.3", submitted({"numNodes": 100_000}), torch()), "AICR-J033") == []


def test_a_runtime_without_replicated_jobs_runs_nothing():
    message = "runtime 'rt' has no replicated jobs, so there is nothing to run"
    assert found(check("2.3", submitted(), runtime()), "AICR-J033") == [("AICR-J033", "/spec/runtimeRef", message)]


def test_an_image_that_is_no_reference():
    message = "image repository is not valid: 'a b'"
    assert found(check("2.3", submitted({"image": "a b"}), torch()), "AICR-I002") == [("AICR-I002", "/spec/trainer/image", message)]


def test_a_job_of_another_cluster_has_no_pod_here():
    message = "MultiKueue manages the job, so its pods are made on another cluster and none on this one"
    verdict = check("2.3", submitted({}, managedBy="kueue.x-k8s.io/multikueue"), torch())
    assert found(verdict, "AICR-J036") == [("AICR-J036", "/spec/managedBy", message)]
    assert verdict.admitted
