"""Jobs that are admitted, run, and do not do what their author meant."""

import pytest

from bundler.model.finding import Severity
from tests.unit.trainer.made import ANCESTOR, BOTH, found, patch, replicated, runtime, submitted, wired
from tests.unit.trainer.recorded import check

GPU8 = {"requests": {"nvidia.com/gpu": "8"}, "limits": {"nvidia.com/gpu": "8"}}


def torch(**fields):
    return runtime(replicated(**fields), policy={"numNodes": 2, "torch": {}})


def mpi(launcher=None, worker=None, **policy):
    jobs = (replicated("launcher", **(launcher or {})), replicated("node", step="", **(worker or {})))
    return runtime(*jobs, policy={"mpi": policy})


@pytest.mark.parametrize("version", BOTH)
def test_a_job_without_a_trainer_has_no_process_group(version):  # kubeflow/trainer issue 4076
    (finding,) = check(version, submitted(), torch(resources=GPU8)).findings
    assert (finding.rule, finding.severity) == ("AICR-J050", Severity.ERROR)
    assert (
        finding.message == "without spec.trainer no pod of 2 gets PET_ variables and the port, so torchrun finds no process group"
    )
    assert finding.fix == "add `trainer: {}` to spec"
    assert check(version, submitted({}), torch(resources=GPU8)).findings == ()


@pytest.mark.parametrize("version", BOTH)
def test_one_pod_alone_may_do_without_a_process_group(version):
    base = runtime(replicated(resources=GPU8), policy={"numNodes": 1, "torch": {}})
    (finding,) = check(version, submitted(), base).findings
    assert (finding.rule, finding.severity) == ("AICR-J050", Severity.WARNING)


@pytest.mark.parametrize(
    ("resources", "processes"),
    [({"limits": {"memory": "64Gi"}}, "1"), ({"requests": {"cpu": "6"}}, "6"), ({}, "1"), ({"claims": [{"name": "x"}]}, "1")],
)
def test_resources_without_gpus_start_fewer_processes_than_the_pod_has_gpus(resources, processes):  # kubeflow/trainer PR 3974
    message = f"PET_NPROC_PER_NODE becomes {processes}, and the pod has 8 GPUs: resourcesPerNode names none"
    verdict = check("2.3", submitted({"resourcesPerNode": resources}), torch(resources=GPU8))
    assert found(verdict, "AICR-J051") == [("AICR-J051", "/spec/trainer/resourcesPerNode", message)]


def test_fewer_processes_than_gpus_are_said():
    verdict = check("2.3", submitted({"numProcPerNode": 4}), torch(resources=GPU8))
    assert found(verdict) == [("AICR-J052", "/spec/trainer/numProcPerNode", "numProcPerNode is 4, and the pod has 8 GPUs")]


@pytest.mark.parametrize(("policy", "told"), [({"torch": {}}, True), ({"mpi": {}}, True), ({"xgboost": {}}, False), ({}, False)])
@pytest.mark.parametrize("number", [0, -1])
def test_no_process_starts(number, policy, told):  # recorded: admitted by 2.3 as it stands
    verdict = check("2.3", submitted({"numProcPerNode": number}), runtime(replicated(resources=GPU8), policy=policy))
    message = f"numProcPerNode is {number}, so no process starts"
    at = "/spec/trainer/numProcPerNode"
    assert found(verdict, "AICR-J052") == ([("AICR-J052", at, message)] if told else [])


@pytest.mark.parametrize(
    ("base", "reason"),
    [
        ({"network": {"subdomain": "other"}}, "network.subdomain of the runtime is 'other'"),
        ({"network": {"enableDNSHostnames": False}}, "network.enableDNSHostnames of the runtime is false"),
        ({"replicatedJobs": [replicated("worker")]}, "no replicated job named 'node' trains"),
    ],
)
@pytest.mark.parametrize(
    ("framework", "address"), [("torch", "PET_MASTER_ADDR is {}"), ("jax", "JAX_COORDINATOR_ADDRESS is {}:29500")]
)
def test_the_first_pod_has_another_name(
    framework, address, base, reason
):  # plugins/torch/torch.go: it follows no name of the runtime
    changed = runtime(replicated(), policy={framework: {}})
    changed["spec"]["template"]["spec"] |= base
    message = f"{address.format('test-job-node-0-0.test-job')}, and no pod has that name: {reason}"
    verdict = check("2.3", submitted({"numNodes": 2}), changed)
    assert found(verdict, "AICR-J057") == [("AICR-J057", "/spec/runtimeRef", message)]
    assert not found(check("2.3", submitted({"numNodes": 2}), runtime(replicated(), policy={framework: {}})), "AICR-J057")


