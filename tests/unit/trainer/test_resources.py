"""What `resourcesPerNode` makes of a runtime's resources, version by version.

Values are those of the unit tests of kubeflow/trainer at v2.3.0, and of its source where no test says.
"""

import pytest

from tests.unit.trainer.made import env, made, node, replicated, runtime, trainjob
from tests.unit.trainer.recorded import comparable

TORCH = {"torch": {}}


GPU8 = {"limits": {"nvidia.com/gpu": "8"}, "requests": {"nvidia.com/gpu": "8"}}


CLAIMED = {"limits": {"nvidia.com/gpu": "8"}, "claims": [{"name": "nvls"}]}


@pytest.mark.parametrize(
    ("before", "wanted", "replaced", "overlaid"),
    [
        # T6, core/trainingruntime_test.go:2114
        ({"requests": {"cpu": "1"}}, {"limits": {"nvidia.com/gpu": "4"}},
         {"limits": {"nvidia.com/gpu": "4"}}, {"limits": {"nvidia.com/gpu": "4"}, "requests": {"cpu": "1"}}),
        # T7, pkg/util/trainingruntime_test.go:134
        ({"limits": {"cpu": "5", "memory": "32Gi"}}, {"limits": {"nvidia.com/gpu": "2", "memory": "1Gi"}},
         {"limits": {"nvidia.com/gpu": "2", "memory": "1Gi"}}, {"limits": {"cpu": "5", "memory": "1Gi", "nvidia.com/gpu": "2"}}),
        # T8
        (CLAIMED, {"limits": {"cpu": "4"}}, {"limits": {"cpu": "4"}}, {"limits": {"cpu": "4", "nvidia.com/gpu": "8"}}),
        # T9
        (CLAIMED, {}, CLAIMED, {"limits": {"nvidia.com/gpu": "8"}}),
        (CLAIMED, {"claims": [{"name": "x"}]}, CLAIMED, {"limits": {"nvidia.com/gpu": "8"}}),
        # A map that is empty is one that is stated.
        (CLAIMED, {"limits": {}}, {}, {"limits": {"nvidia.com/gpu": "8"}}),
        (GPU8, {"limits": {"nvidia.com/gpu": "4"}},
         {"limits": {"nvidia.com/gpu": "4"}}, {"limits": {"nvidia.com/gpu": "4"}, "requests": {"nvidia.com/gpu": "8"}}),
        (CLAIMED, None, CLAIMED, CLAIMED),
    ],
)  # fmt: skip
def test_t6_to_t9_resources_per_node_replaces_in_2_2_and_is_laid_over_in_2_3(before, wanted, replaced, overlaid):
    base = runtime(replicated(resources=before), policy={"numNodes": 1, **TORCH})
    job = trainjob({} if wanted is None else {"resourcesPerNode": wanted})
    assert comparable(node(made(job, base, "2.2.0")).get("resources", {})) == comparable(replaced)
    assert comparable(node(made(job, base, "2.3.0")).get("resources", {})) == comparable(overlaid)


def test_t10_without_a_policy_2_3_ignores_resources_per_node():
    base = runtime(replicated(resources={"requests": {"cpu": "1"}}))
    job = trainjob({"resourcesPerNode": {"limits": {"cpu": "4"}}})
    assert node(made(job, base, "2.2.0"))["resources"] == {"limits": {"cpu": "4"}}
    assert node(made(job, base, "2.3.0"))["resources"] == {"requests": {"cpu": "1"}}


@pytest.mark.parametrize(
    ("version", "limits"), [("2.2.0", {"memory": "64Gi"}), ("2.3.0", {"nvidia.com/gpu": "8", "memory": "64Gi"})]
)
def test_t11_memory_alone_makes_one_process(version, limits):  # kubeflow/trainer pull request 3974
    base = runtime(replicated(resources={"limits": {"nvidia.com/gpu": "8"}}), policy=TORCH)
    container = node(made(trainjob({"resourcesPerNode": {"limits": {"memory": "64Gi"}}}), base, version))
    assert container["resources"] == {"limits": limits}
    assert env(container)["PET_NPROC_PER_NODE"] == "1"


