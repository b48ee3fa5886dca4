"""Requirements on the files of a bundle (docs/explanation/architecture.md, "Bundle layout")."""

import hashlib
from dataclasses import replace

import pytest

from bundler.catalog.catalog import Catalog
from bundler.catalog.validation import Validator
from bundler.errors import InvalidInput
from bundler.kube.resource import Resource
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.model.request import Request
from bundler.publish.inventory import parse_inventory
from bundler.publish.layout import lay_out
from bundler.publish.write import write
from bundler.render.render import render_resources
from bundler.yamlio.reader import read, read_stream

RUNTIMES = "runtimes/clustertrainingruntime-torch-distributed"
REQUESTS = {
    "gb200-oke-ubuntu-training-kubeflow": {"gpuStack": "oci-managed", "fabricAttachment": "none"},
    "h100-aks-ubuntu-training-kubeflow": {"gpuStack": "azure-managed", "fabricAttachment": "none"},
    "h100-eks-ubuntu-training-kubeflow": {"fabricAttachment": "none"},
    "h100-gke-cos-training-kubeflow": {"gpuStack": "driver-installer", "fabricAttachment": "none"},
    "h100-kind-training-kubeflow": {},
}


def resource(kind, name, *, owner="gke-nccl-tcpxo", namespace="kube-system", **more):
    data = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}, **more}
    template = f"manifests/components/{owner}/x.yaml.j2"
    return Resource(data=data, template=template, positions={"": Location(file=template, line=3)}, owner=owner)


def by_identity(data):
    return data["kind"], data["metadata"].get("namespace", ""), data["metadata"]["name"]


@pytest.fixture
def laid_out(catalog, made):
    def laid_out(*resources):
        return lay_out(made.composition, resources, made.request, catalog)

    return laid_out


def test_every_file_has_its_place(made):
    paths = set(made.bundle.files)
    assert {"README.md", "recipe.yaml", "bundle.lock.yaml", "checksums.txt", "kustomization.yaml"} <= paths
    assert {f"{RUNTIMES}.yaml", f"{RUNTIMES}-tcpxo.yaml"} <= paths
    assert {path for path in paths if path.startswith("components/gke-nccl-tcpxo/")} == {
        "components/gke-nccl-tcpxo/Chart.yaml",
        "components/gke-nccl-tcpxo/templates/daemonset-nccl-tcpxo-installer.yaml",
    }
    assert {path for path in paths if path.startswith("components/kubeflow-trainer/")} == {
        "components/kubeflow-trainer/chart.yaml",
        "components/kubeflow-trainer/values.yaml",
    }
    assert list(made.bundle.files) == sorted(paths)


def test_objects_of_a_chart_component_stand_beside_its_reference(laid_out):
    bundle = laid_out(resource("ConfigMap", "x", owner="gpu-operator"))
    assert "components/gpu-operator/manifests/configmap-x.yaml" in bundle.files


def test_what_a_runtime_template_renders_beside_its_runtime_stands_there_too(laid_out):
    claim = replace(
        resource("ResourceClaimTemplate", "x", owner="kubeflow-trainer"), template="manifests/runtimes/torch-distributed.yaml.j2"
    )
    assert "runtimes/resourceclaimtemplate-x.yaml" in laid_out(claim).files


def test_the_inventory_lists_every_other_file(made):
    files = dict(made.bundle.files)
    listed = parse_inventory(files.pop("checksums.txt"))
    assert listed == {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}


def test_adding_a_component_renames_nothing(catalog, made, make, tcpxo):
    """Upstream numbers its folders, so that one more component renames those that follow."""
    other = make(replace(tcpxo, profiles={**tcpxo.profiles, "gpuStack": "driver-installer"}))
    assert set(other.bundle.files) > {path for path in made.bundle.files if path.startswith(("components/nfd", "runtimes/"))}


