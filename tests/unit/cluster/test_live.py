"""Requirements on reading a live cluster: the same as from files, with lists alone, and whatever fails is said."""

import json
import subprocess
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from kubernetes.config import incluster_config, kube_config

from bundler.catalog.catalog import Catalog
from bundler.cluster.api import connect
from bundler.cluster.document import snapshot_text
from bundler.cluster.facts import facts
from bundler.cluster.live import list_path, take
from bundler.cluster.saved import read
from bundler.errors import AicrError, InvalidInput, NotFound, TimedOut, Unavailable
from bundler.model.snapshot import Gap, GapReason
from tests.kube_server import Fault, KubeServer, kubeconfig, status

CATALOG = Catalog.load()
FACTS = facts(CATALOG)
SAMPLES = Path(__file__).parents[2] / "samples"
READ = ("01-gke-a3mega-nodes", "03-gke-a3mega-networks", "04-gke-tcpxo-installer-pods", "09-resourceslices-gpu", "11-eks-efa-dra")
NODES = "/api/v1/nodes"
SLICES = "/apis/resource.k8s.io/v1/resourceslices"


def recorded():
    """Every list of the API with the objects of the samples; what no sample has is empty."""
    lists = {list_path(fact): [] for fact in FACTS.values()}
    paths = {(fact.group, fact.kind): list_path(fact) for fact in FACTS.values()}
    for name in READ:
        for document in yaml.safe_load_all((SAMPLES / f"{name}.yaml").read_text()):
            for item in (document or {}).get("items", [document]):
                if item and (path := paths.get((item["apiVersion"].rpartition("/")[0], item["kind"]))):
                    lists[path].append(item)
    return lists


@pytest.fixture
def server():
    with KubeServer(recorded()) as running:
        yield running


@pytest.fixture
def snap(server, tmp_path):
    def call(timeout=20):
        return take(connect(kubeconfig=kubeconfig(tmp_path / "config", server), context=None, timeout=timeout), CATALOG, "test")

    return call


def test_a_live_cluster_and_files_of_it_are_one_snapshot(server, snap):
    live = snap()
    saved = read([SAMPLES / f"{name}.yaml" for name in READ], CATALOG)
    assert live.version == "v1.34.1"
    assert live.gaps == ()
    assert {name: objects for name, objects in live.objects.items() if objects} == saved.objects
    assert snapshot_text(snap()) == snapshot_text(live)


def test_only_lists_are_asked_for_and_only_of_what_is_documented(server, snap):
    snap()
    assert {method for method, _ in server.calls} == {"GET"}
    assert {urlsplit(path).path for _, path in server.calls} == {"/version", *map(list_path, FACTS.values())}
    assert server.stored == []


def test_long_lists_come_in_pages(server, snap):
    template = server.lists[NODES][0]
    server.lists[NODES] = [
        {**template, "metadata": {**template["metadata"], "name": f"node-{number:04}"}} for number in range(1201)
    ]
    assert len(snap().of("nodes")) == 1201
    pages = [parse_qs(urlsplit(path).query) for _, path in server.calls if path.startswith(NODES)]
    assert [page.get("continue") for page in pages] == [None, ["500"], ["1000"]]
    assert {page["limit"][0] for page in pages} == {"500"}


def test_a_list_that_expired_is_read_again_from_its_start(server, snap):
    expired = Fault(code=410, body=status(410, "Expired", "The provided continue parameter is too old"))
    server.fail(NODES, expired)
    assert len(snap().of("nodes")) == 2
    server.fail(NODES, expired, expired, expired)
    assert snap().gap("nodes") == Gap(resource="nodes", reason=GapReason.UNAVAILABLE, message="the list changed while it was read")


def test_what_may_not_be_read_is_a_gap_and_the_rest_is_read(server, snap):
    server.fail(NODES, Fault(code=403, body=status(403, "Forbidden", 'nodes is forbidden: User "x" cannot list resource "nodes"')))
    found = snap()
    assert found.gap("nodes") == Gap(
        resource="nodes", reason=GapReason.FORBIDDEN, message='nodes is forbidden: User "x" cannot list resource "nodes"'
    )
    assert len(found.of("pods")) == 5


def test_an_api_that_is_not_served_is_a_gap(server, snap):
    del server.lists[SLICES]
    name = "resourceslices.resource.k8s.io"
    message = "the cluster does not serve resource.k8s.io/v1"
    assert snap().gap(name) == Gap(resource=name, reason=GapReason.ABSENT, message=message)


