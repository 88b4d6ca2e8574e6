"""Periods in which processors are unavailable or reserved (rules of the calendar)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reference.profile import Profile
from reference.sites import attempts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.sites.values import Outage, Queue, Reservation, Site, SiteJob

Window = tuple[int, int]
DAY = 86400


def windows(event: Outage | Reservation, since: int, until: int) -> Iterator[Window]:
    """Return the windows of an event that end after `since` and begin before `until`, in order."""
    begin = event.start
    if event.every and begin + event.duration <= since:
        begin += (since - begin - event.duration) // event.every * event.every
    while begin < until:
        if begin + event.duration > since:
            yield begin, begin + event.duration
        if not event.every:
            return
        begin += event.every


def next_change(event: Outage | Reservation, now: int) -> float:
    """Return the first instant after now at which a window of the event begins or ends."""
    far = max(event.start, now) + event.duration + (event.every or 0) + 1
    edges = (edge for window in windows(event, now, far) for edge in window)
    return min((edge for edge in edges if edge > now), default=math.inf)


def drained_shares(site: Site, outage: Outage) -> dict[int, int]:
    """Return the processors that a drain takes from its pool, or from all pools in file order."""
    sizes = [pool.processors for pool in site.all_pools]
    if outage.pool is not None:
        size = sizes[outage.pool]
        return {outage.pool: size if outage.processors is None else outage.processors}
    if outage.processors is None:
        return dict(enumerate(sizes))
    left, shares = outage.processors, {}
    for pool, size in enumerate(sizes):
        shares[pool] = min(left, size)
        left -= shares[pool]
    return shares


def least(plan: Profile, start: int, length: int) -> int:
    """Return the lowest level of a plan in [start, start + length), or 0 if it is negative."""
    inside = [time for time in plan.times if start < time < start + length]
    return max(0, min(plan.free_at(time) for time in [start, *inside]))


def level_of(taken: Iterable[tuple[int, int, int]], since: int, cap: int) -> Profile:
    """Add up (start, end, processors) entries from `since` onwards; limit each sum to `cap`."""
    level = Profile(since, 0)
    for start, end, processors in taken:
        begin = max(start, since)
        level.give_back(begin, end - begin, processors)
    level.free = [min(taken_then, cap) for taken_then in level.free]
    return level


def take_level(plan: Profile, level: Profile) -> None:
    """Subtract the processors in `level` from a plan; the last step of `level` must be 0."""
    for at, amount in enumerate(level.free[:-1]):
        plan.take(level.times[at], level.times[at + 1] - level.times[at], amount)


def common_period(site: Site) -> int:
    """Return the seconds after which the periodic part of the calendar repeats."""
    return math.lcm(*(e.every for e in site.events if e.every))


def is_open(site: Site, queue: Queue, time: int) -> bool:
    """Return whether jobs of the queue may start at this time of day."""
    second = (time - site.midnight) % DAY
    return not queue.hours or any(
        begin <= second < end if begin < end else second >= begin or second < end
        for begin, end in queue.hours
    )


def first_start(site: Site, queue: Queue, first_submit: int, since: int) -> float:
    """Return the first pass from `since` onwards at which the queue is open; inf if none is."""
    period = site.policy.period or 1
    until = since + math.lcm(period, DAY if queue.hours else 1)
    time = since
    while time <= until:
        time = first_submit + -(-(time - first_submit) // period) * period
        if is_open(site, queue, time):
            return time
        time += min((begin + site.midnight - time) % DAY or DAY for begin, _ in queue.hours)
    return math.inf


def whole_pattern(site: Site, queue: Queue) -> tuple[int, int]:
    """Return an interval that covers a full cycle of everything that recurs."""
    since = max((e.start for e in site.events if e.every), default=0)
    starts = math.lcm(site.policy.period or 1, DAY if queue.hours else 1)
    return since, since + 2 * math.lcm(common_period(site), starts)


def fits_inside(
    site: Site, pools: Iterable[int], job: SiteJob, queue: Queue, first_submit: int
) -> bool:
    """Return whether the job fits into a periodic reservation of its user or group."""
    for fence in site.reservations:
        if not (fence.every and fence.admits(job) and job.processors <= fence.processors):
            continue
        for begin, end in windows(fence, *whole_pattern(site, queue)):
            at = first_start(site, queue, first_submit, begin)
            if fence.pool in pools and at + max(job.requested_time, 1) <= end:
                return True
    return False


def has_a_place(
    site: Site, pools: Iterable[int], job: SiteJob, queue: Queue, first_submit: int
) -> bool:
    """Return whether the periodic drains and reservations repeatedly leave a gap for the job.

    A gap begins at a pass at which the job's queue is open. The free processors of several pools
    are added up.
    """
    drains = [o for o in site.outages if o.every and o.mode == "drain"]
    fences = [r for r in site.reservations if r.every]
    since, until = whole_pattern(site, queue)
    outlives = site.policy.estimates == "exact" and not site.policy.kill_at_limit
    length = max(job.requested_time, longest_run(site, job) if outlives else 0, 1)
    until += length
    plans = []
    for pool in pools:
        size = site.all_pools[pool].processors
        plan = Profile(since, size)
        away = [
            (begin, end, shares[pool])
            for drain in drains
            if pool in (shares := drained_shares(site, drain))
            for begin, end in windows(drain, since, until)
        ]
        take_level(plan, level_of(away, since, size))
        for fence in (f for f in fences if f.pool == pool):
            for begin, end in windows(fence, since, until):
                plan.take(max(begin, since), end - max(begin, since), fence.processors)
        plans.append(plan)
    rises = {first_start(site, queue, first_submit, time) for plan in plans for time in plan.times}
    times = {int(time) for time in rises if time + length <= until}
    return any(sum(least(p, time, length) for p in plans) >= job.processors for time in times)


def longest_run(site: Site, job: SiteJob) -> int:
    """Return the length of the job's first attempt if nothing kills it."""
    return attempts.seconds_of(site.interruption, job.run_time, 0)
