"""Processes, timed side by side."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["Timing", "side_by_side"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The median of several runs of one command.

    Attributes:
        mebibytes: the largest resident set of any run.
    """

    seconds: float
    mebibytes: float


def side_by_side(commands: Mapping[str, Sequence[str]], *, rounds: int, folder: Path) -> dict[str, Timing]:
    """Run commands in turn, `rounds` times, and keep the output of the last run of each as `folder/NAME.out`.

    Taking turns spreads whatever else the machine is doing over all of them. A first round is not counted: it compiles modules to
    bytecode, as an installation does, below `folder`.

    Raises:
        RuntimeError: a command failed.
    """
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, words in commands.items():
            run = _run(words, environment, folder / f"{name}.out")
            if turn:
                runs[name].append(run)
    return {
        name: Timing(seconds=median(seconds for seconds, _ in each), mebibytes=max(size for _, size in each))
        for name, each in runs.items()
    }


def _run(words: Sequence[str], environment: Mapping[str, str], output: Path) -> tuple[float, float]:
    """Seconds and MiB of one run. The caller stays small, because a child's peak is never below its parent's size at the fork."""
    with output.open("wb") as sink:
        start = time.perf_counter()
        process = subprocess.Popen(list(words), env=environment, stdout=sink, stderr=subprocess.PIPE)
        complaint = process.stderr.read() if process.stderr else b""
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.stderr:
        process.stderr.close()
    if process.returncode:
        raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}: {complaint.decode(errors='replace')}")
    return seconds, usage.ru_maxrss / 1024
