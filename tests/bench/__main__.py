"""`python -m tests.bench`: aicr and `kubectl kustomize` side by side in one run. Exit 1 when a budget is missed.

Ratios are what counts: seconds differ between machines, and on a busy one from minute to minute.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.measure import Timing, side_by_side
from tests.bench.report import Line, table
from tests.bench.task import by_label, expected, write_data, write_kustomize, write_one_overlay

PYTHON = sys.executable
_INSTALLED = Path(PYTHON).with_name("aicr")
AICR = [str(_INSTALLED)] if _INSTALLED.exists() else [PYTHON, "-m", "bundler"]
TCPXO = [
    *("--recipe", "h100-gke-cos-training-kubeflow"),
    *("--profile", "gpuStack=gke-default"),
    *("--profile", "fabricAttachment=gke-tcpxo-multinetwork"),
    *("--param", "fabricAttachment.interfaces=" + ",".join(f"eth{nic}=net-{nic}" for nic in range(1, 9))),
]
_JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: bench}
spec:
  runtimeRef: {name: torch-distributed-tcpxo}
  trainer: {numNodes: 2, image: registry.example.com/train:1, command: [python, train.py]}
"""
RUNTIME = "runtimes/clustertrainingruntime-torch-distributed-tcpxo.yaml"


def main() -> int:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--overlays", type=int, default=200, help="overlays, and bundles in one process (200)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each command, of which the median counts (5)")
    parser.add_argument("--clusters", type=int, default=1000, help="clusters of a fleet (1000)")
    options = parser.parse_args()
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        print("kubectl is not on PATH: what is measured against `kubectl kustomize` is skipped", file=sys.stderr)
    with tempfile.TemporaryDirectory() as scratch:
        lines = bench(Path(scratch), kubectl=kubectl, overlays=options.overlays, rounds=options.rounds, clusters=options.clusters)
    print(table(lines))
    return 0 if all(line.kept for line in lines) else 1


def bench(scratch: Path, *, kubectl: str | None, overlays: int, rounds: int, clusters: int) -> list[Line]:
    """Every line of the table."""
    return [
        *_start(scratch, rounds=4 * rounds),
        *_cold_and_many(scratch, kubectl=kubectl, bundles=overlays, rounds=rounds),
        *_job(scratch, jobs=5 * overlays, rounds=rounds),
        *_fleet(scratch, clusters=clusters),
        *_overlays(scratch, kubectl=kubectl, overlays=overlays, rounds=rounds),
    ]


def _start(scratch: Path, *, rounds: int) -> list[Line]:
    times = side_by_side({"help": [*AICR, "--help"], "click": [PYTHON, "-c", "import click"]}, rounds=rounds, folder=scratch)
    return [_ratio("`aicr --help` : `python -c 'import click'`", times["help"], times["click"], limit=1.5)]


def _cold_and_many(scratch: Path, *, kubectl: str | None, bundles: int, rounds: int) -> list[Line]:
    """One bundle in a process of its own, and many in one."""
    out = scratch / "bundle"
    cold = [*AICR, "bundle", *TCPXO, "--force", "-o", str(out)]
    side_by_side({"first": cold}, rounds=1, folder=scratch)
    write_one_overlay(scratch / "one", (out / RUNTIME).read_text(encoding="utf-8"))
    fresh = ["sh", "-c", f'rm -rf "{out}" && exec "$@"', "sh", *cold]
    commands = {"cold": fresh, "many": [PYTHON, "-m", "tests.bench.fleet", str(bundles)]}
    if kubectl:
        commands["one"] = [kubectl, "kustomize", str(scratch / "one" / "overlay")]
    times = side_by_side(commands, rounds=rounds, folder=scratch)
    each = times["many"].seconds / bundles
    lines = [
        Line(work=f"{bundles} bundles in one process, each (ms)", measured=_ms(times["many"]), figure=each * 1000, limit=10),
        Line(
            work=f"rate of {bundles} bundles in one process : cold runs",
            measured=f"{_ms(times['cold'])} cold",
            figure=times["cold"].seconds / each,
            limit=10,
            at_least=True,
        ),
        Line(work=f"memory of {bundles} bundles (MiB)", measured="peak", figure=times["many"].mebibytes, limit=120),
    ]
    if kubectl:
        lines.insert(0, _ratio("one bundle, cold : `kubectl kustomize` of its runtime", times["cold"], times["one"], limit=2))
    return lines


