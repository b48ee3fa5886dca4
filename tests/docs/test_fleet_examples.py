"""The examples of docs/how-to/run-a-fleet.md: the commands of each runner, run as written, with the variables that runner sets."""

import re
from pathlib import Path

import pytest
import yaml

from tests.docs.test_examples import FENCE, ROOT, environment, run

PAGE = ROOT / "docs/how-to/run-a-fleet.md"
FILES = {
    fence["info"].partition("file=")[2]: fence["body"]
    for fence in FENCE.finditer(PAGE.read_text(encoding="utf-8"))
    if "file=" in fence["info"]
}
__all__ = ["environment"]


def example(name):
    return yaml.safe_load(FILES[f"examples/{name}.yaml"])


def aicr(script):
    """The lines of a script that call aicr."""
    return [line for line in script if re.search(r"\baicr fleet\b", line)]


def github():
    jobs = example("github")["jobs"]
    shards = jobs["check"]["strategy"]["matrix"]["shard"]
    [check] = aicr(step.get("run", "") for step in jobs["check"]["steps"])
    [merge] = aicr(step.get("run", "") for step in jobs["summary"]["steps"])
    runs = [(re.sub(r"\$\{\{ matrix\.shard \}\}", str(shard), check), {}) for shard in shards]
    return runs, merge, {"GITHUB_STEP_SUMMARY": "summary.md"}


def gitlab():
    jobs = example("gitlab")
    [check], [merge] = aicr(jobs["fleet"]["script"]), aicr(jobs["fleet-summary"]["script"])
    total = jobs["fleet"]["parallel"]
    return [(check, {"CI_NODE_INDEX": str(index), "CI_NODE_TOTAL": str(total)}) for index in range(1, total + 1)], merge, {}


def indexed_job():
    spec = example("indexed-job")["spec"]
    [container] = spec["template"]["spec"]["containers"]
    [command] = aicr(container["args"])
    merge = "aicr fleet merge summaries/shard-*.json"
    return [(command, {"JOB_COMPLETION_INDEX": str(index)}) for index in range(spec["completions"])], merge, {}


@pytest.mark.parametrize("runner", [github, gitlab, indexed_job])
def test_the_shards_of_a_runner_make_the_whole_fleet(runner, environment, tmp_path):
    folder = tmp_path / "folder"
    (folder / "fleet.yaml").write_text(FILES["fleet.yaml"])
    Path(folder / "summaries").mkdir()
    runs, merge, variables = runner()
    written = run(["bash", "-c", "aicr fleet bundle fleet.yaml -o clusters"], environment, folder)
    assert written.returncode == 0, written.stdout
    for command, index in runs:
        done = run(["bash", "-c", command], {**environment, **index}, folder)
        assert done.returncode == 0, done.stdout
    whole = run(["bash", "-c", merge], {**environment, **variables}, folder)
    assert whole.returncode == 0, whole.stdout
    assert "3 clusters: 3 " in whole.stdout
