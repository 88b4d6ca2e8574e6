"""Explanation of the wait of one job in a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import JobTable
from slotwise._numbers import whole
from slotwise.errors import ReplayError
from slotwise.explain.dependencies import never_met
from slotwise.explain.explanation import Blocker, Explanation
from slotwise.explain.node_reasons import NodeWait
from slotwise.explain.overtaking import overtaken_by
from slotwise.explain.priorities import priorities
from slotwise.explain.reasons import Wait
from slotwise.explain.site_core import core_of
from slotwise.explain.slurm_reasons import SlurmWait
from slotwise.explain.torus_reasons import TorusWait, is_contiguous
from slotwise.replay.job_fields import OPTIONAL, job_fields, job_number
from slotwise.replay.part_limits import exceeded_part_limits, limit_in_words
from slotwise.replay.reject_reason import RejectReason
from slotwise.replay.rejections import rejection_of
from slotwise.replay.run import run, stepped
from slotwise.replay.state import State
from slotwise.site.machine.nodes import Nodes
from slotwise.site.policy.backfill_facts import name_of
from slotwise.site.policy.external import External
from slotwise.trace import Trace
from slotwise.trace.demands import Demands
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.explain.run_intervals import RunIntervals
    from slotwise.replay.replay_data import ReplayData

    Int64 = NDArray[np.int64]
    Floats = NDArray[np.float64]

_OF_A_JOB = ("processors", "requested_time", "has_request", "submit", *OPTIONAL)
"""Fields of a job that `Simulation.estimate_start` needs."""


def explain(result: ReplayData, job_id: int, *, row: int | None = None) -> Explanation:
    """Explain the wait of one job; see `Result.explain`."""
    job = row_of(result.trace, job_id) if row is None else whole(row)
    if job is None or not 0 <= job < len(result):
        raise ValueError(f"row is {row!r}; it must be from 0 to {len(result) - 1}")
    if result.start[job] < 0:
        raise ValueError(f"job {result.trace.job_id[job]} {_why_not_started(result, job)}")
    on_nodes = isinstance(result.site.machine, Nodes)
    wait = _wait(result, job, on_nodes=on_nodes)
    blockers = _blockers(wait)
    by_user: dict[int, float] = {}
    for blocker in blockers:
        by_user[blocker.user] = by_user.get(blocker.user, 0.0) + blocker.processor_seconds
    return Explanation(
        job=job,
        job_id=int(result.trace.job_id[job]),
        submit=wait.submit,
        start=wait.start,
        parts=wait.parts(),
        blockers=tuple(blockers),
        by_user=dict(sorted(by_user.items(), key=lambda item: -item[1])),
        limits=wait.held_by(),
        dependencies=wait.waited_for(),
        alone=_alone(result, job),
        overtaken_by=overtaken_by(result, job),
        estimated_start=(_start_predicted_on_nodes if on_nodes else _estimated_start)(result, job),
        resources=wait.resources(),
        plans=wait.plans(),
        priorities=priorities(result, job, wait.planned_from()),
    )


def _wait(result: ReplayData, job: int, *, on_nodes: bool) -> Wait:
    """Return the job's `Wait`; its class depends on the machine and the backfill rule."""
    if on_nodes and name_of(getattr(result.site.policy, "backfill", "")) == "slurm":
        return SlurmWait(result, job)
    if on_nodes:
        return NodeWait(result, job)
    return TorusWait(result, job) if is_contiguous(result) else Wait(result, job)


def _why_not_started(result: ReplayData, job: int) -> str:
    state = State(int(result.state[job]))
    if state is State.REJECTED:
        reason = RejectReason(int(result.reject_reason[job]))
        why = rejection_of(result.trace, result.site, job, reason, int(result.queue[job]))
        return f"never started (rejected: {why}); nothing to explain"
    if state is not State.WAITING:
        return f"never started ({state.name.lower()}); nothing to explain"
    if why := never_met(result, core_of(result), job):
        return f"never starts: its dependency {why}; correct the dependency or leave it out"
    if limit := int(exceeded_part_limits(result.trace, result.site, result.processors)[job]):
        why = limit_in_words(result.trace, result.site, job, limit, int(result.queue[job]))
        return f'never starts: {why}; enforce_part_limits = "all" rejects such jobs'
    return (
        "has not started yet, and only a finished wait can be explained; run a copy of the "
        "simulation (copy.copy(sim)) until the job has started, and explain the copy's result"
    )


def row_of(trace: Trace, job_id: int, argument: str = "row=") -> int:
    """Find the row of the job with a given number.

    Parameters
    ----------
    trace : Trace
    job_id : int
    argument : str
        Argument that selects a row. The error message suggests it if several jobs have the
        number.

    Raises
    ------
    ValueError
        For a value that is not a number, or a number that no job or several jobs have.
    """
    number = job_number(job_id)
    rows = np.flatnonzero(trace.job_id == number)
    if len(rows) == 1:
        return int(rows[0])
    if len(rows) == 0:
        raise ValueError(f"no job in the trace has the number {number}; {_dropped(trace)}")
    listed = ", ".join(f"{argument}{row}" for row in rows[:5].tolist())
    more = ", …" if len(rows) > 5 else ""
    raise ValueError(
        f"{len(rows)} jobs have the number {number}; choose the row of one of them: {listed}{more}"
    )


