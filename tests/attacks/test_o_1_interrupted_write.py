"""O1: kill -9, a full disk, a missing permission, another file system: the previous tree or the new one, and a rerun heals."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bundler.model.bundle import Bundle
from bundler.publish.inventory import format_inventory
from bundler.publish.write import write

ROOT = Path(__file__).parents[2]
OLD = {"README.md": "old\n", "bundle.lock.yaml": "l: 1\n", "components/a/values.yaml": "a: 1\n", "recipe.yaml": "r: 1\n"}
NEW = {"README.md": "new\n", "bundle.lock.yaml": "l: 2\n", "components/b/values.yaml": "b: 1\n", "recipe.yaml": "r: 1\n"}
NOBODY = 65534
MINE = {"mine.txt": "mine", "components/a/notes.txt": "mine too"}

# The child writes NEW into the directory and ends itself, without any clean-up, after the step whose number it is given.
CHILD = """
import json, os, resource, signal, sys
from pathlib import Path
from bundler.errors import AicrError
from bundler.model.bundle import Bundle
from bundler.publish.inventory import format_inventory
from bundler.publish.write import write

given = json.loads(sys.argv[1])
files = {path: text.encode() for path, text in given["files"].items()}
bundle = Bundle(files=dict(sorted({**files, "checksums.txt": format_inventory(files)}.items())))
if given.get("limit"):
    resource.setrlimit(resource.RLIMIT_FSIZE, (given["limit"], given["limit"]))
if given.get("user"):
    os.setgroups([])
    os.setgid(given["user"])
    os.setuid(given["user"])
left = given.get("die_after", -1)

