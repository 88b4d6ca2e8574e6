"""The Kraken priority formula: gains for a user, and the best weights for a machine.

After M. D. Vanderlan, *Analyzing supercomputer utilization under queuing with a priority formula
and a strict backfill policy*, University of Tennessee 2011, here "the thesis".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.advice.checkpoints import Advice, best_checkpoint, daly, young
from slotwise.advice.refunds import Failures, RefundedJob, expected_loss
from slotwise.advice.weights.formula import (
    QueuedJob,
    Weights,
    catch_up,
    crossing,
    head_start,
    priority,
    priority_at_submit,
)
from slotwise.studies.registry import study

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slotwise.studies.row import Row
    from slotwise.studies.run import StudyRun

__all__ = [
    "Advice",
    "Failures",
    "QueuedJob",
    "RefundedJob",
    "Weights",
    "best_checkpoint",
    "catch_up",
    "crossing",
    "daly",
    "expected_loss",
    "head_start",
    "priority",
    "priority_at_submit",
    "young",
]


@study(
    "priority",
    paper="M. D. Vanderlan, Analyzing supercomputer utilization under queuing with a priority "
    "formula and a strict backfill policy, University of Tennessee 2011",
    seeds=3,
    quick_seeds=1,
    titles={
        "1": "priority points of the jobs in Figure 8",
        "figure 8": "start times under strict backfilling and the formula, minutes",
        "eq. 4": "extra wait that a job needs to tie with a larger job, minutes",
        "eq. 5": "time until a job with a shorter requested time catches up, minutes",
        "log": "the log, and its replays under the sites",
        "figure 2": "mean wait by cores, hours",
        "figure 4": "mean wait by requested time, hours",
        "figure 5": "mean error of requested times by run time, percent",
        "figure 12": "cores in use by day, as logged, or under the kraken site, percent",
        "figure 13": "cores in use by day under the thesis site, percent",
        "2": "the thesis's weights: utilisation of the first week, percent",
        "2, ours": "our best weights: utilisation of the weeks used in the search, percent",
        "gain": "best weights compared with Kraken's",
        "eqs. 7-9": "expected cost of a job, hours",
        "checkpoint": "the best checkpoint: hours until it is complete",
        "crashes": "a machine that crashes: core hours lost, as a share of all work, percent",
    },
)
def kraken_priority(
    run: StudyRun, *, log: str | None = None, site: str = "thesis", trials: int | None = None
) -> Iterable[Row]:
    """The Kraken priority formula: requests, weights, refunds and checkpoints.

    Parameters
    ----------
    log : str
        An SWF log to tune on. Default: for each seed, a generated log like Kraken's.
    site : {"thesis", "strict", "kraken"}
        The site's rules: first-fit (thesis), easy (strict), or easy with maintenance and at most
        five running jobs per user (kraken).
    trials : int
        Trials per search; 500 in the thesis. Default: 500, or 64 with --quick.
    """
    from slotwise.studies.priority.rows import study_rows

    return study_rows(run, log, site, trials)
