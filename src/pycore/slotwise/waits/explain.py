"""Why one job of a result waited, and for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise import _core
from slotwise._job_fields import job_number
from slotwise._numbers import whole
from slotwise.demands import Demands, demands_of
from slotwise.errors import ReplayError
from slotwise.external import External
from slotwise.nodes import Nodes
from slotwise.state import State
from slotwise.waits.explanation import Blocker, Explanation
from slotwise.waits.on_nodes import NodeWait
from slotwise.waits.overtaking import overtaken_by
from slotwise.waits.reasons import Wait

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.result import Result
    from slotwise.trace import Trace
    from slotwise.waits.stays import Stays

    Int64 = NDArray[np.int64]
    Floats = NDArray[np.float64]

_OF_A_JOB = (
    "processors",
    "requested_time",
    "submit",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding_job",
    "think_time",
)
"""What `Simulation.estimate_start` asks of a job."""


def explain(result: Result, job_id: int, *, row: int | None = None) -> Explanation:
    """Explain the wait of one job; see `Result.explain`."""
    job = row_of(result.trace, job_id) if row is None else whole(row)
    if job is None or not 0 <= job < len(result):
        raise ValueError(f"row is {row!r}; give one of the {len(result)} rows, from 0 on")
    if result.start[job] < 0:
        raise ValueError(f"job {result.trace.job_id[job]} {_why_not_started(result, job)}")
    on_nodes = isinstance(result.site.machine, Nodes)
    wait = NodeWait(result, job) if on_nodes else Wait(result, job)
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
        alone=_alone(result, job),
        overtaken_by=overtaken_by(result, job),
        estimated_start=(_foretold if on_nodes else _estimated_start)(result, job),
        resources=wait.resources(),
    )


def _why_not_started(result: Result, job: int) -> str:
    state = State(int(result.state[job]))
    if state is not State.WAITING:
        return f"never started ({state.name.lower()}); nothing to explain"
    return (
        "has not started yet, and a wait is explained from its end; where the simulation goes on, "
        "let a copy of it run until the job has started (copy.copy(sim)) and explain its result"
    )


def row_of(trace: Trace, job_id: int, argument: str = "row=") -> int:
    """Find the row of the job of that number.

    Parameters
    ----------
    trace : Trace
    job_id : int
    argument : str
        How a row is given instead, for the message where several jobs have the number.

    Raises
    ------
    ValueError
        For what is no number, and where no job has it, or several.
    """
    number = job_number(job_id)
    rows = np.flatnonzero(trace.job_id == number)
    if len(rows) == 1:
        return int(rows[0])
    if len(rows) == 0:
        raise ValueError(f"no job {number} in the trace; give the number a job has in the log")
    listed = ", ".join(f"{argument}{row}" for row in rows[:5].tolist())
    more = ", …" if len(rows) > 5 else ""
    raise ValueError(f"{len(rows)} jobs are numbered {number}; give the row of one: {listed}{more}")


def _blockers(wait: Wait) -> list[Blocker]:
    """Share the deficit at each instant among the jobs running then, by size."""
    trace = wait.result.trace
    totals: dict[int, float] = {}
    for stays, deficit in wait.deficits():
        shares = _shares(wait, stays, deficit).tolist()
        for row, value in zip(stays.job.tolist(), shares, strict=True):
            if value > 0:
                totals[row] = totals.get(row, 0.0) + value
    ranked = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    return [Blocker(int(trace.job_id[row]), int(trace.user[row]), v) for row, v in ranked]


def _shares(wait: Wait, stays: Stays, deficit: Int64) -> Floats:
    """Share a deficit at each instant among stays.

    With w the deficit over the processors busy, times the time until the next instant, a stay of p
    processors has p times the sum of w while it lasts.
    """
    times = wait.times
    busy = stays.occupancy().width(times)
    lasting = np.diff(times, append=wait.start)
    weight = np.where(busy > 0, deficit / np.maximum(busy, 1), 0.0) * lasting
    before = np.concatenate([[0.0], np.cumsum(weight)])
    first = np.searchsorted(times, np.maximum(stays.start, wait.submit))
    last = np.searchsorted(times, np.minimum(stays.end, wait.start))
    shares: Floats = stays.processors * (before[last] - before[first])
    return shares


def _alone(result: Result, job: int) -> int:
    """Replay the job without the others, on the time axis of the trace.

    Crashes are drawn, and periodic passes counted, from the first submit: it stays, as that of a
    job that fits nowhere. Of an outside dispatcher nothing is asked.
    """
    from slotwise.simulation import simulate
    from slotwise.trace import Trace

    trace, site = result.trace, result.site.replace(dependencies=False)
    if isinstance(site.policy, External):
        site = site.replace(policy=site.policy.plain)
    rows = [0, job] if job else [0]
    columns = {name: column[rows] for name, column in trace._jobs.columns().items()}
    columns["processors"][:-1] = result.processors + 1
    jobs, demands = _core.JobTable(columns), None
    if isinstance(site.machine, Nodes):
        demands = _alone_on_nodes(demands_of(trace).take(np.array(rows)))
    alone = Trace._make(jobs, trace._header, trace.report, trace.source, demands)
    return int(simulate(alone, site).start[-1])


def _alone_on_nodes(demands: Demands) -> Demands:
    """Let all but the last ask for units that fit nowhere."""
    units = np.full(len(demands), 2**31 - 1, dtype=np.int64)
    units[-1] = demands.units[-1]
    cores = demands.each["cores"].copy()
    cores[:-1] = 1
    return Demands(units, **(demands.each | {"cores": cores}))


def _foretold(result: Result, job: int) -> int:
    """Replay the jobs up to this one, those that had not ended at its submit as long as believed.

    Up to then nothing is decided otherwise; after it no other job arrives. The job itself takes
    what it requests, as nothing else is known of one that is not there yet.
    """
    from slotwise.simulation import simulate

    trace, rows = result.trace[: job + 1], slice(0, job + 1)
    end, submit = result.end[rows], int(result.trace.submit[job])
    over = (end >= 0) & (end <= submit)
    exact = result.site.policy.estimates == "exact"
    lasts = np.where(over | exact, trace.run_time, trace.requested_time)
    lasts[job] = trace.requested_time[job]
    return int(simulate(trace.with_columns(run_time=lasts), result.site).start[job])


def _estimated_start(result: Result, job: int) -> int | None:
    """Replay the jobs before this one up to its submit, and ask when it would start then."""
    from slotwise.stepping import Simulation

    trace, site = result.trace, result.site
    if isinstance(site.policy, External):
        return None
    try:
        before = Simulation(trace[: max(1, job)], site)
        if job:
            before.run(until=int(trace.submit[job]))
        else:
            before.cancel(int(trace.job_id[0]))  # it is asked about itself
        return before.estimate_start(**{name: int(getattr(trace, name)[job]) for name in _OF_A_JOB})
    except (ValueError, ReplayError):  # it cannot be estimated there, or would never start
        return None
