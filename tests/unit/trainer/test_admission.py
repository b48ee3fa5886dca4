"""What CRD and webhook say of a TrainJob, and what a client makes of a field that they do not know."""

import pytest

from bundler.model.finding import Severity
from tests.unit.trainer.made import BOTH, found, patch, pod_patch, replicated, runtime, submitted, wired
from tests.unit.trainer.recorded import check

TORCH = runtime(replicated(), policy={"torch": {}})
POD = "/spec/runtimePatches/0/trainingRuntimeSpec/template/spec/replicatedJobs/0/template/spec/template/spec"


def refusals(verdict):
    return [(one.rule, one.pointer, one.message) for one in verdict.findings if one.severity is Severity.ERROR]


@pytest.mark.parametrize("version", BOTH)
@pytest.mark.parametrize(
    ("job", "base", "refusal"),
    [
        # T20, plugins/jobset/jobset_test.go:953
        (
            submitted({}, runtimePatches=[patch(pod_patch(containers=[{"name": "node", "env": [{"name": "A", "value": "1"}]}]))]),
            TORCH,
            ("AICR-J017", f"{POD}/containers/0/env", "a patch may not set variables of container 'node'"),
        ),
        # T21, plugins/torch/torch_test.go:2256
        (
            submitted({"env": [{"name": "A", "value": "1"}, {"name": "PET_NPROC_PER_NODE", "value": "1"}]}),
            TORCH,
            ("AICR-J013", "/spec/trainer/env/1/name", "PET_NPROC_PER_NODE is set by the Trainer, and a TrainJob may not"),
        ),
        (
            submitted({"env": [{"name": "DMLC_TASK_ID", "value": "1"}]}),
            runtime(replicated(), policy={"xgboost": {}}),
            ("AICR-J013", "/spec/trainer/env/0/name", "DMLC_TASK_ID is set by the Trainer, and a TrainJob may not"),
        ),
        (
            submitted({"numNodes": 2}),
            runtime(replicated("launcher"), policy={"mpi": {"runLauncherAsNode": True}}),
            ("AICR-J012", "/spec/trainer/numNodes", "numNodes is 2, and the MPI runtime has no replicated job 'node'"),
        ),
        (
            submitted({}, initializer={"dataset": {"storageUri": "hf://a"}}),
            TORCH,
            ("AICR-J014", "/spec/initializer/dataset",
             "the runtime has no replicated job 'dataset-initializer', which initializer.dataset needs"),
        ),
        (
            submitted({}, initializer={"model": {"storageUri": "hf://a"}}),
            runtime(replicated("model-initializer", step="", container="other"), replicated(), policy={}),
            ("AICR-J014", "/spec/initializer/model",
             "the runtime has no container 'model-initializer', which initializer.model needs"),
        ),
        (
            submitted({}, runtimePatches=[patch(pod_patch(nodeSelector={"a": "1"}), manager="platform")]),
            TORCH,
            ("AICR-J015", "/spec/runtimePatches/0/manager", "manager 'platform' is not a path with a domain in front"),
        ),
        (
            submitted({}, runtimePatches=[patch(pod_patch(nodeSelector={"a": "1"}), manager="Acme/x")]),
            TORCH,
            ("AICR-J015", "/spec/runtimePatches/0/manager", "manager 'Acme/x' starts with 'Acme', which is no domain"),
        ),
        (
            submitted({}),
            runtime(
                replicated(),
                policy={},
                group={"volcano": {}},
                metadata={"annotations": {"scheduling.volcano.sh/queue-name": ""}},
            ),
            ("AICR-J019", "/spec/runtimeRef", "annotation scheduling.volcano.sh/queue-name of the JobSet is empty"),
        ),
    ],
)  # fmt: skip
def test_refuses_with_the_place_and_the_reason(version, job, base, refusal):
    verdict = check(version, job, base)
    assert not verdict.admitted
    assert refusal in refusals(verdict)


