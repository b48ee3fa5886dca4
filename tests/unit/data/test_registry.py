"""Facts of the registry. Versions, charts, namespaces and aliases: NVIDIA/aicr recipes/registry.yaml. Paths: the pinned charts."""

import pytest

from bundler.catalog.catalog import Catalog

CATALOG = Catalog.load()
REGISTRY = CATALOG.registry
LAYERS = [CATALOG.base, *CATALOG.overlays, *CATALOG.recipes.values()]


@pytest.mark.parametrize(
    ("name", "version", "repository", "chart", "namespace", "aliases"),
    [
        ("aws-efa", "v0.5.29", "https://aws.github.io/eks-charts", "aws-efa-k8s-device-plugin", "kube-system", {"awsefa", "efa"}),
        ("cert-manager", "v1.20.2", "https://charts.jetstack.io", "cert-manager", "cert-manager", {"certmanager"}),
        ("gpu-operator", "v26.7.0", "https://helm.ngc.nvidia.com/nvidia", "gpu-operator", "gpu-operator", {"gpuoperator"}),
        (
            "kubeflow-trainer",
            "2.2.0",
            "oci://ghcr.io/kubeflow/charts",
            "kubeflow-trainer",
            "kubeflow",
            {"kubeflowtrainer", "trainer"},
        ),
        (
            "network-operator",
            "26.4.1",
            "https://helm.ngc.nvidia.com/nvidia",
            "network-operator",
            "nvidia-network-operator",
            {"networkoperator"},
        ),
        (
            "nfd",
            "0.19.0",
            "https://kubernetes-sigs.github.io/node-feature-discovery/charts",
            "node-feature-discovery",
            "node-feature-discovery",
            {"node-feature-discovery"},
        ),
        ("nvcre", "v0.2.0", "oci://ghcr.io/nvidia", "cluster-readiness-engine", "nvcre", {"cre", "cluster-readiness-engine"}),
        (
            "nvidia-dra-driver-gpu",
            "0.5.0",
            "oci://registry.k8s.io/dra-driver-nvidia/charts",
            "dra-driver-nvidia-gpu",
            "nvidia-dra-driver",
            {"dradriver"},
        ),
    ],
)
def test_a_chart_is_pinned_where_it_is_published(*, name, version, repository, chart, namespace, aliases):
    entry = REGISTRY[name]
    assert (entry.version, entry.repository, entry.chart, entry.namespace) == (version, repository, chart, namespace)
    assert set(entry.aliases) == aliases


@pytest.mark.parametrize(
    ("name", "namespace"),
    [
        ("gcp-driver-installer", "kube-system"),
        ("gke-critical-pods", "gpu-operator"),
        ("gke-device-injector", "kube-system"),
        ("gke-nccl-gib", "kube-system"),
        ("gke-nccl-tcpx", "kube-system"),
        ("gke-nccl-tcpxo", "kube-system"),
        ("nvidia-kernel-module-params", "gpu-operator"),
        ("nvidia-toolkit-hardening", "gpu-operator"),
    ],
)
def test_a_component_of_manifests_only_has_no_version(name, namespace):
    assert (REGISTRY[name].chart, REGISTRY[name].version, REGISTRY[name].namespace) == ("", "", namespace)
    assert REGISTRY[name].manifests


def test_trainer_is_qualified_at_one_version_and_another_may_be_chosen():
    assert REGISTRY["kubeflow-trainer"].selectable == ("2.2.0", "2.3.0")


def test_no_chart_is_pinned_outside_the_registry():
    for document in LAYERS:
        for component in document.data.get("components", ()):
            assert component.keys() <= {"name", "values", "dependencies", "manifests", "patches"}


def test_a_name_or_alias_means_one_component():
    words = [word for entry in REGISTRY.values() for word in (entry.name, *entry.aliases)]
    assert len(words) == len(set(words))


def test_dependencies_are_components_and_have_no_cycle():
    done: set[str] = set()
    pending = dict(REGISTRY)
    while pending:
        ready = [name for name, entry in pending.items() if set(entry.dependencies) <= done]
        assert ready, f"a cycle or an unknown name among {sorted(pending)}"
        done.update(ready)
        for name in ready:
            del pending[name]


