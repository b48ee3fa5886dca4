"""Requirements on runtimes: what the Trainer admits, and what a torch runtime needs that nobody checks."""

import pytest

NETWORK = "/spec/template/spec/network"
JOB = "/spec/template/spec/replicatedJobs/0"
POD = f"{JOB}/template/spec/template"
NODE = f"{POD}/spec/containers/0"
SIDE = {"name": "side", "image": "registry.example.com/x@sha256:" + "0" * 64}
PREPARE = {"name": "prepare", "template": {"spec": {"template": {"spec": {"containers": [SIDE]}}}}}


def put(path, value):
    return {"op": "add", "path": path, "value": value}


def drop(path):
    return {"op": "remove", "path": path}


def test_a_right_runtime_has_no_findings(runtime, judge):
    assert judge(runtime) == ()


def test_a_namespaced_runtime_is_held_to_the_same_rules(runtime, after):
    operations = [put("/kind", "TrainingRuntime"), put("/metadata/namespace", "team")]
    assert after(runtime, *operations) == []
    assert after(runtime, *operations, put(f"{JOB}/replicas", 2)) == [("AICR-K024", f"{JOB}/replicas")]


@pytest.mark.parametrize(
    ("operations", "found"),
    [
        # CEL of the CRDs.
        ([put("/spec/mlPolicy/mpi", {})], [("AICR-K020", "/spec/mlPolicy")]),
        (
            [put("/spec/mlPolicy/torch/envInjection", {"targets": [{"jobName": "node", "containerNames": ["x", "node"]}]})],
            [("AICR-K021", "/spec/mlPolicy/torch/envInjection/targets/0/containerNames/1")],
        ),
        (
            [
                put("/spec/template/spec/startupPolicy", {"startupPolicyOrder": "InOrder"}),
                put("/spec/template/spec/replicatedJobs/0", PREPARE),
                put("/spec/template/spec/replicatedJobs/1/dependsOn", [{"name": "prepare", "status": "Complete"}]),
            ],
            [("AICR-K022", "/spec/template/spec/replicatedJobs/1/dependsOn")],
        ),
        (
            [put("/spec/template/spec/volumeClaimPolicies", [{"templates": [{"metadata": {"name": "c", "namespace": "x"}}]}])],
            [("AICR-K023", "/spec/template/spec/volumeClaimPolicies/0/templates/0/metadata/namespace")],
        ),
        # Webhooks.
        ([put(f"{JOB}/replicas", 2)], [("AICR-K024", f"{JOB}/replicas")]),
        ([put(f"{NODE}/name", "worker")], [("AICR-K025", f"{POD}/spec/containers"), ("AICR-K033", NODE)]),
        # Labels.
        ([put("/metadata/labels", {})], [("AICR-K030", "/metadata")]),
        (
            [put("/metadata/labels/trainer.kubeflow.org~1webhook-validation", "disabled")],
            [("AICR-K030", "/metadata/labels/trainer.kubeflow.org~1webhook-validation")],
        ),
        # Shape.
        ([drop("/spec/mlPolicy/torch")], [("AICR-K031", "/spec/mlPolicy")]),
        ([put("/spec/mlPolicy/numNodes", 0)], [("AICR-K031", "/spec/mlPolicy/numNodes")]),
        ([put(f"{JOB}/name", "worker")], [("AICR-K031", JOB)]),
        (
            [put(f"{JOB}/template/metadata/labels", {"trainer.kubeflow.org/trainjob-ancestor-step": "other"})],
            [
                ("AICR-K026", f"{JOB}/template/metadata/labels/trainer.kubeflow.org~1trainjob-ancestor-step"),
                ("AICR-K031", "/spec/template/spec/replicatedJobs"),
            ],
        ),
        ([put(f"{NODE}/env/0", {"name": "PET_NNODES", "value": "2"})], [("AICR-K032", f"{NODE}/env/0")]),
        (
            [put(f"{POD}/spec/containers/1", SIDE)],
            [("AICR-K033", f"{POD}/spec/containers/1")],
        ),
        ([drop(f"{NODE}/ports/0/name")], [("AICR-K034", f"{NODE}/ports/0")]),
        (
            [put(f"{NODE}/ports", [{"containerPort": 80}, {"containerPort": 81}, {"containerPort": 82}])],
            [("AICR-K034", f"{NODE}/ports/0"), ("AICR-K037", f"{NODE}/ports/1"), ("AICR-K037", f"{NODE}/ports/2")],
        ),
        ([put(f"{NODE}/ports/0/containerPort", 29500)], [("AICR-K034", f"{NODE}/ports/0")]),
        (
            [put(NETWORK, {"subdomain": "x", "enableDNSHostnames": False})],
            [("AICR-K035", f"{NETWORK}/enableDNSHostnames"), ("AICR-K035", f"{NETWORK}/subdomain")],
        ),
        # GPUs.
        (
            [put(f"{NODE}/resources/requests/nvidia.com~1gpu", "4")],
            [("AICR-K036", f"{NODE}/resources"), ("AICR-K043", f"{NODE}/resources/requests/nvidia.com~1gpu")],
        ),
        ([drop(f"{NODE}/resources/requests/nvidia.com~1gpu")], [("AICR-K036", f"{NODE}/resources")]),
        (
            [
                put(f"{NODE}/resources/limits/networking.gke.io.networks~1gpu-nic0", "1"),
            ],
            [("AICR-K036", f"{NODE}/resources")],
        ),
        # Order and names of replicated jobs.
        (
            [put(f"{JOB}/dependsOn", [{"name": "node", "status": "Ready"}])],
            [("AICR-K064", f"{JOB}/dependsOn/0")],
        ),
        (
            [put("/spec/template/spec/replicatedJobs/1", {**PREPARE, "name": "a_b"})],
            [("AICR-K063", "/spec/template/spec/replicatedJobs/1/name")],
        ),
    ],
)  # fmt: skip
def test_each_fault_is_found_at_its_place(operations, found, runtime, after):
    assert after(runtime, *operations) == found


