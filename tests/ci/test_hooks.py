"""Requirements on `.pre-commit-hooks.yaml`: each hook, run as pre-commit runs it, passes where all is well, and fails else."""

import re
import shlex

import pytest
import yaml

from tests.ci.kit import ROOT

HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
ARGUMENTS = {"aicr-lint": ["data"], "aicr-check": ["--data", "data"], "aicr-guard": ["--data", "data"]}
"""What docs/how-to/run-in-ci.md says to add for a repository with data of its own."""


def hook(repository, name, code=0):
    """pre-commit runs the words of `entry`, then those of `args`, then the names of the changed files, without a shell."""
    assert HOOKS[name]["pass_filenames"] is False
    return repository.run(*shlex.split(HOOKS[name]["entry"]), *ARGUMENTS[name], code=code)


def test_the_hooks_are_those_that_the_page_names():
    page = (ROOT / "docs/how-to/run-in-ci.md").read_text()
    assert set(HOOKS) == set(ARGUMENTS) == set(re.findall(r"id: (aicr-\w+)", page))
    for name, words in ARGUMENTS.items():
        assert f"id: {name}\n        args: [{', '.join(words)}]" in page


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_has_what_pre_commit_needs(name):
    # pre-commit.com, "Creating new hooks": id, name, entry and language are required.
    assert HOOKS[name].keys() >= {"id", "name", "entry", "language", "description"}
    assert HOOKS[name]["language"] == "python"
    re.compile(HOOKS[name].get("files", ""))


def test_hooks_pass_where_everything_is_in_order_and_fail_with_the_reason_where_not(repository):
    assert hook(repository, "aicr-check").startswith("clusters/a: ")
    assert "nothing to compare" in hook(repository, "aicr-guard")

    repository.replicas(2)
    shown = hook(repository, "aicr-check", code=1)
    assert "-  replicas: 1\n+  replicas: 2\n" in shown
    assert "error[AICR-U020]: 'clusters/a' is not what its recipe renders to: " in shown
    assert "fix: run aicr bundle --recipe clusters/a/recipe.yaml --data data -o clusters/a\n" in shown

    overlay = repository.path / "data/overlays/service/site.yaml"
    overlay.write_text(overlay.read_text().replace("criteria", "criterai"))
    assert "error[AICR-S001]" in hook(repository, "aicr-lint", code=1)