@pytest.mark.parametrize(
    ("job", "base", "versions"),
    [
        # A replicated job that is not there is refused by 2.2; 2.3 adds it; 2.4 is planned to look before it merges.
        (submitted({}, runtimePatches=[patch(pod_patch("nodes"))]), TORCH, {"2.2.0", "2.4-preview"}),
        (submitted({}, runtimePatches=[patch(pod_patch(containers=[{"name": "nod"}]))]), TORCH, {"2.4-preview"}),
        (
            submitted({"env": [{"name": "OMPI_MCA_plm_rsh_args", "value": "1"}]}),
            runtime(replicated("launcher"), replicated("node", step=""), policy={"mpi": {}}),
            {"2.3.0", "2.4-preview"},
        ),
        (
            submitted({}, initializer={"dataset": {"storageUri": "data"}}),
            runtime(
                replicated(
                    "dataset-initializer",
                    step="dataset-initializer",
                    container="dataset-initializer",
                    volumeMounts=[{"name": "initializer", "mountPath": "/w"}],
                    pod={"volumes": [{"name": "initializer", "emptyDir": {}}]},
                ),
                replicated(),
                policy={},
            ),
            {"2.3.0", "2.4-preview"},
        ),
        (submitted({"numNodes": -1}), TORCH, {"2.4-preview"}),
        (submitted({"numProcPerNode": 0}), TORCH, {"2.4-preview"}),
        (submitted({"resourcesPerNode": {"claims": [{"name": "x"}]}}), TORCH, {"2.4-preview"}),
    ],
)
def test_versions_refuse_what_is_theirs_to_refuse(job, base, versions):
    assert {version for version in ("2.2.0", "2.3.0", "2.4-preview") if not check(version, job, base).admitted} == versions


@pytest.mark.parametrize(("version", "rule"), [("2.2", "AICR-K002"), ("2.3", "AICR-J018"), ("2.4-preview", "AICR-J018")])
def test_a_runtime_that_injects_into_nothing_is_refused_with_its_jobs(version, rule):
    targets = [{"jobName": "node", "containerNames": ["nope"]}]
    base = runtime(replicated(), policy={"torch": {"envInjection": {"targets": targets}}})
    verdict = check(version, submitted({}), base)
    assert not verdict.admitted
    assert verdict.findings[0].rule == rule


@pytest.mark.parametrize(
    ("reference", "finding"),
    [
        ({"name": "rt", "kind": "TrainingRuntim"}, ("AICR-J010", "/spec/runtimeRef", "did you mean 'TrainingRuntime'?")),
        ({"name": "rt", "kind": ""}, ("AICR-J010", "/spec/runtimeRef", "known: ClusterTrainingRuntime, TrainingRuntime")),
        ({"name": "rt", "apiGroup": "example.com"}, ("AICR-J010", "/spec/runtimeRef", "remove apiGroup")),
        ({"name": "rt", "apiGroup": ""}, ("AICR-J010", "/spec/runtimeRef", "remove apiGroup")),
        ({"name": "rtt"}, ("AICR-J011", "/spec/runtimeRef/name", "did you mean 'rt'?")),
        ({"name": "rt", "kind": "TrainingRuntime"}, ("AICR-J011", "/spec/runtimeRef/kind", "set kind: ClusterTrainingRuntime")),
    ],
)
def test_a_reference_that_leads_nowhere_offers_what_is_near(reference, finding):
    verdict = check("2.3", submitted({}, runtimeRef=reference), TORCH)
    (one,) = verdict.findings
    assert (one.rule, one.pointer) == finding[:2]
    assert one.fix == finding[2]
    assert not verdict.admitted


@pytest.mark.parametrize(
    ("job", "fix"),
    [
        (submitted({}, runtimeRef={"name": "own"}), "give its file with --runtime, or the bundle that has it with --bundle"),
        (
            submitted({}, runtimeRef={"name": "torch-distribute"}),
            "did you mean 'torch-distributed'? If not, give its file with --runtime, or the bundle that has it with --bundle",
        ),
        ({key: value for key, value in submitted({}).items() if key != "spec"}, "name one in spec.runtimeRef"),
    ],
)
def test_a_runtime_that_is_nowhere_is_not_to_be_removed(job, fix):
    (one,) = check("2.3", job, offered=("torch-distributed",)).findings
    assert (one.rule, one.fix) == ("AICR-J011", fix)