def test_a_resource_with_gpu_in_its_name_is_taken_for_gpus():
    wanted = {"limits": {"nvidia.com/gpu": 8, "networking.gke.io.networks/gpu-nic0": 1}}
    verdict = check("2.3", submitted({"resourcesPerNode": wanted}), torch(resources=GPU8))
    message = "the Trainer takes any of networking.gke.io.networks/gpu-nic0, nvidia.com/gpu for the number of GPUs"
    assert found(verdict, "AICR-J053") == [("AICR-J053", "/spec/trainer/resourcesPerNode", message)]


@pytest.mark.parametrize("version", BOTH)
def test_a_runtime_without_gpus_gives_none(version):  # NVIDIA/aicr issue 2280
    (finding,) = check(version, submitted({}), torch()).findings
    assert (finding.rule, finding.severity, finding.message) == (
        "AICR-J054",
        Severity.NOTE,
        "no GPU is asked for: 1 process a node",
    )


@pytest.mark.parametrize("count", [4, 16])
def test_a_full_node_fabric_is_for_whole_nodes(count):
    base = wired(limits={"nvidia.com/gpu": "8", "example.com/nic": "4"})
    verdict = check("2.3", submitted({"resourcesPerNode": {"limits": {"nvidia.com/gpu": count}}}), base)
    message = f"nvidia.com/gpu of node/node is {count}, and the runtime attaches whole nodes of 8"
    assert found(verdict) == [("AICR-J043", "/spec/trainer/resourcesPerNode", message)]


def test_more_gpus_than_the_limit_of_the_runtime_are_refused_with_the_pod():
    wanted = {"resourcesPerNode": {"limits": {"nvidia.com/gpu": 4}}}
    verdict = check("2.3", submitted(wanted), wired())
    message = "nvidia.com/gpu requests 8, more than its limit 4"
    assert ("AICR-K043", "/spec/trainer/resourcesPerNode", message) in found(verdict)


@pytest.mark.parametrize("version", BOTH)
@pytest.mark.parametrize(
    ("device", "fix"),
    [
        ("example.com/nic", "leave resourcesPerNode out: the runtime brings both"),
        ("example.com/other", "use a runtime that brings both; no job can"),
    ],
)
def test_devices_in_a_job_cost_the_claim_of_the_runtime(version, device, fix):
    verdict = check(version, submitted({"resourcesPerNode": {"limits": {device: 4}}}), wired())
    (finding,) = [one for one in verdict.findings if one.rule == "AICR-J042"]
    assert finding.message == f"{device} in resourcesPerNode cost the job the claim 'channel'"
    assert finding.fix == fix


def test_several_nodes_on_a_plain_runtime_of_a_bundle_that_ships_a_wired_one():
    plain = torch(resources=GPU8)
    attached = {**wired(), "kind": "ClusterTrainingRuntime", "metadata": {"name": "wired"}}
    verdict = check("2.3", submitted({"numNodes": 4}), plain, attached, shipped=True)
    (finding,) = verdict.findings
    assert finding.rule == "AICR-J044"
    assert finding.message == "4 nodes on runtime 'rt', which attaches no pod to the fabric: they talk over TCP"
    assert finding.fix == "set it to wired"
    namespaced = {**attached, "kind": "TrainingRuntime"}
    (finding,) = check("2.3", submitted({"numNodes": 4}), plain, namespaced, shipped=True).findings
    assert finding.fix == "set it to wired with kind: TrainingRuntime"
    assert check("2.3", submitted({"numNodes": 1}), plain, attached, shipped=True).findings == ()
    assert check("2.3", submitted({"numNodes": 4}), plain, attached).findings == ()


def test_a_trainer_that_no_job_of_the_runtime_has_is_ignored():
    base = runtime(replicated(step=""), policy={"torch": {}})
    assert [rule for rule, _, _ in found(check("2.3", submitted({"image": "user:1"}), base))] == ["AICR-J055"]


