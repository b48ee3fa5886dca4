"""O5: equal input makes equal bytes and modes, whatever the process around it is like."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOBODY = 65534

# The child writes one bundle into each directory it is given, then prints nothing: what it wrote is compared.
CHILD = """
import json, os, sys
from pathlib import Path

given = json.loads(sys.argv[1])
if "umask" in given:
    os.umask(given["umask"])
from bundler.catalog.catalog import Catalog
from bundler.model.request import Request
from bundler.pipeline import bundle
from bundler.publish.write import write

request = Request(
    recipe="h100-gke-cos-training-kubeflow",
    profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
    parameters={"fabricAttachment": {"interfaces": {f"eth{n}": f"net-{n}" for n in range(1, 9)}}},
)
if "user" in given:
    bundle(Catalog.load(), request)  # imports all that is needed: the other user may not read where Python is installed
    os.setgroups([])
    os.setgid(given["user"])
    os.setuid(given["user"])
for out in given["out"]:
    write(bundle(Catalog.load(), request), Path(out))
"""


def run(out, *, python=sys.executable, cwd=ROOT, environment=None, **given):
    words = json.dumps({"out": [str(path) for path in out], **given})
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})}
    subprocess.run([python, "-c", CHILD, words], env=variables, cwd=cwd, check=True)


def tree(directory):
    """Path → kind, mode and bytes."""
    found = {}
    for path in sorted((directory, *directory.rglob("*"))):
        mode = path.lstat().st_mode
        found[path.relative_to(directory).as_posix()] = (stat.filemode(mode), path.read_bytes() if path.is_file() else b"")
    return found


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    out = tmp_path_factory.mktemp("expected") / "out"
    run([out], environment={"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"})
    return tree(out)


def test_files_and_directories_have_fixed_modes(expected):
    assert {mode for mode, _ in expected.values()} == {"drwxr-xr-x", "-rw-r--r--"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 10))
def test_hash_seed(seed, expected, tmp_path):
    run([tmp_path / "out"], environment={"PYTHONHASHSEED": str(seed)})
    assert tree(tmp_path / "out") == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"TZ": "Asia/Kathmandu"},
        {"TZ": "America/St_Johns", "SOURCE_DATE_EPOCH": "1"},
        {"LC_ALL": "C"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"},
        {"HOME": "/nonexistent", "USER": "someone", "COLUMNS": "20", "NO_COLOR": "1"},
    ],
    ids=lambda environment: ",".join(f"{key}={value}" for key, value in environment.items()).replace("/", "-"),
)
def test_environment(environment, expected, tmp_path):
    run([tmp_path / "out"], environment=environment)
    assert tree(tmp_path / "out") == expected


@pytest.mark.slow
def test_current_directory(expected, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    run([Path("../out")], cwd=tmp_path / "elsewhere")
    assert tree(tmp_path / "out") == expected


@pytest.mark.slow
@pytest.mark.parametrize("umask", [0o000, 0o027, 0o077])
def test_umask(umask, expected, tmp_path):
    run([tmp_path / "out"], umask=umask)
    assert tree(tmp_path / "out") == expected


@pytest.mark.slow
def test_run_count(expected, tmp_path):
    """One after the other in one process, over each other and beside each other."""
    run([tmp_path / "a", tmp_path / "a", tmp_path / "b"])
    assert tree(tmp_path / "a") == tree(tmp_path / "b") == expected


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user in the child")
def test_user(expected, tmp_path):
    (tmp_path / "theirs").mkdir()
    os.chown(tmp_path / "theirs", NOBODY, NOBODY)
    run([tmp_path / "theirs/out"], user=NOBODY)
    assert tree(tmp_path / "theirs/out") == expected


def _pythons():
    """Other interpreters on this machine that have our dependencies."""
    for minor in range(11, 16):
        python = shutil.which(f"python3.{minor}")
        if python is None or sys.version_info[:2] == (3, minor):
            continue
        has = subprocess.run(
            [python, "-c", "import click, jinja2, jsonpatch, jsonschema_rs, yaml"], capture_output=True, check=False
        )
        if has.returncode == 0:
            yield python


@pytest.mark.slow
def test_python_version(expected, tmp_path):
    pythons = list(_pythons())
    if not pythons:
        pytest.skip("no second Python version with the dependencies is on PATH")
    for python in pythons:
        out = tmp_path / Path(python).name
        run([out], python=python)
        assert tree(out) == expected, python
