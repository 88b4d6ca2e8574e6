"""Example additions, one of each kind, as edits to the sources; tests count the files touched.

`tests/house/report.py` prints the counts. The tests in this folder apply the additions to a copy.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

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
    .works_on = {.pools = true, .torus = true, .intervals = true, .nodes = true},
    .plan = [](const Policy&, std::int64_t) -> PlanRule { return {}; },
    .make =
        make_easy_planner<HeadRule{.others_pass = true, .reserves = false, .relaxes = false}>,
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
    .make = make_easy_planner<HeadRule{.others_pass = true, .reserves = true, .relaxes = true}>,
});

} // namespace

} // namespace slotwise
"""

STUDY = '''"""The study `echo`: a number said again."""

from __future__ import annotations

from slotwise.studies import Row, StudyRun, study


@study("echo", paper="N. Body, \\"Echoes\\", 2020", titles={"1": "what was said"})
def echo(run: StudyRun, *, said: int = 7) -> list[Row]:
    """Say a number again.

    Parameters
    ----------
    said : int
        The number.
    """
    return [Row("1", {"of": "said"}, said, None)]
'''

PROFILE = """
name = "harvest"
title = "Jobs of an own accounting"
evidence = "real files"

[text]
delimiter = ";"

[sniff]
header = ["ticket", "queued"]

[columns]
job_id = "ticket"
submit = "queued"
start = "began"
run_time = { from = "minutes", unit = "min" }
processors = "cores"
user = "who"
"""

SIGNATURE = '''"""``slotwise greet``."""


def greet(name: str) -> None:
    """Greet NAME."""
    from slotwise.cli.commands.greet import show_greeting

    show_greeting(name)
'''

COMMAND = '''"""``slotwise greet``."""

from slotwise.terminal import screen


def show_greeting(name: str) -> None:
    screen.stdout().print(f"Hello, {name}.")
'''


@dataclass(frozen=True)
class Addition:
    """Edits below ``src`` that add one part.

    Attributes
    ----------
    most : int
        Maximum number of files (for a study, of folders) that the addition may touch.
    new : dict of str to str
        Text of each new file.
    changes : dict of str to tuple of (str, str)
        Replacements in existing files. Each old text occurs exactly once in its file.
    """

    most: int
    new: dict[str, str] = field(default_factory=dict)
    changes: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    @property
    def files(self) -> set[str]:
        return {*self.new, *self.changes}

    def apply(self, sources: Path) -> None:
        """Make the addition in a copy of the sources."""
        for name, text in self.new.items():
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            (sources / name).write_text(text, encoding="utf-8")
        for name, replacements in self.changes.items():
            text = (sources / name).read_text(encoding="utf-8")
            for old, new in replacements:
                assert text.count(old) == 1, (name, old)
                text = text.replace(old, new)
            (sources / name).write_text(text, encoding="utf-8")


PACKAGE = "pycore/slotwise"
DEFAULTS = f"{PACKAGE}/site/parts/defaults.toml"

ADDITIONS = {
    "an order": Addition(1, {"core/order/builtin/widest.cpp": ORDER}),
    "a backfill": Addition(1, {"core/planner/easy/eager.cpp": BACKFILL}),
    "a backfill with a new parameter": Addition(
        2,
        {"core/planner/easy/lenient.cpp": PARAMETRIC},
        {DEFAULTS: (("# relaxation = 0.5", "# tolerance = 0.0\n# relaxation = 0.5"),)},
    ),
    # A limit that counts pairs of running jobs.
    "a limit": Addition(
        4,
        changes={
            "core/site/limits.hpp": (
                (
                    "    std::vector<AmountLimit> amounts; //",
                    "    std::int64_t running_pairs = kNoLimit;\n"
                    "    std::vector<AmountLimit> amounts; //",
                ),
                ("queued_jobs, submitted_jobs };", "queued_jobs, submitted_jobs, pairs };"),
                (
                    "inline constexpr std::array kLimits{\n",
                    "inline constexpr std::array kLimits{\n"
                    '    LimitInfo{"running_pairs", &Limits::running_pairs, LimitScope::all,\n'
                    "              LimitCounted::pairs},\n",
                ),
            ),
            "core/admission/limit_counts.cpp": (
                (
                    "    for (const AmountLimit& limit : limits.amounts) {\n"
                    "        Bound& bound = bounds_",
                    "    if (limits.running_pairs != kNoLimit)\n"
                    "        bounds_[0].running = 2 * limits.running_pairs;\n"
                    "    for (const AmountLimit& limit : limits.amounts) {\n"
                    "        Bound& bound = bounds_",
                ),
            ),
            f"{PACKAGE}/site/parts/limits.py": (
                ("COUNT_READERS = {\n", 'COUNT_READERS = {\n    "running_pairs": _JOBS,\n'),
                (
                    "    running: int | None = None\n",
                    "    running: int | None = None\n    running_pairs: int | None = None\n",
                ),
            ),
            DEFAULTS: tuple(
                (line, f"{lead}running_pairs = 50 # pairs of jobs at a time\n{line}")
                for lead, line in (
                    ("# # ", "# # processors_in_use = 512 "),
                    ("# ", "# processors_in_use = 1024        #"),
                    ("# # ", "# # processors_in_use = 1024       #"),
                )
            ),
        },
    ),
    "a metric": Addition(
        2,
        changes={
            "core/metrics/metrics.cpp": (
                (
                    '    add("n_rejected", sample.rejected);\n',
                    '    out.push_back({"share_started",\n'
                    "                   ratio(WideInt(sample.ran.size()), sample.jobs)});\n"
                    '    add("n_rejected", sample.rejected);\n',
                ),
            ),
            f"{PACKAGE}/replay/metric_format.py": (
                (
                    '    "n_rejected": ',
                    '    "share_started": _Single("Jobs", text.percent, 1),\n    "n_rejected": ',
                ),
            ),
        },
    ),
    "a subcommand": Addition(
        2,
        {
            f"{PACKAGE}/cli/commands/greet.py": COMMAND,
            f"{PACKAGE}/cli/signatures/greet.py": SIGNATURE,
        },
    ),
    "a log format": Addition(1, {f"{PACKAGE}/formats/profiles/harvest.toml": PROFILE}),
    "a study": Addition(1, {f"{PACKAGE}/studies/echo/__init__.py": STUDY}),
}
"""An example addition of each kind; each touches at most `most` files."""
