"""O7: the comparison works on a read-only tree, as another user, and writes nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bundler.model.bundle import Bundle
from bundler.publish.drift import drift, unified
from bundler.publish.inventory import format_inventory
from bundler.publish.write import preview, write

ROOT = Path(__file__).parents[2]
NOBODY = 65534
FILES = {"README.md": b"# Bundle\n", "bundle.lock.yaml": b"l\n", "components/a/values.yaml": b"a\n", "recipe.yaml": b"r\n"}
BUNDLE = Bundle(files=dict(sorted({**FILES, "checksums.txt": format_inventory(FILES)}.items())))

AS_NOBODY = """
import os, sys
from pathlib import Path
from bundler.errors import AicrError
from bundler.model.bundle import Bundle
from bundler.publish.drift import drift

os.setgroups([])
os.setgid(65534)
os.setuid(65534)
bundle = Bundle(files={"README.md": b"# Bundle\\n"})
try:
    print(*drift(bundle, Path(sys.argv[1])), sep="\\n")
except AicrError as error:
    print(error.findings[0].rule, error.findings[0].message)
"""


@pytest.fixture
def out(tmp_path):
    write(BUNDLE, tmp_path / "out")
    return tmp_path / "out"


def states(directory):
    found = {}
    for path in (directory.parent, directory, *sorted(directory.rglob("*"))):
        status = path.lstat()
        found[path] = (status.st_mode, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    return found


def test_a_read_only_tree_is_compared_and_left_alone(out):
    (out / "README.md").write_bytes(b"edited\n")
    (out / "extra.txt").write_bytes(b"")
    for path in (*out.rglob("*"), out):
        path.chmod(path.stat().st_mode & ~0o222)
    before = states(out)
    assert [str(change) for change in drift(BUNDLE, out)] == ["changed: README.md", "extra: extra.txt"]
    assert "+# Bundle\n" in unified(drift(BUNDLE, out))
    assert states(out) == before


def test_a_preview_leaves_a_read_only_tree_alone(out):
    for path in (*out.rglob("*"), out):
        path.chmod(path.stat().st_mode & ~0o222)
    before = states(out)
    assert not preview(BUNDLE, out).written
    assert states(out) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user in the child")
@pytest.mark.parametrize(
    ("closed", "expected"),
    [
        (None, "extra: bundle.lock.yaml\nextra: checksums.txt\nextra: components/a/values.yaml\nextra: recipe.yaml"),
        ("components", "AICR-O023 cannot read '{out}/components': Permission denied"),
        ("README.md", "AICR-O023 cannot read '{out}/README.md': Permission denied"),
    ],
)
def test_another_user_may_compare_what_it_may_read(tmp_path, out, closed, expected):
    if closed:
        (out / closed).chmod(0o000)
    command = [sys.executable, "-c", AS_NOBODY, str(out)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == expected.format(out=out)
