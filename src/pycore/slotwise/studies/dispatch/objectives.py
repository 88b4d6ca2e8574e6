"""The paper's objectives (equations 1-3), as integers.

A job's weighted tardiness is ``max(0, (s - q - ewt) / ewt)``: s is its start, q its submit time and
ewt its expected wait. It is counted in units of 1/L, where L is the least common multiple of the
expected waits, so that the count is an integer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.studies.dispatch.problem import Problem

    Int64 = NDArray[np.int64]

MAKESPAN = "makespan"
TARDINESS = "tardiness"
LATE = "late"
OBJECTIVES = (MAKESPAN, TARDINESS, LATE)


def value(problem: Problem, objective: str, start: Int64) -> int:
    """Return the value of an objective for given starts.

    The makespan is in seconds from the problem's instant, and includes the running jobs. Tardiness
    is in units of 1/L.
    """
    if objective == MAKESPAN:
        ends = start + problem.duration
        last = max(int(ends.max(initial=problem.now)), problem.last_running_end)
        return last - problem.now
    tardiness = problem.tardiness
    late = np.maximum(start - tardiness.due, 0)
    return int((late * tardiness.weight).sum() if objective == TARDINESS else (late > 0).sum())


def least(problem: Problem, objective: str) -> int:
    """Return a lower bound on an objective: its value if every job started immediately."""
    return value(problem, objective, np.full(len(problem), problem.now, dtype=np.int64))


def least_limit(problem: Problem, objective: str) -> int:
    """Return the smallest limit for an objective: a tardiness of 1, one second or one late job."""
    return problem.tardiness.unit if objective == TARDINESS else 1