def test_one_kind_that_always_fails_is_a_gap_and_the_rest_is_read(server, snap):
    """A conversion webhook that is gone answers 500 for its kind, for ever."""
    path = "/apis/trainer.kubeflow.org/v1alpha1/trainingruntimes"
    broken = status(500, "InternalError", "conversion webhook failed: no endpoints")
    server.always[path] = Fault(code=500, body=broken, headers={"Retry-After": "0"})
    found = snap()
    name = "trainingruntimes.trainer.kubeflow.org"
    assert found.gap(name) == Gap(resource=name, reason=GapReason.UNAVAILABLE, message="conversion webhook failed: no endpoints")
    assert len(found.of("nodes")) == 2


@pytest.mark.parametrize(
    "fault",
    [
        Fault(code=429, body=status(429, "TooManyRequests", "wait"), headers={"Retry-After": "0"}),
        Fault(code=503, body="busy", headers={"Retry-After": "0"}),
        Fault(code=500, body=status(500, "InternalError", "etcd"), headers={"Retry-After": "0"}),
        Fault(cut=200),
        Fault(code=200, body="{broken"),
    ],
    ids=["429", "503", "500", "truncated", "no JSON"],
)
def test_a_busy_or_broken_answer_is_asked_for_again(server, snap, fault):
    server.fail(NODES, fault, fault)
    assert len(snap().of("nodes")) == 2


def test_a_server_that_stays_busy_is_unavailable_and_never_an_empty_cluster(server, snap):
    server.always[NODES] = Fault(code=503, body="busy", headers={"Retry-After": "0"})
    with pytest.raises(Unavailable) as caught:
        snap()
    assert caught.value.findings[0].message == "the API server does not answer /api/v1/nodes: HTTP status 503"
    assert caught.value.exit_code == 6


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (
            Fault(body="<html>log in</html>", headers={"Content-Type": "text/html; charset=utf-8"}),
            "it sends 'text/html', not application/json",
        ),
        (Fault(code=307, body="", headers={"Location": "/login"}), "it sends to '/login'"),
    ],
    ids=["page", "redirect"],
)
def test_what_answers_in_place_of_an_api_server_is_told_at_once(server, snap, fault, said):
    server.always["/version"] = server.always[NODES] = fault
    with pytest.raises(Unavailable) as caught:
        snap()
    assert caught.value.findings[0].message == f"what answers is no API server: {said}"
    assert caught.value.exit_code == 6
    assert len(server.calls) == 1


def test_a_slow_server_ends_at_the_time_that_was_given(server, snap):
    server.always[NODES] = Fault(wait=5)
    with pytest.raises(TimedOut) as caught:
        snap(timeout=1)
    assert caught.value.findings[0].rule == "AICR-Q009"
    assert caught.value.exit_code == 5


def test_a_server_that_asks_to_wait_longer_than_there_is_time_ends_at_once(server, snap):
    server.always[NODES] = Fault(code=429, body="wait", headers={"Retry-After": "100"})
    with pytest.raises(TimedOut) as caught:
        snap(timeout=3)
    assert caught.value.findings[0].message == "the time for the cluster is over: HTTP status 429"


def test_an_answer_that_is_no_list_is_a_gap(server, snap):
    server.fail(NODES, Fault(body={"kind": "NodeList"}), Fault(body={"kind": "NodeList"}))
    assert snap().gap("nodes").reason is GapReason.UNAVAILABLE


def test_credentials_that_are_not_accepted_are_told(server, tmp_path):
    api = connect(kubeconfig=kubeconfig(tmp_path / "config", server, token="wrong"), context=None, timeout=5)
    with pytest.raises(Unavailable) as caught:
        take(api, CATALOG, "test")
    assert caught.value.findings[0].message == "the API server does not accept the credentials"


