"""Requirements on what is found of pods before a server refuses them, and on conditions that never hold.

Sources: the validation of pods in kubernetes, the CRDs of Kubeflow Trainer, CategoryResources and OverrideSpec of
nvcre.nvidia.com/v1alpha1.
"""

import pytest

from bundler.certify.certification import render_certification
from bundler.certify.conditions import never_holding
from bundler.certify.served import judged
from bundler.certify.site import Site
from bundler.certify.workflow import render_workflow
from bundler.certify.workload_run import render_workload_run
from bundler.errors import InvalidInput
from bundler.lint.certification import check_certification
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump
from tests.unit.certify.kit import node

JOB = {"spec": {"workload": {"trainJob": {"trainer": {}}}}}
RUNTIME = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainingRuntime", "metadata": {"name": "r"}}
PODS = "/spec/dependencies/0/spec/template/spec/replicatedJobs/0/template/spec/template/spec"


def runtime(**pod):
    container = {"name": "node", "image": "registry.example/a:1", **pod.pop("node", {})}
    job = {"name": "node", "template": {"spec": {"template": {"spec": {"containers": [container], **pod}}}}}
    return {**RUNTIME, "spec": {"mlPolicy": {"numNodes": 1, "torch": {}}, "template": {"spec": {"replicatedJobs": [job]}}}}


@pytest.fixture
def found(catalog):
    def call(*dependencies, job=JOB):
        spec = {"jobTemplate": job, "orchestration": {"execution": {}}, "dependencies": list(dependencies)}
        return [(one.rule, one.pointer.removeprefix(PODS), one.message) for one in judged(catalog, spec, subject="Workflow/w")]

    return call


def test_sound_pods_have_no_finding(found):
    assert found(runtime()) == []


@pytest.mark.parametrize(
    ("dependency", "finding"),
    [
        (
            runtime(node={"volumeMounts": [{"name": "v", "mountPath": "/a"}]}),
            ("AICR-K058", "container 'node' mounts the volume 'v'"),
        ),
        (
            runtime(volumes=[{"name": "v", "emptyDir": {}, "hostPath": {"path": "/"}}]),
            ("AICR-K057", "volume 'v' has emptyDir and hostPath"),
        ),
        (runtime(volumes=[{"name": "v", "emptyDir": {}}] * 2), ("AICR-K006", "name 'v' stands twice")),
        (
            runtime(node={"resources": {"limits": {"memory": "1Gi"}, "requests": {"memory": "2Gi"}}}),
            ("AICR-K043", "memory requests 2Gi, more than its limit 1Gi"),
        ),
        (
            runtime(node={"env": [{"name": "A", "value": "1", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}]}),
            ("AICR-K053", "variable 'A' has both value and valueFrom"),
        ),
        (runtime(node={"env": [{"name": "A", "value": "1"}] * 2}), ("AICR-R015", "A stands twice in one environment")),
        (runtime(node={"resources": {"limits": {"rdma/ib": "0"}}}), ("AICR-R016", "the amount of rdma/ib is '0' in limits")),
        ({**RUNTIME, "spec": None}, ("AICR-R014", "the runtime's mlPolicy has no policy")),
        (runtime(containers=[{"image": "a"}]), ("AICR-K004", "required field 'name' is missing")),
        (runtime(containers="a"), ("AICR-K003", "'a' is a string, not a list")),
        (
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"../x": ""}},
            ("AICR-K016", "key '../x'"),
        ),
    ],
)
def test_what_a_server_refuses_is_found_once(found, dependency, finding):
    ((rule, _, message),) = found(dependency)
    assert rule == finding[0]
    assert message.startswith(finding[1])


@pytest.mark.parametrize(
    ("job", "rule", "pointer"),
    [
        ({"spec": {}}, "AICR-R030", "/spec/jobTemplate/spec/workload"),
        ({"spec": {"workload": {}}}, "AICR-R030", "/spec/jobTemplate/spec/workload/trainJob"),
        ({"spec": {"workload": "x"}}, "AICR-K003", "/spec/jobTemplate/spec/workload"),
        ({"spec": {"workload": {"trainJob": ["x"]}}}, "AICR-K003", "/spec/jobTemplate/spec/workload/trainJob"),
        (
            {"spec": {"workload": {"trainJob": {"trainer": {"env": [1]}}}}},
            "AICR-K003",
            "/spec/jobTemplate/spec/workload/trainJob/trainer/env/0",
        ),
    ],
)
def test_a_job_has_one_workload_of_the_right_shape(found, job, rule, pointer):
    assert [one[:2] for one in found(job=job)] == [(rule, pointer)]


