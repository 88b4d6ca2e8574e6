"""The reason for waiting at each instant on a machine with nodes, and the missing resources."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from slotwise.explain.explanation import REASONS, TOGETHER, ResourceHeld
from slotwise.explain.node_absences import fences_on_nodes, outages_on_nodes
from slotwise.explain.node_room import NodeRoom
from slotwise.explain.reasons import Wait
from slotwise.explain.run_intervals import RunIntervals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slotwise.explain.explanation import Reason

    Int64 = NDArray[np.int64]
    Bools = NDArray[np.bool_]


class NodeWait(Wait):
    """The wait of one job on a machine with nodes; the job fits if all its units do."""

    @cached_property
    def room(self) -> NodeRoom:
        """Number of the job's units that fit at each instant."""
        return NodeRoom(self.result, self.job, self.runs, self.times)

    @cached_property
    def _missing_with_absences(self) -> tuple[Int64, Int64]:
        """Count the units missing because of runs and outages, then because of reservations too."""
        outages, fences = outages_on_nodes(self), fences_on_nodes(self)
        found = []
        for away in (outages, [*outages, *fences]):
            if not away:
                found.append(self._missing)
                continue
            room = NodeRoom(self.result, self.job, self.runs, self.times, away)
            found.append(room.units - room.total[:, -1])
        return found[0], found[1]

    def _instants(self) -> Int64:
        marks = [
            at
            for away in (*outages_on_nodes(self), *fences_on_nodes(self))
            for at in (away.start, away.end)
            if self.submit <= at < self.start
        ]
        return np.union1d(super()._instants(), np.array(marks, dtype=np.int64))

    def deficits(self) -> Iterator[tuple[RunIntervals, Int64]]:
        """Yield the runs that use the scarcest resource, and the cores of the missing units.

        If each resource alone is sufficient, these are the runs that use cores.
        """
        if len(self.times) == 0:
            return
        missing = np.where(self.is_waiting, np.maximum(self._missing, 0), 0) * self.room.cores
        for name in (*self.room.names, TOGETHER):
            lacked = np.where(self._worst == name, missing, 0)
            if lacked.any():
                runs = self.runs
                held = self.room.held("cores" if name == TOGETHER else name)
                yield RunIntervals(runs.job, runs.start, runs.end, runs.pool, held), lacked

    def resources(self) -> tuple[ResourceHeld, ...]:
        """Return the resources that delayed the job, with the node types concerned."""
        if self.start == self.submit:
            return ()
        lacking = self._first == list(REASONS).index("nodes")
        lasting = np.where(lacking, np.diff(self.times, append=self.start), 0)
        by_type = self._by_type(lasting)
        found = []
        for name in (*self.room.names, TOGETHER):
            here = lacking & (self._worst == name)
            seconds = int(lasting[here].sum())
            types = by_type.get(name, {})
            if seconds or types:
                most = int(self._missing[here].max()) if seconds else 0
                found.append(ResourceHeld(name, seconds, most, types, self._hosts(here, name)))
        return tuple(sorted(found, key=lambda each: -each.seconds))

    def _hosts(self, here: Bools, name: str) -> str:
        """Name the nodes on which other jobs used a resource while it delayed the job."""
        if not here.any():
            return ""
        times, runs = self.times[here], self.runs
        during = np.searchsorted(times, runs.end) > np.searchsorted(times, runs.start)
        held = self.room.held("cores" if name == TOGETHER else name) > 0
        return self.room.hosts_of(np.flatnonzero(during & held))

    def _by_type(self, lasting: Int64) -> dict[str, dict[str, int]]:
        """Return for how long each resource was the scarcest, by resource and node type."""
        found: dict[str, dict[str, int]] = {}
        machine = self.room.nodes
        for kind in self.room.types.tolist():
            each = self.room.on_type(kind)[:, :-1]
            least, used = each.argmin(axis=1), each.min(axis=1) < self.room.idle_units(kind)
            for column, name in enumerate(self.room.names):
                seconds = int(lasting[used & (least == column)].sum())
                if seconds:
                    named = machine.types[kind].name or f"type {kind}"
                    its = found.setdefault(name, {})
                    its[named] = its.get(named, 0) + seconds
        return found

    @cached_property
    def _missing(self) -> Int64:
        missing: Int64 = self.room.units - self.room.total[:, -1]
        return missing

    @cached_property
    def _worst(self) -> NDArray[np.str_]:
        """Name the scarcest resource at each instant, or `TOGETHER` if each alone is sufficient."""
        alone = self.room.total[:, :-1]
        names = np.array(self.room.names)[alone.argmin(axis=1)]
        enough = alone.min(axis=1) >= self.room.units
        return np.where(enough, TOGETHER, names)

    def _holding(self) -> dict[Reason, Bools]:
        """Mark the instants at which each reason applies.

        An outage is a reason if the job would fit without it.
        """
        everywhere = np.ones(len(self.times), dtype=bool)
        held = super()._holding()
        beside_outages, beside_all = self._missing_with_absences
        return (
            held
            | self._kept_back(self._missing <= 0)
            | {
                "drain": held["drain"] | ((self._missing <= 0) & (beside_outages > 0)),
                "fence": (beside_outages <= 0) & (beside_all > 0),
                "nodes": everywhere,
            }
        )
