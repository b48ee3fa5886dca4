"""Requirements on the objects themselves: what each says, that it has the form of its kind, and that hostile words stay words."""

import shlex
from dataclasses import replace

import pytest

from bundler.errors import InvalidInput
from bundler.model.composition import Chart, Component
from bundler.model.request import Delivery
from bundler.pipeline import compose
from bundler.publish.deployers.chosen import Chosen
from bundler.publish.deployers.commands import upgrade
from bundler.publish.deployers.content import Content
from bundler.publish.deployers.files import deployer_files
from bundler.publish.deployers.registry import DEPLOYERS
from bundler.publish.files import OutputFile
from bundler.publish.layout import lay_out
from bundler.render.render import render_resources
from bundler.yamlio.reader import read
from tests.property.readers import READERS, same

SETTINGS = {
    "repoURL": "https://git.example/a",
    "revision": "main",
    "path": ".",
    "name": "aicr",
    "namespace": "gitops",
    "project": "default",
    "server": "https://kubernetes.default.svc",
}
BRACES = "https://charts.example/{{ env }}"
HOSTILE = "https://charts.example/'$(id)'\";\\ #: - &a *b"


def content(repository="https://charts.example", version="1.0.0", name="a", values=None):
    chart = Chart(repository=repository, name="chart", version=version)
    component = Component(name=name, version=version, namespace="n", chart=chart, values={}, dependencies=())
    runtime = OutputFile(path="runtimes/r.yaml", content=b"kind: X\n", of="X/r")
    return Content.of([(component, "What it is.")], [runtime], values={name: values or ({}, None)})


def files(name, steps, catalog, **settings):
    chosen = Chosen(deployer=DEPLOYERS[name], settings={**SETTINGS, **settings})
    return {each.path: each.content for each in deployer_files(chosen, steps, catalog)}


def data(name, steps, catalog, file, **settings):
    return read(files(name, steps, catalog, **settings)[f"deploy/{name}/{file}"], file).data


@pytest.mark.parametrize("name", DEPLOYERS)
def test_a_hostile_address_stays_one_word_for_every_reader(name, catalog):
    for path, text in files(name, content(HOSTILE), catalog).items():
        if path.endswith(".yaml"):
            first, *others = (read(text.decode()) for read in READERS.values())
            assert all(same(first, other) for other in others), path
    if name == "argocd":
        assert data(name, content(HOSTILE), catalog, "applications/a.yaml")["spec"]["sources"][0]["repoURL"] == HOSTILE


def test_a_hostile_address_is_one_word_of_a_shell():
    step = content(HOSTILE)["a"]
    assert HOSTILE in shlex.split(upgrade(step, step.path))


def test_helmfile_is_given_nothing_that_it_would_evaluate(catalog):
    with pytest.raises(InvalidInput) as refused:
        files("helmfile", content(BRACES), catalog)
    (found,) = refused.value.findings
    assert (found.rule, found.pointer) == ("AICR-K005", "/repositories/0/url")
    assert "free of '{{'" in found.message


@pytest.mark.parametrize("name", ["helm", "helmfile", "flux"])
def test_a_release_whose_name_helm_does_not_take_is_refused(name, catalog):
    with pytest.raises(InvalidInput) as refused:
        files(name, content(name="a" * 54), catalog)
    assert {each.message for each in refused.value.findings} == {"54 characters where at most 53 are allowed"}


@pytest.mark.parametrize(
    ("revision", "reference"),
    [
        ("main", {"branch": "main"}),
        ("release/1", {"branch": "release/1"}),
        ("refs/tags/v1", {"name": "refs/tags/v1"}),
        ("0123456789abcdef0123456789abcdef01234567", {"commit": "0123456789abcdef0123456789abcdef01234567"}),
    ],
)
def test_flux_is_told_what_kind_of_revision_it_is(revision, reference, catalog):
    assert data("flux", content(), catalog, "repository.yaml", revision=revision)["spec"]["ref"] == reference


