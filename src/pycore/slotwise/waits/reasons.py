"""Which reason holds at each instant of a wait.

Between two neighbouring instants nothing changes for the job, so a reason is asked at the first.
Example: 10 processors, A runs on 6 until 100, B (8) is submitted at 10 and waits for 100, C (4 for
200 s) at 20. C would fit beside A, but is not let past B, until 100: reservation. From 100 B runs
on 8 and C lacks 2: processors, until B ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import _core
from slotwise.waits.explanation import REASONS, Part, Reason
from slotwise.waits.occupancy import Occupancy
from slotwise.waits.windows import Window, fences_of, outages_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from slotwise.result import Result

    Int64 = NDArray[np.int64]
    Bools = NDArray[np.bool_]

_DAY = 86_400


class Wait:
    """The wait of one job: its instants, and what it saw at each.

    Parameters
    ----------
    result : Result
    job : int
        A row that started.
    """

    def __init__(self, result: Result, job: int) -> None:
        self.result, self.job = result, job
        self.core = result.site._to_core(result.trace, result.processors)
        trace = result.trace
        self.submit, self.start = int(trace.submit[job]), int(result.start[job])
        self.processors = int(trace.processors[job])
        self.length = max(1, int(trace.requested_time[job]))
        self.user, self.group = int(trace.user[job]), int(trace.group[job])
        self.queue = int(result.queue[job]) if self.core.queues else -1
        self.queue_site = self.core.queues[self.queue] if self.queue >= 0 else None
        self.stays = _stays_in(result, self.submit, self.start)
        self.pools = list(self._pools())
        self.windows = {p: self._windows(p, size) for p, size in self.pools}
        self.times = self._instants()
        self.free = {pool: self._free(pool, size) for pool, size in self.pools}
        own = self.stays.of_job(job).occupancy()
        self.is_waiting = own.count(self.times) == 0

    def parts(self) -> tuple[Part, ...]:
        """Cut the wait into stretches of one reason each; attempts that failed are left out."""
        if self.start == self.submit:
            return ()
        held = self._holding()
        first = np.argmax(np.stack([held[reason] for reason in REASONS]), axis=0)
        first[~self.is_waiting] = len(REASONS)
        cuts = np.flatnonzero(np.diff(first, prepend=-1))
        ends = [*self.times[cuts[1:]].tolist(), self.start]
        reasons = list(REASONS)
        return tuple(
            Part(begin, end, reasons[first[cut]])
            for cut, begin, end in zip(cuts, self.times[cuts].tolist(), ends, strict=True)
            if first[cut] < len(REASONS)
        )

    def deficit(self) -> tuple[int, Int64, Int64]:
        """Give the pool it lacked processors in first, and how many it lacked at each instant."""
        pool, _size = self.pools[0]
        lacking = self.processors - self.free[pool]
        return pool, self.times, np.where(self.is_waiting, np.maximum(lacking, 0), 0)

    def _pools(self) -> Iterator[tuple[int, int]]:
        """Give position and size of its pools without a threshold, first choice first."""
        if not self.core.pools:
            yield 0, self.core.processors
            return
        chosen = self.queue_site.pools if self.queue_site else range(len(self.core.pools))
        for pool in chosen:
            if not self.core.pools[pool].has_threshold:
                yield pool, self.core.pools[pool].processors

    def _windows(self, pool: int, size: int) -> tuple[list[Window], list[Window]]:
        last = self.start + self.length
        return (
            outages_of(self.core, pool, size, self.submit, last),
            fences_of(self.core, pool, self.user, self.group, self.submit, last),
        )

    def _instants(self) -> Int64:
        """Give every time in the wait at which an answer may change, `submit` first."""
        marks = [self.submit]
        for outages, fences in self.windows.values():
            for window in (*outages, *fences):
                marks += [window.start, window.end, window.start - self.length + 1]
        marks += self._day_changes()
        if (ready := self._ready()) is not None:
            marks.append(ready)
        columns = (self.stays.start, self.stays.end, self.result.trace.submit, np.array(marks))
        inside = [c[(c >= self.submit) & (c < self.start)] for c in columns]
        return np.unique(np.concatenate(inside))

    def _day_changes(self) -> list[int]:
        if self.queue_site is None or not self.queue_site.hours:
            return []
        midnight = self.core.midnight
        first = midnight + (self.submit - midnight) // _DAY * _DAY
        days = range(first - _DAY, self.start + _DAY, _DAY)
        return [day + at for day in days for h in self.queue_site.hours for at in (h.open, h.close)]

    def _holding(self) -> dict[Reason, Bools]:
        """Tell for each reason at which instants it holds; at each instant at least one does."""
        nowhere = np.zeros(len(self.times), dtype=bool)
        fits, drained, fenced = nowhere.copy(), nowhere.copy(), nowhere.copy()
        for pool, size in self.pools:
            free = self.free[pool]
            outages, fences = self.windows[pool]
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
            "hold": nowhere,
            "opening hours": self._shut(),
            "limit": self._limited(),
            "dependency": nowhere if ready is None else self.times < ready,
            "fence": fenced,
            "drain": drained,
            "reservation": fits,
            "processors": ~nowhere,
        }

    def _free(self, pool: int, size: int) -> Int64:
        """Count the processors of a pool that no job runs on, at each instant."""
        stays = self.stays.of_pool(pool) if self.core.pools else self.stays
        busy: Int64 = stays.occupancy().width(self.times)
        return size - busy

    def _away(self, windows: Sequence[Window]) -> Int64:
        """Sum what windows under way take at each instant."""
        total = np.zeros(len(self.times), dtype=np.int64)
        for window in windows:
            total[(self.times >= window.start) & (self.times < window.end)] += window.processors
        return total

    def _ahead(self, windows: Sequence[Window], size: int) -> Bools:
        """Tell when the job, by its request, would run into an announced window to come."""
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

    def _ready(self) -> int | None:
        """Give when its dependency was over; None where it has none."""
        trace = self.result.trace
        preceding = int(trace.preceding_job[self.job])
        if not self.core.dependencies or preceding < 0:
            return None
        rows = np.flatnonzero(trace.job_id[: self.job] == preceding)
        if len(rows) == 0 or self.result.end[rows[-1]] < 0:
            return None
        return int(self.result.end[rows[-1]]) + max(0, int(trace.think_time[self.job]))

    def _limited(self) -> Bools:
        found = np.zeros(len(self.times), dtype=bool)
        holders: list[tuple[Any, bool]] = [(self.core.limits, False)]
        if self.queue_site is not None:
            holders.append((self.queue_site.limits, True))
        for limits, own in holders:
            for name in ("running", "processors"):
                for by, value in (("", 0), ("_per_user", self.user), ("_per_group", self.group)):
                    most = getattr(limits, name + by)
                    if most == _core.NO_LIMIT or value < 0:
                        continue
                    there = self.stays.chosen(self, own, by).occupancy()
                    if name == "running":
                        found |= there.count(self.times) >= most
                    else:
                        found |= there.width(self.times) + self.processors > most
            if limits.queued_per_user != _core.NO_LIMIT and self.user >= 0:
                found |= self._queued_before(own) >= limits.queued_per_user
        return found

    def _queued_before(self, own: bool) -> Int64:
        """Count the user's waiting jobs before this one, of its queue or of all."""
        trace, result = self.result.trace, self.result
        mine = (trace.user[: self.job] == self.user) & (result.start[: self.job] >= 0)
        if own:
            mine &= result.queue[: self.job] == self.queue
        rows = np.flatnonzero(mine)
        waits = Occupancy(trace.submit[rows], result.start[rows], np.ones(len(rows), np.int64))
        return waits.count(self.times)