@pytest.mark.parametrize(
    ("name", "dependencies"),
    [
        # NVIDIA/aicr recipes/overlays: the edges that its layers declare, united.
        ("gpu-operator", {"cert-manager", "nfd"}),
        ("network-operator", {"cert-manager", "nfd"}),
        ("nvidia-dra-driver-gpu", {"gpu-operator"}),
        ("gke-device-injector", set()),
        ("gke-nccl-gib", {"gpu-operator"}),
        ("gke-nccl-tcpx", {"gpu-operator"}),
        ("gke-nccl-tcpxo", {"gpu-operator"}),
        ("kubeflow-trainer", {"gpu-operator"}),
        ("nvcre", {"kubeflow-trainer"}),
        ("aws-efa", set()),
        ("cert-manager", set()),
        ("nfd", set()),
    ],
)
def test_the_registry_states_what_comes_first_everywhere(name, dependencies):
    assert set(REGISTRY[name].dependencies) == dependencies


@pytest.mark.parametrize(
    ("service", "first"), [("gke", "gke-critical-pods"), ("aks", "network-operator"), ("oke", "nvidia-kernel-module-params")]
)
def test_a_cloud_adds_what_comes_before_the_gpu_operator(service, first):
    edges = {
        dependency
        for overlay in CATALOG.overlays
        if overlay.data["criteria"].get("service") == service
        for component in overlay.data.get("components", ())
        if component["name"] == "gpu-operator"
        for dependency in component.get("dependencies", ())
    }
    assert first in edges


def leaf(schema, path):
    """The schema at a dotted path of keys that are all listed, or None."""
    node = schema
    for key in path.split("."):
        while "$ref" in node:
            node = schema["$defs"][node["$ref"].rpartition("/")[2]]
        if key not in node.get("properties", {}):
            return None
        node = node["properties"][key]
    return node


@pytest.mark.parametrize("entry", [entry for entry in REGISTRY.values() if entry.chart], ids=lambda entry: entry.name)
def test_placement_goes_through_paths_that_the_chart_reads(entry):
    schema = CATALOG.values_schema(entry.name)
    for paths in (entry.system, entry.accelerated):
        for path in paths.node_selector:
            assert leaf(schema, path) == {"$ref": "#/$defs/nodeSelector"}, path
        for path in paths.tolerations:
            assert leaf(schema, path) == {"$ref": "#/$defs/tolerations"}, path


def test_no_path_places_what_places_itself():
    # No template of gpu-operator v26.7.0 reads daemonsets.nodeSelector; nfd's worker runs on every node; nvcre has no nodeSelector.
    assert REGISTRY["gpu-operator"].accelerated.node_selector == ()
    assert leaf(CATALOG.values_schema("gpu-operator"), "daemonsets.nodeSelector") is None
    assert REGISTRY["nfd"].accelerated.node_selector == ()
    assert REGISTRY["nvcre"].system.node_selector == ()


def test_every_template_belongs_to_a_component_or_a_runtime():
    named = {name for entry in REGISTRY.values() for name in entry.manifests}
    named |= {
        name for document in LAYERS for component in document.data.get("components", ()) for name in component.get("manifests", ())
    }
    shipped = {name for name in CATALOG.templates if name.startswith("components/")}
    assert named == shipped


def test_runtimes_that_layers_and_profiles_name_have_templates():
    declared = [*LAYERS, *(value for profile in CATALOG.profiles.values() for value in profile.data["values"].values())]
    parts = [part.data if hasattr(part, "data") else part for part in declared]
    names = {runtime["name"] for part in parts for runtime in part.get("runtimes", ())}
    shipped = {name.removeprefix("runtimes/") for name in CATALOG.templates if name.startswith("runtimes/")}
    assert {f"{name}.yaml.j2" for name in names} == {name for name in shipped if not name.startswith("_")}


def test_no_recipe_includes_the_certification_controller():
    # No overlay upstream uses it; it wants a newer Trainer than the one that is qualified.
    assert not any(component["name"] == "nvcre" for document in LAYERS for component in document.data.get("components", ()))
