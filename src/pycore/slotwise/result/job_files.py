"""Jobs of a result as files: Batsim's csv, parquet and SWF."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import place
from slotwise.formats.job_files import kind_of, whole_file, write_csv, write_parquet
from slotwise.formats.swf import write_swf
from slotwise.replay.placements import node_columns
from slotwise.replay.reject_reason import RejectReason
from slotwise.replay.state import State
from slotwise.result.jobs import jobs_of

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData

_FINAL_STATES = {
    State.COMPLETED: "COMPLETED_SUCCESSFULLY",
    State.KILLED: "COMPLETED_WALLTIME_REACHED",
    State.REJECTED: "REJECTED",
    State.CANCELLED: "COMPLETED_KILLED",
    State.INTERRUPTED: "COMPLETED_KILLED",
    State.WAITING: "SUBMITTED",
    State.RUNNING: "RUNNING",
}


def write_jobs(result: ReplayData, path: str | os.PathLike[str]) -> None:
    """Write one row per job; the suffix of `path` chooses the format.

    Parameters
    ----------
    result : Result
        A replay.
    path : path-like
        ``.csv`` has the columns of Batsim's ``jobs.csv``, which evalys reads, see
        :func:`job_columns`; ``.parquet`` has the columns of ``result.jobs``; ``.swf`` and
        ``.swf.gz`` are SWF 2.2, whose field 3 is then the replayed wait.

    Raises
    ------
    ValueError
        For another suffix.
    MissingExtraError
        For parquet without pyarrow.

    References
    ----------
    Batsim, output of jobs: https://batsim.readthedocs.io/en/latest/output-jobs.html
    """
    kind = kind_of(path)
    with whole_file(path) as beside:
        if kind == ".csv":
            write_csv(job_columns(result), beside)
        elif kind == ".parquet":
            write_parquet(jobs_of(result), beside)
        else:
            write_swf(result, beside)


def write_jobs_as_csv(result: ReplayData, path: str | os.PathLike[str]) -> None:
    """Write one row per job as csv, whatever the name of the file."""
    with whole_file(path) as beside:
        write_csv(job_columns(result), beside)


def job_columns(result: ReplayData) -> dict[str, Any]:
    """Return a replay in the columns of Batsim's ``jobs.csv``.

    Times are seconds on the trace's clock. A job that never started has -1 in every time of its
    schedule. ``profile`` is the run time in the log; ``execution_time`` is the run time in the
    replay, which is less if the job was killed at its limit. ``stretch`` divides by at least one
    second. ``allocated_resources`` are intervals of processors, such as ``"0-3 7"``. The replay
    does not choose processors, so each job gets the lowest that are free at its start. On a torus
    they are the positions of its nodes, on nodes with several resources their numbers.
    ``consumed_energy`` is -1. After Batsim's columns come ``backfilled``, ``user`` and ``queue``
    (of the trace), then the names of ``site_queue``, ``pool`` and ``reject_reason``, empty for
    none.
    """
    trace = result.trace
    started = result.start >= 0
    execution = np.where(started, result.end - result.start, -1)
    turnaround = np.where(started, result.end - trace.submit, -1)
    n_jobs = len(trace)
    name = re.sub(r"(\.(swf|txt|csv|parquet))?(\.gz)?$", "", Path(trace.source).name) or "trace"
    state = np.asarray(result.state)
    return {
        "job_id": trace.job_id,
        "workload_name": np.full(n_jobs, name),
        "profile": trace.run_time,
        "submission_time": trace.submit,
        "requested_number_of_resources": trace.processors,
        "requested_time": trace.requested_time,
        "success": (state == 0).astype(np.uint8),
        "final_state": np.asarray([_FINAL_STATES[each] for each in State])[state],
        "starting_time": result.start,
        "execution_time": execution,
        "finish_time": result.end,
        "waiting_time": result.wait,
        "turnaround_time": turnaround,
        "stretch": np.where(started, turnaround / np.maximum(execution, 1), -1.0).round(6),
        "allocated_resources": np.array(_intervals(result), dtype=object),
        "consumed_energy": np.full(n_jobs, -1),
        "metadata": np.full(n_jobs, ""),
        "backfilled": np.asarray(result.backfilled).astype(np.uint8),
        "user": trace.user,
        "queue": trace.queue,
        "site_queue": _names_at(result.queue_names, result.queue),
        "pool": _names_at(result.pool_names, result.pool),
        "reject_reason": _names_at(
            [reason.name.lower() for reason in RejectReason if reason],
            result.reject_reason.astype(np.int64) - 1,
        ),
    }


def _names_at(names: Sequence[str], positions: NDArray[Any]) -> NDArray[np.object_]:
    """Return the name at each position, and an empty text for -1."""
    chosen: NDArray[np.object_] = np.array([*names, ""], dtype=object)[positions]
    return chosen


def _intervals(result: ReplayData) -> list[str]:
    """Write the processors of each job as Batsim does; empty for a job that ran for 0 s."""
    first: NDArray[np.int32]
    nodes = node_columns(result)
    if nodes is not None:
        count, first, end = nodes
        last = end - 1
        bounds = [0, *np.cumsum(count).tolist()]
    else:
        placed = place(result.start, result.end, result.trace.processors, result.processors)
        first = placed.first
        last = first + placed.count - 1
        bounds = placed.offset.tolist()
    pieces = [
        str(low) if low == high else f"{low}-{high}"
        for low, high in zip(first.tolist(), last.tolist(), strict=True)
    ]
    return [" ".join(pieces[a:b]) for a, b in itertools.pairwise(bounds)]
