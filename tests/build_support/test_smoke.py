"""Smoke test of a wheel, in an environment without any extras."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from slotwise.extras import EXTRAS

SMOKE = Path(__file__).resolve().parents[2] / "build_support" / "smoke.py"
WITHOUT_EXTRAS = """
import importlib.abc, runpy, sys

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
runpy.run_path({smoke!r})["import_all"]()
"""


def test_the_smoke_imports_nothing_that_needs_an_extra() -> None:
    missing = {*EXTRAS, "typer", "rich"}
    program = WITHOUT_EXTRAS.format(missing=missing, smoke=str(SMOKE))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