class _Stays:
    """Stretches of running, of any attempt: one row a stay."""

    def __init__(self, result: Result, job: Int64, start: Int64, end: Int64, pool: Int64) -> None:
        self.result = result
        self.job, self.start, self.end, self.pool = job, start, end, pool

    def _where(self, mask: Bools) -> _Stays:
        return _Stays(
            self.result, self.job[mask], self.start[mask], self.end[mask], self.pool[mask]
        )

    def of_pool(self, pool: int) -> _Stays:
        return self._where(self.pool == pool)

    def of_job(self, job: int) -> _Stays:
        return self._where(self.job == job)

    def chosen(self, wait: Wait, own: bool, by: str) -> _Stays:
        """Give those that count for a limit: of the queue if `own`, of the user or group."""
        trace = self.result.trace
        mask = np.ones(len(self.job), dtype=bool)
        if own:
            mask &= self.result.queue[self.job] == wait.queue
        if by == "_per_user":
            mask &= trace.user[self.job] == wait.user
        elif by == "_per_group":
            mask &= trace.group[self.job] == wait.group
        return self._where(mask)

    def occupancy(self) -> Occupancy:
        return Occupancy(self.start, self.end, self.result.trace.processors[self.job])


def _stays_in(result: Result, begin: int, end: int) -> _Stays:
    """Give those that meet [begin, end)."""
    every = result.attempts
    stays = _Stays(
        result, every["job"], every["start"], every["end"], every["pool"].astype(np.int64)
    )
    lasting = stays.end > stays.start
    return stays._where(lasting & (stays.end > begin) & (stays.start < end))
