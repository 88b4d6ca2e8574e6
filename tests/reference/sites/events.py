"""Applies the calendar's changes: outages begin and end, and the machine crashes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reference.sites.calendar import drained_shares, windows
from reference.sites.draws import crash_times
from reference.sites.state import Absence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.sites.state import State
    from reference.sites.values import Outage


class Calendar:
    def __init__(self, state: State) -> None:
        self.state = state
        self.crashes = crash_times(state.site.crashes, state.first_submit)
        self.next_crash: float = next(self.crashes, math.inf)

    def apply_changes(self) -> None:
        """End outages, begin others, then apply crashes.

        Outages that begin at the same time do so in the order of the site file.
        """
        state = self.state
        state.dated = state.now
        state.absences = [absence for absence in state.absences if absence.end > state.now]
        for begin, number, end in sorted(self._windows_to_begin()):
            state.begun.add((number, begin))
            outage = state.site.outages[number]
            if outage.mode == "drain":
                self._kill_beside_kills(outage)
            else:
                self._take_away(outage, end)
        while self.next_crash <= state.now:
            self._crash(int(self.next_crash))
            self.next_crash = next(self.crashes, math.inf)

    def _windows_to_begin(self) -> Iterator[tuple[int, int, int]]:
        now = self.state.now
        for number, outage in enumerate(self.state.site.outages):
            for begin, end in windows(outage, now, now + 1):
                if (number, begin) not in self.state.begun:
                    yield begin, number, end

    def _take_away(self, outage: Outage, end: int) -> None:
        state = self.state
        if outage.pool is not None or outage.processors is None:
            shares = drained_shares(state.site, outage)
        else:
            shares = self._free_ones_first(outage.processors)
        state.absences.append(Absence(end, shares))
        for pool, share in shares.items():
            if share > 0:
                self._kill_until_the_rest_fits(pool)

    def _free_ones_first(self, processors: int) -> dict[int, int]:
        """Divide an outage of the machine among the pools.

        Free processors of all pools are taken first, then those in use, then unavailable ones. Each
        kind is taken in the file order of the pools. A processor in two outages remains
        unavailable until both are over.
        """
        state = self.state
        pools = range(len(state.pools))
        free = [state.really_free(pool) for pool in pools]
        gone = [state.away(pool) for pool in pools]
        in_use = [state.pools[pool].processors - free[pool] - gone[pool] for pool in pools]
        shares = dict.fromkeys(pools, 0)
        for group in (free, in_use, gone):
            for pool in pools:
                taken = min(processors, group[pool])
                shares[pool] += taken
                processors -= taken
        return shares

    def _kill_beside_kills(self, drain: Outage) -> None:
        """If a drain begins in a pool with a killing outage, kill jobs until the others fit."""
        killed_for = {
            pool for absence in self.state.absences for pool, n in absence.shares.items() if n > 0
        }
        for pool, share in drained_shares(self.state.site, drain).items():
            if share > 0 and pool in killed_for:
                self._kill_until_the_rest_fits(pool)

    def _kill_until_the_rest_fits(self, pool: int) -> None:
        """Kill jobs in a pool, the last started first, until the pool has room for the others.

        Of jobs that started together, the last one in the trace is killed first.
        """
        state = self.state
        while state.busy(pool) > state.pools[pool].processors - state.away(pool):
            there = [running for running in state.running if pool in running.shares]
            last = max(there, key=lambda running: (running.start, running.job.position))
            state.interrupt(last, "outage")

    def _crash(self, time: int) -> None:
        state = self.state
        for running in list(state.running):
            state.interrupt(running, "crash")
        end = time + state.site.crashes.repair
        if end > state.now:
            everything = {pool: p.processors for pool, p in enumerate(state.pools)}
            state.absences.append(Absence(end, everything))
