"""What helm and kubectl make of the bundles: charts that lint, kustomizations that build, the same objects as the bundle holds."""

import json

import pytest

from bundler.yamlio.reader import read_stream

STUB = {
    "Chart.yaml": "apiVersion: v2\nname: {name}\nversion: {version}\n",
    "templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  namespace: {{{{ .Release.Namespace }}}}\n"
    "data:\n  values: {{{{ toJson .Values | quote }}}}\n",
    "templates/hook.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: hook\n  annotations:\n    helm.sh/hook: pre-delete\n",
    "crds/x.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: xs.example}}\n",
    "values.yaml": "{{}}\n",
}
"""A chart that shows what it was given, hooks and definitions among it."""


def objects(result):
    assert result.returncode == 0, result.stderr.decode()
    return [document.data for document in read_stream(result.stdout.removeprefix(b"---\n"), "stdout")]


def identity(data):
    return data["kind"], data["metadata"].get("namespace", ""), data["metadata"]["name"]


@pytest.mark.parametrize(("recipe", "deployer"), [("gke", "helm"), ("aks", "helmfile")])
def test_every_local_chart_lints_and_renders_to_the_objects_that_are_in_it(recipe, deployer, delivered, written, tool):
    made = delivered(recipe, deployer)
    root = written(made)
    charts = [path.removesuffix("/Chart.yaml") for path in made.bundle.files if path.endswith("/Chart.yaml")]
    assert any(chart.startswith("deploy/") for chart in charts)
    for chart in charts:
        linted = tool("helm", "lint", "--strict", chart, cwd=root)
        assert linted.returncode == 0, linted.stdout.decode()
        rendered = objects(tool("helm", "template", "x", chart, cwd=root))
        held = [made.data(path) for path in made.bundle.files if path.startswith(f"{chart}/templates/")]
        assert sorted(rendered, key=identity) == sorted(held, key=identity)


def test_kustomize_inflates_a_chart_with_its_values_its_definitions_and_without_hooks(delivered, written, tool):
    made = delivered("gke", "kustomize")
    root = written(made)
    directory = "deploy/kustomize/kubeflow-trainer"
    (chart,) = made.data(f"{directory}/kustomization.yaml")["helmCharts"]
    for name, text in STUB.items():
        # kustomize takes a chart from here before it fetches one.
        target = root / directory / "charts" / f"{chart['name']}-{chart['version']}" / chart["name"] / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text.format(name=chart["name"], version=chart["version"]))
    tool("helm", "version", cwd=root)
    built = objects(tool("kubectl", "kustomize", "--enable-helm", directory, cwd=root))
    assert sorted(each["kind"] for each in built) == ["ConfigMap", "CustomResourceDefinition"]
    (config,) = [each for each in built if each["kind"] == "ConfigMap"]
    assert config["metadata"]["namespace"] == "kubeflow"
    assert json.loads(config["data"]["values"]) == made.data("components/kubeflow-trainer/values.yaml")


def test_the_namespaces_build_and_leave_out_those_of_every_cluster(delivered, written, tool):
    root = written(delivered("gke", "kustomize"))
    built = objects(tool("kubectl", "kustomize", "deploy/kustomize/namespaces", cwd=root))
    assert {identity(each)[2] for each in built} >= {"gpu-operator", "kubeflow"}
    assert "kube-system" not in {identity(each)[2] for each in built}


def test_what_is_applied_to_start_flux_builds_to_the_repository_and_a_kustomization_a_step(delivered, written, tool):
    made = delivered("aks", "flux")
    built = objects(tool("kubectl", "kustomize", "deploy/flux", cwd=written(made)))
    steps = [path for path in made.bundle.files if path.startswith("deploy/flux/steps/")]
    assert sorted(each["kind"] for each in built) == sorted(["GitRepository", *(["Kustomization"] * len(steps))])