def test_flux_takes_a_chart_in_a_registry_by_its_tag(catalog):
    """Helm pushes version 1.0.0+x with the tag 1.0.0_x: a tag has no plus sign (helm.sh/docs/topics/registries)."""
    source = data("flux", content("oci://registry.example/charts", "1.0.0+x"), catalog, "releases/a/source.yaml")
    assert source["kind"] == "OCIRepository"
    assert source["spec"]["url"] == "oci://registry.example/charts/chart"
    assert source["spec"]["ref"] == {"tag": "1.0.0_x"}


def test_argocd_names_a_registry_without_its_scheme(catalog):
    """argo-cd docs/user-guide/helm.md: the oci:// syntax is not included."""
    application = data("argocd", content("oci://registry.example/charts"), catalog, "applications/a.yaml")
    assert application["spec"]["sources"][0]["repoURL"] == "registry.example/charts"


def test_the_root_application_lives_where_argocd_runs_whatever_the_destination_is(catalog):
    there = "https://10.0.0.1:6443"
    root = data("argocd", content(), catalog, "root.yaml", server=there)
    assert root["spec"]["destination"] == {"server": "https://kubernetes.default.svc", "namespace": "gitops"}
    assert data("argocd", content(), catalog, "applications/a.yaml", server=there)["spec"]["destination"]["server"] == there


def test_the_path_of_the_bundle_stands_before_every_path_of_it(catalog):
    application = data("argocd", content(), catalog, "applications/a.yaml", path="clusters/a")
    assert application["spec"]["sources"][0]["helm"]["valueFiles"] == ["$values/clusters/a/components/a/values.yaml"]
    assert data("flux", content(), catalog, "steps/runtimes.yaml", path="clusters/a")["spec"]["path"] == "clusters/a/runtimes"


def test_values_of_a_cluster_win_over_what_holds_without_them(catalog):
    open_values = content(values=({"a": 1}, {"b": {"c": 2}}))
    application = data("argocd", open_values, catalog, "applications/a.yaml", clusterValues="values/x")
    assert application["spec"]["sources"][0]["helm"] == {
        "releaseName": "a",
        "valueFiles": [
            "$values/components/a/values.yaml",
            "$values/components/a/cluster-values.yaml",
            "$values/values/x/a.yaml",
        ],
        "ignoreMissingValueFiles": True,
    }
    release = data("flux", open_values, catalog, "releases/a/release.yaml")["spec"]
    assert release["values"] == {"a": 1}
    assert [(each["name"], each.get("optional", False)) for each in release["valuesFrom"]] == [
        ("aicr-a-defaults", False),
        ("aicr-a-cluster-values", True),
    ]
    defaults = data("flux", open_values, catalog, "releases/a/cluster-values.yaml")
    assert defaults["data"] == {"values.yaml": "b:\n  c: 2\n"}
    (helmfile, _) = data("helmfile", open_values, catalog, "helmfile.yaml")["releases"]
    assert helmfile["values"] == ["../../components/a/values.yaml", "../../components/a/cluster-values.yaml"]


@pytest.mark.parametrize("name", ["helm", "helmfile"])
def test_plain_objects_get_a_chart_around_them_as_they_are(name, catalog):
    written = files(name, content(), catalog)
    assert written[f"deploy/{name}/charts/runtimes/templates/r.yaml"] == b"kind: X\n"
    assert b"name: runtimes" in written[f"deploy/{name}/charts/runtimes/Chart.yaml"]


def test_an_object_that_helm_would_evaluate_is_refused_where_it_gets_a_chart(catalog, requests):
    """Without a chart around it the same object is fine: only Helm reads its braces."""
    composition = compose(catalog, requests["gke"])
    resources = [
        replace(each, data={**each.data, "metadata": {**each.data["metadata"], "annotations": {"x": "{{ y }}"}}})
        if each.kind == "ClusterTrainingRuntime"
        else each
        for each in render_resources(catalog, composition)
    ]
    lay_out(composition, resources, requests["gke"], catalog)
    with pytest.raises(InvalidInput) as refused:
        lay_out(composition, resources, replace(requests["gke"], delivery=Delivery(deployer="helm")), catalog)
    assert {each.rule for each in refused.value.findings} == {"AICR-O003"}
