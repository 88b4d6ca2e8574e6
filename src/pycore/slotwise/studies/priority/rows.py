"""The rows of the study: the thesis's figures next to ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.studies.priority.formula_rows import formula_rows
from slotwise.studies.priority.log_rows import log_rows
from slotwise.studies.priority.refund_rows import refund_rows
from slotwise.studies.priority.sites import SITES
from slotwise.studies.priority.tuning_rows import tuning_rows
from slotwise.studies.priority.workloads import logs_of

if TYPE_CHECKING:
    from slotwise.studies.row import Row
    from slotwise.studies.run import StudyRun


def study_rows(run: StudyRun, log: str | None, site: str, trials: int | None) -> list[Row]:
    """Return every row; the arguments are the study's options.

    Raises
    ------
    ValueError
        For an unknown site, or fewer than 16 trials.
    """
    if site not in SITES:
        raise ValueError(f"site={site!r}: choose one of: {', '.join(SITES)}")
    if trials is None:
        trials = 64 if run.quick else 500
    if not isinstance(trials, int) or not 16 <= trials <= 10**6:
        raise ValueError(f"trials={trials!r}: use a whole number from 16 to 1,000,000")
    traces = logs_of(run, log)
    return [
        *formula_rows(run),
        *log_rows(run, traces, is_kraken=log is None),
        *tuning_rows(run, traces, site, trials, is_kraken=log is None),
        *refund_rows(run, traces[0]),
    ]
