"""What a TrainJob takes from its runtime is found, with what took it and the edit that keeps it."""

import pytest

from bundler.model.finding import Severity
from bundler.trainer.survival import Fate
from bundler.yamlio.reader import read
from tests.unit.trainer.made import BOTH, found, patch, pod_patch, replicated, runtime, submitted, wired
from tests.unit.trainer.recorded import check, checker

GPU8 = {"limits": {"nvidia.com/gpu": "8"}, "requests": {"nvidia.com/gpu": "8"}}
TEMPLATE = "/spec/runtimePatches/0/trainingRuntimeSpec/template/spec/replicatedJobs/0/template/spec/template"


def fates(verdict):
    return {str(one.part): (one.fate, one.cause) for one in verdict.survivors if one.fate is not Fate.KEPT}


@pytest.mark.parametrize("version", BOTH)
def test_a_job_that_states_nothing_of_the_runtime_keeps_all_of_it(version):
    trainer = {"image": "user:1", "command": ["x"], "args": ["y"], "env": [{"name": "MINE", "value": "1"}], "numNodes": 4}
    verdict = check(version, submitted(trainer), wired())
    assert verdict.findings == ()
    assert fates(verdict) == {}
    assert len(verdict.survivors) == 14


@pytest.mark.parametrize(
    ("version", "resources", "lost"),
    [
        ("2.2", {"limits": {"memory": "1Gi"}}, {"resource nvidia.com/gpu", "resource example.com/nic", "claim channel"}),
        ("2.2", {"requests": {"nvidia.com/gpu": "8"}}, {"resource nvidia.com/gpu", "resource example.com/nic", "claim channel"}),
        ("2.2", {}, set()),
        ("2.2", {"claims": [{"name": "x"}]}, set()),
        ("2.3", {"limits": {"memory": "1Gi"}}, {"claim channel"}),
        ("2.3", {}, {"claim channel"}),
        ("2.3", {"claims": [{"name": "x"}]}, {"claim channel"}),
        ("2.4-preview", {"limits": {"memory": "1Gi"}}, set()),
    ],
)
def test_resources_per_node_costs_what_its_version_makes_it_cost(version, resources, lost):
    verdict = check(version, submitted({"resourcesPerNode": resources}), wired())
    assert fates(verdict).keys() == lost
    assert {cause for _, cause in fates(verdict).values()} <= {"/spec/trainer/resourcesPerNode"}


@pytest.mark.parametrize("version", BOTH)
@pytest.mark.parametrize(
    ("change", "part", "fate", "cause"),
    [
        ({"spec": {"tolerations": [{"key": "other"}]}}, "toleration example.com/gpu:*", Fate.LOST, "/spec/tolerations"),
        (
            {"spec": {"initContainers": [{"name": "daemon", "securityContext": {"capabilities": {"add": ["SYS_PTRACE"]}}}]}},
            "capability NET_ADMIN",
            Fate.LOST,
            "/spec/initContainers/0/securityContext/capabilities/add",
        ),
        (
            {"spec": {"volumes": [{"name": "library", "emptyDir": {}}]}},
            "volume library",
            Fate.CHANGED,
            "/spec/volumes/0/emptyDir",
        ),
        (
            {"spec": {"containers": [{"name": "node", "volumeMounts": [
                {"name": "library", "mountPath": "/opt/library", "subPath": "x"}]}]}},
            "mount /opt/library",
            Fate.CHANGED,
            "/spec/containers/0/volumeMounts/0/subPath",
        ),
        (
            {"metadata": {"annotations": {"example.com/interfaces": "eth0"}}},
            "annotation example.com/interfaces",
            Fate.CHANGED,
            "/metadata/annotations/example.com~1interfaces",
        ),
    ],
)  # fmt: skip
def test_the_smallest_part_of_a_patch_is_blamed(version, change, part, fate, cause):
    one = {"name": "node", "template": {"spec": {"template": change}}}
    verdict = check(version, submitted({}, runtimePatches=[patch(one)]), wired())
    assert fates(verdict) == {part: (fate, TEMPLATE + cause)}
    assert [finding.severity for finding in verdict.findings] == [Severity.ERROR]


