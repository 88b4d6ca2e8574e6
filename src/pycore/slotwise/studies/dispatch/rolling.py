"""The rolling horizon: a dispatcher is called at every arrival and end, and starts jobs.

The loop manages the clock and the nodes. It follows the rules of `simulate`: at each instant,
completions come first, then arrivals, then one activation; jobs are killed at their request. Every
start is checked against the free resources of its nodes, for every dispatcher.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from slotwise.errors import ReplayError
from slotwise.studies.dispatch.problem import Problem, Running

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from slotwise.studies.dispatch.workloads import Workload

    Int64 = NDArray[np.int64]
    Int32 = NDArray[np.int32]
    Start = tuple[int, Int32, Int32]


class Dispatcher(Protocol):
    """Decides which jobs start."""

    def next_due(self, now: int) -> int | None:
        """Return the next time after `now` of a call in addition to arrivals and ends, or None."""

    def activate(self, problem: Problem, rows: Int64) -> Iterable[Start]:
        """Return the jobs that start now, as positions in `problem`, each with its placement.

        `rows` are the trace rows of the problem's jobs, in submission order.
        """


@dataclass
class Replay:
    """Record of a replay under a dispatcher.

    Attributes
    ----------
    start, end : (n_jobs,) int64, seconds
    activations : int
        Calls of the dispatcher with at least one waiting job.
    most_waiting : int
    """

    start: Int64
    end: Int64
    activations: int = 0
    most_waiting: int = 0


class RollingHorizon:
    """A replay of a workload under a dispatcher.

    Parameters
    ----------
    workload : Workload
    dispatcher : Dispatcher
    """

    def __init__(self, workload: Workload, dispatcher: Dispatcher) -> None:
        self._work = workload
        self._dispatcher = dispatcher
        self._free = workload.nodes._node_capacities.copy()
        self._running: dict[int, Running] = {}
        self._ends: list[tuple[int, int]] = []
        n_jobs = len(workload.trace)
        self._replay = Replay(np.full(n_jobs, -1), np.full(n_jobs, -1))

    def run(self) -> Replay:
        """Replay every job.

        Raises
        ------
        ReplayError
            If the dispatcher starts a job that does not fit, or jobs would wait forever.
        """
        submit = self._work.trace.submit
        waiting: list[int] = []
        arrived = 0
        due: int | None = None
        while True:
            times = [t for t in (due, self._ends[0][0] if self._ends else None) if t is not None]
            times += [int(submit[arrived])] if arrived < len(submit) else []
            if not times:
                break
            now = min(times)
            self._finish(now)
            while arrived < len(submit) and submit[arrived] == now:
                waiting.append(arrived)
                arrived += 1
            self._activate(now, waiting)
            due = self._dispatcher.next_due(now) if waiting else None
        if waiting:
            raise ReplayError(f"{len(waiting)} jobs wait forever, the first is {waiting[0]}")
        return self._replay

    def _finish(self, now: int) -> None:
        while self._ends and self._ends[0][0] <= now:
            _, job = heapq.heappop(self._ends)
            ended = self._running.pop(job)
            np.add.at(self._free, ended.node, self._held(job, ended.units))

    def _held(self, job: int, units: Int32) -> Int64:
        held: Int64 = units[:, None] * self._work.each[job][None, :]
        return held

    def _activate(self, now: int, waiting: list[int]) -> None:
        while waiting:
            rows = np.array(waiting, dtype=np.int64)
            self._replay.activations += 1
            self._replay.most_waiting = max(self._replay.most_waiting, len(waiting))
            starts = list(self._dispatcher.activate(self._problem(now, rows), rows))
            for position, node, units in starts:
                self._start(int(rows[position]), node, units, now)
                waiting.remove(int(rows[position]))
            if not (self._ends and self._ends[0][0] == now):
                return
            self._finish(now)  # jobs of length 0

    def _problem(self, now: int, rows: Int64) -> Problem:
        work = self._work
        return Problem(
            work.nodes, now, work.units[rows], work.each[rows], work.duration[rows],
            work.trace.submit[rows], work.expected_wait[rows], tuple(self._running.values()),
        )  # fmt: skip

    def _start(self, job: int, node: Int32, units: Int32, now: int) -> None:
        work = self._work
        is_placed = int(units.sum()) == work.units[job] and (units > 0).all() and (node >= 0).all()
        if is_placed:
            np.subtract.at(self._free, node, self._held(job, units))
        if not is_placed or (self._free[node] < 0).any():
            raise ReplayError(f"job {job} does not fit on nodes {node.tolist()} at {now}")
        self._replay.start[job] = now
        self._replay.end[job] = now + int(work.run_time[job])
        # A job that ends at its request still counts as running in plans of that instant.
        end = now + int(work.duration[job])
        self._running[job] = Running(end, tuple(work.each[job].tolist()), node, units)
        heapq.heappush(self._ends, (int(self._replay.end[job]), job))
