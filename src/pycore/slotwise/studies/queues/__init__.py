"""Adaptive hybrid queues: partitions, queues and a common pool based on last month's log."""

from __future__ import annotations

from slotwise.studies import Row, StudyRun, study


@study(
    "queues",
    paper="V. Kondameedi, S. Vadhiyar, Adaptive hybrid queue configuration for supercomputer "
    "systems",
    seeds=3,
    quick_seeds=1,
    titles={
        "claims": "percent by which one strategy is better than another",
        "claims as printed": "percent by which one strategy is better than another, for the first "
        "seed and the merging rule as printed in the paper",
        "months": "mean wait in hours, bounded slowdown, utilisation",
        "programs": "the surrogate of phase 1: fit and prediction",
        "sensitivity": "mean wait in hours over all months except January",
        "figure 1": "mean wait in hours of each queue on its own, by processors",
        "figure 2": "utilisation of each queue on its own, by processors",
        "figure 4": "CPU hours per day",
        "figure 5": "CPU hours per month",
        "figure 6": "CPU hours per ten days",
        "figure 7": "mean wait in hours, dynamic partitions",
        "figure 8": "utilisation, dynamic partitions",
        "figure 9": "mean wait in hours, hybrid",
        "figure 10": "bounded slowdown, hybrid",
        "figure 11": "utilisation, hybrid",
        "figure 12": "mean wait in hours, multiple-queue backfilling",
        "figure 13": "utilisation, multiple-queue backfilling",
    },
    across={
        "months": "metric",
        **{f"figure {k}": "queue" for k in (4, 5, 6)},
        **{f"figure {k}": "strategy" for k in range(7, 14)},
        "claims": "measure",
        "claims as printed": "measure",
        "sensitivity": "strategy",
        "programs": "figure",
    },
    every={"figure 1": 5, "figure 2": 5, "figure 4": 10},
)
def queues(
    run: StudyRun,
    *,
    workload: str = "serc",
    load: float | None = None,
    months: int | None = None,
    carry: bool = False,
    sensitivity: bool = False,
    traces: str | None = None,
) -> list[Row]:
    """Adaptive hybrid queues: partitions, queues and a common pool derived from last month's log.

    Parameters
    ----------
    workload : str
        serc, generated like the paper's workload; curie or blue, two real logs with derived
        queues; or the path of a log. For a real log, the seeds affect only the sampling of
        partition sizes.
    load : float, optional
        Load of the serc workload, as in slotwise generate serc.
    months : int, optional
        Number of months; later months are left out. Default: all, or four with --quick.
    carry : bool
        Carry running and waiting jobs over from one month to the next. Otherwise, every month
        begins with an empty machine.
    sensitivity : bool
        Repeat the evaluation for the first seed, changing one of this study's own choices at a
        time. Also apply the paper's merge condition as printed, and compare the results with the
        paper's.
    traces : str, optional
        Folder with the real logs. Default: see docs/studies/index.md.
    """
    from slotwise.studies.queues.study import run_queues

    return run_queues(run, workload, load, months, carry, sensitivity, traces)
