"""Draws many jobs, which must start on one-core nodes at the same times as on plain processors."""

from __future__ import annotations

from typing import Any

import slotwise as sw
from reference.workloads import crowd

BACKFILLS: list[Any] = [
    "none",
    "first-fit",
    "easy",
    {"name": "relaxed", "relaxation": 0.3},
    "multiple-queue",
    {"name": "depth", "depth": 3},
    "replan",
    "conservative",
]
JOBS = crowd(5).jobs
LARGEST = max(job.processors for job in JOBS)


def trace_of(jobs: Any, **columns: Any) -> sw.Trace:
    return sw.Trace.from_columns(
        [job.submit for job in jobs],
        [job.run_time for job in jobs],
        [job.processors for job in jobs],
        [job.requested_time for job in jobs],
        user=[job.position % 7 for job in jobs],
        group=[job.position % 3 for job in jobs],
        queue=[job.position % 4 for job in jobs],
        **columns,
    )


TRACE = trace_of(JOBS)
CHAINED = trace_of(
    JOBS,
    job_id=[job.position + 1 for job in JOBS],
    preceding_job=[job.position - 2 if job.position % 5 == 4 else -1 for job in JOBS],
    think_time=[job.position % 50 for job in JOBS],
)


def one_core_nodes(n: int) -> sw.Nodes:
    return sw.Nodes([sw.NodeType(count=n, cores=1)])
