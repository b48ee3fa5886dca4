"""Requirements on saved facts of a cluster."""

import json
from pathlib import Path
from textwrap import indent

import pytest
import yaml

from bundler.catalog.catalog import Catalog
from bundler.cluster.document import snapshot_text
from bundler.cluster.facts import facts
from bundler.cluster.saved import read
from bundler.errors import AicrError, NotFound
from bundler.model.snapshot import Gap, GapReason

CATALOG = Catalog.load()
SAMPLES = Path(__file__).parents[2] / "samples"
NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a", "uid": "1"}, "spec": {"providerID": "aws://x"}}
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p", "namespace": "kube-system"},
    "spec": {
        "containers": [{"name": "c", "image": "mirror:5000/gib/nccl-plugin-gib:v1", "env": [{"name": "TOKEN", "value": "x"}]}]
    },
}


@pytest.fixture
def saved(tmp_path):
    def call(*contents):
        paths = []
        for number, content in enumerate(contents):
            paths.append(tmp_path / f"{number}.yaml")
            paths[-1].write_text(content if isinstance(content, str) else json.dumps(content))
        return read(paths, CATALOG)

    return call


def refused(saved, *contents):
    with pytest.raises(AicrError) as caught:
        saved(*contents)
    [finding] = caught.value.findings
    return finding.rule, finding.message


@pytest.mark.parametrize(
    "sample", sorted(SAMPLES.glob("0[1-4679]*.yaml")) + sorted(SAMPLES.glob("1[0-4]-*.yaml")), ids=lambda path: path.stem
)
def test_every_list_of_a_cluster_is_read_and_a_snapshot_of_it_says_the_same(sample, tmp_path):
    found = read([sample], CATALOG)
    assert sum(map(len, found.objects.values())) > 0
    assert found.sources == (str(sample),)
    copy = tmp_path / "snapshot.json"
    copy.write_text(snapshot_text(found))
    again = read([copy], CATALOG)
    assert (again.objects, again.gaps, again.version) == (found.objects, found.gaps, found.version)
    assert snapshot_text(again) == snapshot_text(found)
    assert yaml.safe_load(copy.read_text()) == json.loads(copy.read_text())


def test_json_and_yaml_of_one_list_are_one_snapshot(saved):
    text = (SAMPLES / "01-gke-a3mega-nodes.yaml").read_text()
    assert saved(text).objects == saved(json.dumps(yaml.safe_load(text))).objects


def test_only_the_fields_that_are_read_are_kept(saved):
    found = saved([NODE, POD][0], POD)
    [node], [pod] = found.of("nodes"), found.of("pods")
    assert node == {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}, "spec": {"providerID": "aws://x"}}
    assert pod["spec"] == {"containers": [{"image": "mirror:5000/gib/nccl-plugin-gib:v1", "name": "c"}]}


def test_of_the_pods_in_kube_system_only_installers_are_kept_and_the_others_prove_that_pods_were_read(saved):
    """A cluster of 5,000 nodes has some 75,000 other pods there."""
    other = {
        **POD,
        "metadata": {"name": "q", "namespace": "kube-system"},
        "spec": {"containers": [{"name": "c", "image": "proxy:1"}]},
    }
    assert [pod["metadata"]["name"] for pod in saved(other, POD).of("pods")] == ["p"]
    assert saved(other).objects == {"pods": ()}


def test_of_a_device_its_product_and_its_type_are_kept(saved):
    attributes = {"productName": {"string": "NVIDIA GB300"}, "type": {"string": "gpu"}, "uuid": {"string": "GPU-0"}}
    spec = {"driver": "gpu.nvidia.com", "devices": [{"name": "gpu-0", "attributes": attributes}]}
    found = saved({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "s"}, "spec": spec})
    [device] = found.of("resourceslices.resource.k8s.io")[0]["spec"]["devices"]
    assert device["attributes"].keys() == {"productName", "type"}