@pytest.mark.parametrize(
    "override",
    [
        {"jobTemplatePatch": [{"op": "remove", "path": "/spec"}]},
        {"jobTemplatePatch": [{"op": "replace", "path": "/spec", "value": 3}]},
        {"jobTemplate": {"spec": None}},
    ],
)
def test_an_override_cannot_take_the_job_away(catalog, override):
    data = {"apiVersion": "nvcre.nvidia.com/v1alpha1", "kind": "Workflow", "metadata": {"name": "w"}}
    spec = {"jobTemplate": JOB, "orchestration": {"execution": {}}, "overrides": [{"when": {}, **override}]}
    with pytest.raises(InvalidInput) as caught:
        render_workflow(catalog, read(dump({**data, "spec": spec}).encode(), "w.yaml"), platform="aws", architecture="h100")
    assert caught.value.findings[0].message == "override[0]: jobTemplate has no spec after it"


@pytest.mark.parametrize(
    ("when", "message", "fix"),
    [
        (
            {"platform": {"in": ["aws", "gpc"]}},
            "override[4] asks for platform 'gpc', which no node is ever on",
            "did you mean 'gcp'?",
        ),
        ({"platform": {"notIn": ["AWS"]}}, "override[4] asks for platform 'AWS', which no node is ever on", None),
        (
            {"gpuArchitecture": {"equals": "NVIDIA-H100"}},
            "override[4] asks for GPU architecture 'NVIDIA-H100', and none is ever written so",
            "write 'h100'",
        ),
        ({"workloadKind": "Job"}, "override[4] asks for a workload of kind 'Job', and every workload is a TrainJob", None),
    ],
)
def test_a_condition_that_never_holds_is_said(catalog, when, message, fix):
    (finding,) = never_holding(catalog, [(4, {"when": when}, None)])
    assert (finding.rule, finding.message) == ("AICR-R031", message)
    assert fix is None or finding.fix == fix


def test_an_architecture_that_the_table_lacks_may_be_asked_for(catalog):
    assert (
        list(never_holding(catalog, [(0, {"when": {"gpuArchitecture": {"equals": "gb10"}, "platform": {"equals": "aws"}}}, None)]))
        == []
    )
    assert list(check_certification(catalog)) == []


def test_overrides_of_a_run_are_asked_too_and_so_is_its_site(catalog):
    data = {
        "apiVersion": "nvcre.nvidia.com/v1alpha1",
        "kind": "WorkloadRun",
        "metadata": {"name": "r"},
        "spec": {
            "image": "registry.example/a:1",
            "framework": {"exec": {"command": ["a"]}},
            "numNodes": 1,
            "overrides": [{"when": {"platform": {"equals": "metal3"}}, "jobTemplate": {"spec": {"stallMultiplier": 2}}}],
        },
    }
    document = read(dump(data).encode(), "run.yaml")
    notes = render_workload_run(catalog, document, Site(platform="mistral", architecture="gb300")).notes
    assert [note.rule for note in notes] == ["AICR-R031", "AICR-R021"]


BOTH = {"limits": {"cpu": 10, "memory": "1Gi"}, "requests": {"cpu": "20", "memory": "512Mi"}}


@pytest.mark.parametrize("of_category", [False, True])
def test_a_request_above_the_limit_beside_it_is_refused_where_it_stands(catalog, certification, of_category):
    category = {"domain": "communication", "variant": "nccl-all-reduce"}
    document = (
        certification({**category, "options": {"resources": BOTH}}) if of_category else certification(category, resources=BOTH)
    )
    with pytest.raises(InvalidInput) as caught:
        render_certification(catalog, document, Site(platform="aws"))
    (finding,) = caught.value.findings
    assert (finding.rule, finding.message) == ("AICR-R028", "requests.cpu is 20, above limits.cpu, which is 10")
    assert finding.pointer == f"{'/spec/categories/0/options' if of_category else '/spec'}/resources/requests/cpu"
    assert finding.location.line > 5


def test_a_limit_below_the_default_request_is_refused_for_training_alone(render):
    limits = {"limits": {"memory": "100Gi"}}
    with pytest.raises(InvalidInput) as caught:
        render("forge", "h100", "training/nemotron5-8b", resources=limits)
    assert [finding.message for finding in caught.value.findings] == ["memory requests 500Gi, more than its limit 100Gi"]
    assert render("forge", "h100", "communication/nccl-all-reduce", resources=limits).workflows


def test_amounts_that_the_machine_replaces_are_said(render):
    rendering = render("aws", "h100", "training/nemotron5-8b", resources={"limits": {"cpu": "64", "memory": "1800Gi"}})
    assert node(rendering.workflows[0])["resources"]["limits"]["cpu"] == "192"
    (note,) = rendering.notes
    assert note.rule == "AICR-R033"
    assert note.message == (
        "training/nemotron5-8b: the platform's override has the machine's own size instead of what is stated: limits.cpu 192"
    )
    assert note.pointer == "/spec/resources"


@pytest.mark.parametrize("site", [{"plugin": "v1.0.17"}, {"networks": tuple("abcdefgh")}])
def test_what_is_stated_of_tcpxo_elsewhere_is_said(render, site):
    (note,) = render("aws", "h100", "communication/nccl-all-reduce", site=site).notes
    assert note.rule == "AICR-R032"
    assert note.message == (
        "a TCPXO plugin or networks are stated, and platform aws with GPU architecture h100 is not wired by TCPXO: "
        "they are not used"
    )
