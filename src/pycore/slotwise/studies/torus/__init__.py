"""Window-based locality-aware scheduling on a torus, against FCFS + EASY."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.studies.registry import study
from slotwise.studies.torus.table_names import LOADS, TABLES, WITH_BACKFILLING, table_name

if TYPE_CHECKING:
    from slotwise.studies.row import Row
    from slotwise.studies.run import StudyRun

TITLES = {
    "all stretches": "improvement on successive parts of the SDSC-BLUE log, percent",
    "readings": "improvement under other readings of the paper's text, percent",
    "loads": "improvement by load, percent",
    "widest jobs": "additional wait of the widest tenth of the jobs, percent",
    "window sizes": "improvement by window size, percent",
    "whole logs": "improvement on whole logs, percent",
    "allocations": "improvement of FCFS + EASY by other choices of nodes, percent",
    "orders and shapes": "mean distance between a job's nodes, hops; improvement in response if "
    "run times grow with the distance, percent",
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
    """Window-based locality-aware scheduling on a torus, compared with FCFS + EASY.

    Parameters
    ----------
    traces : str, optional
        Folder with the logs SDSC-BLUE-2000-4.2-cln.swf.gz and anl-intrepid-3000jobs.txt. Default:
        see docs/studies/index.md.
    """
    from slotwise.studies.torus.study import experiment

    return experiment(run, traces)
