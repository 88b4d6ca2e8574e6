"""Figures printed in the paper (Tables 4 and 5, sections 4.1 and 4.2)."""

from __future__ import annotations

PAPER = (
    "A. Bartolini, A. Borghesi, T. Bridi, M. Lombardi, M. Milano, Proactive workload dispatching "
    "on the EURORA supercomputer, CP 2014"
)

QUEUE_TIMES = {
    "MKS": (187.14, 4.77, 161.81, 0.01),
    "MKS WT/NL": (165.98, 0.10, 160.04, 0.01),
    "NL": (722.04, 2.30, 316.92, 369.14),
    "NL MKS/WT": (201.32, 0.31, 145.59, 18.99),
    "WT": (662.18, 2.16, 203.50, 446.34),
    "WT MKS/NL": (861.81, 0.76, 278.60, 572.29),
    "PBS": (6840.81, 17.34, 2825.05, 3600.40),
}
"""Table 4: average queue time in seconds; the columns are those of `QUEUE_COLUMNS`.

Apart from minor queues, the queue columns add up to the first column. They are therefore the
queues' contributions to the mean over all jobs.
"""

QUEUE_COLUMNS = ("all", "debug", "parallel", "longpar")

LOADS = {
    "MKS": (678.81, 45.21, 3.99, 66.0, 121.68),
    "MKS WT/NL": (701.92, 45.61, 3.99, 68.0, 121.92),
    "NL": (614.75, 45.89, 3.99, 60.0, 116.58),
    "NL MKS/WT": (670.75, 45.00, 3.99, 65.0, 121.21),
    "WT": (671.41, 47.67, 3.98, 66.0, 120.50),
    "WT MKS/NL": (620.45, 41.72, 3.99, 61.0, 119.07),
    "PBS": (447.98, 29.16, 0.33, 46.0, 63.04),
}
"""Table 5: averages of the resources in use and of running jobs, as in `LOAD_COLUMNS`.

The paper prints 46 % for PBS, although 447.98 of 1,024 is 43.7 %.
"""

LOAD_COLUMNS = ("cores", "GPUs", "MICs", "cores (%)", "jobs")

IN_THE_TEXT = {
    (2, "MKS WT/NL", "GPUs"): 63.0,
    (3, "MKS WT/NL", "cores (%)"): 85.0,
    (3, "PBS", "cores (%)"): 55.0,
}
"""Figures from section 4.2, by batch, model and column.

The paper gives the 63 as "higher than 63".
"""

BEST = "MKS WT/NL"
"""The model that the paper chooses for its comparison on all batches."""