def step(name):
    global left
    if left == 0:
        print(name, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1

options = {} if given["exchange"] else {"exchange": lambda first, second: False}
try:
    write(bundle, Path(given["out"]), step=step, **options)
except AicrError as error:
    print(json.dumps([[finding.rule, finding.message] for finding in error.findings]))
    sys.exit(error.exit_code)
"""


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def bundle_of(texts):
    files = {path: text.encode() for path, text in texts.items()}
    return Bundle(files=dict(sorted({**files, "checksums.txt": format_inventory(files)}.items())))


def child(out, **given):
    words = json.dumps({"out": str(out), "exchange": True, "files": NEW, **given})
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, "-c", CHILD, words], env=environment, capture_output=True, text=True, check=False)


def files(directory):
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def mine():
    return {path: text.encode() for path, text in MINE.items()}


def give_to_nobody(directory):
    """Let another user own what is below."""
    for path in (directory, *directory.rglob("*")):
        os.chown(path, NOBODY, NOBODY)


@pytest.fixture
def out(tmp_path):
    """A bundle with files of the user's in it."""
    out = tmp_path / "work" / "out"
    write(bundle_of(OLD), out)
    for path, text in MINE.items():
        (out / path).write_text(text)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("exchange", [True, False], ids=["exchange", "two-renames"])
def test_kill_at_any_step_leaves_the_old_tree_or_the_new_one_and_a_rerun_heals(tmp_path, exchange):
    old, new = {**bundle_of(OLD).files, **mine()}, {**bundle_of(NEW).files, **mine()}
    seen = []
    for number in range(100):
        out = tmp_path / str(number) / "out"
        write(bundle_of(OLD), out)
        for path, text in MINE.items():
            (out / path).write_text(text)
        result = child(out, die_after=number, exchange=exchange)
        if result.returncode == 0:
            break
        assert result.returncode == -signal.SIGKILL, result.stderr
        step = result.stdout.strip()
        seen.append(step)
        if step == "retired":
            # Between two renames nothing stands at the directory's place; the previous tree is beside it, whole.
            assert not out.exists()
            assert files(out.parent / ".out.aicr-old") == old
        else:
            assert files(out) in (old, new), step
        write(bundle_of(NEW), out)
        assert files(out) == new, step
        assert names(out.parent) == ["out"], step
    assert {"locked", "staged checksums.txt", "staged README.md", "carried", "synced", "in place", "emptied"} <= set(seen)
    assert ("retired" in seen) is not exchange


@pytest.mark.slow
def test_kill_at_the_first_write_leaves_nothing_or_the_new_tree(tmp_path):
    for number in range(100):
        out = tmp_path / str(number) / "out"
        result = child(out, die_after=number)
        if result.returncode == 0:
            break
        assert not out.exists() or files(out) == dict(bundle_of(NEW).files)
        write(bundle_of(NEW), out)
        assert files(out) == dict(bundle_of(NEW).files)
        assert names(out.parent) == ["out"]
    assert number > 5


def test_a_rerun_after_a_kill_may_write_another_bundle(out):
    assert child(out, die_after=4).returncode == -signal.SIGKILL
    write(bundle_of(OLD | {"README.md": "third\n"}), out)
    assert files(out) == {**bundle_of(OLD | {"README.md": "third\n"}).files, **mine()}
    assert names(out.parent) == ["out"]


def test_a_full_disk_is_a_finding_and_the_old_tree_stays(out):
    """A file size limit stands in for a full disk: write(2) fails half-way through a file in the same way."""
    before = files(out)
    result = child(out, files={**NEW, "recipe.yaml": "r" * 10_000}, limit=4096)
    assert result.returncode == 6, result.stderr
    ((rule, message),) = json.loads(result.stdout)
    assert rule == "AICR-O017"
    assert message.startswith(f"cannot write '{out}': File too large")
    assert files(out) == before
    assert names(out.parent) == ["out"]


def test_a_full_disk_at_the_first_write_leaves_nothing_at_all(tmp_path):
    result = child(tmp_path / "a/b/out", files={**NEW, "recipe.yaml": "r" * 10_000}, limit=4096)
    assert result.returncode == 6, result.stderr
    assert names(tmp_path) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user in the child")
@pytest.mark.parametrize("closed", ["work", "work/out/components"])
def test_a_missing_permission_is_a_finding_and_the_old_tree_stays(tmp_path, out, closed):
    give_to_nobody(tmp_path)
    before = files(out)
    (tmp_path / closed).chmod(0o555 if closed == "work" else 0o000)
    result = child(out, user=NOBODY)
    (tmp_path / closed).chmod(0o755)
    assert result.returncode == 6, result.stderr
    ((rule, message),) = json.loads(result.stdout)
    assert rule == "AICR-O017"
    assert "Permission denied" in message
    assert files(out) == before
    assert names(out.parent) == ["out"]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user in the child")
def test_a_read_only_previous_tree_is_replaced_all_the_same(tmp_path, out):
    give_to_nobody(tmp_path)
    for path in (*out.rglob("*"), out):
        path.chmod(path.stat().st_mode & ~0o222)
    result = child(out, user=NOBODY)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert files(out) == {**bundle_of(NEW).files, **mine()}
    assert names(out.parent) == ["out"]


def _can_mount():
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _can_mount(), reason="needs root and a mount namespace of its own")
@pytest.mark.parametrize("at", ["out", "out/components"])
def test_another_file_system_in_the_way_is_a_finding(tmp_path, at):
    out = tmp_path / "out"
    write(bundle_of(OLD), out)
    words = json.dumps({"out": str(out), "exchange": True, "files": NEW})
    script = (
        'cp -a "$1" "$4" && mount -t tmpfs none "$1" && cp -a "$4"/. "$1" && "$2" -c "$3" "$5"; '
        'code=$?; ls -A "$6"; cat "$6/out/README.md"; exit $code'
    )
    arguments = [str(tmp_path / at), sys.executable, CHILD, str(tmp_path / "copy"), words, str(tmp_path)]
    result = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    finding, *rest = result.stdout.splitlines()
    assert result.returncode == 6, result.stderr
    assert json.loads(finding)[0][0] == "AICR-O019"
    assert rest == ["copy", "out", "old"]
