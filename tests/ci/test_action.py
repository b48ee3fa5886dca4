"""Requirements on `action.yml`: its steps, run as the runner runs them, tell a pull request what is wrong and what changes."""

import json
import re

import pytest
import yaml

from tests.ci.kit import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{ (.+?) \}\}")


class Runner:
    """The part of GitHub's runner that the action uses: expressions, environment, output files, `shell: bash`."""

    def __init__(self, repository, folder, **inputs):
        self.repository = repository
        self.folder = folder
        self.facts = {
            "github.token": "t",
            "github.event.pull_request.base.sha": "",
            "github.event.pull_request.number": "7",
            **{f"inputs.{name}": inputs.get(name, given.get("default", "")) for name, given in ACTION["inputs"].items()},
        }
        self.facts |= {name: EXPRESSION.sub(self._fact, value) for name, value in self.facts.items()}
        (folder / "reports").mkdir()
        self.outputs("install", f"reports={folder / 'reports'}")

    def outputs(self, step, text):
        for line in text.splitlines():
            name, _, value = line.partition("=")
            self.facts[f"steps.{step}.outputs.{name}"] = value

    def _fact(self, match):
        return self.facts.get(match[1], "")

    def wanted(self, step):
        """An `if`: comparisons with a word, and names that must not be empty, all of them."""
        for term in filter(None, step.get("if", "").split(" && ")):
            name, sign, word = re.fullmatch(r"(\S+)(?: (==|!=) '(.*)')?", term).groups()
            value = self.facts.get(name, "")
            if not {None: bool(value), "==": value == word, "!=": value != word}[sign]:
                return False
        return True

    def step(self, name, code=0):
        """Run a step as it is written; what it printed, or None where its condition does not hold."""
        step = next(step for step in STEPS if step["name"] == name)
        if not self.wanted(step):
            return None
        output, summary = self.folder / "output", self.folder / "summary.md"
        output.write_text("")
        environment = {key: EXPRESSION.sub(self._fact, value) for key, value in step.get("env", {}).items()}
        shown = self.repository.bash(
            step["run"],
            code=code,
            **environment,
            CI="true",
            RUNNER_TEMP=str(self.folder),
            GITHUB_OUTPUT=str(output),
            GITHUB_STEP_SUMMARY=str(summary),
            GITHUB_REPOSITORY="owner/site",
        )
        self.outputs(step.get("id", ""), output.read_text())
        return shown

    def checks(self, code=0, *, lint=False):
        """The steps between the installation and the comment, and the verdict. To lint takes longest, and is seldom of interest."""
        shown = [self.step(step["name"]) for step in STEPS[1:5] if lint or step["id"] != "lint"]
        self.step("Verdict", code=code)
        return "\n".join(filter(None, shown))


@pytest.fixture
def runner(repository, tmp_path):
    def make(name, **inputs):
        (tmp_path / name).mkdir()
        return Runner(repository, tmp_path / name, **inputs)

    return make


def test_no_input_stands_in_a_script():
    assert [step["name"] for step in STEPS if EXPRESSION.search(step.get("run", ""))] == []


def test_every_step_of_a_composite_action_names_its_shell():
    assert [step["name"] for step in STEPS if "run" in step and step.get("shell") != "bash"] == []


def test_it_installs_what_is_locked_as_the_wheel_is_tested():
    script = STEPS[0]["run"]
    wheel = (ROOT / ".ci/wheel").read_text()
    for words in ("-m pip install --quiet --require-hashes --requirement", "-m pip install --quiet --no-deps"):
        assert words in script
        assert words in wheel
    assert (ROOT / "requirements.lock").is_file()


def test_the_story_of_a_pull_request(repository, runner):
    base = repository.run("git", "rev-parse", "HEAD").strip()

    repository.replicas(3)
    repository.commit("site: three managers")
    first = runner("first", data="data", base=base)
    shown = first.checks(code=1, lint=True)
    assert re.search(r"^error\[AICR-U020\]: 'clusters/a' is not what its recipe renders to: \d changed$", shown, re.MULTILINE)
    assert re.search(r"^::error title=AICR-U020 [^:]+,file=clusters/a::'clusters/a' is not", shown, re.MULTILINE)
    assert first.facts["steps.lint.outputs.code"] == "0"
    assert json.loads((first.folder / "reports/check.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "AICR-U020"

    repository.bundle()
    repository.commit("a: bundle")
    second = runner("second", data="data", base=base)
    second.checks()
    comment = (second.folder / "reports/diff.md").read_text()
    assert comment.startswith("<!-- aicr diff -->\n### ")
    assert "@@ ± /manager/replicas [resources, medium] @@\n- 1\n+ 3\n" in comment
    assert (second.folder / "summary.md").read_text() == comment
    assert len(comment.encode()) < 65_536


def test_bundles_that_the_base_does_not_have_are_new(repository, runner):
    base = repository.run("git", "rev-parse", "HEAD").strip()
    repository.run("git", "mv", "clusters", "sites")
    repository.commit("sites")
    moved = runner("moved", data="data", base=base, bundles="sites")
    moved.checks()
    assert "</code> added: " in (moved.folder / "reports/diff.md").read_text()


def test_without_a_pull_request_nothing_is_diffed(runner):
    push = runner("push", data="data")
    push.checks()
    assert push.step("Diff against the base") is None
    assert not (push.folder / "reports/diff.md").exists()


def test_a_check_without_a_result_is_no_success(repository, runner):
    (repository.path / "clusters/a/recipe.yaml").write_text("not: a recipe\n")
    runner("broken", data="data").checks(code=2)


@pytest.mark.parametrize(
    ("known", "called"),
    [("", "--method POST repos/owner/site/issues/7/comments"), ("41", "--method PATCH repos/owner/site/issues/comments/41")],
)
def test_the_comment_is_written_once_and_then_changed(repository, runner, tmp_path, known, called):
    # GitHub's own client is not on this machine: a stand-in writes down what it is asked for.
    gh = tmp_path / "tools" / "gh"
    gh.parent.mkdir()
    gh.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/asked"\ncase "$*" in *--paginate*) echo "{known}";; esac\n')
    gh.chmod(0o755)
    repository.environment = {**repository.environment, "PATH": f"{gh.parent}:{repository.environment['PATH']}"}
    made = runner("made", data="data", base="HEAD")
    assert made.step("Diff against the base") is not None
    made.step("Comment on the pull request")
    listing, writing = (tmp_path / "asked").read_text().splitlines()
    assert listing.startswith("api --paginate repos/owner/site/issues/7/comments --jq ")
    assert called in writing
    assert writing.endswith(f"--field body=@{made.folder}/reports/diff.md")


@pytest.mark.parametrize(("comment", "number"), [("false", "7"), ("true", "")])
def test_no_comment_where_none_is_wanted_or_possible(runner, comment, number):
    quiet = runner("quiet", data="data", base="HEAD", comment=comment)
    quiet.facts["github.event.pull_request.number"] = number
    quiet.outputs("diff", "code=0")
    assert quiet.step("Comment on the pull request") is None