_ROOT = "leave the user to the runtime: only processes of root have capabilities"


@pytest.mark.parametrize(
    ("change", "cause", "fix"),
    [
        (
            {"containers": [{"name": "node", "securityContext": {"capabilities": {"drop": ["IPC_LOCK"]}}}]},
            "/spec/containers/0/securityContext/capabilities/drop",
            "leave IPC_LOCK out of drop, which wins over what is added",
        ),
        (
            {"containers": [{"name": "node", "securityContext": {"runAsUser": 1000}}]},
            "/spec/containers/0/securityContext/runAsUser",
            _ROOT,
        ),
    ],
)
def test_a_capability_is_lost_with_what_makes_it_one(change, cause, fix):  # containerd drops after it adds, and sets none ambient
    verdict = check("2.3", submitted({}, runtimePatches=[patch(pod_patch(**change))]), wired())
    assert fates(verdict) == {"capability IPC_LOCK": (Fate.LOST, TEMPLATE + cause)}
    assert [one.fix for one in verdict.findings] == [fix]


def test_capabilities_that_are_dropped_all_and_added_again_are_kept():
    change = {"name": "node", "securityContext": {"capabilities": {"drop": ["ALL"]}}}
    assert check("2.3", submitted({}, runtimePatches=[patch(pod_patch(containers=[change]))]), wired()).findings == ()


def test_a_user_of_the_pod_is_that_of_every_container():
    verdict = check("2.3", submitted({}, runtimePatches=[patch(pod_patch(securityContext={"runAsNonRoot": True}))]), wired())
    lost = (Fate.LOST, f"{TEMPLATE}/spec/securityContext/runAsNonRoot")
    assert fates(verdict) == {"capability NET_ADMIN": lost, "capability IPC_LOCK": lost}


def test_a_security_context_of_another_kind_is_a_warning():
    base = wired()
    base["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["securityContext"] = {
        "fsGroup": 0
    }
    verdict = check("2.3", submitted({}, runtimePatches=[patch(pod_patch(securityContext={"fsGroup": 7}))]), base)
    ((rule, _, message),) = found(verdict)
    assert (rule, message) == ("AICR-J041", "security context fsGroup of node is not the one of the runtime")


def test_an_overridden_variable_is_a_warning_with_both_values():
    verdict = check("2.3", submitted({"env": [{"name": "NCCL_NET", "value": "Socket"}]}), wired())
    assert found(verdict) == [
        ("AICR-J041", "/spec/trainer/env/0", "variable NCCL_NET of node/node is 'Socket', where the runtime has 'Plugin'")
    ]
    assert verdict.findings[0].severity is Severity.WARNING


def test_a_variable_that_is_set_to_the_runtimes_value_is_kept():
    assert check("2.3", submitted({"env": [{"name": "NCCL_NET", "value": "Plugin"}]}), wired()).findings == ()


def test_amounts_are_compared_by_value():
    amounts = {"nvidia.com/gpu": 8, "example.com/nic": "4000m"}
    base = wired(requests={"nvidia.com/gpu": "8", "example.com/nic": "4"}, limits={"nvidia.com/gpu": "8", "example.com/nic": "4"})
    assert fates(check("2.3", submitted({"resourcesPerNode": {"limits": amounts}}), base)) == {}


@pytest.mark.parametrize("version", BOTH)
def test_a_limit_alone_is_requested_as_well(version):
    amounts = {"nvidia.com/gpu": "8", "example.com/nic": "4"}
    base = wired(requests=amounts, limits=amounts)
    assert fates(check(version, submitted({"resourcesPerNode": {"limits": amounts}}), base)) == {}


@pytest.mark.parametrize("version", BOTH)
def test_in_a_plain_runtime_a_command_is_only_a_command(version):
    base = runtime(replicated(command=["a"]), policy={})
    (finding,) = check(version, submitted({"command": ["b"]}), base).findings
    assert (finding.rule, finding.severity) == ("AICR-J041", Severity.NOTE)


