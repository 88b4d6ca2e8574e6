"""Intervals of the node order that the jobs occupy on a torus."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slotwise.replay.placements import torus_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.site.machine.torus import Torus


class Intervals(NamedTuple):
    """Positions ``begin`` to ``end - 1`` of the node order, held by the job in row ``row``."""

    row: NDArray[np.int64]
    begin: NDArray[np.int32]
    end: NDArray[np.int32]


def all_intervals(result: ReplayData) -> Intervals:
    """List the intervals of every job; those of the same job are ordered by position.

    Raises
    ------
    ValueError
        If the machine is not a torus.
    """
    torus_of(result)
    count, begin, end = result.schedule.node_columns()
    return Intervals(np.repeat(np.arange(len(count)), count), begin, end)


def intervals_at(result: ReplayData, time: int) -> Intervals:
    """List the intervals of the jobs that run at a moment, by position."""
    every = all_intervals(result)
    running = (result.start[every.row] <= time) & (time < result.end[every.row])
    chosen = np.flatnonzero(running)
    chosen = chosen[np.argsort(every.begin[chosen], kind="stable")]
    return Intervals(every.row[chosen], every.begin[chosen], every.end[chosen])


def free_slots(taken: Intervals, torus: Torus) -> NDArray[np.int64]:
    """Return the lengths of the slots that `taken`, sorted by position, leaves free."""
    edges = np.concatenate(([0], np.column_stack((taken.begin, taken.end)).ravel(), [torus.nodes]))
    lengths = edges[1::2] - edges[::2]
    return lengths[lengths > 0]


def free_at(result: ReplayData, times: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of free nodes and the largest free slot at each moment: (2, n)."""
    torus = torus_of(result)
    slots = (free_slots(intervals_at(result, int(time)), torus) for time in times)
    return np.array([(int(s.sum()), int(s.max(initial=0))) for s in slots]).reshape(-1, 2).T


def fragmented_moment(result: ReplayData) -> int:
    """Return a moment with many free slots, in seconds on the trace's clock.

    The moment is chosen from up to 256 job starts, spread evenly over the schedule; it is the one
    at which the machine has the most free slots.

    Raises
    ------
    ValueError
        If the machine is not a torus, or no job ever ran.
    """
    torus = torus_of(result)
    starts = np.sort(result.start[(result.start >= 0) & (result.end > result.start)])
    if len(starts) == 0:
        raise ValueError("no job in this result ran, so there is nothing to draw")
    looked_at = starts[np.unique(np.linspace(0, len(starts) - 1, 256).astype(int))]
    slots = [len(free_slots(intervals_at(result, int(at)), torus)) for at in looked_at]
    return int(looked_at[np.argmax(slots)])
