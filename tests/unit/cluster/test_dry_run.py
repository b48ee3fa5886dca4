"""Requirements on dry runs: the server judges, and nothing is stored."""

import pytest

from bundler.cluster.api import connect
from bundler.cluster.dry_run import Row, Verdict, dry_run
from tests.kube_server import Fault, KubeServer, kubeconfig, status

WORKFLOWS = "/apis/nvcre.nvidia.com/v1alpha1"
WARNING = {"Warning": '299 - "unknown field \\"spec.x\\"", 299 - "old"'}


@pytest.fixture
def server():
    with KubeServer({}) as running:
        running.discovery[WORKFLOWS] = [
            {"kind": "Workflow", "name": "workflows", "namespaced": True},
            {"kind": "Workflow", "name": "workflows/status", "namespaced": True},
        ]
        running.discovery["/api/v1"] = [{"kind": "Namespace", "name": "namespaces", "namespaced": False}]
        yield running


def workflow(name, **metadata):
    return {"apiVersion": "nvcre.nvidia.com/v1alpha1", "kind": "Workflow", "metadata": {"name": name, **metadata}, "spec": {}}


def rows(server, tmp_path, *objects):
    return dry_run(connect(kubeconfig=kubeconfig(tmp_path / "config", server), context=None, timeout=10), objects)


def test_every_object_is_judged_in_its_namespace_and_nothing_is_stored(server, tmp_path):
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n"}}
    found = rows(server, tmp_path, workflow("a"), workflow("b", namespace="team"), namespace)
    assert [(row.resource, row.verdict) for row in found] == [
        ("Workflow/a", Verdict.OK),
        ("Workflow/b", Verdict.OK),
        ("Namespace/n", Verdict.OK),
    ]
    assert [path for path, _, _ in server.posted] == [
        f"{WORKFLOWS}/namespaces/default/workflows",
        f"{WORKFLOWS}/namespaces/team/workflows",
        "/api/v1/namespaces",
    ]
    assert {tuple(sorted(query.items())) for _, query, _ in server.posted} == {
        (("dryRun", "All"), ("fieldManager", "aicr"), ("fieldValidation", "Strict"))
    }
    assert server.posted[0][2]["metadata"] == {"name": "a", "namespace": "default"}
    assert server.stored == []


@pytest.mark.parametrize(
    ("verdict", "row"),
    [
        ((201, {}, WARNING), Row(resource="Workflow/a", verdict=Verdict.WARN, message='unknown field "spec.x"; old')),
        (
            (409, status(409, "AlreadyExists", 'workflows "a" already exists'), {}),
            Row(resource="Workflow/a", verdict=Verdict.WARN, message='not judged, it exists already: workflows "a" already exists'),
        ),
        (
            (403, status(403, "Forbidden", 'User "u" cannot create resource "workflows"'), {}),
            Row(resource="Workflow/a", verdict=Verdict.WARN, message='not judged: User "u" cannot create resource "workflows"'),
        ),
        (
            (404, status(404, "NotFound", 'namespaces "default" not found'), {}),
            Row(
                resource="Workflow/a",
                verdict=Verdict.INVALID,
                message="the namespace default does not exist: create it, or name another in metadata.namespace",
            ),
        ),
        (
            (404, status(404, "NotFound", 'clustertrainingruntimes "r" not found'), {}),
            Row(
                resource="Workflow/a",
                verdict=Verdict.WARN,
                message='references what is created at run time: clustertrainingruntimes "r" not found',
            ),
        ),
        (
            (422, status(422, "Invalid", "spec.numNodes: Invalid value: 0"), {}),
            Row(resource="Workflow/a", verdict=Verdict.INVALID, message="spec.numNodes: Invalid value: 0"),
        ),
        (
            (403, status(403, "Forbidden", 'admission webhook "v" denied the request'), {}),
            Row(resource="Workflow/a", verdict=Verdict.INVALID, message='admission webhook "v" denied the request'),
        ),
        (
            (500, status(500, "InternalError", 'failed calling webhook "v": no endpoints'), {"Retry-After": "0"}),
            Row(resource="Workflow/a", verdict=Verdict.WARN, message='not judged: failed calling webhook "v": no endpoints'),
        ),
        ((400, "bad", {}), Row(resource="Workflow/a", verdict=Verdict.INVALID, message="HTTP status 400")),
    ],
)
def test_what_the_server_says_decides(server, tmp_path, verdict, row):
    server.verdicts["a"] = verdict
    assert rows(server, tmp_path, workflow("a")) == (row,)


def test_where_the_kinds_of_a_group_may_not_be_read_nothing_is_judged(server, tmp_path):
    server.fail(WORKFLOWS, Fault(code=403, body=status(403, "Forbidden", "no discovery")))
    assert rows(server, tmp_path, workflow("a")) == (
        Row(resource="Workflow/a", verdict=Verdict.WARN, message="not judged: no discovery"),
    )


def test_a_kind_that_the_server_does_not_have_is_invalid(server, tmp_path):
    other = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}}
    assert rows(server, tmp_path, other) == (
        Row(resource="Job/j", verdict=Verdict.INVALID, message="the server has no kind Job in batch/v1"),
    )
