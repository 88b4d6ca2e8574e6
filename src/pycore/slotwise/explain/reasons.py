"""The reason for waiting at each instant of a wait.

Nothing changes for the job between two neighbouring instants, so a reason applies until the next
instant. Example: on 10 processors, A runs on 6 until 100. B needs 8; it is submitted at 10 and
waits until 100. C needs 4 for 200 s and is submitted at 20. Until 100, C fits next to A but would
delay B, so the reason is the reservation. From 100, B runs on 8 and only 2 are free for C. Until B
ends, the reason is processors.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from slotwise._core import Passes
from slotwise.explain.calendar_windows import Window, fences_of, outages_of, repairs_of
from slotwise.explain.dependencies import dependencies_of
from slotwise.explain.explanation import (
    REASONS,
    DependencyHeld,
    LimitHeld,
    Part,
    PlanHeld,
    Reason,
    ResourceHeld,
)
from slotwise.explain.limits import holding_limits, limits_on
from slotwise.explain.run_intervals import RunIntervals, by_pool, run_intervals_of
from slotwise.explain.site_core import core_of
from slotwise.site.parts.owners import OWNER_COLUMNS
from slotwise.site.policy.external import External

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.site.policy import Policy

    Int64 = NDArray[np.int64]
    Bools = NDArray[np.bool_]

_DAY = 86_400
Place = tuple[int, ...]  # pools whose processors a job can use together
HELD_BACK: tuple[Reason, ...] = ("order", "log", "dispatcher", "reservation")


class Wait:
    """The wait of one job: its instants, and the state of the machine at each.

    Parameters
    ----------
    result : Result
    job : int
        Row of a job that started.
    """

    def __init__(self, result: ReplayData, job: int) -> None:
        self.result, self.job = result, job
        self.core = core_of(result)
        trace = result.trace
        policy = self.core.policy
        is_periodic = policy.passes == Passes.periodic and not result.interventions.policies
        self.period = policy.period if is_periodic else 0
        self.submit, self.start = int(trace.submit[job]), int(result.start[job])
        self.processors = int(trace.processors[job])
        self.length = max(1, int(result.requested_time[job]))
        self.owner = {name: int(getattr(trace, name)[job]) for name in OWNER_COLUMNS.values()}
        self.queue = int(result.queue[job]) if self.core.queues else -1
        self.queue_site = self.core.queues[self.queue] if self.queue >= 0 else None
        self.runs = run_intervals_of(result).meeting(self.submit, self.start)
        self.in_pools = by_pool(result, self.runs) if self.core.pools else self.runs
        self.places = list(self._places())
        self.windows = {place: self._windows(place) for place in self.places}
        self.holds = [hold for hold in result.interventions.holds if hold.job == job]
        self.times = self._instants()
        own = self.runs.where(self.runs.job == job).occupancy()
        self.is_waiting = own.count(self.times) == 0
        self.limits = list(limits_on(self))

    def parts(self) -> tuple[Part, ...]:
        """Divide the wait into parts with one reason each, leaving out failed attempts."""
        if self.start == self.submit:
            return ()
        first = self._first
        cuts = np.flatnonzero(np.diff(first, prepend=-1))
        ends = [*self.times[cuts[1:]].tolist(), self.start]
        reasons = list(REASONS)
        return tuple(
            Part(begin, end, reasons[first[cut]])
            for cut, begin, end in zip(cuts, self.times[cuts].tolist(), ends, strict=True)
            if first[cut] < len(REASONS)
        )

    def held_by(self) -> tuple[LimitHeld, ...]:
        """Return the limits that delayed the job, the longest delay first."""
        if self.start == self.submit:
            return ()
        return holding_limits(self, self._first == list(REASONS).index("limit"))

    @cached_property
    def _first(self) -> Int64:
        """Return the index of the reason at each instant, `len(REASONS)` during failed attempts."""
        held = self._holding()
        first: Int64 = np.argmax(np.stack([held[reason] for reason in REASONS]), axis=0)
        first[~self.is_waiting] = len(REASONS)
        if self.period:
            reasons = list(REASONS)
            fits = np.isin(first, [reasons.index(reason) for reason in HELD_BACK])
            first[self._unseen(fits)] = reasons.index("pass")
        return first

    def _unseen(self, fits: Bools) -> Bools:
        """Mark instants at which the job fits but waits for the next scheduling pass."""
        begins = fits & ~np.concatenate([[False], fits[:-1]])
        since = np.maximum.accumulate(np.where(begins, np.arange(len(fits)), 0))
        return fits & (self.times < self._next_pass(self.times[since]))

    def _next_pass(self, times: Int64) -> Int64:
        """Return the first periodic pass at or after each time."""
        begin = int(self.result.trace.submit[0])
        passes: Int64 = begin - (begin - times) // self.period * self.period
        return passes

    def deficits(self) -> Iterator[tuple[RunIntervals, Int64]]:
        """Yield the runs in the pools that the job prefers, and the processors missing there."""
        place = self.places[0]
        lacking = self.processors - self._free(place)
        lacked = np.where(self.is_waiting, np.maximum(lacking, 0), 0)
        yield self._stays_in(place), lacked

    def resources(self) -> tuple[ResourceHeld, ...]:
        """Return the resources that delayed the job: none on a machine without nodes."""
        return ()

    def plans(self) -> tuple[PlanHeld, ...]:
        """Return the plans that delayed the job: none unless Slurm's schedulers are replayed."""
        return ()

    def planned_from(self) -> dict[int, int]:
        """Return the time when each plan first delayed the job; see `plans`."""
        return {}

    def _places(self) -> Iterator[Place]:
        """Yield the places where the job could run, in order of preference.

        All pools of a ``spanning`` queue form one place. Pools with a ``threshold`` are left out.
        """
        if not self.core.pools:
            yield (0,)
            return
        chosen = self.queue_site.pools if self.queue_site else range(len(self.core.pools))
        open_to_all = [pool for pool in chosen if not self.core.pools[pool].has_threshold]
        if self.queue_site is not None and self.queue_site.spanning:
            yield tuple(open_to_all)
        else:
            yield from ((pool,) for pool in open_to_all)

    def _size(self, place: Place) -> int:
        if not self.core.pools:
            return self.core.processors
        return sum(self.core.pools[pool].processors for pool in place)

    def _windows(self, place: Place) -> tuple[list[Window], list[Window]]:
        first, last = self.submit, self.start + self.length
        begin = int(self.result.trace.submit[0])
        outages = [w for pool in place for w in outages_of(self.core, pool, first, last)]
        outages += [w for p in place for w in repairs_of(self.core, p, begin, first, last)]
        fences = [
            window
            for pool in place
            for window in fences_of(self.core, pool, self.owner, first, last)
        ]
        return outages, fences

    def _stays_in(self, place: Place) -> RunIntervals:
        return (
            self.in_pools.where(np.isin(self.in_pools.pool, place))
            if self.core.pools
            else (self.runs)
        )

    def _instants(self) -> Int64:
        """Return every time in the wait at which the reason may change, from the submit time on."""
        marks = [self.submit]
        for outages, fences in self.windows.values():
            for window in (*outages, *fences):
                marks += [window.start, window.end, window.start - self.length + 1]
        marks += self._day_changes()
        for begin, end in self._holds():
            marks += [begin, end]
        if (ready := self._ready()) is not None:
            marks.append(ready)
        marks.append(self._eligible())
        marks += [at for at, _ in self.result.interventions.policies if at is not None]
        columns = (self.runs.start, self.runs.end, self.result.trace.submit, np.array(marks))
        times = np.concatenate(columns)
        if self.period:
            times = np.concatenate([times, self._next_pass(times)])
        return np.unique(times[(times >= self.submit) & (times < self.start)])

    def _day_changes(self) -> list[int]:
        if self.queue_site is None or not self.queue_site.hours:
            return []
        midnight = self.core.midnight
        first = midnight + (self.submit - midnight) // _DAY * _DAY
        days = range(first - _DAY, self.start + _DAY, _DAY)
        return [day + at for day in days for h in self.queue_site.hours for at in (h.open, h.close)]

    def _holding(self) -> dict[Reason, Bools]:
        """Mark the instants at which each reason applies; at least one does at each instant."""
        nowhere = np.zeros(len(self.times), dtype=bool)
        fits, drained, fenced = nowhere.copy(), nowhere.copy(), nowhere.copy()
        for place in self.places:
            free, size = self._free(place), self._size(place)
            outages, fences = self.windows[place]
            away = self._away(outages)
            behind = free - self._away(fences)
            fits |= free - away >= self.processors
            drained |= (free >= self.processors) & (
                (free - away < self.processors) | self._ahead(outages, size)
            )
            fenced |= (free - away >= self.processors) & (
                (behind - away < self.processors) | self._ahead(fences, size)
            )
        ready = self._ready()
        return {
            "hold": self._held(),
            "not eligible": self.times < self._eligible(),
            "opening hours": self._shut(),
            "limit": np.logical_or.reduce([nowhere, *(limit.holds for limit in self.limits)]),
            "dependency": nowhere if ready is None else self.times < ready,
            "fence": fenced,
            "drain": drained,
            "pass": nowhere,  # `_first` adds this reason after all others
            **self._kept_back(fits),
            "plan": nowhere,  # `SlurmWait` finds this reason and the next
            "untested": nowhere,
            "nodes": nowhere,
            "apart": nowhere,
            "processors": ~nowhere,
        }

    def _kept_back(self, fits: Bools) -> dict[Reason, Bools]:
        """Mark the instants at which each reason keeps a job that fits from starting."""
        return {reason: fits & (self._held_back == reason) for reason in HELD_BACK}

    @cached_property
    def _held_back(self) -> NDArray[np.str_]:
        """Return, for each instant, the reason why a job that fits does not start."""
        given = self.result.interventions
        policies = [given.first_policy or self.result.site.policy]
        policies += [policy for _, policy in given.policies]
        since = [self.submit if at is None else at for at, _ in given.policies]
        in_force = np.searchsorted(since, self.times, side="right")
        return np.array([_held_back_by(policy) for policy in policies])[in_force]

    def _held(self) -> Bools:
        found = np.zeros(len(self.times), dtype=bool)
        for begin, end in self._holds():
            found |= (self.times >= begin) & (self.times < end)
        return found

    def _holds(self) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each hold.

        A missing time is replaced by the start or end of the wait.
        """
        for hold in self.holds:
            yield (
                self.submit if hold.start is None else hold.start,
                self.start if hold.end is None else hold.end,
            )

    def _free(self, place: Place) -> Int64:
        """Count the idle processors of the job's pools at each instant."""
        busy: Int64 = self._stays_in(place).occupancy().width(self.times)
        return self._size(place) - busy

    def _away(self, windows: Sequence[Window]) -> Int64:
        """Sum the processors that calendar windows make unavailable at each instant."""
        total = np.zeros(len(self.times), dtype=np.int64)
        for window in windows:
            total[(self.times >= window.start) & (self.times < window.end)] += window.processors
        return total

    def _ahead(self, windows: Sequence[Window], size: int) -> Bools:
        """Mark instants at which the job, if started, would overlap an announced window.

        Windows that leave enough processors for the job are ignored.
        """
        found = np.zeros(len(self.times), dtype=bool)
        for window in windows:
            if window.announced and size - window.processors < self.processors:
                found |= (self.times < window.start) & (self.times + self.length > window.start)
        return found

    def _shut(self) -> Bools:
        hours = self.queue_site.hours if self.queue_site else []
        if not hours:
            return np.zeros(len(self.times), dtype=bool)
        at = (self.times - self.core.midnight) % _DAY
        opened = np.zeros(len(self.times), dtype=bool)
        for h in hours:
            opened |= (
                (at >= h.open) & (at < h.close)
                if h.open < h.close
                else (at >= h.open) | (at < h.close)
            )
        return ~opened

    def _eligible(self) -> int:
        """Return when the job became eligible, but not before its submit time.

        The eligible time in the log is ignored if the job has dependencies.
        """
        depends = bool(self._dependencies)
        logged = int(self.result.trace.eligible[self.job])
        return self.submit if depends else max(self.submit, logged)

    @cached_property
    def _dependencies(self) -> tuple[DependencyHeld, ...]:
        return dependencies_of(self.result, self.core, self.job)

    def waited_for(self) -> tuple[DependencyHeld, ...]:
        """Return the dependencies that were unfinished when the job was submitted."""
        return tuple(held for held in self._dependencies if held.until > self.submit)

    def _ready(self) -> int | None:
        """Return the time at which the job's dependencies were met, or None if it had none."""
        return max((held.until for held in self._dependencies), default=None)


def _held_back_by(policy: Policy | External) -> Reason:
    """Return the reason why a job that fits does not start under this policy."""
    if isinstance(policy, External):
        return "dispatcher"
    if policy.backfill == "as-logged":
        return "log"
    return "order" if policy.backfill == "none" else "reservation"
