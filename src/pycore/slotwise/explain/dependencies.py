"""Jobs that a job depended on, and when each condition was met.

Example: C depends on A and B with ``afterany:1:2``; A ends at 30, B at 50. C may start from 50
onwards, and B is the job for which it waited longest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise._core import depends_on
from slotwise.explain.explanation import DependencyHeld
from slotwise.replay.state import State

if TYPE_CHECKING:
    from slotwise._core import Site as CoreSite
    from slotwise.replay.replay_data import ReplayData

_KINDS = ("afterok", "afterany", "afternotok", "preceding_job")


def dependencies_of(result: ReplayData, core: CoreSite, job: int) -> tuple[DependencyHeld, ...]:
    """Return a started job's dependencies, ordered by when each was met, the latest first."""
    if not core.dependencies:
        return ()
    trace = result.trace
    cancelled = {row: at for row, at in result.interventions.cancelled if at is not None}
    found = []
    for row, code in depends_on(trace._jobs, core, job):
        if result.state[row] == State.REJECTED:
            continue
        over = int(result.end[row])
        over = cancelled.get(row, int(trace.submit[row])) if over < 0 else over
        kind = _KINDS[code]
        thinks = max(0, int(trace.think_time[job])) if kind == "preceding_job" else 0
        found.append(DependencyHeld(int(trace.job_id[row]), kind, over + thinks))
    return tuple(sorted(found, key=lambda held: -held.until))


def never_met(result: ReplayData, core: CoreSite, job: int) -> str:
    """If a condition of a waiting job can no longer be met, describe that condition."""
    if not core.dependencies:
        return ""
    trace = result.trace
    for row, code in depends_on(trace._jobs, core, job):
        state = State(int(result.state[row]))
        if state in (State.WAITING, State.RUNNING, State.REJECTED):
            continue
        succeeded = state is State.COMPLETED and int(trace.status[row]) in (1, -1)
        kind = _KINDS[code]
        if (kind == "afterok" and not succeeded) or (kind == "afternotok" and succeeded):
            ended = "succeeded" if succeeded else "did not succeed"
            return f"{kind}:{trace.job_id[row]} can no longer be met, as that job {ended}"
    return ""