def test_a_server_that_is_not_there_is_told(tmp_path):
    with KubeServer({}) as gone:
        config = kubeconfig(tmp_path / "config", gone)
    with pytest.raises(Unavailable) as caught:
        take(connect(kubeconfig=config, context=None, timeout=5), CATALOG, "test")
    assert caught.value.findings[0].message.startswith("the API server cannot be reached: ")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = subprocess.run(
        [*command, *names, "-keyout", folder / "key.pem", "-out", folder / "certificate.pem"], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("needs openssl")
    return folder / "certificate.pem", folder / "key.pem"


def test_tls_is_verified_with_the_authority_of_the_kubeconfig(certificate, tmp_path):
    with KubeServer(recorded(), tls=certificate) as server:
        trusted = kubeconfig(tmp_path / "trusted", server, authority=certificate[0])
        assert len(take(connect(kubeconfig=trusted, context=None, timeout=20), CATALOG, "test").of("nodes")) == 2
        distrusted = kubeconfig(tmp_path / "distrusted", server)
        with pytest.raises(Unavailable) as caught:
            take(connect(kubeconfig=distrusted, context=None, timeout=20), CATALOG, "test")
        assert caught.value.findings[0].message.startswith("the API server's certificate is not accepted: ")


def test_in_a_pod_its_own_cluster_is_asked(certificate, tmp_path, monkeypatch):
    (tmp_path / "token").write_text("sesame")
    monkeypatch.setattr(incluster_config, "SERVICE_TOKEN_FILENAME", str(tmp_path / "token"))
    monkeypatch.setattr(incluster_config, "SERVICE_CERT_FILENAME", str(certificate[0]))
    monkeypatch.setattr(kube_config, "KUBE_CONFIG_DEFAULT_LOCATION", str(tmp_path / "none"))
    with KubeServer(recorded(), tls=certificate) as server:
        monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1")
        monkeypatch.setenv("KUBERNETES_SERVICE_PORT", server.url.rpartition(":")[2])
        assert len(take(connect(kubeconfig=None, context=None, timeout=20), CATALOG, "test").of("nodes")) == 2
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST")
    with pytest.raises(InvalidInput) as caught:
        connect(kubeconfig=None, context=None, timeout=5)
    assert caught.value.findings[0].message == "the kubeconfig cannot be used: Invalid kube-config file. No configuration found."


@pytest.mark.parametrize(
    ("plugin", "message"),
    [
        ("printf '%s' \"$ANSWER\"", None),
        ("exit 3", "the kubeconfig's plugin gives no credentials: exec: process returned 3"),
        ("echo sorry", "the kubeconfig's plugin gives no credentials: exec: failed to decode process output: "),
    ],
)
def test_a_credential_plugin_is_run_and_its_failure_told_in_one_finding(server, tmp_path, plugin, message):
    version = "client.authentication.k8s.io/v1"
    answer = json.dumps({"apiVersion": version, "kind": "ExecCredential", "status": {"token": "sesame"}})
    config = kubeconfig(tmp_path / "config", server)
    document = json.loads(config.read_text())
    run = {"apiVersion": version, "command": "sh", "args": ["-c", plugin], "env": [{"name": "ANSWER", "value": answer}]}
    document["users"][0]["user"] = {"exec": {**run, "interactiveMode": "Never"}}
    config.write_text(json.dumps(document))
    if message is None:
        assert connect(kubeconfig=config, context=None, timeout=20).get(NODES).status == 200
        return
    with pytest.raises(Unavailable) as caught:
        connect(kubeconfig=config, context=None, timeout=5)
    assert caught.value.findings[0].message.startswith(message)
    assert caught.value.findings[0].fix == "log in again, or correct the user of the context"


def test_a_context_is_chosen_by_name(server, tmp_path):
    config = kubeconfig(tmp_path / "config", server, contexts=("one", "two"))
    assert connect(kubeconfig=config, context="two", timeout=5).get("/version").status == 200
    with pytest.raises(NotFound) as caught:
        connect(kubeconfig=config, context="three", timeout=5)
    assert caught.value.findings[0].message == "no context 'three' in the kubeconfig"


@pytest.mark.parametrize("text", ["", "[1, 2", "kind: Config\n", "a: 1\n", json.dumps({"current-context": 3})])
def test_a_file_that_is_no_kubeconfig_is_told(tmp_path, text):
    (tmp_path / "config").write_text(text)
    with pytest.raises(InvalidInput) as caught:
        connect(kubeconfig=tmp_path / "config", context=None, timeout=5)
    assert caught.value.findings[0].rule == "AICR-Q007"


def test_a_kubeconfig_that_is_not_there_is_told(tmp_path):
    with pytest.raises(AicrError) as caught:
        connect(kubeconfig=tmp_path / "none", context=None, timeout=5)
    assert caught.value.exit_code == 3


def test_the_documented_permissions_cover_exactly_the_calls_that_are_made(server, snap):
    page = (Path(__file__).parents[3] / "docs/reference/cluster-facts.md").read_text(encoding="utf-8")
    granted = set()
    for role in yaml.safe_load_all(page.partition("```yaml\n")[2].partition("```")[0]):
        for rule in role["rules"]:
            assert rule["verbs"] == ["list"]
            namespace = role["metadata"].get("namespace")
            granted |= {(group, resource, namespace) for group in rule["apiGroups"] for resource in rule["resources"]}
    snap()
    called = set()
    for _, target in server.calls:
        steps = urlsplit(target).path.split("/")[1:]
        if steps == ["version"]:
            continue
        group = steps[1] if steps[0] == "apis" else ""
        rest = steps[3:] if steps[0] == "apis" else steps[2:]
        called.add((group, rest[-1], rest[1] if rest[0] == "namespaces" else None))
    assert called == granted


def test_a_snapshot_keeps_to_its_schema(server, snap):
    server.fail(NODES, Fault(code=403, body=status(403, "Forbidden", "no")))
    assert CATALOG.store.validator("snapshot").check(json.loads(snapshot_text(snap()))) == ()