@pytest.mark.parametrize(("version", "requests"), [("2.2.0", {"cpu": "4"}), ("2.3.0", {"cpu": "4", "memory": "2048"})])
def test_a_pod_group_counts_resources_as_its_version_does(version, requests):  # kubeflow/trainer issue 2980
    base = runtime(replicated(resources={"requests": {"memory": "1Ki"}}), policy={"numNodes": 2}, group={"coscheduling": {}})
    jobset = made(trainjob({"resourcesPerNode": {"requests": {"cpu": "2"}}}), base, version)
    assert jobset.others[0]["spec"] == {"minMember": 2, "minResources": requests, "scheduleTimeoutSeconds": 60}


def test_a_pod_group_of_2_2_counts_other_containers_as_they_are():
    beside = {"name": "beside", "image": "registry.example.com/b:1", "resources": {"requests": {"cpu": "1"}}}
    base = runtime(replicated(), policy={"numNodes": 2}, group={"coscheduling": {}})
    base["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"].append(beside)
    jobset = made(trainjob({"resourcesPerNode": {"requests": {"cpu": "4"}}}), base, "2.2.0")
    assert jobset.others[0]["spec"]["minResources"] == {"cpu": "10"}


@pytest.mark.parametrize(
    ("step", "policy", "requests"),
    [("trainer", {}, {"cpu": "4"}), ("other", {}, {"cpu": "1"}), ("trainer", None, {"cpu": "1"})],
)
def test_a_pod_group_of_2_2_counts_what_is_asked_for_the_training_alone(step, policy, requests):
    cpu = {"requests": {"cpu": "1"}}
    base = runtime(replicated(step=step, resources=cpu), policy=policy, group={"coscheduling": {}})
    jobset = made(trainjob({"resourcesPerNode": {"requests": {"cpu": "4"}}}), base, "2.2.0")
    assert jobset.others[0]["spec"]["minResources"] == requests


def test_a_pod_group_counts_what_a_pod_takes_at_its_most():  # PodRequests of k8s.io/component-helpers
    def container(name, cpu, **fields):
        return {"name": name, "image": "registry.example.com/i:1", "resources": {"requests": {"cpu": cpu}}, **fields}

    init = [container("first", "3"), container("sidecar", "500m", restartPolicy="Always"), container("second", "4")]
    pod = {"initContainers": init, "overhead": {"memory": "1Mi"}}
    base = runtime(replicated(resources={"requests": {"cpu": "1"}}, pod=pod), policy={"numNodes": 3}, group={"coscheduling": {}})
    assert made(trainjob({}), base).others[0]["spec"]["minResources"] == {"cpu": "13500m", "memory": "3145728"}


def test_volcano_groups_by_annotation_and_queue():
    queue = {"metadata": {"annotations": {"scheduling.volcano.sh/queue-name": "q"}}}
    jobset = made(trainjob({}), runtime(replicated(), policy={}, group={"volcano": {}}, **queue))
    assert jobset.jobs[0]["template"]["spec"]["template"]["metadata"]["annotations"] == {"scheduling.k8s.io/group-name": "test-job"}
    assert jobset.others[0]["spec"] == {"minMember": 1, "queue": "q"}


@pytest.mark.parametrize(("claims", "version"), [(None, "2.2.0"), (None, "2.3.0"), ([{"name": "nvls"}], "2.4-preview")])
def test_2_4_is_planned_to_keep_claims(claims, version):  # kubeflow/trainer pull request 4027
    base = runtime(replicated(resources=CLAIMED), policy=TORCH)
    container = node(made(trainjob({"resourcesPerNode": {"limits": {"nvidia.com/gpu": "8"}}}), base, version))
    assert container["resources"].get("claims") == claims