def test_the_same_bytes_every_time(made, make, tcpxo):
    assert make(tcpxo, Catalog.load()).bundle.files == made.bundle.files


def test_objects_in_any_order_make_one_bundle(catalog, made):
    resources = render_resources(catalog, made.composition)
    assert lay_out(made.composition, resources[::-1], made.request, catalog).files == made.bundle.files


@pytest.mark.parametrize("recipe", REQUESTS)
def test_every_document_is_valid_by_its_schema(recipe, catalog, make):
    made = make(Request(recipe=recipe, profiles=REQUESTS[recipe]))
    validators = {}
    for path, content in made.bundle.files.items():
        if path.endswith(".yaml"):
            document = read(content, path)
            kind = document.kind.lower()
            if kind in {"bundlerecipe", "bundlelock", "chartreference"}:
                validators.setdefault(kind, catalog.validator(kind))
                assert validators[kind].check(document.data, document=document) == ()
    assert validators.keys() == {"bundlerecipe", "bundlelock", "chartreference"}


def test_the_schemas_of_written_documents_stand_on_draft_2020_12(catalog):
    for name in ("bundlerecipe", "bundlelock", "chartreference"):
        assert catalog.schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert isinstance(catalog.validator(name), Validator)


@pytest.mark.parametrize("recipe", REQUESTS)
def test_kustomize_builds_it(recipe, make, tool, tmp_path):
    made = make(Request(recipe=recipe, profiles=REQUESTS[recipe]))
    write(made.bundle, tmp_path / "out")
    result = tool("kubectl", "kustomize", "out", cwd=tmp_path)
    built = [document.data for document in read_stream(result.stdout, "kustomize")]
    expected = [made.data(path) for path in made.data("kustomization.yaml")["resources"]]
    assert sorted(built, key=by_identity) == sorted(expected, key=by_identity)


def test_helm_renders_a_local_chart_to_the_objects_that_are_in_it(made, tool, tmp_path):
    write(made.bundle, tmp_path / "out")
    chart = "out/components/gke-nccl-tcpxo"
    linted = tool("helm", "lint", chart, cwd=tmp_path)
    assert linted.returncode == 0, linted.stdout
    result = tool("helm", "template", "x", chart, cwd=tmp_path)
    rendered = [document.data for document in read_stream(result.stdout.removeprefix(b"---\n"), "helm")]
    expected = [made.data(path) for path in made.bundle.files if path.startswith("components/gke-nccl-tcpxo/templates/")]
    assert sorted(rendered, key=by_identity) == sorted(expected, key=by_identity)


def test_a_bundle_without_objects_has_no_kustomization(laid_out):
    """kustomize refuses an empty one."""
    assert "kustomization.yaml" not in laid_out().files


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({"data": {"a": "x {{ .Values.y }}"}}, "/data/a"),
        ({"data": {"{{": ""}}, "/data/{{"),
        ({"data": {"list": ["{{"]}}, "/data/list/0"),
    ],
)
def test_what_helm_would_evaluate_is_refused_in_a_chart(laid_out, data, pointer):
    with pytest.raises(InvalidInput) as caught:
        laid_out(resource("ConfigMap", "x", **data))
    (finding,) = caught.value.findings
    assert (finding.rule, finding.pointer) == ("AICR-O003", pointer)
    assert finding.message == "ConfigMap/x holds '{{', which Helm would evaluate in a chart"
    assert str(finding.location) == "manifests/components/gke-nccl-tcpxo/x.yaml.j2:3"


def test_what_helm_never_sees_may_hold_its_braces(laid_out):
    assert laid_out(resource("ConfigMap", "x", owner="gpu-operator", data={"a": "{{ x }}"})).files


def test_warnings_are_passed_on(catalog, made):
    warning = Finding(rule="AICR-C013", message="x", severity=Severity.WARNING)
    assert lay_out(made.composition, (), made.request, catalog, [warning]).warnings == (warning,)
