"""Every notebook reproduces its stored output, and has a question, a picture and an answer."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SLOW = {"gpu-centre", "learning", "sweep-figure"}
MOST_BYTES = 100_000


def cells(notebook: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return found


def test_there_are_six_notebooks() -> None:
    names = ["gpu-centre", "learning", "own-log", "own-policy", "slurm", "sweep-figure"]
    assert [each.stem for each in NOTEBOOKS] == names


@pytest.mark.parametrize(
    "notebook",
    [pytest.param(each, marks=[pytest.mark.slow] if each.stem in SLOW else [], id=each.stem)
     for each in NOTEBOOKS],
)  # fmt: skip
def test_a_notebook_prints_what_it_shows(notebook: Path) -> None:
    if "numba" in notebook.read_text(encoding="utf-8") and not importlib.util.find_spec("numba"):
        pytest.skip("numba has no wheel for this Python")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(FOLDER / "run.py"), "--check", notebook.name],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_asks_one_question_shows_a_picture_and_answers(notebook: Path) -> None:
    found = cells(notebook)
    first, last = ("".join(each["source"]) for each in (found[0], found[-1]))
    assert first.startswith("# ")
    assert "?" in first.splitlines()[0]
    assert last.startswith("**")
    outputs = [out for cell in found for out in cell.get("outputs", [])]
    assert any("image/png" in out.get("data", {}) for out in outputs)
    assert not [out for out in outputs if out["output_type"] == "error"]
    assert notebook.stat().st_size < MOST_BYTES
    assert 3 <= sum(cell["cell_type"] == "code" for cell in found) <= 8
