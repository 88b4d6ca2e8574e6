"""Additions to the core, compiled in a copy of the sources and tested in replays.

These tests take minutes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from extending.additions import ADDITIONS
from extending.copies import ROOT, run_python, run_slotwise, touched

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

REPLAY = """
import slotwise as sw
trace = sw.generate("lublin", n_jobs=2000, processors=64, seed=3)
def starts(limits=None, **policy):
    site = sw.Site(64, policy=sw.Policy(**policy), limits=limits or sw.Limits())
    return sw.simulate(trace, site).start.tolist()
print(starts(backfill="eager") == starts(backfill="first-fit") != starts(backfill="none"))
lenient = starts(backfill={"name": "lenient", "tolerance": 0.5})
print(lenient == starts(backfill="relaxed") != starts(backfill="lenient"))
print(starts(order="widest") == starts(order="largest") != starts())
print(starts(sw.Limits(running_pairs=2)) == starts(sw.Limits(running=4)) != starts())
print(sw.simulate(trace).metrics()["share_started"])
sw.write_swf(trace, "log.swf")
"""


def copied_project(folder: Path) -> Path:
    """Copy the sources and the objects already compiled from them; return the copy of ``src``."""
    for name in ("pyproject.toml", "setup.py", "README.md", "src", "build_support", "build"):
        if (ROOT / name).is_dir():
            left_out = shutil.ignore_patterns("__pycache__", "sanitize*", "bdist*", "temp*", "lib*")
            shutil.copytree(ROOT / name, folder / name, ignore=left_out)
        else:
            shutil.copy2(ROOT / name, folder / name)
    return folder / "src"


def test_additions_of_all_kinds_work_together(tmp_path: Path) -> None:
    sources = copied_project(tmp_path)
    for addition in ADDITIONS.values():
        addition.apply(sources)
    files = {file for addition in ADDITIONS.values() for file in addition.files}
    assert touched(sources, ROOT / "src") == files
    built = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=tmp_path, env=os.environ | {"SLOTWISE_BUILD_PROGRESS": ""}, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    assert run_python(sources, "-c", REPLAY).splitlines() == ["True"] * 4 + ["1.0"]
    listed = run_slotwise(sources, "policies")
    assert "eager" in listed
    assert "widest" in listed
    assert "share started" in run_slotwise(sources, "run", "log.swf", "--columns", "share_started")
    # The tests of parameters and their defaults also pass with the new parameter.
    checks = ("tests/extending/test_core_kinds.py", "tests/slotwise/site/toml/test_toml_writer.py")
    chosen = ("-k", "defaults and not limit", "-p", "no:cacheprovider", "-q", "-n", "0")
    run_python(sources, "-m", "pytest", *(str(ROOT / check) for check in checks), *chosen)
