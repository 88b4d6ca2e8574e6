"""Additions to the core, compiled in a copy of the sources and replayed; takes minutes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from extending.copies import ROOT, run_python, run_slotwise, touched

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

BACKFILL = """// Greedy, under a name that no other file knows.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

const bool eager_registered = backfill_registry().add({
    .name = "eager",
    .doc = "Every job that fits starts, in order.",
    .reference = "",
    .parameters = {},
    .reads = queue_and({"backfill_order"}),
    .reads_given = {},
    .works_on = {.pools = true, .torus = true, .intervals = true, .nodes = true, .stepping = true},
    .plan = [](const Policy&, std::int64_t) -> PlanRule { return {}; },
    .make =
        make_easy_planner<BackfillRule{.others_pass = true, .reserves = false, .relaxes = false}>,
});

} // namespace

} // namespace slotwise
"""

ORDER = """// Most processors first.
#include "order/formula_order.hpp"

namespace slotwise {

namespace {

double widest_score(const ReplayJobs& jobs, JobId job, Time) {
    return static_cast<double>(jobs.processors[job]);
}

const bool widest_registered = order_registry().add({
    .name = "widest",
    .doc = "Most processors first.",
    .reference = "",
    .parameters = {},
    .make = make_formula_order<widest_score>,
});

} // namespace

} // namespace slotwise
"""

REPLAY = """
import slotwise as sw
trace = sw.generate("lublin", n_jobs=2000, processors=64, seed=3)
def starts(**policy):
    return sw.simulate(trace, sw.Site(64, policy=sw.Policy(**policy))).start.tolist()
print(starts(backfill="eager") == starts(backfill="first-fit") != starts(backfill="none"))
print(starts(order="widest") == starts(order="largest") != starts())
"""


def copied_project(folder: Path) -> None:
    """Copy the sources and the objects already compiled from them."""
    for name in ("pyproject.toml", "setup.py", "README.md", "src", "build_support", "build"):
        if (ROOT / name).is_dir():
            left_out = shutil.ignore_patterns("__pycache__", "sanitize*", "bdist*", "temp*", "lib*")
            shutil.copytree(ROOT / name, folder / name, ignore=left_out)
        else:
            shutil.copy2(ROOT / name, folder / name)


def test_a_backfill_and_an_order_are_one_file_each(tmp_path: Path) -> None:
    copied_project(tmp_path)
    (tmp_path / "src/core/planner/easy/eager.cpp").write_text(BACKFILL)
    (tmp_path / "src/core/order/builtin/widest.cpp").write_text(ORDER)
    assert touched(tmp_path / "src", ROOT / "src") == {
        "core/planner/easy/eager.cpp",
        "core/order/builtin/widest.cpp",
    }
    built = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=tmp_path, env=os.environ | {"SLOTWISE_BUILD_PROGRESS": ""}, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    package = tmp_path / "src" / "pycore"
    assert run_python(package, "-c", REPLAY).splitlines() == ["True", "True"]
    listed = run_slotwise(package, "policies")
    assert "eager" in listed
    assert "widest" in listed
