"""Golden bundles: every recipe with every value of its profiles, byte for byte.

A case is a folder: `recipe.yaml` is the input and, as a bundle records its own recipe, the bundle's file of that name as well.
After a wanted change: `python -m pytest tests/golden --update-golden`, and read the difference before committing it.
"""

import json
import shutil
from itertools import product
from pathlib import Path

import pytest

from bundler import Catalog, bundle
from bundler.profiles.axes import Axes
from bundler.profiles.machines import fitting, machine_parameter
from bundler.publish.recipe_file import read_request
from tests.property.readers import READERS, same

CASES = Path(__file__).parent / "cases"
NAMES = sorted(path.name for path in CASES.iterdir())


@pytest.fixture(scope="module")
def catalog():
    return Catalog.load()


@pytest.fixture(scope="module")
def rendered(catalog):
    def render(name):
        document = catalog.open(CASES / name / "recipe.yaml", kinds=("BundleRecipe",))
        return bundle(catalog, read_request(document)).files

    return render


def files_below(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("name", NAMES)
def test_the_bundle_is_what_was_reviewed(name, rendered, update_golden):
    fresh = rendered(name)
    folder = CASES / name
    if update_golden:
        shutil.rmtree(folder)
        for path, data in fresh.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    kept = files_below(folder)
    hint = "run `python -m pytest tests/golden --update-golden` if the change is wanted"
    assert sorted(kept) == sorted(fresh), hint
    for path, data in fresh.items():
        assert kept[path].decode() == data.decode(), f"{path}: {hint}"


def has_machine(catalog, recipe, axis, name):
    """Whether the catalogue knows a machine for a value that asks for one: without, only a row of `--data` makes a bundle of it."""
    value = catalog.derived(Axes.of)[axis].values[name]
    return machine_parameter(value) is None or bool(fitting(value, recipe.data["criteria"]["accelerator"]))


def test_every_recipe_has_a_case_for_every_value_of_its_profiles(catalog):
    wanted = set()
    for name, recipe in catalog.recipes.items():
        axes = recipe.data.get("profiles", {})
        allowed = [[(axis, value) for value in axes[axis].get("values", catalog.profiles[axis].data["values"])] for axis in axes]
        wanted |= {(name, *choice) for choice in product(*allowed) if all(has_machine(catalog, recipe, *each) for each in choice)}
    covered = set()
    for name in NAMES:
        data = catalog.open(CASES / name / "recipe.yaml", kinds=("BundleRecipe",)).data
        chosen = {axis: data["profiles"][axis]["value"] for axis in data.get("profiles", {})}
        axes = catalog.recipes[data["recipe"]].data.get("profiles", {})
        covered.add((data["recipe"], *((axis, chosen[axis]) for axis in axes)))
    assert covered == wanted


@pytest.mark.parametrize("name", NAMES)
def test_every_reader_takes_the_same_from_every_file(name):
    for path in (CASES / name).rglob("*.yaml"):
        text = path.read_text()
        first, *others = (read(text) for read in READERS.values())
        assert all(same(first, other) for other in others), path


def test_the_plain_runtime_is_the_same_in_every_bundle():
    name = "runtimes/clustertrainingruntime-torch-distributed.yaml"
    assert len({(CASES / case / name).read_bytes() for case in NAMES}) == 1


def test_the_tcpxo_runtime_binds_the_eight_networks_in_order(catalog):
    path = CASES / "h100-gke-cos-training-kubeflow-tcpxo/runtimes/clustertrainingruntime-torch-distributed-tcpxo.yaml"
    runtime = READERS["YAML 1.2"](path.read_text())
    pod = runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    entries = json.loads(pod["metadata"]["annotations"]["networking.gke.io/interfaces"])
    assert entries == [
        {"interfaceName": "eth0", "network": "default"},
        *({"interfaceName": f"eth{number}", "network": f"rail-{number}"} for number in range(1, 9)),
    ]
