"""Writes the jobs of a result to files: SWF, parquet, or csv with the columns of Batsim."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import chart_positions
from slotwise.errors import TraceError
from slotwise.formats.csv_values import Intervals, Words
from slotwise.formats.job_files import kind_of, whole_file, write_csv, write_parquet
from slotwise.formats.swf import write_swf
from slotwise.replay.metrics import timeline_of
from slotwise.replay.placements import node_columns
from slotwise.replay.reject_reason import RejectReason
from slotwise.replay.replay_data import ReplayData
from slotwise.replay.state import State
from slotwise.result.baseline import schedule_in
from slotwise.result.jobs import jobs_of
from slotwise.site import Site
from slotwise.site.machine.hostlist import folded
from slotwise.site.machine.nodes import Nodes
from slotwise.trace.labels import words_in_order

if TYPE_CHECKING:
    import os

    from slotwise.trace import Trace

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
    """Write one row per job; the suffix of `path` selects the format.

    Parameters
    ----------
    result : Result
        A replay.
    path : path-like
        ``.csv`` has the columns of Batsim's ``jobs.csv``, which evalys reads (see
        :func:`job_columns`). ``.parquet`` has the columns of ``result.jobs``. ``.swf`` and
        ``.swf.gz`` are SWF 2.2, with the wait in the replay as field 3.

    Raises
    ------
    ValueError
        For any other suffix.
    MissingExtraError
        For parquet without pyarrow.

    References
    ----------
    Batsim, output of jobs: https://batsim.readthedocs.io/en/latest/output-jobs.html
    """
    kind = kind_of(path)
    with whole_file(path) as beside:
        if kind == ".csv":
            write_csv(_written_columns(result), beside)
        elif kind == ".parquet":
            write_parquet(jobs_of(result), beside)
        else:
            write_swf(result, beside)


def write_jobs_as_csv(result: ReplayData, path: str | os.PathLike[str]) -> None:
    """Write one row per job as csv, whatever the suffix of `path`."""
    with whole_file(path) as beside:
        write_csv(_written_columns(result), beside)


def write_jobs_as_parquet(result: ReplayData, path: str | os.PathLike[str]) -> None:
    """Write the columns of ``result.jobs`` as parquet, whatever the suffix of `path`."""
    with whole_file(path) as beside:
        write_parquet(jobs_of(result), beside)


def write_logged_jobs(trace: Trace, path: str | os.PathLike[str]) -> None:
    """Write the schedule in a log as the ``jobs.csv`` of Batsim and evalys.

    The columns are those of `job_columns`, except the ones that only a replay can fill. States are
    the log's: completed, failed or killed; jobs without a start are rejected. The machine has the
    size stated in the log, or a larger one if more processors were in use at once.

    Raises
    ------
    TraceError
        For a log without starts.
    """
    schedule = schedule_in(trace)
    if schedule is None:
        raise TraceError(
            "no job has a logged start, but a jobs.csv needs one; replay the log with slotwise run "
            "--jobs instead",
            path=trace.source,
        )
    peak = timeline_of(ReplayData(trace, Site(2**31 - 1), schedule, 2**31 - 1, 0.0))
    size = max(trace.max_processors or 1, int(peak["busy_processors"].max(initial=1)))
    columns = _written_columns(ReplayData(trace, Site(size), schedule, size, 0.0))
    started = schedule.start >= 0
    state = np.select([~started, trace.status == 0, trace.status == 5], [3, 1, 2], 0)
    columns["success"] = (state == 0).astype(np.uint8)
    columns["final_state"] = Words(
        state.astype(np.int32),
        ["COMPLETED_SUCCESSFULLY", "COMPLETED_FAILED", "COMPLETED_KILLED", "REJECTED"],
    )
    columns["consumed_energy"] = trace.energy
    for own in ("backfilled", "site_queue", "pool", "reject_reason"):
        del columns[own]
    with whole_file(path) as beside:
        write_csv(columns, beside)


def job_columns(result: ReplayData) -> dict[str, Any]:
    """Return a replay in the columns of Batsim's ``jobs.csv``.

    Times are seconds on the trace's clock. For a job that never started, start, end, wait and
    stretch are -1. ``profile`` is the run time in the log. ``execution_time`` is the run time in
    the replay, which is less if the job was killed at its limit. For ``stretch``, run times below
    one second count as one second. ``consumed_energy`` is -1.

    ``allocated_resources`` are intervals of processors, such as ``"0-3 7"``. The replay does not
    choose processors. `chart_positions` chooses them afterwards: the smallest free interval in
    which a job fits or, if there is none, several intervals. On a torus, the intervals contain
    positions of nodes; on a machine with nodes, they contain node numbers.

    After Batsim's columns come ``backfilled``, and ``user`` and ``queue`` from the trace. The
    columns ``site_queue``, ``pool`` and ``reject_reason`` contain names; an empty string means
    none. The last columns are ``partition``, ``account``, ``qos``, ``array_id`` and ``array_task``,
    if the trace has them, and ``allocated_nodes``, the names of the job's nodes, if they have any.
    """
    return {
        name: column.texts() if isinstance(column, Words | Intervals) else column
        for name, column in _written_columns(result).items()
    }


def _written_columns(result: ReplayData) -> dict[str, Any]:
    """Return the columns of `job_columns`, with codes instead of strings for faster writing."""
    trace = result.trace
    started = result.start >= 0
    execution = np.where(started, result.end - result.start, -1)
    turnaround = np.where(started, result.end - trace.submit, -1)
    n_jobs = len(trace)
    none = np.zeros(n_jobs, dtype=np.int32)
    name = re.sub(r"(\.(swf|txt|csv|parquet))?(\.gz)?$", "", Path(trace.source).name) or "trace"
    state = np.asarray(result.state)
    return {
        "job_id": trace.job_id,
        "workload_name": Words(none, [name]),
        "profile": trace.run_time,
        "submission_time": trace.submit,
        "requested_number_of_resources": trace.processors,
        "requested_time": result.requested_time,
        "success": (state == 0).astype(np.uint8),
        "final_state": Words(state, [_FINAL_STATES[each] for each in State]),
        "starting_time": result.start,
        "execution_time": execution,
        "finish_time": result.end,
        "waiting_time": result.wait,
        "turnaround_time": turnaround,
        "stretch": np.where(started, turnaround / np.maximum(execution, 1), -1.0).round(6),
        "allocated_resources": _intervals(result),
        "consumed_energy": np.full(n_jobs, -1),
        "metadata": Words(none, [""]),
        "backfilled": np.asarray(result.backfilled).astype(np.uint8),
        "user": _named(trace, "user"),
        "queue": _named(trace, "queue"),
        "site_queue": Words(result.queue, result.queue_names),
        "pool": Words(result.pool, result.pool_names),
        "reject_reason": Words(
            result.reject_reason.astype(np.int32) - 1,
            [reason.name.lower() for reason in RejectReason if reason],
        ),
        **_further(result),
    }


def _further(result: ReplayData) -> dict[str, Any]:
    """Return the columns that only some traces and machines have."""
    trace = result.trace
    found = {}
    for name in ("partition", "account", "qos", "array_id", "array_task"):
        if (np.asarray(getattr(trace, name)) >= 0).any():
            found[name] = _named(trace, name)
    names = _node_names(result)
    return found if names is None else {**found, "allocated_nodes": names}


def _node_names(result: ReplayData) -> Words | None:
    """Return the names of each job's nodes; None on a machine whose nodes have no names."""
    machine, nodes = result.site.machine, node_columns(result)
    if nodes is None or not isinstance(machine, Nodes):
        return None
    names = machine.names
    words: dict[tuple[tuple[int, int], ...], int] = {}
    ends = np.cumsum(nodes[0]).tolist()
    intervals = list(zip(nodes[1].tolist(), nodes[2].tolist(), strict=True))
    codes, begin = np.full(len(ends), -1, dtype=np.int32), 0
    for row, end in enumerate(ends):
        if end > begin:
            codes[row] = words.setdefault(tuple(intervals[begin:end]), len(words))
        begin = end
    chosen = ([name for span in spans for name in names[slice(*span)]] for spans in words)
    texts = [each[0] if len(each) == 1 else folded(each) for each in chosen]
    return Words(codes, texts)


def _named(trace: Trace, column: str) -> Any:
    """Return a column of the trace: names if the log has them, otherwise codes."""
    codes = getattr(trace, column)
    words = trace.labels.get(column)
    return Words(codes, words_in_order(words)) if words else codes


def _intervals(result: ReplayData) -> Intervals:
    """Return the nodes of each job or, on a machine without nodes, its processors."""
    nodes = node_columns(result)
    if nodes is not None:
        count, first, end = nodes
        offset = np.concatenate([np.zeros(1, np.int64), np.cumsum(count)])
        return Intervals(first, end - 1, offset)
    placed = chart_positions(result.start, result.end, result.trace.processors, result.processors)
    return Intervals(placed.first, placed.first + placed.count - 1, placed.offset)
