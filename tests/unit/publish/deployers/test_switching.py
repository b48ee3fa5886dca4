"""Requirements on the choice of a deployer: it adds or removes `deploy/`, and nothing that is applied depends on it."""

import pytest

from bundler.publish.deployers.registry import DEPLOYERS

TELLS = {"README.md", "recipe.yaml", "bundle.lock.yaml", "checksums.txt"}
"""The files that say how a bundle was made."""


@pytest.mark.parametrize("recipe", ["gke", "aks"])
@pytest.mark.parametrize("name", DEPLOYERS)
def test_switching_changes_deploy_and_what_tells_of_it(delivered, recipe, name):
    plain, other = (delivered(recipe, each).bundle.files for each in ("plain", name))
    own = {path for path in other if path.startswith("deploy/")}
    assert other.keys() - own == plain.keys()
    assert {path for path in plain if plain[path] != other[path]} <= TELLS
    assert all(path.startswith(f"deploy/{name}/") for path in own)
    assert bool(own) == (name != "plain")


@pytest.mark.parametrize("name", DEPLOYERS)
def test_no_file_is_a_script_and_no_object_a_hook(delivered, name):
    for path, content in delivered("aks", name).bundle.files.items():
        assert path.endswith((".yaml", ".md", ".txt"))
        assert b"helm.sh/hook" not in content
        assert b"argocd.argoproj.io/hook" not in content


def test_the_lock_and_the_recipe_record_the_deployer(delivered):
    made = delivered("gke", "flux")
    recorded = {
        "deployer": "flux",
        "repoURL": "https://git.example/org/clusters",
        "revision": "main",
        "path": "clusters/a",
        "name": "aicr",
        "namespace": "flux-system",
    }
    assert made.data("recipe.yaml")["delivery"] == made.data("bundle.lock.yaml")["delivery"] == recorded
    assert "deploy/flux/repository.yaml" in made.data("bundle.lock.yaml")["outputs"]


def test_by_hand_is_what_is_recorded_nowhere(delivered):
    assert "delivery" not in delivered("gke", "plain").data("recipe.yaml")


def test_the_schema_of_a_recorded_request_names_every_deployer_and_setting(catalog):
    from bundler.publish.deployers.settings import SETTINGS

    known = catalog.schema("bundlerecipe")["properties"]["delivery"]["properties"]
    assert known.keys() == {"deployer", *SETTINGS}
    assert known["deployer"]["enum"] == [name for name in DEPLOYERS if name != "plain"]
    assert catalog.schema("fleet")["$defs"]["delivery"]["properties"].keys() == known.keys()


def test_every_setting_is_taken_by_a_deployer_and_none_is_made_up():
    from bundler.publish.deployers.settings import SETTINGS

    assert {key for deployer in DEPLOYERS.values() for key in deployer.settings} == set(SETTINGS)


def test_every_default_has_the_form_of_its_setting():
    from bundler.publish.deployers.settings import SETTINGS

    for deployer in DEPLOYERS.values():
        for key, default in deployer.settings.items():
            assert not default or SETTINGS[key].accepts(default), (deployer.name, key)