def _dropped(trace: Trace) -> str:
    """Explain why the reader dropped lines; the requested job may be in one of them."""
    found = trace.report.faults("dropped")
    if not found:
        return "use the number of a job in the log"
    reasons = "; ".join(f"{fault.count:,}: {fault.rule}" for fault in found)
    return (
        f"it may be in one of the lines of the log that were dropped ({reasons}); use the number "
        "of a job that was kept"
    )


def _blockers(wait: Wait) -> list[Blocker]:
    """Divide the processors missing at each instant among running jobs, in proportion to size."""
    trace = wait.result.trace
    totals: dict[int, float] = {}
    for runs, deficit in wait.deficits():
        shares = _shares(wait, runs, deficit).tolist()
        for row, value in zip(runs.job.tolist(), shares, strict=True):
            if value > 0:
                totals[row] = totals.get(row, 0.0) + value
    ranked = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    return [Blocker(int(trace.job_id[row]), int(trace.user[row]), v) for row, v in ranked]


def _shares(wait: Wait, runs: RunIntervals, deficit: Int64) -> Floats:
    """Divide the missing processors at each instant, the deficit, among the runs.

    At each instant, let w = (deficit / busy processors) · time until the next instant. A run on p
    processors gets p times the sum of w over the instants of the run.
    """
    times = wait.times
    busy = runs.occupancy().width(times)
    lasting = np.diff(times, append=wait.start)
    weight = np.where(busy > 0, deficit / np.maximum(busy, 1), 0.0) * lasting
    before = np.concatenate([[0.0], np.cumsum(weight)])
    first = np.searchsorted(times, np.maximum(runs.start, wait.submit))
    last = np.searchsorted(times, np.minimum(runs.end, wait.start))
    shares: Floats = runs.processors * (before[last] - before[first])
    return shares


def _alone(result: ReplayData, job: int) -> int:
    """Return the job's start in a replay without the other jobs, on the trace's clock.

    The first job of the trace stays, because random crashes and periodic passes are timed from
    its submit time; it is made too large to run. An external dispatcher is replaced by its
    `plain` policy.
    """
    trace, site = result.trace, result.site.replace(dependencies=False)
    if isinstance(site.policy, External):
        site = site.replace(policy=site.policy.plain)
    rows = [0, job] if job else [0]
    columns = {name: column[rows] for name, column in trace._jobs.columns().items()}
    columns["processors"][:-1] = result.processors + 1
    jobs, demands = JobTable(columns), None
    if isinstance(site.machine, Nodes):
        demands = _alone_on_nodes(demands_of(trace, site.machine).take(np.array(rows)))
    alone = Trace._make(jobs, trace._header, trace.report, trace.source, demands, trace.labels)
    return int(run(alone, site).start[-1])


def _alone_on_nodes(demands: Demands) -> Demands:
    """Make all jobs except the last request more units than the machine can hold."""
    units = np.full(len(demands), 2**31 - 1, dtype=np.int64)
    units[-1] = demands.units[-1]
    cores = demands.each["cores"].copy()
    cores[:-1] = 1
    rules: dict[str, Any] = {
        name: np.concatenate([np.zeros(len(demands) - 1, column.dtype), column[-1:]])
        for name, column in demands.rule_columns().items()
    }
    return Demands(units, **(demands.each | {"cores": cores} | rules))


def _start_predicted_on_nodes(result: ReplayData, job: int) -> int:
    """Replay the jobs up to this one, with assumed run times for jobs that had not ended.

    Decisions before the job's submission stay the same, and no later job arrives. The job
    itself runs for its requested time, the only length known at its submission.
    """
    trace, rows = result.trace[: job + 1], slice(0, job + 1)
    end, submit = result.end[rows], int(result.trace.submit[job])
    over = (end >= 0) & (end <= submit)
    exact = result.site.policy.estimates == "exact"
    lasts = np.where(over | exact, trace.run_time, result.requested_time[rows])
    lasts[job] = result.requested_time[job]
    return int(run(trace.with_columns(run_time=lasts), result.site).start[job])


def _estimated_start(result: ReplayData, job: int) -> int | None:
    """Replay the jobs before this one up to its submission, and estimate its start."""
    trace, site = result.trace, result.site
    if isinstance(site.policy, External):
        return None
    try:
        before = stepped(trace[: max(1, job)], site, result.processors)
        if job:
            before.run(int(trace.submit[job]), None)
        else:
            before.cancel(int(trace.job_id[0]))  # the job itself; `estimate_start` resubmits it
        asked = {name: int(getattr(trace, name)[job]) for name in _OF_A_JOB}
        run_time = int(result.requested_time[job])
        # No dependency list is passed: the core has those of the trace, and the job refers to its
        # own list by a code.
        return before.estimate_start(job_fields(before.now, run_time=run_time, **asked), [])
    except (ValueError, ReplayError):  # no estimate is possible, or the job would never start
        return None
