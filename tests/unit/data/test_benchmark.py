"""Requirements on the benchmark that fixtures and `aicr runtime derive` share: its scripts, its result and its images.

Source: a container's termination message has at most 4096 bytes (kubernetes.io, debug a running pod).
"""

import subprocess

import pytest

from bundler.guard.contract import Contract, Owner
from bundler.kube.image import Image
from tests.unit.data.rendering import CATALOG

BENCHMARK = CATALOG.fragment("nccl-all-reduce")


@pytest.mark.parametrize("role", ["worker", "launcher"])
def test_a_script_is_one_that_a_shell_reads(role):
    (script,) = BENCHMARK[role]["args"]
    check = subprocess.run(["/bin/sh", "-n"], input=script, text=True, capture_output=True, check=False)
    assert (check.returncode, check.stderr) == (0, "")


LOG = """\
# nThread 1 nGpus 1 minBytes 8 maxBytes 17179869184 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
measure-node-0-0:41:41 [0] NCCL INFO Using network FasTrak
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
           8             2     float     sum      -1    55.07    0.00    0.00      0    54.61    0.00    0.00      0
 17179869184    4294967296     float     sum      -1    95317  180.24  337.95      0    95281  180.31  338.08      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 119.456
"""


def launched(tmp_path, *, ends_with):
    """The launcher's script with an mpirun that prints a log, and every path of the pod under a directory."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "log").write_text(LOG)
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys/id_rsa").touch()
    for name, text in (
        ("ssh", "exit 0"),
        ("mpirun", f"printf '%s\\n' \"$@\" > {tmp_path}/words; cat {tmp_path}/log; exit {ends_with}"),
    ):
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    (script,) = BENCHMARK["launcher"]["args"]
    for path in ("/tmp/mpi-keys", "/tmp/succeeded", "/tmp/all-reduce.log", "/dev/termination-log"):
        script = script.replace(path, str(tmp_path / {"/tmp/mpi-keys": "keys"}.get(path, path.rpartition("/")[2])))
    environment = {"HOME": str(tmp_path), "PATH": f"{tmp_path}/bin:/usr/bin:/bin", "NCCL_SOCKET_IFNAME": "eth0"}
    return subprocess.run(["/bin/sh", "-c", script], env=environment, text=True, capture_output=True, check=False)


def test_the_result_is_the_termination_message(tmp_path):
    assert launched(tmp_path, ends_with=0).returncode == 0
    rows = (tmp_path / "termination-log").read_text().splitlines()
    assert rows == [line for line in LOG.splitlines() if line.startswith((" ", "# Out", "# Avg"))]
    words = (tmp_path / "words").read_text().split("\n")
    assert words[words.index("btl_tcp_if_include") + 1] == "eth0"
    assert "/usr/local/bin/all_reduce_perf_mpi" in words


def test_a_benchmark_that_fails_fails_the_launcher_and_has_no_result(tmp_path):
    outcome = launched(tmp_path, ends_with=3)
    assert outcome.returncode != 0
    assert LOG in outcome.stdout
    assert not (tmp_path / "termination-log").exists()


def test_what_the_benchmark_takes_over_is_its_own_in_the_contract():
    contract = CATALOG.derived(Contract.of)
    lines = {line.path: line.owner for line in contract.lines}
    assert {lines[f"/pod{row['path']}"] for row in BENCHMARK["overridden"]} == {Owner.BENCHMARK}


def test_the_images_of_the_benchmark_are_those_of_the_bill_of_materials():
    recorded = {entry["cudaMajor"]: entry for name, entry in CATALOG.images.items() if name.startswith("nccl-tests-cuda")}
    assert set(recorded) == {row["cudaMajor"] for row in BENCHMARK["images"]}
    for row in BENCHMARK["images"]:
        image, entry = Image.parse(row["image"]), recorded[row["cudaMajor"]]
        assert (image.name, image.tag, image.digest) == (entry["repository"], entry["tag"], entry.get("digest"))
