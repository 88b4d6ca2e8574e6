"""benchmarks/compare.py: when it refuses to compare, and how it tells a regression from noise."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from compare import Change

COMPARE = Path(__file__).resolve().parents[2] / "benchmarks" / "compare.py"


def compare(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(COMPARE), *options], capture_output=True, text=True, check=False
    )


def test_without_a_recorded_run_it_says_how_to_make_one(tmp_path: Path) -> None:
    done = compare("--base", str(tmp_path / "none"))
    assert done.returncode == 1
    assert "no recorded run" in done.stderr
    assert "make bench" in done.stderr


def test_a_run_of_another_machine_is_refused(tmp_path: Path) -> None:
    record = {"fingerprint": "other", "cpu": "another CPU", "python": "3.99"}
    (tmp_path / "record.json").write_text(json.dumps(record))
    done = compare("--base", str(tmp_path))
    assert done.returncode == 1
    assert "another machine or Python (another CPU, Python 3.99)" in done.stderr


def test_a_build_equals_its_own_copy_in_answers(tmp_path: Path) -> None:
    base = tmp_path / "base"
    assert compare("--keep", "--base", str(base)).returncode == 0
    done = compare("--base", str(base), "--pairs", "1", "--rounds", "1", "--only", "easy: lublin")
    assert "easy: lublin 100k load 0.85" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("values", "slower"),
    [
        # The median is +4 %, within the floor of 5 %.
        ([1.04, 1.04, 1.04, 1.03, 1.05], False),
        # The median is +6 % and the spread 1 %. Three times the spread is only 3 %, so the floor of
        # 5 % applies, and the median exceeds it.
        ([1.06, 1.06, 1.05, 1.07, 1.08], True),
        # The median is +10 %. The deviations 10, 5, 0, 4 and 10 give a spread of 5 % and so a bound
        # of 15 %.
        ([1.00, 1.05, 1.10, 1.14, 1.20], False),
        # The current build is twice as fast.
        ([0.5, 0.5, 0.5, 0.5, 0.5], False),
    ],
)
def test_a_regression_passes_the_floor_and_three_spreads(values: list[float], slower: bool) -> None:
    assert Change(values).slower is slower
