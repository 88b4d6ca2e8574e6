"""Every example runs and prints what its .out file shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_prints_what_stands_beside_it(example: Path) -> None:
    if "from numba" in example.read_text(encoding="utf-8"):
        pytest.importorskip("numba", reason="numba has no wheel for this Python")
    done = subprocess.run(
        [sys.executable, str(example)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stderr == ""
    assert done.stdout == example.with_suffix(".out").read_text(encoding="utf-8")


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 2