def test_a_secret_in_a_deployed_runtime_is_left_out(saved):
    env = [{"name": "HF_TOKEN", "value": "hush"}, {"name": "NCCL_DEBUG", "value": "WARN"}]
    runtime = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "r"},
        "spec": {"template": {"env": env, "args": ["--auth-token=hush-hush", "--fast"]}},
    }
    [kept] = saved(runtime).of("clustertrainingruntimes.trainer.kubeflow.org")
    assert kept["spec"]["template"] == {
        "env": [{"name": "HF_TOKEN", "value": "[redacted]"}, {"name": "NCCL_DEBUG", "value": "WARN"}],
        "args": ["--auth-token=[redacted]", "--fast"],
    }


def test_a_list_proves_nothing_of_a_kind_that_is_not_in_it(saved):
    found = saved({"apiVersion": "v1", "kind": "List", "items": [NODE]})
    assert found.gap("pods").reason is GapReason.NOT_ASKED
    assert found.gap("nodes") is None


def test_a_list_of_one_kind_proves_that_there_is_none(saved):
    found = saved({"apiVersion": "networking.gke.io/v1", "kind": "NetworkList", "items": []})
    assert found.objects == {"networks.networking.gke.io": ()}
    assert saved({"apiVersion": "v1", "kind": "List", "items": []}).objects == {}
    # Of which namespace a PodList is, it does not say.
    found = saved({"apiVersion": "v1", "kind": "PodList", "items": []}, NODE)
    assert "pods" not in found.objects


def test_items_of_a_typed_list_need_not_repeat_their_kind(saved):
    bare = {key: value for key, value in NODE.items() if key not in {"apiVersion", "kind"}}
    assert saved({"apiVersion": "v1", "kind": "NodeList", "items": [bare]}).of("nodes")[0]["kind"] == "Node"


def test_pods_outside_kube_system_are_not_read(saved):
    other = {**POD, "metadata": {"name": "p", "namespace": "team"}}
    assert "pods" not in saved(NODE, {"apiVersion": "v1", "kind": "List", "items": [NODE, other]}).objects


def test_another_version_of_an_api_group_is_the_same_resource(saved):
    """The Network of GKE was v1alpha1 before; a saved list may be old."""
    slice_ = {"apiVersion": "resource.k8s.io/v1beta2", "kind": "ResourceSlice", "metadata": {"name": "s"}, "spec": {"driver": "d"}}
    assert len(saved(slice_).of("resourceslices.resource.k8s.io")) == 1


def test_objects_come_by_namespace_and_name_whatever_the_order_of_files(saved):
    other = {**NODE, "metadata": {"name": "b"}}
    assert saved(NODE, other).objects == saved(other, NODE).objects
    assert [node["metadata"]["name"] for node in saved(other, NODE, other).of("nodes")] == ["a", "b"]


def test_what_a_snapshot_could_not_read_stays_unknown_unless_another_file_knows(saved):
    gap = {"resource": "nodes", "reason": "forbidden", "message": "no"}
    snapshot = {"apiVersion": "aicr.run/v2", "kind": "Snapshot", "version": "v1.34.1", "gaps": [gap], "resources": {"pods": []}}
    found = saved(snapshot)
    assert found.gap("nodes") == Gap(resource="nodes", reason=GapReason.FORBIDDEN, message="no")
    assert (found.version, found.objects) == ("v1.34.1", {"pods": ()})
    assert saved(snapshot, NODE).gap("nodes") is None