def test_what_two_patches_do_together_is_blamed_on_both():
    patches = [patch(pod_patch(tolerations=[{"key": "a"}])), patch(pod_patch(tolerations=[{"key": "b"}]), manager="example.com/b")]
    verdict = check("2.3", submitted({}, runtimePatches=patches), wired())
    assert fates(verdict) == {"toleration example.com/gpu:*": (Fate.LOST, "/spec/runtimePatches")}


def test_a_port_that_the_trainer_overwrites_is_no_fault_of_the_job():
    base = {
        **runtime(replicated(ports=[{"containerPort": 8080}]), policy={"torch": {}}),
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
    }
    verdict = check("2.3", submitted({}), base)
    (finding,) = [one for one in verdict.findings if one.rule == "AICR-J040"]
    assert finding.message == "port 8080 of node/node is lost"
    assert finding.fix == "name the port in the runtime, and not 29500"


def test_a_finding_stands_at_the_line_that_is_to_blame():
    text = b"""apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: demo}
spec:
  runtimeRef: {name: rt}
  trainer:
    numNodes: 2
    resourcesPerNode:
      limits: {memory: 1Gi}
"""
    verdict = checker("2.3", wired()).check(read(text, "jobs/demo.yaml"))
    (lost,) = [one for one in verdict.findings if one.rule == "AICR-J040"]
    assert str(lost.location) == "jobs/demo.yaml:8:5"
    assert lost.message == "claim channel of node/node is lost"
    assert lost.fix == "leave resourcesPerNode out: it erases the claims of the runtime"
    assert lost.subject == "TrainJob/demo"


POD_NAME = {"fieldRef": {"fieldPath": "metadata.name"}}
AFFINITY = "requiredDuringSchedulingIgnoredDuringExecution"
P5 = {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["p5.48xlarge"]}
ZONE = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["a", "b"]}


def nodes(*terms):
    return {"nodeAffinity": {AFFINITY: {"nodeSelectorTerms": [{"matchExpressions": term} for term in terms]}}}


