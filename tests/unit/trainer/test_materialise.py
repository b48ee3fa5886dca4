"""What Kubeflow Trainer makes of a TrainJob: counts, containers, and the frameworks besides MPI, version by version.

Values are those of the unit tests of kubeflow/trainer at v2.3.0 (files named beside each), and of its source where no test says.
`test_recorded_runs.py` holds the rest against recorded runs.
"""

from copy import deepcopy

import pytest

from bundler.errors import InvalidInput
from bundler.trainer.versions import VERSIONS
from tests.unit.trainer.made import BOTH, counts, env, made, node, patch, pod, replicated, runtime, trainjob

RANK = {
    "name": "PET_NODE_RANK",
    "valueFrom": {"fieldRef": {"fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"}},
}


TORCH = {"torch": {}}


@pytest.mark.parametrize("version", BOTH)
def test_t1_labels_counts_suspension_and_the_pod_group(version):  # core/trainingruntime_test.go:91
    cpu = {"requests": {"cpu": "1"}}
    base = runtime(
        replicated("dataset-initializer", step="dataset-initializer", container="dataset-initializer", resources=cpu),
        replicated("model-initializer", step="model-initializer", container="model-initializer", resources=cpu),
        replicated(resources=cpu),
        policy={"numNodes": 100},
        group={"coscheduling": {"scheduleTimeoutSeconds": 120}},
        metadata={"labels": {"conflictLabel": "overridden"}},
    )
    job = trainjob({"numNodes": 30}, suspend=True, runtimePatches=[patch(metadata={"labels": {"conflictLabel": "override"}})])
    jobset = made(job, base, version)
    assert jobset.data["metadata"]["labels"] == {"conflictLabel": "override"}
    assert jobset.suspended
    assert counts(jobset) == {"dataset-initializer": 1, "model-initializer": 1, "node": 30}
    for one in jobset.jobs:
        assert one["template"]["spec"]["parallelism"] == one["template"]["spec"]["completions"]
        labels = one["template"]["spec"]["template"]["metadata"]["labels"]
        assert labels == {"scheduling.x-k8s.io/pod-group": "test-job"}
    (group,) = jobset.others
    assert group["spec"] == {"minMember": 32, "minResources": {"cpu": "32"}, "scheduleTimeoutSeconds": 120}


@pytest.mark.parametrize("version", BOTH)
def test_t2_image_command_args_and_variables(version):  # core/trainingruntime_test.go:155
    variables = [{"name": "TRAIN_JOB", "value": "original"}, {"name": "RUNTIME", "value": "test:runtime"}]
    base = runtime(replicated(env=variables), policy={"numNodes": 100})
    wanted = [{"name": "TRAIN_JOB", "value": "override"}, {"name": "TRAIN_JOB_CUSTOM", "value": "test:trainjob"}]
    job = trainjob({"image": "trainjob", "command": ["trainjob"], "args": ["trainjob"], "env": wanted})
    container = node(made(job, base, version))
    assert [container[key] for key in ("image", "command", "args")] == ["trainjob", ["trainjob"], ["trainjob"]]
    assert list(env(container).items()) == [
        ("TRAIN_JOB", "override"),
        ("RUNTIME", "test:runtime"),
        ("TRAIN_JOB_CUSTOM", "test:trainjob"),
    ]
    assert counts(made(job, base, version)) == {"node": 100}


@pytest.mark.parametrize("version", BOTH)
def test_t3_the_process_group_of_torch(version):  # core/trainingruntime_test.go:1204
    base = runtime(replicated(resources={"requests": {"cpu": "1"}}), policy={"numNodes": 100, **TORCH})
    jobset = made(trainjob({"numNodes": 30, "numProcPerNode": 3}), base, version)
    assert counts(jobset) == {"node": 30}
    assert node(jobset)["env"] == [
        {"name": "PET_NNODES", "value": "30"},
        {"name": "PET_NPROC_PER_NODE", "value": "3"},
        RANK,
        {"name": "PET_MASTER_ADDR", "value": "test-job-node-0-0.test-job"},
        {"name": "PET_MASTER_PORT", "value": "29500"},
    ]
    assert node(jobset)["ports"] == [{"containerPort": 29500, "protocol": "TCP"}]


