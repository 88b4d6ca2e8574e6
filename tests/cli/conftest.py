"""Fixtures: a small log, and the command line called in this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from cli.grids import GRID
from slotwise.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Ten jobs on 8 processors: submit, run, processors, request. Job 6 is wider than the machine, and
# job 8 runs past its request. Under fcfs, job 1 starts at 0 and job 2 waits for it until 100.
_JOBS = [
    (0, 100, 8, 120),
    (10, 50, 4, 60),
    (20, 30, 6, 40),
    (30, 20, 2, 20),
    (40, 0, 1, 10),
    (50, 10, 16, 10),
    (60, 70, 4, 100),
    (70, 90, 2, 80),
    (80, 10, 1, 10),
    (90, 10, 8, 20),
]


def swf_text(jobs: list[tuple[int, int, int, int]], header: str = "; MaxProcs: 8\n") -> str:
    """Write jobs as SWF; users 1 and 2 alternate."""
    lines = [
        f"{i} {submit} -1 {run} {procs} -1 -1 {procs} {asked} -1 1 {i % 2 + 1} 1 -1 1 -1 -1 -1\n"
        for i, (submit, run, procs, asked) in enumerate(jobs, 1)
    ]
    return header + "".join(lines)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.swf"
    path.write_text(swf_text(_JOBS))
    return path


@pytest.fixture
def fitting_log(tmp_path: Path) -> Path:
    """Write the log of ten jobs without the one that is too wide and the one that runs too long."""
    path = tmp_path / "fitting.swf"
    path.write_text(swf_text([job for job in _JOBS if job[2] <= 8 and job[1] <= job[3]]))
    return path


@pytest.fixture
def grid(log: Path) -> Path:
    """Write a grid of six points beside the log of ten jobs."""
    path = log.with_name("grid.toml")
    path.write_text(GRID)
    return path


@dataclass(frozen=True)
class Ended:
    """The result of one command line."""

    code: int
    out: str
    err: str


@pytest.fixture
def slotwise(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Ended]:
    """Return a function that runs one command line in the temporary folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: object) -> Ended:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    return run
