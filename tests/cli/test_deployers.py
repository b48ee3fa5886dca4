"""Requirements on the flags of deployers: what they add, what is recorded, and what switching keeps."""

import pytest

from bundler.publish.deployers.registry import DEPLOYERS
from bundler.publish.deployers.settings import SETTINGS
from bundler.yamlio.reader import read

RECIPE = ("--recipe", "h100-kind-training-kubeflow")
GIT = ("--repo-url", "https://git.example/org/clusters", "--revision", "main", "--repo-path", "clusters/a")


def recorded(folder):
    return read((folder / "recipe.yaml").read_bytes(), "recipe.yaml").data


def test_help_names_every_deployer_and_every_setting(run):
    text = run("bundle", "--help").out
    assert f"What applies the bundle: {', '.join(DEPLOYERS)}." in " ".join(text.split())
    assert all(setting.flag in text for setting in SETTINGS.values())


def test_a_shell_completes_the_name(run):
    from bundler.cli.completing import candidates

    assert [item.value for item in candidates("deployer", "h", data=None)] == ["helm", "helmfile"]


def test_a_bundle_is_checked_and_verified_without_its_flags(run, tmp_path):
    out = tmp_path / "a"
    assert run("bundle", *RECIPE, "--deployer", "argocd", *GIT, "-o", out).code == 0
    assert (out / "deploy/argocd/root.yaml").is_file()
    assert run("bundle", "--check", out).code == 0
    assert run("verify", out).code == 0


def test_another_deployer_replaces_the_directory_and_drops_the_settings(run, tmp_path):
    out = tmp_path / "a"
    run("bundle", *RECIPE, "--deployer", "argocd", *GIT, "--app-name", "mine", "-o", out)
    code, _, said = run("bundle", "--recipe", out / "recipe.yaml", "--deployer", "flux", "-o", out)
    assert (code, "flux has to be told --repo-url and --revision" in said) == (2, True)
    assert run("bundle", "--recipe", out / "recipe.yaml", "--deployer", "flux", *GIT, "-o", out).code == 0
    assert {path.name for path in (out / "deploy").iterdir()} == {"flux"}
    assert recorded(out)["delivery"]["name"] == "aicr"
    assert run("bundle", "--recipe", out / "recipe.yaml", "--deployer", "plain", "-o", out).code == 0
    assert not (out / "deploy").exists()
    assert "delivery" not in recorded(out)


def test_a_flag_changes_one_recorded_setting_and_keeps_the_others(run, tmp_path):
    out = tmp_path / "a"
    run("bundle", *RECIPE, "--deployer", "flux", *GIT, "-o", out)
    assert run("bundle", "--recipe", out / "recipe.yaml", "--revision", "refs/tags/v1", "-o", out).code == 0
    delivery = recorded(out)["delivery"]
    assert (delivery["revision"], delivery["repoURL"]) == ("refs/tags/v1", "https://git.example/org/clusters")


def test_a_setting_without_a_deployer_is_refused(run):
    code, _, said = run("bundle", *RECIPE, "--repo-url", "https://git.example/a", "--stdout")
    assert code == 2
    assert "error[AICR-A003]: plain takes no --repo-url\n  --> --repo-url\n" in said


def test_no_message_shows_a_password(run):
    code, _, said = run("bundle", *RECIPE, "--deployer", "flux", "--repo-url", "https://u:hunter2@example.org/a", "--stdout")
    assert code == 2
    assert "AICR-A004" in said
    assert "hunter2" not in said


@pytest.mark.parametrize("text", ["nfd", "nfd:", ":x", "nfd:master=1", "nfd:a..b", ""])
def test_a_value_left_open_is_named_by_component_and_path(run, text):
    code, _, said = run("bundle", *RECIPE, "--dynamic", text, "--stdout")
    assert code == 2
    assert "error[AICR-C050]: --dynamic" in said


def test_a_value_left_open_is_recorded_once_and_stays_open(run, tmp_path):
    out = tmp_path / "a"
    flag = ("--dynamic", "kubeflow-trainer:manager.resources")
    assert run("bundle", *RECIPE, *flag, "-o", out).code == 0
    assert recorded(out)["installTime"] == [{"component": "kubeflow-trainer", "path": ["manager", "resources"]}]
    assert run("bundle", "--recipe", out / "recipe.yaml", *flag, "--dry-run", "-o", out).code == 0
    assert run("bundle", "--check", out).code == 0
    assert (out / "components/kubeflow-trainer/cluster-values.yaml").is_file()
