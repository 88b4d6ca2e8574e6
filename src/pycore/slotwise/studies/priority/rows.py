"""The rows of the study: the thesis's figures beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.formats.swf import read_swf
from slotwise.generators.kraken import kraken
from slotwise.studies.priority.formula_rows import formula_rows
from slotwise.studies.priority.log_rows import log_rows
from slotwise.studies.priority.refund_rows import refund_rows
from slotwise.studies.priority.sites import SITES
from slotwise.studies.priority.tuning_rows import tuning_rows

if TYPE_CHECKING:
    from slotwise.studies.row import Row
    from slotwise.studies.run import StudyRun
    from slotwise.trace import Trace

QUICK_JOBS = 32_000
"""Two weeks of the 47.5 days."""


def study_rows(run: StudyRun, log: str | None, site: str, trials: int | None) -> list[Row]:
    """Give every row; the arguments are the study's options.

    Raises
    ------
    ValueError
        For an unknown site, or fewer than 16 trials.
    """
    if site not in SITES:
        raise ValueError(f"site={site!r}: the study has {', '.join(SITES)}")
    if trials is None:
        trials = 64 if run.quick else 500
    if not isinstance(trials, int) or not 16 <= trials <= 10**6:
        raise ValueError(f"trials={trials!r}: give a whole number from 16 to 1,000,000")
    traces = [read_swf(log)] if log is not None else [kraken_log(run, seed) for seed in run.seeds]
    return [
        *formula_rows(run),
        *log_rows(run, traces, is_kraken=log is None),
        *tuning_rows(run, traces, site, trials, is_kraken=log is None),
        *refund_rows(run, traces[0]),
    ]


def kraken_log(run: StudyRun, seed: int) -> Trace:
    """Draw the log of a seed, in the size of the run."""
    return kraken(QUICK_JOBS if run.quick else None, seed=seed)
