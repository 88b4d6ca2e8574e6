"""Window-based locality-aware scheduling on a torus, against FCFS + EASY."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.studies.registry import study

if TYPE_CHECKING:
    from slotwise.studies.row import Row
    from slotwise.studies.run import StudyRun

TABLES = {
    "I": ("sdsc-blue", "utilisation"),
    "II": ("sdsc-blue", "wait"),
    "III": ("sdsc-blue", "response"),
    "IV": ("anl-intrepid", "utilisation"),
    "V": ("anl-intrepid", "wait"),
    "VI": ("anl-intrepid", "response"),
}
"""Trace and metric of the paper's tables."""

WITH_BACKFILLING = "with backfilling"
LOADS = {"load 0.7": 0.7, "load 0.85": 0.85}
"""Variants of the tables: jobs behind the window start too, and held ones have nodes reserved;
other loads with only the paper's sizes."""

TITLES = {
    "all stretches": "improvement over the stretches of SDSC-BLUE, percent",
    "readings": "improvement where the paper's text can be read otherwise, percent",
    "loads": "improvement by load, percent",
    "widest jobs": "how much longer the widest tenth of the jobs waits, percent",
    "window sizes": "improvement by size of the window, percent",
    "whole logs": "improvement on whole logs, percent",
    "allocations": "FCFS + EASY that chooses its nodes over FCFS + EASY, percent",
    "orders and shapes": "mean distance between the nodes of a job, hops; response where "
    "run times grow with it, percent better than FCFS + EASY",
}
ACROSS = {
    "all stretches": "statistic",
    "readings": "metric",
    "loads": "load",
    "window sizes": "window",
    "whole logs": "metric",
    "allocations": "metric",
    "orders and shapes": "order",
}


def table_name(number: str, variant: str = "") -> str:
    """Name a table of the paper, or the same table under a variant."""
    return f"{number}, {variant}" if variant else number


for _number, (_trace, _metric) in TABLES.items():
    for _variant in ("", WITH_BACKFILLING, *(LOADS if _trace == "anl-intrepid" else ())):
        TITLES[table_name(_number, _variant)] = (
            f"{_metric} of {_trace}, window of 5 jobs over FCFS + EASY, percent better"
        )
        ACROSS[table_name(_number, _variant)] = "alpha"


@study(
    "torus",
    paper="X. Yang, Z. Zhou, W. Tang, X. Zheng, J. Wang, Z. Lan, Balancing Job Performance with "
    "System Performance via Locality-Aware Scheduling on Torus-Connected Systems, CLUSTER 2014",
    seeds=5,
    quick_seeds=2,
    titles=TITLES,
    across=ACROSS,
)
def torus(run: StudyRun, *, traces: str | None = None) -> list[Row]:
    """Window-based locality-aware scheduling on a torus against FCFS + EASY.

    Parameters
    ----------
    traces : str, optional
        Folder of the logs SDSC-BLUE-2000-4.2-cln.swf.gz and anl-intrepid-3000jobs.txt. Default: see
        docs/studies/index.md.
    """
    from slotwise.studies.torus.study import experiment

    return experiment(run, traces)