def on_p5(change, *, terms=([P5],)):
    base = wired()
    pod = base["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    pod["affinity"] = nodes(*terms)
    return check("2.3", submitted({}, runtimePatches=[patch(pod_patch(affinity=change))]), base)


@pytest.mark.parametrize(
    "change",
    [
        {"podAffinity": {AFFINITY: [{"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "b"}}}]}},
        nodes([P5, ZONE]),
        nodes([ZONE, P5], [P5]),
    ],
)
def test_affinity_may_ask_for_more_than_the_runtime(change):
    assert on_p5(change).findings == ()


@pytest.mark.parametrize("change", [nodes([ZONE]), nodes([P5], [ZONE])])
def test_affinity_that_asks_for_less_is_told_with_what_it_forgets(change):
    (finding,) = on_p5(change).findings
    assert finding.severity is Severity.ERROR
    assert finding.message == "node affinity node.kubernetes.io/instance-type In p5.48xlarge of node is lost"
    assert finding.fix == "repeat it in every term of the patch, which replaces the list, or narrow the nodes with nodeSelector"


def test_terms_that_differ_count_as_a_whole():
    (finding,) = on_p5(nodes([P5]), terms=([P5, ZONE], [P5])).findings
    assert finding.message == f"affinity nodeAffinity.{AFFINITY} of node is lost"


def test_amounts_are_told_as_people_write_them():
    amounts = {"nvidia.com/gpu": "8", "memory": "1Gi"}
    base = wired(limits={**amounts, "memory": "2048Mi"}, requests=amounts)
    job = submitted({"resourcesPerNode": {"limits": {"nvidia.com/gpu": 8, "memory": "1500M"}, "requests": {"memory": "1500M"}}})
    (finding,) = check("2.3", job, base).findings
    assert finding.message == ("resource memory of node/node is 1500000000, where the runtime has 1Gi requested of at most 2Gi")


@pytest.mark.parametrize(
    ("change", "message", "fix"),
    [
        (
            {"volumes": [{"name": "library", "emptyDir": {}}]},
            "volume 'library' has hostPath and emptyDir; it takes exactly one source",
            "give the patched volume a name of its own",
        ),
        (
            {"initContainers": [{"name": "daemon", "env": [{"name": "D", "valueFrom": POD_NAME}]}]},
            "variable 'D' has both value and valueFrom",
            "leave D to the runtime: a patch cannot take its source away",
        ),
        (
            {"containers": [{"name": "daemon", "env": [{"name": "D", "value": "2"}]}]},
            "'node' of the runtime has no 'daemon' in containers; the patch adds one without image",
            "patch it in initContainers, where the runtime has it",
        ),
        (
            {"initContainers": [{"name": "daemons"}]},
            "'node' of the runtime has no 'daemons' in initContainers; the patch adds one without image",
            "did you mean 'daemon'?",
        ),
        (
            {"containers": [{"name": "logs"}]},
            "'node' of the runtime has no 'logs' in containers; the patch adds one without image",
            "add the container to the runtime: a patch brings no image",
        ),
    ],
)  # fmt: skip
def test_a_patch_that_breaks_the_pod_is_told_once_with_what_mends_the_job(change, message, fix):
    verdict = check("2.3", submitted({}, runtimePatches=[patch(pod_patch(**change))]), wired())
    assert [(one.message, one.fix) for one in verdict.findings] == [(message, fix)]


def test_a_limit_below_what_the_runtime_requests_is_told_once():
    job = submitted({"resourcesPerNode": {"limits": {"nvidia.com/gpu": 8, "example.com/nic": 2}}})
    amounts = {"nvidia.com/gpu": "8", "example.com/nic": "4"}
    (finding,) = check("2.3", job, wired(limits=amounts, requests=amounts)).findings
    assert finding.message == "example.com/nic requests 4, more than its limit 2"
    assert finding.fix == "state example.com/nic in requests and limits of resourcesPerNode, or in neither"


def test_what_the_runtime_does_not_have_is_mended_as_in_any_pod():
    job = submitted({"resourcesPerNode": {"limits": {"nvidia.com/gpu": 8, "cpu": 1}, "requests": {"cpu": 2}}})
    (finding,) = check("2.3", job, wired(limits={"nvidia.com/gpu": "8", "example.com/nic": "4"})).findings
    assert (finding.message, finding.fix) == ("cpu requests 2, more than its limit 1", "raise the limit")


@pytest.mark.parametrize(
    ("version", "severity", "became"), [("2.2", Severity.WARNING, "lost"), ("2.3", Severity.NOTE, "2, where the runtime has 1")]
)
def test_cpu_and_memory_are_for_the_job_to_choose(version, severity, became):
    amounts = {"nvidia.com/gpu": "8", "example.com/nic": "4"}
    base = wired(limits={**amounts, "cpu": "1"}, requests={**amounts, "cpu": "1"})
    wanted = {**amounts, "cpu": 2} if version == "2.3" else amounts
    (finding,) = check(version, submitted({"resourcesPerNode": {"limits": wanted, "requests": wanted}}), base).findings
    assert finding.severity is severity
    assert finding.message == f"resource cpu of node/node is {became}"


def test_a_fault_of_the_runtime_hides_no_change():
    base = runtime(replicated(env=[{"name": "A", "value": "$(A)"}], resources=GPU8), policy={"torch": {}})
    verdict = check("2.3", submitted({"env": [{"name": "A", "value": "1 $(A)"}]}), base)
    assert [(one.rule, one.pointer) for one in verdict.findings] == [
        ("AICR-K054", "/spec/runtimeRef"),
        ("AICR-J041", "/spec/trainer/env/0"),
    ]


@pytest.mark.parametrize(
    ("limits", "severity", "message"),
    [
        ({"nvidia.com/gpu": "4"}, Severity.NOTE, "resource nvidia.com/gpu of node/node is 4, where the runtime has 8"),
        ({"cpu": "4"}, Severity.WARNING, "resource nvidia.com/gpu of node/node is lost"),
    ],
)
def test_what_a_plain_runtime_loses_is_more_than_what_a_job_changes(limits, severity, message):
    base = runtime(replicated(resources=GPU8), policy={"torch": {}})
    verdict = check("2.2", submitted({"resourcesPerNode": {"limits": limits, "requests": limits}}), base)
    (finding,) = [one for one in verdict.findings if one.rule in {"AICR-J040", "AICR-J041"}]
    assert (finding.severity, finding.message) == (severity, message)