def test_a_runtime_that_does_not_train_is_said_without_a_trainer_too():
    base = runtime(replicated(step=""), policy={"torch": {}})
    message = "no pod trains: no replicated job of runtime 'rt' has the ancestor label of a trainer"
    assert found(check("2.3", submitted(), base)) == [("AICR-J055", "/spec/trainer", message)]
    assert [rule for rule, _, _ in found(check("2.3", submitted({}), base))] == ["AICR-J055"]


@pytest.mark.parametrize("version", BOTH)
def test_a_patch_that_takes_the_label_of_a_trainer_is_blamed(version):
    change = {"name": "node", "template": {"metadata": {"labels": {ANCESTOR: "other"}}}}
    verdict = check(version, submitted({"image": "user:1"}, runtimePatches=[patch(change)]), torch(resources=GPU8))
    ((_, pointer, message),) = found(verdict)
    assert pointer.endswith("/template/metadata/labels/trainer.kubeflow.org~1trainjob-ancestor-step")
    assert message == "spec.trainer is ignored: the patch takes the ancestor label of a trainer from the job that trains"


def test_resources_that_reach_no_pod_are_said():
    base = runtime(replicated(resources={"requests": {"cpu": "1"}}))
    wanted = {"limits": {"cpu": "4"}, "claims": [{"name": "x"}]}
    assert found(check("2.3", submitted({"resourcesPerNode": wanted}), base)) == [
        ("AICR-J055", "/spec/trainer/resourcesPerNode/claims", "claims in resourcesPerNode reach no pod"),
        (
            "AICR-J055",
            "/spec/trainer/resourcesPerNode/limits",
            "cpu in limits of resourcesPerNode reaches no pod: the runtime has no mlPolicy",
        ),
    ]


def test_gpus_of_an_mpi_job_that_go_to_the_launcher():
    verdict = check("2.3", submitted({"resourcesPerNode": {"limits": {"nvidia.com/gpu": 4}}}), mpi())
    assert found(verdict, "AICR-J056") == [
        ("AICR-J056", "/spec/trainer/resourcesPerNode", "resourcesPerNode goes to the launcher, and the nodes get none of it")
    ]


def test_slots_that_were_counted_on_a_launcher_without_gpus():
    verdict = check("2.3", submitted({}), mpi(worker={"resources": GPU8}))
    assert found(verdict) == [("AICR-J056", "/spec/trainer", "the host file gives each node 1 slot, and a node has 8 GPUs")]
    assert check("2.3", submitted({"numProcPerNode": 8}), mpi(worker={"resources": GPU8})).findings == ()


LOGS = {"name": "logs", "image": "registry.example.com/logs:1", "restartPolicy": "Always"}