@pytest.mark.parametrize(
    ("base", "finding"),
    [
        (
            runtime(replicated(), policy={"torch": {}, "mpi": {}}),
            ("AICR-K020", "/spec/mlPolicy", "mlPolicy configures torch and mpi; only one is allowed"),
        ),
        (
            runtime({**replicated(), "replicas": 2}, policy={"torch": {}}),
            ("AICR-K024", "/spec/template/spec/replicatedJobs/0/replicas",
             "replicated job 'node' has 2 replicas; a TrainJob step has 1"),
        ),
    ],
)  # fmt: skip
def test_a_runtime_that_cannot_exist_makes_no_job(base, finding):
    verdict = check("2.3", submitted({}), base)
    assert (found(verdict), verdict.admitted, verdict.jobset) == ([finding], False, None)


def test_a_runtime_of_another_namespace_is_not_found():
    base = {**TORCH, "kind": "TrainingRuntime", "metadata": {"name": "rt", "namespace": "other"}}
    job = submitted({}, runtimeRef={"name": "rt", "kind": "TrainingRuntime"})
    message = "TrainingRuntime 'rt' is in namespace 'other', and the job in 'ns'"
    assert found(check("2.3", job, base)) == [("AICR-J011", "/metadata/namespace", message)]
    base["metadata"]["namespace"] = "ns"
    assert check("2.3", job, base).admitted


def test_a_field_that_nobody_declares_is_said_by_client_and_left_out_of_what_follows():
    job = submitted({"resourcePerNode": {"limits": {"memory": "1Gi"}}})
    verdict = check("2.3", job, wired())
    by_client = "kubectl and server-side apply refuse it; a client library drops it in silence, and the job runs without it"
    message = f"unknown field 'resourcePerNode': {by_client}"
    assert found(verdict) == [("AICR-J003", "/spec/trainer/resourcePerNode", message)]
    assert verdict.findings[0].fix == "did you mean 'resourcesPerNode'?"
    assert verdict.jobset is not None


def test_resources_in_a_patch_are_no_way_around():  # seed 002, D1g
    change = {"name": "node", "resources": {"limits": {"example.com/nic": "4"}}}
    verdict = check("2.2", submitted({}, runtimePatches=[patch(pod_patch(containers=[change]))]), wired())
    assert [(rule, pointer.rpartition("/")[2]) for rule, pointer, _ in found(verdict)] == [("AICR-J003", "resources")]


@pytest.mark.parametrize(
    ("version", "spec", "fix"),
    [
        ("2.3", {"podTemplateOverrides": []}, "write it as runtimePatches, which took its place in Trainer 2.2"),
        ("2.2", {"labels": {}}, "set them in template.metadata of runtimePatches, as from Trainer 2.2 on"),
        (
            "2.2",
            {"runtimePatches": [patch(pod_patch(terminationGracePeriodSeconds=1))]},
            "leave it to the runtime: Trainer 2.3 is the first to have it",
        ),
        ("2.3", {"runtimePatches": [patch(pod_patch(containers=[{"name": "node", "image": "x"}]))]},
         "set it in spec.trainer; a patch cannot"),
        ("2.3", {"runtimePatches": [patch(pod_patch(initContainers=[{"name": "daemon", "args": []}]))]},
         "change it in the runtime; a patch cannot"),
    ],
)  # fmt: skip
def test_a_field_of_another_version_or_of_a_pod_has_a_place(version, spec, fix):
    assert [one.fix for one in check(version, submitted({}, **spec), wired()).findings] == [fix]


def test_a_job_as_it_was_read_from_a_cluster_is_one():
    assert check("2.3", {**submitted({}), "status": {"conditions": []}}, wired()).findings == ()


