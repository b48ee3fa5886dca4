"""Golden files of deployers: all that each adds to the bundle of one recipe, and what the README says of it.

A case is a folder: `recipe.yaml` is the input; beside it stand `deploy/` and the section of the README on applying the bundle.
After a wanted change: `python -m pytest tests/golden --update-golden`, and read the difference before committing it.
"""

import shutil
from pathlib import Path

import pytest

from bundler import Catalog, bundle
from bundler.publish.deployers.registry import DEPLOYERS
from bundler.publish.recipe_file import read_request

CASES = Path(__file__).parent / "deployments"
NAMES = sorted(path.name for path in CASES.iterdir())
HINT = "run `python -m pytest tests/golden --update-golden` if the change is wanted"


@pytest.fixture(scope="module")
def catalog():
    return Catalog.load()


def added(files):
    apply = files["README.md"].decode().partition("## Apply\n\n")[2].partition("\n## ")[0]
    return {
        "recipe.yaml": files["recipe.yaml"],
        "apply.md": apply.encode(),
        **{path: content for path, content in files.items() if path.startswith("deploy/")},
        **{path: content for path, content in files.items() if path.endswith("/cluster-values.yaml")},
    }


@pytest.mark.parametrize("name", NAMES)
def test_what_a_deployer_adds_is_what_was_reviewed(name, catalog, update_golden):
    folder = CASES / name
    document = catalog.open(folder / "recipe.yaml", kinds=("BundleRecipe",))
    fresh = added(bundle(catalog, read_request(document)).files)
    if update_golden:
        shutil.rmtree(folder)
        for path, data in fresh.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    kept = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    assert sorted(kept) == sorted(fresh), HINT
    for path, data in fresh.items():
        assert kept[path].decode() == data.decode(), f"{path}: {HINT}"


def test_every_deployer_that_adds_files_has_a_case(catalog):
    covered = {catalog.open(CASES / name / "recipe.yaml", kinds=("BundleRecipe",)).data["delivery"]["deployer"] for name in NAMES}
    assert covered == DEPLOYERS.keys() - {"plain"}
