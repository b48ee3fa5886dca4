"""Requirements on what controllers make of a Workflow. Source: pkg/render and pkg/naming of NVIDIA/cluster-readiness-engine."""

from bundler.certify.made import made_of
from tests.unit.certify.kit import ALL_REDUCE


def test_what_is_made_comes_in_order_and_has_the_labels_of_its_queue(workflow):
    made = workflow("aws", "gb300", ALL_REDUCE, gangScheduler={"schedulerName": "kai-scheduler"})
    objects = list(made_of(made))
    assert [one["kind"] for one in objects] == [
        "TrainingRuntime",
        "ComputeDomain",
        "ResourceClaimTemplate",
        "Workflow",
        "Job",
        "TrainJob",
    ]
    job, workload = objects[-2:]
    assert job["spec"] == made["spec"]["jobTemplate"]["spec"]
    assert workload["metadata"]["labels"] == {"kai.scheduler/queue": "default-queue"}


def test_names_leave_room_for_what_is_appended(workflow):
    made = workflow("aws", "h100", ALL_REDUCE)
    objects = list(made_of({**made, "metadata": {"name": "r" * 63}}))
    assert [len(one["metadata"]["name"]) for one in objects[-2:]] == [35, 44]


def test_a_workflow_that_is_not_resolved_makes_no_job_yet(workflow):
    made = workflow("aws", "h100", ALL_REDUCE)
    unresolved = {**made, "spec": {**made["spec"], "overrides": [{"when": {}}]}}
    assert [one["kind"] for one in made_of(unresolved)] == ["TrainingRuntime", "Workflow"]