@pytest.mark.parametrize("version", BOTH)
def test_t4_the_order_of_variables(version):  # core/trainingruntime_test.go:1298
    variables = [{"name": "TRAIN_JOB", "value": "original"}, {"name": "RUNTIME", "value": "rt"}]
    base = runtime(replicated(env=variables), policy={"numNodes": 100, **TORCH})
    wanted = [{"name": "TRAIN_JOB", "value": "override"}, {"name": "TRAIN_JOB_CUSTOM", "value": "tj"}]
    container = node(made(trainjob({"env": wanted, "resourcesPerNode": {"requests": {"cpu": "1"}}}), base, version))
    pet = ["PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT"]
    assert list(env(container)) == ["TRAIN_JOB", "RUNTIME", "TRAIN_JOB_CUSTOM", *pet]
    assert env(container)["PET_NNODES"] == "100"
    assert env(container)["PET_NPROC_PER_NODE"] == "1"


@pytest.mark.parametrize("version", BOTH)
@pytest.mark.parametrize(
    ("stated", "written"),
    [
        ({}, {"value": ""}),
        (
            {"valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}},
            {"valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
        ),
        (
            {"valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
            {"valueFrom": {"resourceFieldRef": {"containerName": "", "divisor": "0", "resource": "limits.cpu"}}},
        ),
        (
            {"valueFrom": {"resourceFieldRef": {"containerName": "node", "divisor": 1, "resource": "limits.cpu"}}},
            {"valueFrom": {"resourceFieldRef": {"containerName": "node", "divisor": "1", "resource": "limits.cpu"}}},
        ),
        (
            {"value": "lost", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": True}}},
            {"valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": True}}},
        ),
        ({"valueFrom": {"fileKeyRef": {"volumeName": "v", "path": "p", "key": "k"}}}, {"valueFrom": {}}),
    ],
)
def test_a_variable_is_written_as_the_trainer_writes_it(version, stated, written):  # pkg/apply/apply.go, EnvVar
    container = node(made(trainjob({"env": [{"name": "A", **stated}]}), runtime(replicated(), policy={}), version))
    assert container["env"] == [{"name": "A", **written}]


@pytest.mark.parametrize("version", BOTH)
@pytest.mark.parametrize(
    ("trainer", "processes"),
    [  # plugins/torch/torch_test.go:145-960
        ({"resourcesPerNode": {"limits": {"cpu": "2"}}}, "2"),
        ({"resourcesPerNode": {"limits": {"cpu": "2.5"}}}, "3"),
        ({"resourcesPerNode": {"limits": {"cpu": "2500m"}}}, "3"),
        ({"resourcesPerNode": {"limits": {"cpu": "0.7"}}}, "1"),
        ({"resourcesPerNode": {"requests": {"cpu": 3}}}, "3"),
        ({"resourcesPerNode": {"limits": {"cpu": "9"}, "requests": {"cpu": "3"}}}, "3"),
        ({}, "1"),
        ({"resourcesPerNode": {"limits": {"nvidia.com/gpu": 2}}}, "auto"),
        ({"resourcesPerNode": {"limits": {"nvidia.com/gpu": 0, "cpu": "4"}}}, "4"),
        ({"resourcesPerNode": {"limits": {"cpu": "6", "nvidia.com/gpu": "2"}}}, "auto"),
        ({"resourcesPerNode": {"limits": {"cpu": "8"}}, "numProcPerNode": 3}, "3"),
    ],
)
def test_t5_processes_per_node(version, trainer, processes):
    assert env(node(made(trainjob(trainer), runtime(replicated(), policy=TORCH), version)))["PET_NPROC_PER_NODE"] == processes


@pytest.mark.parametrize("version", BOTH)
def test_t12_without_a_trainer_there_is_no_process_group(version):  # kubeflow/trainer issue 4076
    base = runtime(replicated(), policy={"numNodes": 4, **TORCH})
    bare = made(trainjob(), base, version)
    assert counts(bare) == {"node": 4}
    assert "env" not in node(bare)
    assert "ports" not in node(bare)
    assert env(node(made(trainjob({}), base, version)))["PET_NNODES"] == "4"


UNNAMED = [{"containerPort": 8080}, {"name": "metrics", "containerPort": 9090}]


@pytest.mark.parametrize(
    ("version", "ports"), [("2.2.0", [29500, 9090]), ("2.3.0", [29500, 9090]), ("2.4-preview", [8080, 9090, 29500])]
)
def test_t13_the_first_port_without_a_name_is_taken_for_the_masters(version, ports):  # kubeflow/trainer pull request 3926
    base = runtime(replicated(ports=UNNAMED), policy=TORCH)
    assert [port["containerPort"] for port in node(made(trainjob({}), base, version))["ports"]] == ports


def test_t22_variables_of_torch_in_what_the_runtime_lists():  # plugins/torch/torch_test.go:1368
    listed = {"torch": {"envInjection": {"targets": [{"jobName": "node", "containerNames": ["preflight-check"]}]}}}
    base = runtime(
        replicated(pod={"initContainers": [{"name": "preflight-check", "image": "registry.example.com/p:1"}]}),
        policy={"numNodes": 2, **listed},
    )
    jobset = made(trainjob({}), base, "2.3.0")
    checked = pod(jobset)["initContainers"][0]
    assert checked["env"] == node(jobset)["env"]
    assert env(checked)["PET_NNODES"] == "2"
    assert env(checked)["PET_NPROC_PER_NODE"] == "1"
    assert "ports" not in checked
    assert "env" not in pod(made(trainjob({}), base, "2.2.0"))["initContainers"][0]


@pytest.mark.parametrize("version", BOTH)
def test_t26_an_initializer_knows_where_from_and_keeps_what_it_has(version):  # plugins/jobset/builder_test.go:188
    variables = [{"name": "PRE_EXISTING", "value": "runtime"}, {"name": "OTHER", "value": "1"}]
    first = replicated("dataset-initializer", step="dataset-initializer", container="dataset-initializer", env=variables)
    wanted = {
        "storageUri": "hf://org/data",
        "env": [{"name": "CUSTOM", "value": "1"}, {"name": "PRE_EXISTING", "value": "overridden"}],
        "secretRef": {"name": "token"},
    }
    jobset = made(trainjob(initializer={"dataset": wanted}), runtime({**first, "replicas": 2}, replicated()), version)
    container = pod(jobset, "dataset-initializer")["containers"][0]
    assert list(env(container).items()) == [
        ("PRE_EXISTING", "overridden"),
        ("OTHER", "1"),
        ("STORAGE_URI", "hf://org/data"),
        ("CUSTOM", "1"),
    ]
    assert container["envFrom"] == [{"secretRef": {"name": "token"}}]
    assert jobset.job("dataset-initializer")["replicas"] == 1


def test_the_runtime_and_the_trainjob_stay_as_they_are():
    base, job = (
        runtime(replicated(), policy=TORCH),
        trainjob({"env": [{"name": "A", "value": "1"}], "resourcesPerNode": {"limits": {"cpu": 1}}}),
    )
    before = deepcopy((base, job))
    for version in VERSIONS:
        made(job, base, version)
    assert (base, job) == before


@pytest.mark.parametrize("version", BOTH)
def test_jax_has_its_processes_even_without_a_trainer(version):  # plugins/jax/jax.go
    jobset = made(trainjob(), runtime(replicated(), policy={"numNodes": 3, "jax": {}}), version)
    assert env(node(jobset)) == {
        "JAX_NUM_PROCESSES": "3",
        "JAX_PROCESS_ID": None,
        "JAX_COORDINATOR_ADDRESS": "test-job-node-0-0.test-job:29500",
    }


GPU8 = {"limits": {"nvidia.com/gpu": "8"}, "requests": {"nvidia.com/gpu": "8"}}


@pytest.mark.parametrize("version", BOTH)
def test_xgboost_has_a_worker_for_each_gpu(version):  # plugins/xgboost/xgboost.go
    base = runtime(replicated(resources=GPU8), policy={"numNodes": 2, "xgboost": {}})
    container = node(made(trainjob({"env": [{"name": "A", "value": "1"}]}), base, version))
    assert env(container)["DMLC_NUM_WORKER"] == "16"
    assert list(env(container)) == ["A", "DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER"]


def test_torchtune_gets_no_master():  # plugins/torch/torch.go
    container = node(made(trainjob({"command": ["tune", "run"]}), runtime(replicated(), policy=TORCH)))
    assert list(env(container)) == ["PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK"]


@pytest.mark.parametrize(
    ("base", "reason"),
    [
        (runtime(replicated(), policy={"flux": {}}), "flux"),
        (runtime(replicated(step=""), policy={"jax": {}}), "makes no JobSet"),
    ],
)
def test_says_what_it_cannot_make(base, reason):
    with pytest.raises(InvalidInput, match=reason):
        made(trainjob({}), base)


@pytest.mark.parametrize("version", BOTH)
def test_a_whole_number_is_one_however_it_is_written(version):  # recorded: a server takes 2.0 for 2
    base = runtime(replicated(), policy={"numNodes": 3.0, "torch": {}})
    jobset = made(trainjob({"numNodes": 2.0, "numProcPerNode": 4.0}), base, version)
    assert counts(jobset) == {"node": 2}
    variables = env(node(jobset))
    assert (variables["PET_NNODES"], variables["PET_NPROC_PER_NODE"]) == ("2", "4")
    assert env(node(made(trainjob({}), base, version)))["PET_NNODES"] == "3"
