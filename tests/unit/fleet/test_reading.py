"""Requirements on fleet files."""

import textwrap
from pathlib import Path

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import AicrError
from bundler.fleet.reading import read_fleet
from bundler.model.request import Scheduling

HEAD = "apiVersion: aicr.run/v2\nkind: Fleet\nmetadata: {name: test}\n"
CATALOG = Catalog.load()


@pytest.fixture
def fleet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def read(text, *more):
        paths = []
        for number, body in enumerate((text, *more)):
            paths.append(Path(f"fleet{number or ''}.yaml"))
            paths[-1].write_text(HEAD + textwrap.dedent(body))
        return read_fleet(paths, CATALOG).clusters

    return read


def findings(read, *texts):
    with pytest.raises(AicrError) as caught:
        read(*texts)
    return [(finding.rule, str(finding.location or ""), finding.message, finding.fix) for finding in caught.value.findings]


def test_a_cluster_has_the_defaults_where_it_says_nothing(fleet):
    [cluster] = fleet("""\
        defaults:
          recipe: h100-gke-cos-training-kubeflow
          profiles:
            gpuStack: {value: gke-default}
            fabricAttachment: {value: gke-tcpxo-multinetwork, parameters: {release: v1.0.15}}
          versions: {gpu-operator: v1, nfd: v2}
          overrides: [{component: nfd, path: [a], value: 1}]
          scheduling: {system: {nodeSelector: {pool: system}}}
        clusters:
          - name: eu-1
            profiles: {fabricAttachment: {parameters: {interfaces: {eth1: a}}}}
            versions: {nfd: v3}
            overrides: [{component: nfd, path: [b], value: 2}]
            scheduling: {accelerated: {nodeSelector: {pool: gpu}}}
        """)
    request = cluster.request
    assert (cluster.name, cluster.output, cluster.recipe_file) == ("eu-1", "eu-1", None)
    assert request.recipe == "h100-gke-cos-training-kubeflow"
    assert request.profiles == {"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"}
    assert request.parameters == {"fabricAttachment": {"release": "v1.0.15", "interfaces": {"eth1": "a"}}}
    assert request.versions == {"gpu-operator": "v1", "nfd": "v3"}
    assert [(override.path, override.value, str(override.location)) for override in request.overrides] == [
        (("a",), 1, "fleet.yaml:10:15"),
        (("b",), 2, "fleet.yaml:16:17"),
    ]
    assert request.system == Scheduling(node_selector={"pool": "system"})
    assert request.accelerated == Scheduling(node_selector={"pool": "gpu"})
    origins = {pointer: str(place) for pointer, place in request.origins.items()}
    assert origins["/recipe"] == "fleet.yaml:5:3"
    assert origins["/parameters/fabricAttachment/release"] == "fleet.yaml:8:68"
    assert origins["/parameters/fabricAttachment/interfaces"] == "fleet.yaml:14:48"


def test_another_value_drops_the_defaults_parameters_and_null_the_choice(fleet):
    other, none = fleet("""\
        defaults:
          recipe: x
          profiles:
            gpuStack: {value: gke-default}
            fabricAttachment: {value: gke-tcpxo-multinetwork, parameters: {release: v1.0.15}}
        clusters:
          - {name: a, profiles: {fabricAttachment: {value: gke-tcpx-multinetwork}}}
          - {name: b, profiles: {fabricAttachment: null}}
        """)
    assert other.request.profiles["fabricAttachment"] == "gke-tcpx-multinetwork"
    assert other.request.parameters == {}
    assert none.request.profiles == {"gpuStack": "gke-default"}


def test_a_cluster_that_chooses_by_criteria_has_no_default_recipe(fleet):
    [cluster] = fleet("""\
        defaults: {recipe: h100-gke-cos-training-kubeflow}
        clusters: [{name: a, criteria: {service: kind, accelerator: h100}}]
        """)
    assert cluster.request.recipe is None
    assert cluster.request.criteria.stated() == {"service": "kind", "accelerator": "h100"}


def test_a_recipe_file_is_relative_to_the_fleet_file(fleet):
    [cluster] = fleet("clusters: [{name: a, recipe: lab/mine.yaml, output: sites/a}]\n")
    assert (cluster.recipe_file, cluster.output) == (Path("lab/mine.yaml"), "sites/a")
    assert cluster.request.recipe is None


def test_files_of_a_cluster_are_relative_to_the_fleet_file(fleet):
    one, other = fleet("""\
        clusters:
          - {name: a, recipe: x, certification: certify.yaml, snapshots: [a.json, more/b.json]}
          - {name: b, recipe: x, certification: default}
        """)
    assert (one.certification_file, one.snapshots) == (Path("certify.yaml"), (Path("a.json"), Path("more/b.json")))
    assert one.request.certification is None
    assert (other.certification_file, other.request.certification) == (None, "default")


