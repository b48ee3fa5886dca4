"""O2: two runs on one directory: one wins, the other ends with exit 6 and names the owner of the lock."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bundler.errors import Unavailable
from bundler.exitcodes import ExitCode
from bundler.model.bundle import Bundle
from bundler.publish.inventory import format_inventory
from bundler.publish.write import write

ROOT = Path(__file__).parents[2]

HOLDER = """
import sys
from pathlib import Path
from bundler.model.bundle import Bundle
from bundler.publish.inventory import format_inventory
from bundler.publish.write import write

files = {"recipe.yaml": b"first\\n"}

def step(name):
    if name == "locked":
        print("ready", flush=True)
        sys.stdin.readline()

write(Bundle(files={**files, "checksums.txt": format_inventory(files)}), Path(sys.argv[1]), step=step)
"""


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def bundle_of(text):
    files = {"bundle.lock.yaml": b"l\n", "recipe.yaml": text}
    return Bundle(files=dict(sorted({**files, "checksums.txt": format_inventory(files)}.items())))


def test_the_second_run_names_the_process_that_writes(tmp_path):
    out = tmp_path / "out"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", HOLDER, str(out)]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "ready\n"
        with pytest.raises(Unavailable) as caught:
            write(bundle_of(b"second\n"), out)
        holder.communicate("\n")
    (finding,) = caught.value.findings
    assert finding.message == f"another aicr run (process {holder.pid}) is writing {str(out)!r}"
    assert (finding.rule, finding.fix) == ("AICR-O016", "wait until it has ended")
    assert caught.value.exit_code is ExitCode.UNAVAILABLE
    assert holder.returncode == 0
    assert (out / "recipe.yaml").read_bytes() == b"first\n"
    assert names(tmp_path) == ["out"]


def test_one_directory_by_two_names_is_one_directory(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to("real")

    def second(step):
        if step == "locked":
            with pytest.raises(Unavailable, match=f"process {os.getpid()}"):
                write(bundle_of(b"second\n"), tmp_path / "alias/out")

    assert write(bundle_of(b"first\n"), tmp_path / "real/out", step=second).written


def test_a_lock_left_by_a_dead_process_is_no_obstacle(tmp_path):
    (tmp_path / ".out.aicr-lock").write_text("1\n")
    write(bundle_of(b"first\n"), tmp_path / "out")
    assert names(tmp_path) == ["out"]


def test_a_link_in_the_place_of_the_lock_is_not_followed(tmp_path):
    (tmp_path / "victim").write_text("precious")
    (tmp_path / ".out.aicr-lock").symlink_to("victim")
    with pytest.raises(Unavailable):
        write(bundle_of(b"first\n"), tmp_path / "out")
    assert (tmp_path / "victim").read_text() == "precious"


@pytest.mark.slow
def test_many_writers_leave_one_whole_bundle(tmp_path):
    out, texts, outcomes = tmp_path / "out", [f"{number}\n".encode() for number in range(8)], []

    def run(text):
        for _ in range(20):
            try:
                write(bundle_of(text), out)
                outcomes.append("written")
            except Unavailable as error:
                outcomes.append(error.findings[0].rule)

    threads = [threading.Thread(target=run, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(outcomes) <= {"written", "AICR-O016", "AICR-O017"}
    assert len(outcomes) == 160
    written = (out / "recipe.yaml").read_bytes()
    assert written in texts
    assert {path.name: path.read_bytes() for path in out.iterdir()} == dict(bundle_of(written).files)
    assert names(tmp_path) == ["out"]
