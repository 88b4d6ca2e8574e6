"""Priorities of a job and of the jobs that delayed it, with their parts as in ``sprio -l``.

Example: age and job size each have a weight of 1,000. A job has a priority of 20 when it is
submitted, all of it from its size. When it starts 3.5 days later, its priority is 520, of which 500
come from its age.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.explain.explanation import JobPriority
from slotwise.explain.slurm_priority import priority_at, weighted_parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slotwise.replay.replay_data import ReplayData


def priorities(result: ReplayData, job: int, planned: Mapping[int, int]) -> tuple[JobPriority, ...]:
    """Return the priorities of a job at submission and start, and of jobs whose plans delayed it.

    `planned` maps the row of each job whose plan delayed this one to the time of the first delay.
    """
    names = weighted_parts(result)
    if not names:
        return ()
    submit, start = int(result.trace.submit[job]), int(result.start[job])
    instants = [(job, submit)]
    if start > submit:
        instants.append((job, start))
    found = []
    for row, time in [*instants, *planned.items()]:
        at = priority_at(result, row, time)
        parts = {name: float(getattr(at, name)) for name in names if name != "tres"}
        parts |= {f"tres {name}": part for name, part in at.tres.items()}
        found.append(JobPriority(int(result.trace.job_id[row]), time, at.priority, parts))
    return tuple(found)
