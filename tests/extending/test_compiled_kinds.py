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

PARAMETRIC = """// Relaxed backfilling, with a parameter that no other file knows.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

const bool lenient_registered = backfill_registry().add({
    .name = "lenient",
    .doc = "The first job may be delayed by a share of its expected wait.",
    .reference = "",
    .parameters = {{.name = "tolerance",
                    .doc = "allowed delay as a share of the expected wait, at least 0",
                    .default_value = 0.0,
                    .minimum = 0.0,
                    .unit = "share of a wait"}},
    .reads = queue_and({"estimates"}),
    .reads_given = {},
    .works_on = {.pools = true},
    .plan = [](const Policy& policy, std::int64_t) -> PlanRule {
        const double share = parameter_of(policy, "tolerance");
        return {.reservations = 1, .relaxes = true, .relaxation = share};
    },
    .make = make_easy_planner<BackfillRule{.others_pass = true, .reserves = true, .relaxes = true}>,
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
lenient = starts(backfill={"name": "lenient", "tolerance": 0.5})
print(lenient == starts(backfill="relaxed") != starts(backfill="lenient"))
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


def test_a_backfill_and_an_order_are_one_file_and_a_parameter_is_one_more(tmp_path: Path) -> None:
    copied_project(tmp_path)
    (tmp_path / "src/core/planner/easy/eager.cpp").write_text(BACKFILL)
    (tmp_path / "src/core/planner/easy/lenient.cpp").write_text(PARAMETRIC)
    (tmp_path / "src/core/order/builtin/widest.cpp").write_text(ORDER)
    defaults = tmp_path / "src/pycore/slotwise/site/parts/defaults.toml"
    text = defaults.read_text(encoding="utf-8")
    line = "# relaxation = 0.5"
    assert text.count(line) == 1
    defaults.write_text(text.replace(line, f"# tolerance = 0.0\n{line}"), encoding="utf-8")
    assert touched(tmp_path / "src", ROOT / "src") == {
        "core/planner/easy/eager.cpp",
        "core/planner/easy/lenient.cpp",
        "pycore/slotwise/site/parts/defaults.toml",
        "core/order/builtin/widest.cpp",
    }
    built = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=tmp_path, env=os.environ | {"SLOTWISE_BUILD_PROGRESS": ""}, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    package = tmp_path / "src" / "pycore"
    assert run_python(package, "-c", REPLAY).splitlines() == ["True", "True", "True"]
    listed = run_slotwise(package, "policies")
    assert "eager" in listed
    assert "widest" in listed
    # The checks of the registered parameters and of the page of defaults accept the new parameter.
    checks = ("tests/extending/test_core_kinds.py", "tests/slotwise/site/toml/test_toml_writer.py")
    chosen = ("-k", "defaults and not limit", "-p", "no:cacheprovider", "-q", "-n", "0")
    run_python(package, "-m", "pytest", *(str(ROOT / check) for check in checks), *chosen)
