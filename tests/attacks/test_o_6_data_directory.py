"""O6: a hostile `--data` directory: confined to itself, bounded, and one finding with the place."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import AicrError, InvalidInput
from bundler.model.request import Request
from bundler.pipeline import bundle

ROOT = Path(__file__).parents[2]
REQUEST = Request(recipe="h100-kind-training-kubeflow")


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data/recipes").mkdir(parents=True)
    (tmp_path / "secret.yaml").write_text("password: hunter2\n")
    return tmp_path / "data"


def refusal(data):
    with pytest.raises(InvalidInput) as caught:
        bundle(Catalog.load(data), REQUEST)
    (finding,) = caught.value.findings
    assert finding.location is not None
    assert "hunter2" not in finding.message
    return finding.rule, finding.message


@pytest.mark.parametrize(
    ("link", "goal"),
    [
        ("recipes/x.yaml", "../../secret.yaml"),
        ("recipes/x.yaml", "/etc/passwd"),
        ("recipes/sub", "/etc"),
        ("recipes/sub", ".."),
        ("overlays", "/etc"),
        ("manifests", "../.."),
    ],
)
def test_a_link_that_leads_out(data, link, goal):
    (data / link).symlink_to(goal)
    rule, message = refusal(data)
    assert rule == "AICR-S015"
    assert str(data / link) in message


@pytest.mark.parametrize(
    ("link", "goal"),
    [("recipes/x.yaml", "x.yaml"), ("recipes/x.yaml", "nowhere.yaml"), ("overlays", "overlays"), ("bom", "nowhere")],
)
def test_a_link_that_leads_nowhere(data, link, goal):
    (data / link).symlink_to(goal)
    assert refusal(data) == ("AICR-S012", f"not a regular file: '{data}/{link}'")


def _socket(place):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(place))


@pytest.mark.parametrize(
    "make",
    [
        os.mkfifo,
        _socket,
        pytest.param(
            lambda place: os.mknod(place, 0o600 | 0o020000, os.makedev(1, 3)),
            marks=pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to make a device"),
        ),
    ],
    ids=["pipe", "socket", "device"],
)
def test_what_is_no_regular_file_is_never_opened(data, make, monkeypatch):
    monkeypatch.chdir(data)  # the path of a socket is short
    make(Path("recipes/x.yaml"))
    rule, message = refusal(data)
    assert rule == "AICR-S012"
    assert "not a regular file" in message


def test_a_directory_in_the_place_of_a_document(data):
    (data / "recipes/registry.yaml").mkdir()
    with pytest.raises(AicrError):
        bundle(Catalog.load(data), Request(recipe="registry.yaml"))


AS_NOBODY = """
import os, sys
from pathlib import Path
from bundler.catalog.catalog import Catalog
from bundler.errors import AicrError
from bundler.model.request import Request
from bundler.pipeline import bundle

request = Request(recipe="h100-kind-training-kubeflow")
bundle(Catalog.load(), request)
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
try:
    bundle(Catalog.load(Path(sys.argv[1])), request)
except AicrError as error:
    print(*(f"{finding.rule} {finding.location}" for finding in error.findings))
    sys.exit(error.exit_code)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user in the child")
@pytest.mark.parametrize("closed", ["overlays/x.yaml", "overlays", "."])
def test_what_may_not_be_read(data, tmp_path, closed):
    (data / "overlays").mkdir()
    (data / "overlays/x.yaml").write_text("")
    (data / closed).chmod(0o000)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", AS_NOBODY, str(data)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout.strip()) == (2, f"AICR-S012 {data / closed}"), result.stderr


@pytest.mark.slow
def test_a_hundred_thousand_files(data):
    (data / "overlays").mkdir()
    for number in range(100_000):
        os.close(os.open(data / f"overlays/{number}.yaml", os.O_CREAT))
    before = time.perf_counter()
    with pytest.raises(InvalidInput) as caught:
        Catalog.load(data)
    assert time.perf_counter() - before < 10
    assert [finding.rule for finding in caught.value.findings] == ["AICR-S011"]


def test_a_large_file(data):
    with (data / "recipes/registry.yaml").open("wb") as file:
        file.truncate(1 << 32)
    rule, message = refusal(data)
    assert rule == "AICR-S013"
    assert "4,294,967,296 bytes" in message