def test_spellings_of_one_gpu_count_agree(runtime, after):
    assert after(runtime, put(f"{NODE}/resources/requests/nvidia.com~1gpu", "8000m")) == []


@pytest.mark.parametrize(
    ("version", "rules"),
    [
        ("2.2.0", {"AICR-K024", "AICR-K030"}),
        ("2.3.0", {"AICR-K030"}),
        ("v2.3.0", {"AICR-K030"}),
    ],
)  # fmt: skip
def test_the_webhook_rules_do_not_bind_where_a_label_switches_them_off(version, rules, runtime, after, composed):
    operations = [put("/metadata/labels/trainer.kubeflow.org~1webhook-validation", "disabled"), put(f"{JOB}/replicas", 2)]
    assert {rule for rule, _ in after(runtime, *operations, composition=composed(version))} == rules


def test_a_runtime_of_another_framework_needs_no_node(runtime, after):
    operations = [
        put("/metadata/labels/trainer.kubeflow.org~1framework", "plain"),
        drop("/spec/mlPolicy/torch"),
        put(f"{JOB}/template/metadata/labels", {}),
        put(f"{JOB}/name", "work"),
        put(f"{NODE}/name", "work"),
    ]
    assert after(runtime, *operations) == []


def test_a_dependency_on_an_earlier_job_passes(runtime, after):
    operations = [
        put("/spec/template/spec/replicatedJobs/0", PREPARE),
        put("/spec/template/spec/replicatedJobs/1/dependsOn", [{"name": "prepare", "status": "Complete"}]),
    ]
    assert after(runtime, *operations) == []


def test_the_fix_for_a_missing_trainer_step_names_the_label(runtime, judge):
    del runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["metadata"]
    (finding,) = judge(runtime)
    assert finding.message == "the trainer step is carried out by none, not by exactly one replicated job named 'node'"
    assert finding.fix.endswith("the label trainer.kubeflow.org/trainjob-ancestor-step: trainer")