def _job(scratch: Path, *, jobs: int, rounds: int) -> list[Line]:
    """One job in a process of its own, against the runtime of the bundle that is there already and of the catalogue; then many."""
    half = max(1, jobs // 2)
    for count in (1, half, jobs):
        many = "---\n".join(_JOB.replace("name: bench", f"name: bench-{number}") for number in range(count))
        (scratch / f"{count}-jobs.yaml").write_text(many, encoding="utf-8")

    def check(count: int) -> list[str]:
        return [*AICR, "trainjob", "check", str(scratch / f"{count}-jobs.yaml")]

    bundle = ["--bundle", str(scratch / "bundle")]
    commands = {"catalogue": check(1), "bundle": [*check(1), *bundle]}
    commands |= {"half": [*check(half), *bundle], "all": [*check(jobs), *bundle]}
    times = side_by_side(commands, rounds=rounds, folder=scratch)
    one, first, whole = (times[name].seconds for name in ("bundle", "half", "all"))
    return [
        *(
            Line(
                work=f"`aicr trainjob check`, runtime of the {name}, cold (ms)",
                measured="",
                figure=times[name].seconds * 1000,
                limit=300,
            )
            for name in ("bundle", "catalogue")
        ),
        Line(
            work=f"{jobs} jobs in one process, each (ms)",
            measured=_ms(times["all"]),
            figure=(whole - one) * 1000 / max(1, jobs - 1),
            limit=2,
        ),
        Line(
            work=f"growth: second half of {jobs} jobs : first half",
            measured="",
            figure=(whole - first) / max(1e-9, first - one),
            limit=1.5,
        ),
    ]


def _fleet(scratch: Path, *, clusters: int) -> list[Line]:
    """A fleet on one machine: the last clusters cost no more than the first."""
    words = [PYTHON, "-m", "tests.bench.clusters", str(clusters), str(scratch / "fleet")]
    found = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)
    tenth = max(1, clusters // 10)
    each = f"{found['first'] / tenth * 1000:.1f} ms : {found['last'] / tenth * 1000:.1f} ms each"
    work = f"{clusters} clusters of a fleet, last tenth : first tenth"
    return [
        Line(work=work, measured=each, figure=found["last"] / max(1e-9, found["first"]), limit=1.5),
        Line(work=f"memory of {clusters} clusters of a fleet (MiB)", measured="peak", figure=found["MiB"]),
    ]


def _overlays(scratch: Path, *, kubectl: str | None, overlays: int, rounds: int) -> list[Line]:
    """Base and overlays through the engine, the same through kustomize, and how the engine's time grows."""
    counts = [max(1, overlays // 4), max(1, overlays // 2), overlays]
    for count in counts:
        write_data(scratch / f"data-{count}", count)
    commands = {
        f"engine-{count}": [PYTHON, "-m", "tests.bench.engine", str(scratch / f"data-{count}"), str(count)] for count in counts
    }
    commands["checked"] = [*commands[f"engine-{overlays}"], "--checked"]
    if kubectl:
        write_kustomize(scratch / "kustomize", overlays)
        commands["kustomize"] = [kubectl, "kustomize", str(scratch / "kustomize")]
    times = side_by_side(commands, rounds=rounds, folder=scratch)
    _same(scratch / "checked.out", overlays)
    whole = times[f"engine-{overlays}"]
    quarter, half = (times[f"engine-{count}"].seconds for count in counts[:2])
    lines = [
        Line(
            work="growth: second half of the overlays : twice the second quarter",
            measured="",
            figure=(whole.seconds - half) / max(1e-9, 2 * (half - quarter)),
            limit=1.5,
        ),
        Line(work=f"memory of {overlays} overlays (MiB)", measured="peak", figure=whole.mebibytes),
    ]
    if kubectl:
        _same(scratch / "kustomize.out", overlays)
        name = f"base + {overlays} overlays"
        lines = [
            _ratio(f"{name} : `kubectl kustomize`", whole, times["kustomize"], limit=0.18),
            _ratio(f"{name}, checked by every rule : `kubectl kustomize`", times["checked"], times["kustomize"]),
            *lines,
        ]
    return lines


def _same(output: Path, overlays: int) -> None:
    """Hold an output against what the task means, in any order of documents and keys."""
    assert by_label(output.read_bytes()) == expected(overlays), f"{output.name} is not what the task means"


def _ms(timing: Timing) -> str:
    return f"{timing.seconds * 1000:.0f} ms"


def _ratio(work: str, ours: Timing, theirs: Timing, *, limit: float | None = None) -> Line:
    return Line(work=work, measured=f"{_ms(ours)} : {_ms(theirs)}", figure=ours.seconds / theirs.seconds, limit=limit)


if __name__ == "__main__":
    sys.exit(main())
