"""Requirements on `aicr diff`: 0 no difference, 1 a difference, 2 misuse; sides of every kind; the diff program of git, kubectl."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from bundler.cli import main

KIND = "h100-kind-training-kubeflow"
RUNTIME = "runtimes/clustertrainingruntime-torch-distributed.yaml"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A bundle, made once."""
    out = tmp_path_factory.mktemp("bundle") / "out"
    assert main(["bundle", "--recipe", KIND, "-o", str(out)]) == 0
    return out


@pytest.fixture
def here(made, tmp_path, monkeypatch):
    """A repository with the bundle committed, and a change in the working tree."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    shutil.copytree(made, "out")
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "bundle")
    path = tmp_path / "out" / RUNTIME
    path.write_text(path.read_text().replace("@sha256:e", "@sha256:f"))
    return tmp_path


def git(*words, **environment):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
    result = subprocess.run(
        ["git", *identity, *words], check=False, capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_bundle_is_what_its_recipe_renders_to(run, made):
    assert tuple(run("diff", made, made / "recipe.yaml")) == (0, "no difference\n", "")
    assert tuple(run("diff", made, KIND)) == (0, "no difference\n", "")


def test_a_revision_is_compared_with_the_working_tree(run, here):
    code, out, err = run("diff", "git:HEAD:out", "out")
    assert (code, err) == (1, "")
    head, edit, *_, last = out.splitlines()
    assert head == f"ClusterTrainingRuntime/torch-distributed  {RUNTIME}  changed"
    assert edit.endswith("/containers/node/image  [image, medium]")
    assert last == "1 change in 1 place (1 medium risk): 1 image"


def test_an_archive_is_compared_with_a_revision(run, here):
    with tarfile.open("out.tgz", "w:gz") as archive:
        archive.add("out")
    assert run("diff", "git:HEAD:out", "out.tgz", "-t", "brief").code == 1
    assert run("diff", "out", "out.tgz").code == 0


def test_what_flags_change_shows_before_anything_is_written(run, made):
    code, out, _ = run("diff", made, made / "recipe.yaml", "--accelerated-node-selector", "pool=gpu", "-t", "json")
    assert code == 1
    found = json.loads(out)
    assert found["summary"]["byClass"].keys() >= {"fabric", "inputs", "record"}
    assert {change["how"] for item in found["items"] for change in item["changes"]} <= {"added", "changed"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), 1),
        (("--exit-zero",), 0),
        (("--fail-on", "medium"), 1),
        (("--fail-on", "high"), 0),
        (("--ignore", "/spec/**/image"), 0),
        (("--ignore", f"{RUNTIME}:/spec"), 0),
        (("--ignore", "ConfigMap/**:/spec"), 1),
        (("--summary",), 1),
        *((("-t", form), 1) for form in ("human", "brief", "json", "markdown", "github", "gitlab", "html")),
    ],
)
def test_how_it_ends(run, here, words, code):
    assert run("diff", "git:HEAD:out", "out", *words).code == code


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (("a",), 2, "error[AICR-U003]: two sides are compared, 1 given"),
        (("a", "b", "c"), 2, "error[AICR-U003]: two sides are compared, 3 given"),
        (("nowhere", "/dev/null"), 3, "error[AICR-D003]: no file and no recipe 'nowhere'"),
        (("/dev/null", "/dev/null", "--ignore", "x"), 2, "error[AICR-D002]: 'x' does not begin with '/'"),
        (("/dev/null", "/dev/null", "--fail-on", "hi"), 2, "error[AICR-U003]: invalid value for '--fail-on'"),
        (("git:HEAD:out", "git:nope:out"), 2, "error[AICR-D006]: git knows no revision 'nope' here"),
    ],
)
def test_what_is_wrong_is_said(run, here, words, code, error):
    outcome = run("diff", *words)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith(error)


@pytest.fixture
def program(tmp_path):
    """`aicr` as other programs find it."""
    path = tmp_path / "bin" / "aicr"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bundler "$@"\n')
    path.chmod(0o755)
    root = str(Path(__file__).parents[2])
    return {"PATH": f"{path.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": root}


def test_it_is_the_external_diff_of_git(here, program):
    (here / "out/README.md").unlink()
    (here / "new.yaml").write_text("a: 1\n")
    git("add", "-N", "new.yaml")
    git("mv", "out/recipe.yaml", "out/moved.yaml")
    shown = git("diff", "HEAD", "-M", GIT_EXTERNAL_DIFF="aicr diff --exit-zero", **program)
    assert f"ClusterTrainingRuntime/torch-distributed  out/{RUNTIME}  changed" in shown
    assert "out/README.md  removed" in shown
    assert "new.yaml  added" in shown


def test_it_is_a_difftool_of_git(here, program):
    assert "/containers/node/image  [image, medium]" in git("difftool", "-y", "--extcmd", "aicr diff", **program)
    git("config", "difftool.aicr.cmd", 'aicr diff "$LOCAL" "$REMOTE"')
    assert f"{RUNTIME}  changed" in git("difftool", "--dir-diff", "--no-symlinks", "-t", "aicr", **program)


def test_it_is_the_external_diff_of_kubectl(run, tmp_path):
    # kubectl diff gives two directories, in each a file an object named <group>.<version>.<kind>.<namespace>.<name>.
    for side, replicas in (("LIVE-1", 1), ("MERGED-2", 2)):
        (tmp_path / side).mkdir()
        text = f"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a.b\n  namespace: ns\nspec:\n  replicas: {replicas}\n"
        (tmp_path / side / "apps.v1.Deployment.ns.a.b").write_text(text)
    code, out, _ = run("diff", tmp_path / "LIVE-1", tmp_path / "MERGED-2")
    assert code == 1
    assert out.startswith("Deployment/ns/a.b  apps.v1.Deployment.ns.a.b  changed\n  ± /spec/replicas  [resources, medium]\n")


def test_a_check_that_fails_points_at_the_diff(run, here):
    code, _, err = run("bundle", "--check", "out")
    assert code == 1
    assert "drift: 1 change in 1 place (1 medium risk): 1 image\nobject by object: aicr diff out out/recipe.yaml\n" in err
    assert run("diff", "out", "out/recipe.yaml").code == 1


def test_a_link_in_a_bundle_is_never_followed(run, here):
    (here / "secret").write_text("hunter2\n")
    (here / "out" / "notes.txt").symlink_to(here / "secret")
    code, out, _ = run("diff", "git:HEAD:out", "out", "-t", "json")
    assert code == 1
    assert "hunter2" not in out
