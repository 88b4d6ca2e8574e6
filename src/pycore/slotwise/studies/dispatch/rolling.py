"""The rolling horizon: at each pass of the engine, a dispatcher plans all waiting jobs.

The engine replays the batch. Through `External`, it calls the dispatcher whenever jobs arrive or
end; jobs that end release their nodes before the call. Jobs are killed at their time limits. The
dispatcher names the nodes of every job that it starts, and the engine checks that the job fits on
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

import slotwise as sw
from slotwise.errors import ReplayError
from slotwise.studies.dispatch.problem import Problem, Running

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from slotwise._core import JobView, MachineView
    from slotwise.studies.dispatch.workloads import Workload

    Int64 = NDArray[np.int64]
    Int32 = NDArray[np.int32]
    Start = tuple[int, Int32, Int32]


class Dispatcher(Protocol):
    """Decides which jobs start."""

    def activate(self, problem: Problem, rows: Int64) -> Iterable[Start]:
        """Return the jobs that start now, as positions in `problem`, each with its placement.

        `rows` are the trace rows of the problem's jobs, in submission order.
        """


class RollingHorizon:
    """A replay of a workload under a dispatcher.

    Parameters
    ----------
    workload : Workload
    dispatcher : Dispatcher

    Attributes
    ----------
    activations : int
        Number of calls to the dispatcher; it is called only while at least one job is waiting.
    """

    def __init__(self, workload: Workload, dispatcher: Dispatcher) -> None:
        self._work = workload
        self._dispatcher = dispatcher
        self._running: dict[int, Running] = {}  # running jobs by trace row, in start order
        self.activations = 0

    def run(self) -> sw.Result:
        """Replay every job.

        Raises
        ------
        ReplayError
            If the dispatcher starts a job that does not fit, or jobs would wait forever.
        """
        site = sw.Site(machine=self._work.nodes, policy=sw.External(self._dispatch))
        return all_started(sw.simulate(self._work.trace, site))

    def _dispatch(self, queue: JobView, machine: MachineView) -> list[tuple[int, dict[int, int]]]:
        if len(queue) == 0:
            return []
        self.activations += 1
        rows = np.asarray(queue.row, dtype=np.int64)
        still = machine.running.row.tolist()
        self._running = {row: self._running[row] for row in still}
        starts = self._dispatcher.activate(self._problem(machine.now, rows), rows)
        return list(self._noted(starts, queue, machine.now))

    def _problem(self, now: int, rows: Int64) -> Problem:
        work = self._work
        return Problem(
            work.nodes, now, work.units[rows], work.each[rows], work.duration[rows],
            work.trace.submit[rows], work.expected_wait[rows], tuple(self._running.values()),
        )  # fmt: skip

    def _noted(
        self, starts: Iterable[Start], queue: JobView, now: int
    ) -> Iterator[tuple[int, dict[int, int]]]:
        """Yield the starts in the form that the engine expects, and record the jobs as running."""
        for position, node, units in starts:
            row = int(queue.row[position])
            # Plans count a job as running until its time limit.
            end = now + int(self._work.duration[row])
            self._running[row] = Running(end, tuple(self._work.each[row].tolist()), node, units)
            yield int(queue.job_id[position]), dict(zip(node.tolist(), units.tolist(), strict=True))


def all_started(result: sw.Result) -> sw.Result:
    """Return the result of a replay in which every job started.

    Raises
    ------
    ReplayError
        If a job was rejected, or waits forever.
    """
    left = np.flatnonzero(result.start < 0)
    if len(left):
        raise ReplayError(
            f"jobs that were rejected or wait forever: {len(left)}; the first is in row {left[0]} "
            "of the trace"
        )
    return result