def test_a_namespace_is_a_name():
    job = {**submitted({}), "metadata": {"name": "demo", "namespace": "Team_A"}}
    message = "namespace 'Team_A' is not lower case letters, digits and inner '-' (RFC 1123 label)"
    assert found(check("2.3", job, wired())) == [("AICR-K013", "/metadata/namespace", message)]


def test_nothing_is_worked_out_from_what_no_server_takes():
    verdict = check("2.3", submitted({"numNodes": "2"}), wired())
    assert found(verdict) == [("AICR-K003", "/spec/trainer/numNodes", "'2' is a string, not an integer")]
    assert verdict.jobset is None


@pytest.mark.parametrize(
    ("metadata", "rules"),
    [({"generateName": "demo-"}, []), ({}, ["AICR-K011"]), ({"name": ""}, ["AICR-K011"]), (None, ["AICR-K004"])],
)
def test_a_job_has_a_name_or_leaves_it_to_the_server(metadata, rules):
    job = {**submitted({}), "metadata": metadata}
    if metadata is None:
        del job["metadata"]
    verdict = check("2.3", job, wired())
    assert [rule for rule, _, _ in found(verdict)] == rules
    assert verdict.admitted == (not rules)


@pytest.mark.parametrize("version", BOTH)
def test_a_deprecated_runtime_is_a_warning(version):
    base = {**wired(), "metadata": {"name": "rt", "labels": {"trainer.kubeflow.org/support": "deprecated"}}}
    verdict = check(version, submitted({}), base)
    assert [(one.rule, one.severity) for one in verdict.findings] == [("AICR-J020", Severity.WARNING)]
    assert verdict.admitted


def test_what_is_added_to_torchtune_is_not_shown():
    verdict = check("2.3", submitted({"command": ["tune", "run"]}), TORCH)
    assert "AICR-J021" in [rule for rule, _, _ in found(verdict)]


@pytest.mark.parametrize("stated", ["auto", "gpu"])
def test_the_words_that_2_1_took_for_processes_have_a_successor(stated):
    (finding,) = check("2.3", submitted({"numProcPerNode": stated}), TORCH).findings
    assert (finding.rule, finding.pointer) == ("AICR-K003", "/spec/trainer/numProcPerNode")
    assert finding.fix == "leave it out, which takes all GPUs as auto did before Trainer 2.2, or write a number"


def test_an_initializer_mounts_its_volume_from_2_3():
    base = runtime(
        replicated("model-initializer", step="model-initializer", container="model-initializer"), replicated(), policy={}
    )
    job = submitted({}, initializer={"model": {"storageUri": "hf://a"}})
    message = "container 'model-initializer' of the runtime does not mount a volume 'initializer'"
    assert refusals(check("2.3", job, base)) == [("AICR-J014", "/spec/initializer/model", message)]
    assert refusals(check("2.2", job, base)) == []


def test_a_framework_that_is_not_modelled_is_said_and_nothing_is_guessed():
    verdict = check("2.3", submitted({}), runtime(replicated(), policy={"flux": {}}))
    message = "the runtime is of the flux framework, which is not modelled here"
    assert [(pointer, text) for _, pointer, text in refusals(verdict)] == [("/spec/runtimeRef", message)]
    assert (verdict.jobset, verdict.admitted) == (None, False)


@pytest.mark.parametrize(
    ("name", "fix"), [("node", "set them in spec.trainer.env"), ("model-initializer", "set them in spec.initializer")]
)
def test_variables_that_no_patch_may_set_have_a_place_of_their_own(name, fix):
    base = runtime(
        replicated("model-initializer", step="model-initializer", container="model-initializer"), replicated(), policy={}
    )
    change = pod_patch(name, containers=[{"name": name, "env": [{"name": "A", "value": "1"}]}])
    verdict = check("2.3", submitted({}, runtimePatches=[patch(change)]), base)
    assert [one.fix for one in verdict.findings if one.rule == "AICR-J017"] == [fix]
