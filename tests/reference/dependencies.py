"""Dependencies of jobs by the rules of Slurm, and jobs that become eligible after submission.

The number of a job is its position + 1; arrays are numbered separately.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from reference.jobs import Job

JobKind = TypeVar("JobKind", bound="Job")


class Needed(NamedTuple):
    """A job that another job waits for; `kind` is ``preceding`` or a condition on its end."""

    kind: str
    position: int
    think_time: int = 0


def needs_of(jobs: Sequence[Any]) -> dict[int, list[Needed]]:
    """Return the jobs for which each job waits; all of them precede it in the log."""
    return {job.position: list(_needs(job, jobs[:at])) for at, job in enumerate(jobs)}


def _needs(job: Any, earlier: Sequence[Any]) -> Iterator[Needed]:
    if any(other.position == job.preceding for other in earlier):
        yield Needed("preceding", job.preceding, max(job.think_time, 0))
    for kind, number, task in job.after:
        if kind == "singleton":
            if job.user != -1 and job.executable != -1:
                for other in earlier:
                    if (other.user, other.executable) == (job.user, job.executable):
                        yield Needed("afterany", other.position)
            continue
        tasks = [other for other in earlier if other.array == number != -1]
        meant = [other for other in tasks if task in (-1, other.task)]
        if kind == "aftercorr" and job.task != -1:
            meant = [other for other in tasks if other.task == job.task]
        if not tasks and task == -1:
            meant = [other for other in earlier if other.position + 1 == number]
        for other in meant:
            yield Needed("afterok" if kind == "aftercorr" else kind, other.position)


def released_at(state: Any, job: Any) -> int | None:
    """Return the instant from which the dependencies of a job are met; None if it is unknown.

    It stays unknown if a condition can no longer be met.
    """
    if not state.site.dependencies:
        return int(job.submit)
    released = int(job.submit)
    for need in state.needs.get(job.position, []):
        if need.position in state.rejected:
            continue
        ended = state.ended.get(need.position)
        if ended is None:
            return None
        if _is_broken(state, need, ended):
            return None
        released = max(released, ended.end + need.think_time)
    return released


def may_be_released(state: Any, job: Any) -> bool:
    """Return whether the conditions of a waiting job may still be met."""
    if not state.site.dependencies:
        return True
    waiting = {other.position: other for other in state.waiting}
    for need in state.needs.get(job.position, []):
        ended = state.ended.get(need.position)
        if ended is not None:
            if _is_broken(state, need, ended):
                return False
        elif need.position in waiting and not may_be_released(state, waiting[need.position]):
            return False
    return True


def _is_broken(state: Any, need: Needed, ended: Any) -> bool:
    succeeded = state.reason[need.position] == "completed" and ended.job.status in (1, -1)
    return (need.kind, succeeded) in (("afterok", False), ("afternotok", True))


def array_has_room(state: Any, job: Any) -> bool:
    """Return whether fewer tasks of the job's array are running than its limit allows."""
    if not state.site.dependencies or job.array == -1 or job.array_limit < 1:
        return True
    tasks = [running for running in state.running if running.job.array == job.array]
    return len(tasks) < job.array_limit


def by_arrival(
    jobs: Sequence[JobKind], *, depending: bool
) -> tuple[list[JobKind], dict[int, list[Needed]], list[int]]:
    """Compute when each job arrives, and return the jobs in that order.

    A job without dependencies arrives when it is eligible; any other, when the last job that it
    depends on arrives. No job arrives before it is submitted. The jobs returned have new numbers,
    and their arrival as submit time. Also returns the jobs that each one waits for, and the
    positions of the jobs in the log.
    """
    needs = needs_of(jobs) if depending else {}
    arrival: dict[int, int] = {}
    for job in jobs:
        waits_for = needs.get(job.position, [])
        others = [arrival[need.position] for need in waits_for]
        arrival[job.position] = max([job.submit, *(others or [job.eligible])])
    order = sorted(jobs, key=lambda job: (arrival[job.position], job.position))
    new = {job.position: at for at, job in enumerate(order)}
    moved = [
        replace(job, position=at, submit=arrival[job.position]) for at, job in enumerate(order)
    ]
    kept = {
        new[position]: [need._replace(position=new[need.position]) for need in found]
        for position, found in needs.items()
    }
    return moved, kept, [job.position for job in order]


def dependency_columns(jobs: Sequence[Job]) -> dict[str, Any]:
    """Return the dependencies of the jobs as columns of a trace; empty columns are left out."""
    columns: dict[str, Any] = {
        "status": [job.status for job in jobs],
        "executable": [job.executable for job in jobs],
        "eligible": [job.eligible for job in jobs],
        "array_id": [job.array for job in jobs],
        "array_task": [job.task for job in jobs],
        "array_limit": [job.array_limit for job in jobs],
    }
    columns = {name: values for name, values in columns.items() if set(values) != {-1}}
    texts = [",".join(_written(*condition) for condition in job.after) for job in jobs]
    return columns | ({"dependency": texts} if any(texts) else {})


def _written(kind: str, number: int, task: int) -> str:
    if kind == "singleton":
        return kind
    return f"{kind}:{number}" + (f"_{task}" if task >= 0 else "")


def with_dependencies(draw: Random, jobs: Sequence[JobKind], unit: int) -> tuple[JobKind, ...]:
    """Give some jobs dependencies, arrays with limits, a status and a later eligible time."""
    arrays = (-1, -1, 1001, 1002)
    limits = {1001: draw.choice((-1, 1, 2)), 1002: draw.choice((-1, 1, 2, 3))}
    tasks = dict.fromkeys(arrays, 0)
    made = []
    for at, job in enumerate(jobs):
        array = draw.choice(arrays)
        tasks[array] += 1
        after = tuple(
            _condition(draw, at) for _ in range(draw.choice((0, 0, 0, 1, 1, 2))) if at > 0
        )
        later = job.submit + unit * draw.choice((1, 3, 7)) if draw.random() < 0.2 else -1
        made.append(
            replace(
                job,
                status=draw.choice((-1, 1, 1, 0, 5)),
                executable=draw.choice((-1, 1, 1, 2)),
                eligible=later,
                array=array,
                task=tasks[array] if array != -1 else -1,
                array_limit=limits.get(array, -1),
                after=after,
            )
        )
    return tuple(made)


def _condition(draw: Random, at: int) -> tuple[str, int, int]:
    kind = draw.choice(("afterok", "afterany", "afternotok", "aftercorr", "singleton"))
    if kind == "singleton":
        return kind, -1, -1
    if draw.random() < 0.3:
        return kind, draw.choice((1001, 1002)), draw.choice((-1, -1, 1, 2, 3))
    return kind, draw.randint(1, at + 1), -1