SNAPSHOT = {"apiVersion": "aicr.run/v2", "kind": "Snapshot", "gaps": [], "resources": {}}
LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{c}: &{c} [{','.join([f'*{b}'] * 9)}]\n" for b, c in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize(
    ("contents", "rule", "message"),
    [
        (["not: [closed"], "AICR-Q002", "not a list of cluster objects: did not find expected ',' or ']'"),
        (['{"a": 1, "a": 2}'], "AICR-Q002", "not a list of cluster objects: a key stands twice in one map"),
        (["a: 1\na: 2\n"], "AICR-Q002", "not a list of cluster objects: the key 'a' stands twice"),
        (["1: 2\n"], "AICR-Q002", "not a list of cluster objects: a key is no text"),
        (
            ["a: !!python/name:os.system\n"],
            "AICR-Q002",
            "not a list of cluster objects: the tag 'tag:yaml.org,2002:python/name:os.system' is none of JSON",
        ),
        (['{"a": NaN}'], "AICR-Q002", "not a list of cluster objects: NaN is no number of JSON"),
        (['{"a": 1e999}'], "AICR-Q002", "not a list of cluster objects: 1e999 is larger than any number"),
        (["a: 1e999\n"], "AICR-Q002", "not a list of cluster objects: 1e999 is larger than any number"),
        (['{"a": "\\ud800"}'], "AICR-Q002", None),
        (["- 1\n"], "AICR-Q002", "not a list of cluster objects: it has no apiVersion and kind"),
        (["apiVersion: v1\nkind: List\nitems: [x]\n"], "AICR-Q002", "not a list of cluster objects: an item is no object"),
        (["apiVersion: v1\nkind: Node\n"], "AICR-Q002", "a Node has no name"),
        ([f"apiVersion: v1\nkind: Node\nmetadata:\n  name: x\n  labels:\n{indent(LAUGHS, '    ')}"], "AICR-Q002", None),
        (["apiVersion: v1\nkind: Node\nmetadata: {name: x, labels: &l {l: *l}}\n"], "AICR-Q002", None),
        (["apiVersion: v1\nkind: Secret\nmetadata: {name: x}\n"], "AICR-Q003", None),
        ([""], "AICR-Q003", None),
        ([NODE, {**NODE, "spec": {"providerID": "gce://x"}}], "AICR-Q004", None),
        ([{**SNAPSHOT, "version": "v1"}, {**SNAPSHOT, "version": "v2"}], "AICR-Q004", None),
        (
            [{**SNAPSHOT, "apiVersion": "aicr.run/v3"}],
            "AICR-Q005",
            "not a snapshot as aicr writes it: it is 'aicr.run/v3', not aicr.run/v2",
        ),
        ([{**SNAPSHOT, "extra": 1}], "AICR-Q005", "not a snapshot as aicr writes it: nothing reads 'extra'"),
        ([{**SNAPSHOT, "gaps": {}}], "AICR-Q005", "not a snapshot as aicr writes it: gaps are a list, resources a map"),
        (
            [{**SNAPSHOT, "resources": {"node": []}}],
            "AICR-Q005",
            "not a snapshot as aicr writes it: no resource 'node' is read; did you mean 'nodes'?",
        ),
        (
            [{**SNAPSHOT, "resources": {"nodes": {}}}],
            "AICR-Q005",
            "not a snapshot as aicr writes it: the objects of a resource are a list",
        ),
        ([{**SNAPSHOT, "gaps": [{"resource": "nodes", "reason": "tired"}]}], "AICR-Q005", None),
    ],
)
def test_what_is_no_word_on_a_cluster_is_refused(saved, contents, rule, message):
    found = refused(saved, *contents)
    assert found[0] == rule
    assert message is None or found[1] == message


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(NotFound):
        read([tmp_path / "none.json"], CATALOG)
    with pytest.raises(AicrError) as caught:
        read([tmp_path], CATALOG)
    assert caught.value.findings[0].rule == "AICR-S012"


def test_no_secret_is_among_what_is_read():
    assert "secrets" not in facts(CATALOG)
    assert all("env" not in field.path for fact in facts(CATALOG).values() for field in fact.fields)


def test_of_deployments_only_controllers_are_kept_and_what_they_run(saved):
    def deployment(name, image):
        pods = {"spec": {"containers": [{"name": "c", "image": image, "env": [{"name": "TOKEN", "value": "x"}]}]}}
        metadata = {"name": name, "namespace": "kubeflow"}
        return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"replicas": 1, "template": pods}}

    others = [deployment("web", "nginx:1"), deployment("a", "mirror:5000/x/trainer-controller-manager:v2.2.0@sha256:1")]
    (kept,) = saved({"apiVersion": "apps/v1", "kind": "DeploymentList", "items": others}).of("deployments.apps")
    image = {"image": "mirror:5000/x/trainer-controller-manager:v2.2.0@sha256:1", "name": "c"}
    assert kept["spec"] == {"template": {"spec": {"containers": [image]}}}
