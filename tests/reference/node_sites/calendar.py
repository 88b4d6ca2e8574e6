"""Applies the calendar changes on nodes: outages begin and end, and nodes or the machine crash."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from reference.node_sites.state import Absence
from reference.sites.calendar import windows
from reference.sites.draws import crash_times, splitmix64

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.node_sites.state import State
    from reference.node_sites.values import NodeOutage

GOLDEN_GAMMA = 0x9E3779B97F4A7C15  # constant of SplitMix64, for a different seed per node


class Calendar:
    def __init__(self, state: State) -> None:
        self.state = state
        self.crashes = list(_crashes(state))
        # Begin with the first downtime, even if it precedes all jobs: it affects which nodes later
        # outages find idle.
        state.dated = int(min([state.dated, *self.starts()])) - 1
        self.next_crash: list[float] = [next(times, math.inf) for _, times in self.crashes]

    def starts(self) -> list[int]:
        return [*(outage.start for outage in self.state.site.outages), *self.state.site.crashes]

    def instants(self) -> Iterator[float]:
        """Return the instants at which something changes, including past ones."""
        for absence in self.state.absences:
            yield absence.end
        since, now = self.state.dated - 1, self.state.now
        for each in self.state.site.events:
            far = max(each.start, now) + each.duration + (each.every or 0) + 1
            for window in windows(each, since, far):
                yield from window
        yield from self.next_crash

    def apply_changes(self) -> None:
        """Apply the changes since the last instant, in order of time."""
        state = self.state
        while times := [time for time in self.instants() if state.dated < time <= state.now]:
            self._apply(int(min(times)))
        state.dated = state.now
        self._end(state.now)

    def _apply(self, time: int) -> None:
        """End outages, begin others in the order of the site file, then apply crashes."""
        state = self.state
        state.dated = time
        state.over_limit.clear()
        self._end(time)
        for number, outage in enumerate(state.site.outages):
            for begin, end in windows(outage, time, time + 1):
                if (number, begin) not in state.begun:
                    state.begun.add((number, begin))
                    self._begin(outage, end)
        for at, (nodes, times) in enumerate(self.crashes):
            if self.next_crash[at] <= time:
                self.next_crash[at] = next(times, math.inf)
                self._kill_on(nodes, "crash")
                law = state.site.node_crashes
                repair = state.site.repair if law is None else law.repair
                if repair > 0:
                    state.absences.append(Absence(time + repair, nodes))

    def _end(self, time: int) -> None:
        state = self.state
        state.absences = [absence for absence in state.absences if absence.end > time]

    def _begin(self, outage: NodeOutage, end: int) -> None:
        """Take nodes down until `end`, and kill the jobs for which no nodes are left."""
        state = self.state
        if outage.mode == "drain":
            self._begin_drain(outage)
        elif outage.nodes is not None:
            state.absences.append(Absence(end, outage.nodes))
            self._kill_on(outage.nodes, "outage")
        else:
            numbers = self._idle_ones_first(outage)
            state.absences.append(Absence(end, numbers=numbers))
            self._kill_until_the_rest_fits(numbers)

    def _begin_drain(self, drain: NodeOutage) -> None:
        """When a drain begins, kill jobs on nodes that are also in a killing outage."""
        state = self.state
        killed_for = {at for absence in state.absences for at in absence.numbers}
        if drain.nodes is None:
            drained = set(state.site.shares(drain))
        else:
            killing = frozenset().union(*(absence.nodes for absence in state.absences))
            self._kill_on(drain.nodes & killing, "outage")
            drained = {at for at, nodes in enumerate(state.classes) if nodes & drain.nodes}
        self._kill_until_the_rest_fits(drained & killed_for)

    def _idle_ones_first(self, outage: NodeOutage) -> dict[int, int]:
        """Return how many nodes of each class an outage takes.

        It takes idle nodes first, then busy nodes, and then unavailable nodes.
        """
        state = self.state
        reach = state.site.in_reach(outage)
        sizes = {at: len(state.classes[at]) for at in reach}
        there = {at: state.there(at) for at in reach}
        idle = {at: max(0, there[at] - len(state.busy(at))) for at in reach}
        left = sum(sizes.values()) if outage.count is None else outage.count
        taken = dict.fromkeys(reach, 0)
        for most in (idle, there, sizes):
            for at in reach:
                more = min(left, most[at] - taken[at])
                taken[at] += more
                left -= more
        return {at: count for at, count in taken.items() if count}

    def _kill_on(self, nodes: frozenset[int], reason: str) -> None:
        for running in list(self.state.running):
            if nodes & set(running.places):
                self.state.interrupt(running, reason)

    def _kill_until_the_rest_fits(self, classes: Iterable[int]) -> None:
        """Kill the jobs of each class that started last, until the nodes suffice for the others.

        Of jobs that started together, the last one in the trace is killed first.
        """
        state = self.state
        for at in sorted(classes):
            while len(state.busy(at)) > state.there(at):
                inside = [r for r in state.running if state.classes[at] & set(r.places)]
                last = max(inside, key=lambda running: (running.start, running.job.position))
                state.interrupt(last, "outage")


def _crashes(state: State) -> Iterator[tuple[frozenset[int], Iterator[int]]]:
    """Return each set of nodes that fail together, and the times of its failures.

    A set is a single node or the whole machine.
    """
    law = state.site.node_crashes
    if law is None:
        yield frozenset(range(state.site.n_nodes)), iter(state.site.crashes)
        return
    for node in range(state.site.n_nodes):
        seed = next(splitmix64(law.seed + GOLDEN_GAMMA * (node + 1)))
        yield frozenset({node}), crash_times(replace(law, seed=seed), state.first_submit)