def test_clusters_of_all_files_come_by_name(fleet):
    first, second = "clusters: [{name: c, recipe: x}, {name: a, recipe: x}]\n", "clusters: [{name: b, recipe: x}]\n"
    assert [cluster.name for cluster in fleet(first, second)] == ["a", "b", "c"]


def test_a_directory_stands_for_its_files(tmp_path):
    (tmp_path / "one.yaml").write_text(HEAD + "clusters: [{name: a, recipe: x}]\n")
    (tmp_path / "two.yml").write_text(HEAD + "clusters: [{name: b, recipe: x}]\n")
    (tmp_path / "README.md").write_text("no fleet")
    assert [cluster.name for cluster in read_fleet([tmp_path], CATALOG).clusters] == ["a", "b"]
    (tmp_path / "none").mkdir()
    with pytest.raises(AicrError) as caught:
        read_fleet([tmp_path / "none"], CATALOG)
    assert caught.value.findings[0].rule == "AICR-L001"


def test_every_mistake_of_every_file_is_told_at_once(fleet):
    assert findings(
        fleet,
        """\
        clusters:
          - {name: a}
          - {name: b, recipe: x, output: ../b}
          - {name: c, recipe: x, profiles: {fabricAttachment: {parameters: {release: v1}}}}
        """,
        """\
        clusters:
          - {name: d, recipe: x}
          - {name: d2, recipe: x, output: D/inner}
          - {name: d, recipe: x, output: other}
        """,
    ) == [
        (
            "AICR-L003",
            "fleet.yaml:5:6",
            "nothing chooses the recipe of cluster 'a'",
            "state recipe or criteria, here or in defaults",
        ),
        (
            "AICR-L002",
            "fleet.yaml:6:26",
            "the output of cluster 'b' holds the name '..', which is no file name",
            "give a path below the fleet's root, such as clusters/eu-1",
        ),
        (
            "AICR-L004",
            "fleet.yaml:7:37",
            "cluster 'c' states parameters of fabricAttachment, but no value",
            "state its value, here or in defaults",
        ),
        ("AICR-L005", "fleet1.yaml:7:6", "two clusters are named 'd'", "rename one"),
        (
            "AICR-L006",
            "fleet1.yaml:6:6",
            "the output of cluster 'd2' lies in that of 'd': 'D/inner'",
            "give each cluster a directory of its own",
        ),
    ]


def test_what_a_bundle_records_a_cluster_may_state():
    """A field of BundleRecipe that a fleet could not state would be a bundle that no fleet can make."""
    recorded = CATALOG.schema("bundlerecipe")["properties"].keys() - {"apiVersion", "kind", "document"}
    recorded -= {"observed"}  # A fleet names the snapshots themselves.
    fleet = CATALOG.schema("fleet")
    assert recorded <= fleet["$defs"]["cluster"]["properties"].keys()
    assert recorded <= fleet["properties"]["defaults"]["properties"].keys()


def test_requests_are_made_of_the_chosen_alone_and_mistakes_told_of_all(tmp_path):
    path = tmp_path / "fleet.yaml"
    path.write_text(HEAD + "clusters: [{name: b, recipe: x}, {name: a, recipe: x, output: sites/a}]\n")
    found = read_fleet([path], CATALOG, lambda names: names[1:])
    assert found.outputs == {"a": "sites/a", "b": "b"}
    assert [cluster.name for cluster in found.clusters] == ["b"]
    path.write_text(HEAD + "clusters: [{name: b, recipe: x}, {name: a}]\n")
    with pytest.raises(AicrError):
        read_fleet([path], CATALOG, lambda names: names[1:])


def test_a_deployer_is_shared_with_what_differs_between_clusters(fleet):
    clusters = fleet("""\
        defaults:
          recipe: h100-kind-training-kubeflow
          delivery: {deployer: argocd, repoURL: "https://git.example/c", revision: main}
          installTime: [{component: nfd, path: [master]}]
        clusters:
          - {name: a, delivery: {path: clusters/a}}
          - {name: b, delivery: {deployer: helm}, installTime: [{component: nfd, path: [worker]}]}
          - {name: c, delivery: null}
        """)
    assert {cluster.name: (cluster.request.delivery.deployer, cluster.request.delivery.settings) for cluster in clusters} == {
        "a": ("argocd", {"repoURL": "https://git.example/c", "revision": "main", "path": "clusters/a"}),
        "b": ("helm", {}),
        "c": ("plain", {}),
    }
    assert [cluster.request.install_time[0].path for cluster in clusters] == [("master",), ("worker",), ("master",)]
