"""Rules that no schedule of a site may break, checked on the columns of a replay of any size.

Each check raises an AssertionError that states the instant and the excess. The checks read all
attempts of jobs, not only the last. They apply if jobs are killed at their limit and requests serve
as estimates, because then no job runs longer than planned.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from reference.sites.values import Limits, Reservation, Site

    Column = NDArray[np.int64]


@dataclass(frozen=True)
class Stays:
    """One row per started attempt.

    `position` is the job's row in the trace; `pool` is -1 if the attempt uses several pools.
    """

    position: Column
    submit: Column
    start: Column
    end: Column
    requested_time: Column
    processors: Column
    user: Column
    group: Column
    queue: Column
    pool: Column

    @classmethod
    def of_result(cls, trace: Any, result: Any) -> Stays:
        rows = result.attempts
        columns = {name: rows[name] for name in ("job", "start", "end", "pool")}
        return cls.of_attempts(trace, result.queue, **columns)

    @classmethod
    def of_attempts(
        cls, trace: Any, queue: Any, job: Any, start: Any, end: Any, pool: Any
    ) -> Stays:
        """Combine attempts with the values of each job in `trace` and `queue`."""
        job = np.asarray(job, np.int64)

        def of_job(column: Any) -> Column:
            values: Column = np.asarray(column, np.int64)[job]
            return values

        return cls(
            position=job,
            submit=of_job(trace.submit),
            start=np.asarray(start, np.int64),
            end=np.asarray(end, np.int64),
            requested_time=of_job(trace.requested_time),
            processors=of_job(trace.processors),
            user=of_job(trace.user),
            group=of_job(trace.group),
            queue=of_job(queue),
            pool=np.asarray(pool, np.int64),
        )

    def in_pools(self, spans: Any) -> Stays:
        """Replace each row for several pools by one row per pool, with the processors used there.

        `spans` contains the job, start, pool and processors of each part, as in a schedule of
        slotwise.
        """
        several = self.where(self.pool < 0)
        row_of = {
            key: row for row, key in enumerate(zip(several.position, several.start, strict=True))
        }
        rows = [row_of[key] for key in zip(spans["job"], spans["start"], strict=True)]
        parts = several.where(np.array(rows, dtype=np.int64))
        parts = replace(parts, pool=spans["pool"], processors=spans["processors"])
        whole = np.bincount(rows, spans["processors"], several.position.size)
        assert np.array_equal(whole, several.processors), "shares are not what the job has"
        alone = self.where(self.pool >= 0)
        names = self.__dataclass_fields__
        return Stays(*(np.append(getattr(alone, n), getattr(parts, n)) for n in names))

    def where(self, chosen: NDArray[np.bool_] | Column | slice) -> Stays:
        columns = (getattr(self, name)[chosen] for name in self.__dataclass_fields__)
        return Stays(*columns)


Extra = tuple[int, int, int]  # from, to, amount


def assert_at_most(
    most: int, key: Column, start: Column, end: Column, amount: Column, what: str
) -> None:
    """Check that amounts with the same key never add up to more than `most` at any instant."""
    keys = np.concatenate([key, key])
    times = np.concatenate([start, end])
    changes = np.concatenate([amount, -amount])
    order = np.lexsort((changes, times, keys))  # ends before starts; jobs of length 0 do not count
    level = np.cumsum(changes[order])
    last = np.append((np.diff(times[order]) != 0) | (np.diff(keys[order]) != 0), True)
    over = np.flatnonzero(last & (level > most))
    if over.size:
        at = order[over[0]]
        raise AssertionError(f"{what} {keys[at]}: {level[over[0]]} > {most} at {times[at]}")


def _with(stays: Stays, extra: Iterable[Extra]) -> tuple[Column, Column, Column]:
    """Return the starts, ends and processors of all attempts, then of the extra intervals."""
    more = np.array(list(extra), dtype=np.int64).reshape(-1, 3)
    columns = (stays.start, stays.end, stays.processors)
    start, end, amount = (
        np.concatenate([own, other]) for own, other in zip(columns, more.T, strict=True)
    )
    return start, end, amount


def assert_pools_hold(stays: Stays, sizes: list[int], away: dict[int, list[Extra]]) -> None:
    """Check the capacity of each pool, and of all pools together.

    `away` contains the drain periods of each pool. During a drain, the running jobs must leave the
    drained processors free.
    """
    for pool, size in enumerate(sizes):
        start, end, amount = _with(stays.where(stays.pool == pool), away.get(pool, []))
        assert_at_most(size, np.full(start.size, pool), start, end, amount, "pool")
    start, end, amount = _with(stays, [one for extra in away.values() for one in extra])
    assert_at_most(sum(sizes), np.zeros(start.size, np.int64), start, end, amount, "machine")


def assert_reservations_kept(
    stays: Stays, sizes: list[int], reservations: Iterable[Reservation], last: int
) -> None:
    """Check that the jobs of other users leave the processors of each reservation free.

    A job that may use the reservation counts towards either the reservation or the pool, so such
    jobs are left out.
    """
    for one in reservations:
        member = np.isin(stays.user, one.users) | np.isin(stays.group, one.groups)
        others = stays.where((stays.pool == one.pool) & ~member)
        begins = range(one.start, last, one.every) if one.every else [one.start]
        windows = [(begin, begin + one.duration, one.processors) for begin in begins]
        start, end, amount = _with(others, windows)
        key = np.full(start.size, one.pool)
        assert_at_most(sizes[one.pool], key, start, end, amount, f"reservation {one.name} in pool")


def assert_limits_kept(stays: Stays, site: Site) -> None:
    """Check the limits of every queue and of the site, except those that may be lifted."""
    for number, queue in enumerate(site.all_queues):
        _assert_kept(stays.where(stays.queue == number), queue.limits, f"queue {queue.name}:")
    _assert_kept(stays, site.limits, "site:")


def _assert_kept(stays: Stays, limits: Limits, where: str) -> None:
    none = np.zeros(stays.start.size, np.int64)
    bounds = [
        (limits.running, none, none + 1, "running"),
        (limits.processors_in_use, none, stays.processors, "processors"),
    ]
    if not limits.lifted_when_idle:
        bounds += [
            (limits.running_per_user, stays.user, none + 1, "running of user"),
            (limits.processors_per_user, stays.user, stays.processors, "processors of user"),
            (limits.running_per_group, stays.group, none + 1, "running of group"),
            (limits.processors_per_group, stays.group, stays.processors, "processors of group"),
        ]
    for most, key, amount, what in bounds:
        if most is not None:
            known = key >= 0
            assert_at_most(
                most, key[known], stays.start[known], stays.end[known], amount[known],
                f"{where} {what}",
            )  # fmt: skip
    if limits.queued_per_user is not None:
        _assert_first_of_user(stays, limits.queued_per_user, where)


def _assert_first_of_user(stays: Stays, most: int, where: str) -> None:
    """Check that fewer than `most` earlier jobs of the same user still wait at each start.

    The check is valid only if no attempt was interrupted.
    """
    started: dict[int, list[int]] = defaultdict(list)
    for row in np.lexsort((stays.position, stays.submit)):
        user, start = int(stays.user[row]), int(stays.start[row])
        if user < 0:
            continue
        ahead = len(started[user]) - bisect_right(started[user], start)
        assert ahead < most, f"{where} job {stays.position[row]} starts at {start} past {ahead}"
        insort(started[user], start)


def assert_hours_kept(stays: Stays, site: Site) -> None:
    """Check that every job starts while its queue is open."""
    for number, queue in enumerate(site.all_queues):
        second = (stays.start[stays.queue == number] - site.midnight) % 86400
        inside = np.zeros(second.size, bool)
        for opening, closing in queue.hours:
            after, before = opening <= second, second < closing
            inside |= after & before if opening < closing else after | before
        late = second[~inside] if queue.hours else second[:0]
        assert not late.size, f"queue {queue.name} is shut at second {late[0]} of the day"


def assert_starving_heads_undelayed(stays: Stays, site: Site) -> int:
    """Check that no start in a pool delays the oldest starving job that waits for the pool.

    At each instant at which jobs start in a pool, the first possible start of that job (the head)
    is computed from requested times. The jobs that start, except those that precede the head, must
    not delay it. Jobs of queues with limits or hours may not have been eligible, so they are never
    heads. Pools with a threshold and pools of spanning queues are left out. Requires a backfill
    with reservations, one attempt per job, and a site without a calendar. Returns the number of
    instants examined.
    """
    assert not site.events, "outages and reservations move the reservations of jobs, too"
    stays = stays.where(np.argsort(stays.start, kind="stable"))
    starves = stays.submit + _starvation_of(stays, site)
    heads = _ever_starving(stays, starves, site)
    longest = int((stays.end - stays.start).max(initial=0))
    looked_at = 0
    for now in _while_waiting(stays, starves, heads):
        first, begun = np.searchsorted(stays.start, [now - longest, now + 1])
        there = stays.where(slice(first, begun))
        starving = starves[first:begun] <= now
        waiting = heads[(starves[heads] <= now) & (stays.start[heads] > now)]
        for pool in np.unique(there.pool[there.start == now]):
            mine = np.array([_may_run(stays, row, site, pool) for row in waiting], bool)
            if mine.any():
                looked_at += 1
                head = stays.where(waiting[mine][:1])
                _assert_undelayed(there, starving, head, int(now), site, pool)
    return looked_at


def _while_waiting(stays: Stays, since: Column, rows: Column) -> Column:
    """Return each start time t at which a job in `rows` waits, that is, since <= t < start."""
    instants = np.unique(stays.start)
    come = np.searchsorted(np.sort(since[rows]), instants, side="right")
    gone = np.searchsorted(np.sort(stays.start[rows]), instants, side="right")
    return instants[come > gone]


def assert_wide_heads_undelayed(stays: Stays, site: Site) -> int:
    """Check that no start in a pool delays the first waiting job of the spanning queue.

    At each instant at which jobs start, the first possible start of that job in all pools together
    is computed from requested times. The starts in one pool must not delay it. Instants at which a
    starving job claims a pool are left out. Requires a schedule by pools (`Stays.in_pools`),
    `fcfs`, and one spanning queue over all pools, without limits or hours. No pool may have a
    threshold. Returns the number of instants examined.
    """
    assert not site.events, "outages and reservations move advance reservations, too"
    (spanning,) = (number for number, queue in enumerate(site.all_queues) if queue.spanning)
    size = sum(pool.processors for pool in site.all_pools)
    stays = stays.where(np.argsort(stays.start, kind="stable"))
    is_wide = stays.queue == spanning
    wide = np.flatnonzero(is_wide & (stays.submit < stays.start))
    wide = wide[np.lexsort((stays.position[wide], stays.submit[wide]))]
    claims = stays.where(~is_wide & (stays.submit + _starvation_of(stays, site) <= stays.start))
    claimed_from = np.sort(claims.submit + _starvation_of(claims, site))
    claimed_until = np.sort(claims.start)
    longest = int((stays.end - stays.start).max(initial=0))
    looked_at = 0
    for now in _while_waiting(stays, stays.submit, wide):
        claimed = np.searchsorted(claimed_from, now, "right") > np.searchsorted(claimed_until, now)
        first, begun = np.searchsorted(stays.start, [now - longest, now + 1])
        there = stays.where(slice(first, begun))
        starting = (there.start == now) & (there.queue != spanning)
        if claimed or not starting.any():
            continue
        looked_at += 1
        row = wide[(stays.submit[wide] <= now) & (stays.start[wide] > now)][0]
        needs = int(stays.processors[stays.position == stays.position[row]].sum())
        on = there.end > now
        without = _shadow(there.where(on & ~starting), now, needs, size)
        after = _shadow(there.where(on), now, needs, size)
        assert after <= without, (
            f"at {now} starts delay job {stays.position[row]} from {without} to {after}"
        )
    return looked_at


def _starvation_of(stays: Stays, site: Site) -> Column:
    never = np.iinfo(np.int64).max // 2
    after = [never if q.starvation is None else q.starvation for q in site.all_queues]
    return np.array(after, dtype=np.int64)[stays.queue]


def _ever_starving(stays: Stays, starves: Column, site: Site) -> Column:
    """Return the rows of jobs that starve before they start and are not held, oldest first."""
    unheld = [
        queue.limits == type(queue.limits)() and not queue.hours and not queue.spanning
        for queue in site.all_queues
    ]
    rows = np.flatnonzero((starves < stays.start) & np.array(unheld)[stays.queue])
    return rows[np.lexsort((stays.position[rows], stays.submit[rows]))]


def _may_run(stays: Stays, row: int, site: Site, pool: int) -> bool:
    queue = site.all_queues[int(stays.queue[row])]
    if pool == -1 or site.all_pools[pool].threshold is not None:
        return False
    if any(other.spanning and pool in site.pools_of(other) for other in site.all_queues):
        return False
    fits = int(stays.processors[row]) <= site.all_pools[pool].processors
    return fits and pool in site.pools_of(queue)


def _assert_undelayed(
    there: Stays, starving: NDArray[np.bool_], head: Stays, now: int, site: Site, pool: int
) -> None:
    """Compare the first possible start of the head with and without the jobs that start now."""
    older = (there.submit < head.submit) | (
        (there.submit == head.submit) & (there.position < head.position)
    )
    precedes = (there.start == now) & starving & older
    if (precedes & (there.pool != pool)).any():
        return  # a job that now starts elsewhere may have held this pool's reservation
    on = (there.pool == pool) & (there.end > now)
    running, starting = on & (there.start < now), on & (there.start == now)
    processors, size = int(head.processors[0]), site.all_pools[pool].processors
    without = _shadow(there.where(running | (starting & precedes)), now, processors, size)
    after = _shadow(there.where(running | starting), now, processors, size)
    assert after <= without, (
        f"at {now} starts in pool {pool} delay job {head.position[0]} from {without} to {after}"
    )


def _shadow(running: Stays, now: int, processors: int, size: int) -> int:
    """Return when, according to requested times, a pool first has enough free processors."""
    free = size - int(running.processors.sum())
    ends = running.start + np.maximum(running.requested_time, 1)
    for at in np.argsort(ends, kind="stable"):
        if free >= processors:
            break
        free += int(running.processors[at])
        now = max(now, int(ends[at]))
    return now
