"""The bench does what it says on a tiny task. It times nothing here."""

import shutil

import pytest

from tests.bench import __main__ as bench
from tests.bench.measure import side_by_side
from tests.bench.report import Line, table
from tests.bench.task import by_label, expected, write_data, write_kustomize

COUNT = 3


def test_the_engine_makes_of_base_and_overlays_what_the_task_means(tmp_path):
    write_data(tmp_path / "data", COUNT)
    words = [bench.PYTHON, "-m", "tests.bench.engine", str(tmp_path / "data"), str(COUNT), "--checked"]
    side_by_side({"engine": words}, rounds=1, folder=tmp_path)
    assert by_label((tmp_path / "engine.out").read_bytes()) == expected(COUNT)


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not on PATH")
def test_kustomize_makes_the_same(tmp_path):
    write_kustomize(tmp_path / "tree", COUNT)
    side_by_side({"kustomize": ["kubectl", "kustomize", str(tmp_path / "tree")]}, rounds=1, folder=tmp_path)
    assert by_label((tmp_path / "kustomize.out").read_bytes()) == expected(COUNT)


def test_every_measure_runs_and_yields_its_lines(tmp_path):
    lines = bench.bench(tmp_path, kubectl=shutil.which("kubectl"), overlays=COUNT, rounds=1, clusters=20)
    assert {"`aicr --help` : `python -c 'import click'`", f"memory of {COUNT} bundles (MiB)"} <= {line.work for line in lines}
    assert {"20 clusters of a fleet, last tenth : first tenth", "memory of 20 clusters of a fleet (MiB)"} <= {
        line.work for line in lines
    }
    assert {"15 jobs in one process, each (ms)", "growth: second half of 15 jobs : first half"} <= {line.work for line in lines}
    assert {line.limit for line in lines} >= {1.5, 2, 10, 120, 300}


def test_a_missed_budget_is_said(tmp_path):
    kept = Line(work="a", measured="", figure=1.0, limit=2)
    missed = Line(work="b", measured="", figure=1.0, limit=2, at_least=True)
    assert (kept.kept, missed.kept) == (True, False)
    assert table([kept, missed]).splitlines()[2:] == ["| a |  | 1.00 | ≤ 2 | yes |", "| b |  | 1.00 | ≥ 2 | **no** |"]
