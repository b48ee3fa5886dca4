"""Requirements on order: what each deployer is told respects every dependency, and charts come before objects of their kinds."""

import pytest

from bundler.publish.deployers.registry import DEPLOYERS

ENDS = "runtimes"


def dependencies(made):
    """Component → the components it depends on, as the lock records them."""
    return {each["name"]: set(each.get("dependsOn", ())) for each in made.data("bundle.lock.yaml")["components"]}


def files(made, directory):
    return [made.data(path) for path in made.bundle.files if path.startswith(directory) and path.endswith(".yaml")]


def reach(edges, name):
    """Everything that comes before a step."""
    found = set()
    pending = [name]
    while pending:
        new = set(edges[pending.pop()]) - found
        found |= new
        pending += new
    return found


def argocd(made):
    """What a lower wave holds comes first."""
    waves = {
        each["metadata"]["name"].removeprefix("aicr-"): int(each["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"])
        for each in files(made, "deploy/argocd/applications/")
    }
    return {name: {other for other in waves if waves[other] < wave} for name, wave in waves.items()}


def flux(made):
    return {
        each["metadata"]["name"].removeprefix("aicr-"): {
            item["name"].removeprefix("aicr-") for item in each["spec"].get("dependsOn", ())
        }
        for each in files(made, "deploy/flux/steps/")
    }


def helmfile(made):
    releases = made.data("deploy/helmfile/helmfile.yaml")["releases"]
    assert {need for each in releases for need in each.get("needs", ())} <= {
        f"{each['namespace']}/{each['name']}" for each in releases
    }
    return {each["name"]: {need.partition("/")[2] for need in each.get("needs", ())} for each in releases}


def helm(made):
    releases = [each["name"] for each in made.data("deploy/helm/releases.yaml")["releases"]]
    return {name: set(releases[:at]) for at, name in enumerate(releases)}


ORDERS = {"argocd": argocd, "flux": flux, "helmfile": helmfile, "helm": helm}


@pytest.mark.parametrize("recipe", ["gke", "aks"])
@pytest.mark.parametrize("name", ORDERS)
def test_a_component_comes_after_its_dependencies_and_the_runtimes_after_all(delivered, recipe, name):
    made = delivered(recipe, name)
    edges = ORDERS[name](made)
    for component, needed in dependencies(made).items():
        assert needed <= reach(edges, component), component
    assert reach(edges, ENDS) == edges.keys() - {ENDS}


@pytest.mark.parametrize("name", ORDERS)
def test_objects_beside_a_chart_come_between_the_chart_and_what_depends_on_it(delivered, name):
    """A NicClusterPolicy is of a kind that the network operator's chart brings; gpu-operator on AKS waits for what it makes."""
    made = delivered("aks", name)
    edges = ORDERS[name](made)
    assert "network-operator" in reach(edges, "network-operator-objects")
    waiting = [component for component, needed in dependencies(made).items() if "network-operator" in needed]
    assert waiting
    assert all("network-operator-objects" in reach(edges, component) for component in waiting)


def test_releases_of_flux_repeat_the_order_and_name_only_releases(delivered):
    made = delivered("aks", "flux")
    releases = {each["metadata"]["name"]: each for each in files(made, "deploy/flux/releases/") if each["kind"] == "HelmRelease"}
    for each in releases.values():
        assert {item["name"] for item in each["spec"].get("dependsOn", ())} <= releases.keys()
    edges = {name: {item["name"] for item in each["spec"].get("dependsOn", ())} for name, each in releases.items()}
    for component, needed in dependencies(made).items():
        assert {f"aicr-{name}" for name in needed} <= reach(edges, f"aicr-{component}")


@pytest.mark.parametrize("name", [name for name in DEPLOYERS if name not in {"argocd", "flux", "helmfile"}])
def test_commands_run_by_hand_stand_in_order(delivered, name):
    made = delivered("aks", name)
    text = made.bundle.files["README.md"].decode().partition("## Apply")[2]
    directory = {"plain": "components/{}", "helm": "install {} ", "kustomize": "deploy/kustomize/{} "}[name]
    places = {
        component: text.find(directory.format(component))
        for component, chart in ((each["name"], "chart" in each) for each in made.data("bundle.lock.yaml")["components"])
        if chart
    }
    assert -1 not in places.values()
    for component, needed in dependencies(made).items():
        assert all(places[other] < places[component] for other in needed & places.keys() if component in places)


def test_adding_a_component_renames_no_file(make, requests, delivered):
    """Steps are not numbered: a review shows what was added and nothing else."""
    few, more = (set(delivered(recipe, "argocd").bundle.files) for recipe in ("gke", "aks"))
    shared = {"cert-manager", "gpu-operator", "kubeflow-trainer"}
    for component in shared:
        assert f"deploy/argocd/applications/{component}.yaml" in few & more
