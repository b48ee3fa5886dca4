"""MPI: nodes, slots, keys and hosts, version by version. Values are those of the unit tests of kubeflow/trainer at v2.3.0."""

import pytest

from bundler.errors import InvalidInput
from tests.unit.trainer.made import BOTH, counts, env, made, node, pod, replicated, runtime, trainjob


def mpi_runtime(*, as_node, **policy):
    return runtime(
        replicated("launcher"), replicated("node", step=""), policy={"numNodes": 1, "mpi": {"runLauncherAsNode": as_node, **policy}}
    )


@pytest.mark.parametrize("version", BOTH)
def test_t23_mpi_nodes_slots_and_keys(version):  # core/trainingruntime_test.go:1957
    jobset = made(trainjob({"numNodes": 2, "numProcPerNode": 8}), mpi_runtime(as_node=False), version)
    hosts = next(one for one in jobset.others if one["kind"] == "ConfigMap")
    assert hosts["data"]["hostfile"] == "test-job-node-0-0.test-job slots=8\ntest-job-node-0-1.test-job slots=8\n"
    assert env(node(jobset, "launcher")) == {
        "OMPI_MCA_orte_default_hostfile": "/etc/mpi/hostfile",
        "OMPI_MCA_orte_keep_fqdn_hostnames": "true",
        "OMPI_MCA_orte_set_default_slots": "8",
        "OMPI_MCA_plm_rsh_args": "-o ConnectionAttempts=10",
    }
    for job in ("launcher", "node"):
        keys = next(volume for volume in pod(jobset, job)["volumes"] if volume["name"] == "mpi-ssh-auth")["secret"]
        assert keys["secretName"] == "test-job-mpi-ssh-auth"
        assert ("defaultMode" in keys) == (version == "2.3.0")
        assert {"name": "mpi-ssh-auth", "mountPath": "/root/.ssh"} in node(jobset, job)["volumeMounts"]


@pytest.mark.parametrize("version", BOTH)
def test_t24_a_launcher_that_is_a_node_counts_as_one(version):  # plugins/mpi/mpi_test.go:520
    jobset = made(trainjob({"numNodes": 10}), mpi_runtime(as_node=True), version)
    assert counts(jobset) == {"launcher": 1, "node": 9}
    hosts = next(one for one in jobset.others if one["kind"] == "ConfigMap")["data"]["hostfile"].splitlines()
    assert hosts[0] == "test-job-launcher-0-0.test-job slots=1"
    assert len(hosts) == 10


@pytest.mark.parametrize("version", BOTH)
def test_t25_an_mpi_node_gets_variables_and_nothing_else(version):  # plugins/jobset/builder_test.go:626
    variables = [{"name": "FROM_MPI_TEMPLATE", "value": "yes"}, {"name": "CLASH_KEY", "value": "from-runtime"}]
    worker = {**replicated("node", step="", env=variables), "replicas": 3}
    base = runtime({**replicated("launcher"), "replicas": 3}, worker, policy={"mpi": {"runLauncherAsNode": True}})
    wanted = [{"name": "CLASH_KEY", "value": "from-trainer"}, {"name": "EXTRA_MPI_ENV", "value": "added"}]
    jobset = made(trainjob({"image": "user:1", "command": ["x"], "env": wanted}), base, version)
    assert list(env(node(jobset)).items()) == [
        ("FROM_MPI_TEMPLATE", "yes"),
        ("CLASH_KEY", "from-trainer"),
        ("EXTRA_MPI_ENV", "added"),
    ]
    assert node(jobset)["image"] == "registry.example.com/app:1"
    assert node(jobset, "launcher")["image"] == "user:1"
    assert [job["replicas"] for job in jobset.jobs] == [1, 3]


@pytest.mark.parametrize(("version", "hosts"), [("2.2.0", 1), ("2.3.0", 2)])
def test_only_2_3_lists_the_pods_of_every_replica(version, hosts):
    base = runtime(replicated("launcher"), {**replicated("node", step=""), "replicas": 2}, policy={"mpi": {}})
    jobset = made(trainjob({}), base, version)
    assert len(next(one for one in jobset.others if one["kind"] == "ConfigMap")["data"]["hostfile"].splitlines()) == hosts


def test_a_host_file_that_no_configmap_holds_is_not_written():  # 1 MiB of data, pkg/apis/core/validation of Kubernetes
    base = runtime(replicated("launcher"), replicated("node", step=""), policy={"mpi": {}})
    with pytest.raises(InvalidInput, match="the host file of 2000000001 pods is larger than a ConfigMap can be"):
        made(trainjob({"numNodes": 2_000_000_000}), base)
