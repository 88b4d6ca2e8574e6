"""The reason for waiting at each instant on a torus, where free nodes may not be contiguous.

Example: jobs are running on nodes 1, 3 and 5 of a row of 6 nodes. Another job needs 3 contiguous
nodes; 3 nodes are free, but no two of them are neighbours.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from slotwise.explain.reasons import HELD_BACK, Wait
from slotwise.replay.placements import nodes_of
from slotwise.site.machine.torus import Torus
from slotwise.site.policy.external import External

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.explain.explanation import Reason
    from slotwise.replay.replay_data import ReplayData

    Int64 = NDArray[np.int64]
    Bools = NDArray[np.bool_]


def is_contiguous(result: ReplayData) -> bool:
    """Return True if every job takes consecutive nodes of a torus."""
    policy = result.site.policy
    if not isinstance(result.site.machine, Torus) or isinstance(policy, External):
        return False
    return (policy.allocation or "").startswith("contiguous")


class TorusWait(Wait):
    """The wait of a job that needs consecutive nodes; enough nodes may be free but not adjacent."""

    def _holding(self) -> dict[Reason, Bools]:
        held = super()._holding()
        apart = self._apart()
        for reason in HELD_BACK:
            held[reason] &= ~apart
        return held | {"apart": apart}

    def _apart(self) -> Bools:
        """Mark instants with enough free processors, but no free interval for the job."""
        place = self.places[0]
        outages, _ = self.windows[place]
        enough = self._free(place) - self._away(outages) >= self.processors
        found = np.zeros(len(self.times), dtype=bool)
        for at in np.flatnonzero(enough):
            found[at] = self._longest_free(int(self.times[at])) < self._needed
        return found

    @cached_property
    def _needed(self) -> int:
        return -(-self.processors // self._machine.processors_per_node)

    @property
    def _machine(self) -> Torus:
        return cast("Torus", self.result.site.machine)

    @cached_property
    def _intervals(self) -> tuple[Int64, Int64, Int64]:
        """Return the node intervals that runs occupy, in node order: index of the run, begin, end.

        The nodes of failed attempts are unknown and count as free.
        """
        last = self.result.start[self.runs.job] == self.runs.start
        rows = [
            (run, begin, end)
            for run in np.flatnonzero(last)
            for begin, end in nodes_of(self.result, int(self.runs.job[run]))
        ]
        table = np.array(rows, dtype=np.int64).reshape(-1, 3)
        run, begin, end = table[np.argsort(table[:, 1], kind="stable")].T
        return run, begin, end

    def _longest_free(self, time: int) -> int:
        run, begin, end = self._intervals
        busy = (self.runs.start[run] <= time) & (time < self.runs.end[run])
        n_nodes = self._machine.count // self._machine.processors_per_node
        begins = np.append(begin[busy], n_nodes)
        ends = np.concatenate([[0], end[busy]])
        return int((begins - ends).max())
