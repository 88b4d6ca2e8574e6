"""Possible causes of differences between the waits in a log and in a replay, with figures.

A cause is named only if a figure from the log or the replay supports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise import text
from slotwise.replay.metrics import timeline_of
from slotwise.result.exceeded_limits import exceeded_limits
from slotwise.trace.peaks import peaks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.trace import Trace

    Int64 = NDArray[np.int64]

_PARTS = 100
"""Number of equal parts into which the span of a log is divided."""
_STARTS_PER_PART = 5
"""Unused processors are looked for only in logs with at least this many starts per part."""
_LEAST = 0.01
"""Minimum share (of the machine, the work or the jobs) for a cause to be reported."""
_FEWEST_USERS = 3
"""Minimum number of users with the same maximum for it to count as a limit."""
_LESS_USED = 0.75
"""A log seems incomplete if its first or last day has less than this share of the average use."""


class Cause(NamedTuple):
    """A possible cause of a difference between log and replay.

    Attributes
    ----------
    name : str
        ``nodes away``, ``limits``, ``limits of the site``, ``priorities``, ``cut``, ``requests``,
        ``rejected`` or ``larger machine``.
    sentence : str
        A sentence with the supporting figures.
    figures : dict of str to float
        The figures in the sentence.
    """

    name: str
    sentence: str
    figures: dict[str, float]


def causes_of(logged: ReplayData, replay: ReplayData) -> Iterator[Cause]:
    """Yield the causes that are supported by figures."""
    series = timeline_of(logged)
    yield from _larger_machine(series, logged.processors)
    if np.count_nonzero(logged.start >= 0) >= _STARTS_PER_PART * _PARTS:
        yield from _away(series, timeline_of(replay), logged.processors)
    yield from _limits(logged, replay)
    yield from _limits_of_site(logged, replay)
    yield from _priorities(logged, replay)
    yield from _cut(logged, series)
    yield from _requests(replay)
    yield from _rejected(replay)


def _larger_machine(series: dict[str, Int64], machine: int) -> Iterator[Cause]:
    busy = series["busy_processors"]
    peak = int(busy.max(initial=0))
    lasted = np.diff(series["time"], append=series["time"][-1])
    share = float(lasted[busy > machine].sum() / max(lasted.sum(), 1))
    if share >= _LEAST:
        yield Cause(
            "larger machine",
            f"in the log, more than the {machine:,} processors of this machine were in use for "
            f"{text.percent(share)} of the time (up to {peak:,})",
            {"peak_processors": peak, "processors": machine, "share_of_time": share},
        )


def _away(logged: dict[str, Int64], replayed: dict[str, Int64], machine: int) -> Iterator[Cause]:
    """Find processors that no job used for a long time although jobs waited throughout."""
    share, unused = _unused(logged, machine)
    share_here, unused_here = _unused(replayed, machine)
    here = f"{unused_here:,.0f} in the replay"
    if share_here == 0:
        here = "in the replay, there was no such period"
    if share and unused - unused_here >= max(1, _LEAST * machine):
        yield Cause(
            "nodes away",
            f"jobs waited throughout {share * _PARTS:.0f} of {_PARTS} equal periods of the log, "
            f"but on average, {unused:,.0f} of {machine:,} processors were not used at all in such "
            f"a period ({here}): nodes were unavailable or left idle",
            {"share_of_time": share, "unused_logged": unused, "unused_replayed": unused_here},
        )


def _unused(series: dict[str, Int64], machine: int) -> tuple[float, float]:
    """Return the share of intervals in which jobs waited throughout, and the unused processors.

    The span of `series` is divided into equal intervals. A processor is unused in an interval if no
    job used it at any time in the interval. The second number is the mean number of unused
    processors, over the intervals in which jobs waited throughout.
    """
    time = series["time"]
    edges = np.linspace(time[0], time[-1], _PARTS + 1).astype(np.int64)
    edges = edges[np.diff(edges, prepend=edges[0] - 1) > 0]
    if len(edges) < 3:
        return 0.0, 0.0
    # Row of `series` in effect at the beginning of each interval.
    rows = np.searchsorted(time, edges[:-1], "right") - 1
    queued = np.minimum.reduceat(series["queued_jobs"], rows)
    busy = np.maximum.reduceat(series["busy_processors"], rows)
    # Row of `series` in effect just before the end of each interval.
    inner = np.searchsorted(time, edges[1:], "left") - 1
    queued = np.minimum(queued, series["queued_jobs"][inner])
    busy = np.maximum(busy, series["busy_processors"][inner])
    always = queued > 0
    if not always.any():
        return 0.0, 0.0
    return float(always.mean()), float(np.maximum(machine - busy[always], 0).mean())


def _limits(logged: ReplayData, replay: ReplayData) -> Iterator[Cause]:
    """Find a number of jobs or processors that looks like a limit per user.

    In the log, several users reach this number and none exceeds it; in the replay, one does.
    """
    user = logged.trace.user
    weights = (np.ones(len(user), dtype=np.int64), logged.trace.processors)
    there = peaks_of(user, logged.start, logged.end, weights)
    in_replay = peaks_of(user, replay.start, replay.end, weights)
    for unit, peaks, peaks_here in zip(("jobs", "processors"), there, in_replay, strict=True):
        used = "ran" if unit == "jobs" else "used"
        most = int(peaks.max(initial=0))
        users = int(np.count_nonzero(peaks == most))
        here = int(peaks_here.max(initial=0))
        if most > 1 and users >= _FEWEST_USERS and here > most:
            yield Cause(
                "limits",
                f"in the log, no user {used} more than {most:,} {unit} at once, and {users} users "
                f"reached this maximum; in the replay, one user {used} {here:,}: a per-user limit "
                "may be the reason",
                {f"most_{unit}": most, "users": users, f"most_{unit}_replayed": here},
            )


def _limits_of_site(logged: ReplayData, replay: ReplayData) -> Iterator[Cause]:
    """Find the limit of the site that the log exceeds most."""
    found = exceeded_limits(logged, replay)
    others = len(found) - 1
    for limit in found[:1]:
        who = f"one {limit.owner}" if limit.owner else "all jobs together"
        use = "running" if limit.unit == "jobs" else "in use"
        more = ""
        if others:
            more = f" ({text.plural(others, 'other limit')} {text.are(others)} exceeded too)"
        yield Cause(
            "limits of the site",
            f"{who} had {limit.most:,} {limit.unit} {use} at once in the log, but the site's "
            f"{limit.name} allows {limit.allowed:,}{more}: in the replay, jobs wait because of a "
            "limit that the log does not show",
            {"most_logged": limit.most, "allowed": limit.allowed, "limits": len(found)},
        )


def _priorities(logged: ReplayData, replay: ReplayData) -> Iterator[Cause]:
    """Compare, between log and replay, how many jobs were overtaken by later jobs of their kind."""
    kind = _kinds(logged.trace)
    there, here = _overtaken(logged, kind), _overtaken(replay, kind)
    if there - here >= _LEAST:
        yield Cause(
            "priorities",
            f"in the log, {text.percent(there)} of the jobs started after a job of the same size "
            f"and requested time that was submitted later ({text.percent(here)} in the replay): "
            "priorities, fair share, limits or pools may be the reason",
            {"overtaken_logged": there, "overtaken_replayed": here},
        )


def _kinds(trace: Trace) -> NDArray[np.integer[Any]]:
    """Return a number per job, the same for jobs of the same size and requested time."""
    request = (trace.processors << 32) + trace.requested_time
    order = np.argsort(request)
    number = np.empty(len(request), dtype=np.int64)
    number[order] = np.cumsum(np.diff(request[order], prepend=request[order[:1]]) > 0)
    # Sorting is faster if the integers are small.
    return number.astype(np.uint16) if int(number.max(initial=0)) < 2**16 else number


def _overtaken(replay: ReplayData, kinds: NDArray[np.integer[Any]]) -> float:
    """Return the share of jobs overtaken by a job of their kind that became eligible later."""
    trace = replay.trace
    ran = np.flatnonzero(replay.start >= 0)
    if len(ran) == 0:
        return 0.0
    kind = kinds[ran]
    came, start = np.maximum(trace.submit, trace.eligible)[ran], replay.start[ran]
    order = np.lexsort((start, came))
    # The stable sort keeps jobs of the same size and request in order of eligible time.
    order = order[np.argsort(kind[order], kind="stable")][::-1]
    start, kind = start[order], kind[order].astype(np.int64)
    # In reverse order, the cumulative minimum is the earliest start of a job and all later jobs of
    # its kind. Jobs of other kinds do not affect it, because each kind has its own offset.
    lifted = start + kind * (int(start.max()) + 1)
    return float((np.minimum.accumulate(lifted) < lifted).mean())


def _cut(logged: ReplayData, series: dict[str, Int64]) -> Iterator[Cause]:
    """Compare the machine's utilisation at both ends of the log with that in between.

    Each end lasts one day, or a tenth of the time from first to last submission if that is shorter.
    """
    submit = logged.trace.submit
    first, last = int(submit[0]), int(submit[-1])
    day = min(text.DAY, (last - first) // 10)
    if day == 0:
        return
    between = _use(series, first + day, last - day) / logged.processors
    for name, begin, end, what in (
        ("first", first, first + day, "jobs running or waiting when the log begins may be missing"),
        (
            "last",
            last - day,
            last,
            "jobs that had not ended when the log was written may be missing",
        ),
    ):
        there = _use(series, begin, end) / logged.processors
        if there < _LESS_USED * between and between - there >= _LEAST:
            yield Cause(
                "cut",
                f"jobs used {text.percent(there)} of the machine during the {name} "
                f"{'day' if day == text.DAY else text.duration(day)} with submissions in the log, "
                f"but {text.percent(between)} between the first and the last: {what}",
                {f"{name}_use": there, "use_between": between},
            )


def _use(series: dict[str, Int64], begin: int, end: int) -> float:
    """Return the mean number of busy processors in [begin, end)."""
    time = np.clip(np.append(series["time"], series["time"][-1]), begin, end)
    return float(np.dot(np.diff(time), series["busy_processors"])) / max(end - begin, 1)


def _requests(replay: ReplayData) -> Iterator[Cause]:
    """Measure the work that the replay cuts off because jobs ran past their requested times."""
    trace = replay.trace
    ran = replay.start >= 0
    over = ran & (trace.run_time > trace.requested_time) & (replay.end > replay.start)
    over &= replay.end - replay.start < trace.run_time
    work = np.where(ran, trace.run_time * trace.processors.astype(float), 0)
    lost = (trace.run_time - (replay.end - replay.start)) * trace.processors.astype(float)
    share = float(lost[over].sum() / work.sum()) if work.sum() else 0.0
    if share >= _LEAST:
        jobs = int(np.count_nonzero(over))
        yield Cause(
            "requests",
            f"{text.plural(jobs, 'job')} ran past the requested time in the log; the replay ends "
            f"jobs at that limit, which cuts off {text.percent(share)} of the work",
            {"jobs": jobs, "share_of_work": share},
        )


def _rejected(replay: ReplayData) -> Iterator[Cause]:
    """Measure the work of jobs that ran in the log but cannot start in the replay."""
    trace = replay.trace
    gone = (replay.start < 0) & (trace.wait >= 0)
    work = trace.run_time * trace.processors.astype(float)
    share = float(work[gone].sum() / work.sum()) if work.sum() else 0.0
    if share >= _LEAST:
        jobs = int(np.count_nonzero(gone))
        yield Cause(
            "rejected",
            f"{text.plural(jobs, 'job')} in the log cannot start in the replay; they account for "
            f"{text.percent(share)} of the work",
            {"jobs": jobs, "share_of_work": share},
        )
