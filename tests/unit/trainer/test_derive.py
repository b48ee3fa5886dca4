"""A benchmark's runtime differs from the shipped one in what is written down, and in nothing else."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.kube.resource import Resource
from bundler.trainer.derive import BENCHMARKS, benchmark_image, derive
from bundler.trainer.draft import runtime_jobs
from bundler.trainer.elements import parts
from tests.unit.trainer.made import counts, env, made, node, replicated, runtime, trainjob, wired

(NAME,) = BENCHMARKS


@pytest.fixture(scope="module")
def catalog():
    return Catalog.load()


@pytest.fixture(scope="module")
def benchmark(catalog):
    return catalog.fragment(NAME)


def resource(data):
    return Resource(data=data, template="rt.yaml", positions={}, owner="")


def test_lists_what_is_taken_over_with_reasons(benchmark):
    derived = derive(resource(wired()), NAME, benchmark, image="bench:1")
    assert derived.source == "ClusterTrainingRuntime/rt"
    assert list(derived.overridden) == [row["path"] for row in benchmark["overridden"]]
    assert all(derived.overridden.values())


def test_every_other_part_of_the_pods_stays(benchmark):
    before = parts(runtime_jobs(wired()))
    derived = derive(resource(wired()), NAME, benchmark, image="bench:1")
    after = parts(runtime_jobs(derived.data))
    assert {part: after.get(part) for part in before} == before


def test_runs_one_launcher_and_as_many_nodes_as_ship(benchmark):
    derived = derive(resource(wired()), NAME, benchmark, image="bench:1", namespace="bench")
    jobset = made(trainjob({}), derived.data, "2.2.0")
    assert counts(jobset) == {"node": 2, "launcher": 1}
    hosts = next(one for one in jobset.others if one["kind"] == "ConfigMap")["data"]["hostfile"]
    assert hosts == "test-job-node-0-0.test-job slots=8\ntest-job-node-0-1.test-job slots=8\n"
    assert counts(made(trainjob({"numNodes": 4}), derived.data, "2.3.0")) == {"node": 4, "launcher": 1}
    assert node(jobset, "launcher")["image"] == node(jobset)["image"] == "bench:1"
    assert derived.data["metadata"]["namespace"] == "bench"


def test_the_launcher_knows_the_interface_that_pods_find_each_other_on(benchmark):
    base = wired()
    pod = base["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    pod["containers"][0]["env"].append({"name": "NCCL_SOCKET_IFNAME", "value": "eth0"})
    derived = derive(resource(base), NAME, benchmark, image="bench:1")
    assert env(node(made(trainjob({}), derived.data), "launcher"))["NCCL_SOCKET_IFNAME"] == "eth0"


@pytest.mark.parametrize(
    ("base", "reason"),
    [
        (runtime(replicated("worker"), policy={"torch": {}}), "no replicated job 'node' of it trains"),
        (runtime(replicated(), policy={"torch": {}}), "its container 'node' has no GPUs"),
        (
            runtime(replicated(resources={"limits": {"nvidia.com/gpu": "8"}}, command=["prepare"]), policy={"torch": {}}),
            "its container 'node' has a command of its own, which the benchmark would replace",
        ),
    ],
)
def test_refuses_a_runtime_that_would_lose_something(benchmark, base, reason):
    with pytest.raises(InvalidInput, match="AICR-J060") as caught:
        derive(resource(base), NAME, benchmark, image="bench:1")
    assert caught.value.findings[0].message == f"ClusterTrainingRuntime/rt: {reason}"


def test_refuses_a_benchmark_that_changes_what_it_does_not_own(benchmark):
    greedy = {**benchmark, "worker": {**benchmark["worker"], "securityContext": {"privileged": True}}}
    with pytest.raises(InvalidInput, match="AICR-J060") as caught:
        derive(resource(wired()), NAME, greedy, image="bench:1")
    assert "/spec/containers/node/securityContext/privileged" in caught.value.findings[0].message


@pytest.mark.parametrize(
    ("image", "expected"),
    [("torch-cuda12", "nvcr.io/nvidia/pytorch:25.06-py3"), ("torch-cuda13", "nvcr.io/nvidia/pytorch:26.01-py3")],
)
def test_takes_the_image_of_the_cuda_in_use(catalog, benchmark, image, expected):
    entry = catalog.images[image]
    text = f"{entry['repository']}:{entry['tag']}" + (f"@{entry['digest']}" if "digest" in entry else "")
    base = runtime(replicated(image=text, resources={"limits": {"nvidia.com/gpu": "8"}}), policy={"torch": {}})
    assert benchmark_image(resource(base), benchmark, catalog.images).startswith(expected)


def test_guesses_no_cuda(catalog, benchmark):
    with pytest.raises(InvalidInput, match="is not recorded"):
        benchmark_image(resource(wired()), benchmark, catalog.images)