def with_gpus(**pod):
    base = runtime(replicated(resources=GPU8, pod=pod), policy={"torch": {}})
    template = base["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    template["metadata"] = {"annotations": {"sidecar.example.com/inject": "false"}}
    return base


@pytest.mark.parametrize(
    ("pod", "attached"),
    [
        ({}, False),
        ({"initContainers": [LOGS]}, False),
        ({"initContainers": [{**LOGS, "securityContext": {"capabilities": {"add": ["SYS_PTRACE"]}}}]}, False),
        ({"initContainers": [{**LOGS, "resources": {"limits": {"hugepages-2Mi": "1Gi", "cpu": "1"}}}]}, False),
        ({"volumes": [{"name": "v", "hostPath": {"path": "/dev/shm"}}]}, False),
        ({"volumes": [{"name": "v", "hostPath": {"path": "/dev/infiniband"}}]}, True),
        ({"initContainers": [{**LOGS, "securityContext": {"capabilities": {"add": ["NET_ADMIN"]}}}]}, True),
        ({"initContainers": [{**LOGS, "resources": {"limits": {"example.com/nic": "1"}}}]}, True),
        ({"hostNetwork": True}, True),
    ],
)  # fmt: skip
def test_only_what_reaches_a_nic_attaches_a_pod(pod, attached):
    wanted = {"resourcesPerNode": {"limits": {"nvidia.com/gpu": 4}, "requests": {"nvidia.com/gpu": 4}}}
    verdict = check("2.3", submitted(wanted), with_gpus(**pod))
    assert verdict.runtime.attached is attached
    assert [(rule, message) for rule, _, message in found(verdict)] == [
        ("AICR-J043", "nvidia.com/gpu of node/node is 4, and the runtime attaches whole nodes of 8")
        if attached
        else ("AICR-J041", "resource nvidia.com/gpu of node/node is 4, where the runtime has 8")
    ]


@pytest.mark.parametrize(
    ("annotation", "attached"),
    [
        ("networking.gke.io/interfaces", True),
        ("devices.gke.io/container.daemon", True),
        ("k8s.v1.cni.cncf.io/networks", True),
        ("example.com/scrape", False),
    ],
)
def test_an_annotation_that_hands_out_interfaces_or_devices_attaches_a_pod(annotation, attached):
    base = with_gpus()
    pod = base["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    pod["metadata"]["annotations"][annotation] = "x"
    assert check("2.3", submitted({}), base).runtime.attached is attached


def test_an_annotation_that_is_changed_on_a_plain_runtime_is_no_error():
    one = {
        "name": "node",
        "template": {"spec": {"template": {"metadata": {"annotations": {"sidecar.example.com/inject": "true"}}}}},
    }
    (finding,) = check("2.3", submitted({}, runtimePatches=[patch(one)]), with_gpus()).findings
    assert finding.severity is Severity.WARNING
    assert finding.message == "annotation sidecar.example.com/inject of node is not the one of the runtime"


@pytest.mark.parametrize("version", BOTH)
def test_a_claim_that_devices_cost_is_told_once(version):
    amounts = {"nvidia.com/gpu": "8", "example.com/nic": "4"}
    verdict = check(version, submitted({"resourcesPerNode": {"limits": amounts, "requests": amounts}}), wired())
    message = "example.com/nic, nvidia.com/gpu in resourcesPerNode cost the job the claim 'channel'"
    assert found(verdict) == [("AICR-J042", "/spec/trainer/resourcesPerNode", message)]


@pytest.mark.parametrize(("version", "rule"), [("2.2", "AICR-J055"), ("2.3", "AICR-J055"), ("2.4-preview", "AICR-J022")])
@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("channel", "leave resourcesPerNode out: the runtime has the claims"),
        ("other", "use a runtime that has the claims"),
    ],
)
def test_claims_of_a_job_are_the_business_of_the_runtime(version, rule, name, fix):
    verdict = check(version, submitted({"resourcesPerNode": {"claims": [{"name": name}]}}), wired())
    assert [one.fix for one in verdict.findings if one.rule == rule] == [fix]


def test_a_runtime_of_another_namespace_is_offered_with_it():
    attached = {**wired(), "kind": "TrainingRuntime", "metadata": {"name": "wired", "namespace": "team-a"}}
    (finding,) = check("2.3", submitted({"numNodes": 4}), torch(resources=GPU8), attached, shipped=True).findings
    assert finding.fix == "set it to wired with kind: TrainingRuntime, and the namespace to team-a"


def test_a_trainer_that_is_null_is_told_where_it_stands():
    verdict = check("2.3", {**submitted(), "spec": {"runtimeRef": {"name": "rt"}, "trainer": None}}, torch(resources=GPU8))
    assert [(one.pointer, one.fix) for one in verdict.findings] == [("/spec/trainer", "write `trainer: {}`")]


def test_what_the_trainer_adds_cannot_be_referred_to():
    verdict = check("2.3", submitted({"env": [{"name": "D", "value": "of $(PET_NNODES)"}]}), torch(resources=GPU8))
    assert [(one.rule, one.message, one.fix) for one in verdict.findings] == [
        (
            "AICR-K054",
            "D refers to PET_NNODES, which is defined after it",
            "read PET_NNODES in the command: the Trainer adds it behind all others",
        )
    ]


def test_a_value_beside_a_source_reaches_no_pod():  # pkg/apply/apply.go, EnvVar
    source = {"secretKeyRef": {"name": "s", "key": "k"}}
    variables = [{"name": "A", "value": "", "valueFrom": source}, {"name": "B", "value": "1", "valueFrom": source}]
    verdict = check("2.3", submitted({"env": variables}), torch())
    message = "the value of B reaches no pod: valueFrom stands in its place"
    assert found(verdict, "AICR-J055") == [("AICR-J055", "/spec/trainer/env/1/value", message)]
