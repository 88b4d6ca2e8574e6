"""Cost of the whole program, as ``benchmarks/whole_program.py`` measures it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from whole_program import cost_of

if TYPE_CHECKING:
    from pathlib import Path


def test_the_program_has_a_cost(tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    sw.write_swf(sw.generate("lublin", n_jobs=50, processors=16, seed=1), log)
    cost = cost_of("run", log, shows=r"wait +[\d:.]+")
    assert 0 < cost.cpu_seconds < 60
    assert cost.elapsed > 0
    assert cost.peak_bytes > 10_000_000  # NumPy alone takes more than 10 MB


def test_a_program_that_fails_has_none(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="ended with 3"):
        cost_of("run", tmp_path / "missing.swf", shows="wait")


def test_a_program_that_prints_something_else_has_none() -> None:
    with pytest.raises(RuntimeError, match="slotwise --help ended with 0"):
        cost_of("--help", shows="no such line")


def test_the_package_may_be_stored_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # If this variable is set, Python compiles its sources at every start.
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path))
    cost_of("--help", shows="run")
    assert list(tmp_path.rglob("slotwise/cli/*.pyc"))
