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
    cost = cost_of(log)
    assert 0 < cost.cpu_seconds < 60
    assert cost.peak_bytes > 10_000_000  # NumPy alone takes more


def test_a_program_that_fails_has_none(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="ended with 3"):
        cost_of(tmp_path / "missing.swf")
