"""Requirements on gang scheduling and labels.

Sources: pkg/platform, and certification-render-gang-scheduler and -workload-labels among the tests of the controller.
"""

import pytest

from bundler.errors import InvalidInput
from tests.unit.certify.kit import node, pod, runtime

ALL_REDUCE = "communication/nccl-all-reduce"
KAI = {"schedulerName": "kai-scheduler", "queue": "high-priority"}
QUEUE = {"kai.scheduler/queue": "high-priority"}


def jobs(workflow):
    return runtime(workflow)["spec"]["template"]["spec"]["replicatedJobs"]


def test_every_pod_of_a_job_is_in_the_queue(workflow):
    made = workflow("aws", "h100", ALL_REDUCE, gangScheduler=KAI)
    for job in jobs(made):
        assert pod(made, job["name"])["spec"]["schedulerName"] == "kai-scheduler"
        assert pod(made, job["name"])["metadata"]["labels"] == QUEUE
        assert job["template"]["metadata"]["labels"].items() >= QUEUE.items()
    assert made["spec"]["jobTemplate"]["spec"]["workloadMetadata"] == {"labels": QUEUE}
    assert made["spec"]["gangScheduler"] == {**KAI, "queueLabelKey": "kai.scheduler/queue"}


def test_the_queue_is_the_default_one_where_none_is_stated_and_the_workflow_says_so(workflow):
    made = workflow("aws", "h100", "training/nemotron5-8b", gangScheduler={"schedulerName": "kai-scheduler"})
    assert made["spec"]["gangScheduler"] == {
        "schedulerName": "kai-scheduler",
        "queue": "default-queue",
        "queueLabelKey": "kai.scheduler/queue",
    }
    assert pod(made)["spec"]["schedulerName"] == "kai-scheduler"  # in the place of default-scheduler


def test_without_labels_and_queue_the_job_has_no_metadata_for_its_workload(workflow):
    assert "workloadMetadata" not in workflow("aws", "h100", ALL_REDUCE)["spec"]["jobTemplate"]["spec"]


def test_labels_of_the_two_levels_and_the_queue_are_32_at_most(render):
    labels = {"labels": {f"l{number}": "" for number in range(32)}}
    assert render("aws", "h100", ALL_REDUCE, workloadMetadata=labels).workflows
    with pytest.raises(InvalidInput) as caught:
        render("aws", "h100", ALL_REDUCE, workloadMetadata=labels, gangScheduler=KAI)
    assert caught.value.findings[0].message == "the workload has 33 labels, and a server takes 32"


def test_an_mpi_launcher_starts_with_its_workers_and_waits_inside(workflow):
    made = workflow("aws", "h100", ALL_REDUCE, gangScheduler=KAI)
    launcher = next(job for job in jobs(made) if job["name"] == "launcher")
    assert "dependsOn" not in launcher
    waits = pod(made, "launcher")["spec"]["initContainers"][-1]
    assert waits["name"] == "wait-for-workers"
    assert waits["image"] == node(made, "launcher")["image"]


def test_another_scheduler_keeps_the_order_and_its_own_queue_label(workflow):
    gang = {"schedulerName": "runai-scheduler", "queueLabelKey": "runai/queue"}
    made = workflow("aws", "h100", ALL_REDUCE, gangScheduler=gang)
    launcher = next(job for job in jobs(made) if job["name"] == "launcher")
    assert launcher["dependsOn"] == [{"name": "node", "status": "Ready"}]
    assert pod(made)["metadata"]["labels"] == {"runai/queue": "default-queue"}


def test_a_users_image_reaches_the_container_that_waits(workflow):
    made = workflow("aws", "h100", ALL_REDUCE, gangScheduler=KAI, image="registry.example/a:1")
    assert {one["image"] for one in pod(made, "launcher")["spec"]["initContainers"]} == {"registry.example/a:1"}


def test_a_label_with_two_values_is_refused(render):
    labels = {"labels": {"kai.scheduler/queue": "low"}}
    with pytest.raises(InvalidInput) as caught:
        render("aws", "h100", ALL_REDUCE, gangScheduler=KAI, workloadMetadata=labels)
    assert caught.value.findings[0].message == (
        "the label kai.scheduler/queue is 'low', and gangScheduler puts the workload into queue 'high-priority'"
    )
