"""Workload model of nine months on SERC's Cray XC40, based on the paper on its queues."""

from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence

from slotwise.trace import Trace

from .options import real, whole
from .registry import model
from .serc_months import (
    HOUR,
    LOADS,
    MACHINE,
    MEAN_LOAD,
    NODE,
    QUEUES,
    TABLE_I,
    TABLE_II,
    Range,
    month_hours,
)
from .synthetic import header_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]

REFERENCE = (
    "Tables I and II of V. Kondameedi, S. Vadhiyar, Adaptive hybrid queue configuration for "
    "supercomputer systems; loads, run times and arrivals are ours"
)
START = datetime(2015, 7, 1, tzinfo=timezone(timedelta(hours=5, minutes=30)))
USERS = 180
N_JOBS = sum(map(sum, TABLE_II.values()))
ROUND_HOURS = (0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 10, 12, 16, 18, 20, 24, 30, 36, 48, 60, 72)
REPEATS = 0.5
"""Share of jobs in the same session as the previous job, with the same user and size."""
SESSION_GAP = 900
"""Mean time between two jobs in a session, in seconds."""
DAYTIME = np.array([
    0.5, 0.4, 0.3, 0.3, 0.3, 0.3, 0.4, 0.5, 0.7, 1.0, 1.4, 1.6,
    1.6, 1.4, 1.5, 1.7, 1.8, 1.7, 1.5, 1.3, 1.2, 1.1, 0.9, 0.7,
])  # fmt: skip
WEEKEND = 0.6
DAY_NOISE, DAY_MEMORY = 0.5, 0.6
"""Standard deviation of the logarithm of a queue's daily arrivals, and its correlation from one day
to the next."""


class Drawn(NamedTuple):
    """Columns of the jobs of one queue and month."""

    submit: Int64
    run_time: Int64
    requested_time: Int64
    processors: Int64
    user: Int64


class Reach(NamedTuple):
    """The least and the most work that the jobs of one queue can do in one month.

    `least` and `most` are multiples of the wanted work. They include a tolerance: 2 %, or the work
    of one job of the largest size, if that is more.
    """

    is_met: bool
    least: float
    most: float


@model("serc", reference=REFERENCE)
def serc(
    n_jobs: int | None = None,
    *,
    load: float = MEAN_LOAD,
    at_limit: float = 0.7,
    killed: float = 0.03,
    seed: int = 0,
) -> Trace:
    """Generate nine months of jobs for a 35,232-processor Cray with five queues.

    The months are July 2015 to March 2016. The numbers of jobs per queue and month are those of the
    queue paper (Table II). Sizes and requested times are in the ranges of its queues (Table I). All
    other values are this model's own, chosen to agree with the paper's text; docs/generators.md
    explains them.

    Parameters
    ----------
    n_jobs : int, optional
        Number of jobs; later jobs are left out. Default: all 51,329.
    load : float, share of the machine
        Mean load over the nine months: the sum of run_time · processors over all jobs, divided by
        the size of the machine and by the length of this period; 0 < load ≤ 2. The load of
        each queue in each month is scaled by the same factor. No job runs for longer than it
        requests. If a queue cannot reach the load in some month, the error message lists the
        possible loads.
    at_limit : float
        Share of jobs that request the longest time their queue allows.
    killed : float
        Share of jobs that run until their requested time is up.
    seed : int
        The same seed and options give the same trace.

    Returns
    -------
    Trace
        With submit, run_time, requested_time, processors, user, queue (1 to 5: idqueue, small,
        small72, medium, large) and status. Time 0 is midnight on 1 July 2015, UTC+05:30. Each job
        is in the first queue of Table I that accepts it.

    Raises
    ------
    ValueError
        For an option out of range, or a load that cannot be reached with these requests.

    References
    ----------
    V. Kondameedi, S. Vadhiyar, "Adaptive hybrid queue configuration for supercomputer systems".
    """
    count = N_JOBS if n_jobs is None else whole("n_jobs", n_jobs, 1, N_JOBS)
    seed = whole("seed", seed, 0, 2**63 - 1)
    load = real("load", load, 1e-3, 2, f"{MEAN_LOAD} is the default")
    at_limit = real("at_limit", at_limit, 0, 1, "0.7 is the default")
    rule = "with 0, every job ends before its requested time is up"
    killed = real("killed", killed, 0, 1, rule)
    streams = iter(SeedSequence(seed).spawn(len(TABLE_II) * len(QUEUES)))
    drawn, queues, reaches = [], [], []
    begin = 0
    for month, jobs in TABLE_II.items():
        for number, (name, n) in enumerate(zip(QUEUES, jobs, strict=True)):
            work = LOADS[month][number] * load / MEAN_LOAD * MACHINE * month_hours(month) * HOUR
            dice = Generator(PCG64(next(streams)))
            when = begin, month_hours(month)
            jobs_drawn, reach = _draw(dice, name, n, when, work, at_limit, killed)
            drawn.append(jobs_drawn)
            reaches.append(reach)
            queues.append(np.full(n, number + 1))
        begin += month_hours(month) * HOUR
    if not all(reach.is_met for reach in reaches):
        raise ValueError(_out_of_reach(load, killed, reaches))
    columns = [np.concatenate(column) for column in zip(*drawn, strict=True)]
    queue = np.concatenate(queues)
    first = np.lexsort((queue, columns[0]))[:count]
    options = f"{n_jobs=}, {load=}, {at_limit=}, {killed=}, {seed=}"
    return _as_trace(Drawn(*(column[first] for column in columns)), queue[first], options)


def _out_of_reach(load: float, killed: float, reaches: Sequence[Reach]) -> str:
    """Return an error message with the loads that every queue can reach in every month."""
    low = max(math.ceil(1000 * load * max(reach.least for reach in reaches)), 1) / 1000
    high = min(math.floor(1000 * load * min(reach.most for reach in reaches)), 2000) / 1000
    if low > high:
        return (
            f"killed={killed:g}: no load suits every queue, because in some queue the "
            "jobs killed at their time limit do too much work; set a smaller share"
        )
    return (
        f"load={load:g}: with this seed, at_limit and killed={killed:g}, the load must be from "
        f"{low:g} to {high:g}; set a load in this range"
    )


def _as_trace(jobs: Drawn, queue: Int64, options: str) -> Trace:
    lines = header_lines(
        computer="Cray XC40 at SERC, Bangalore: CPU queues, as described in the paper",
        reference=REFERENCE,
        options=f'slotwise.generate("serc", {options})',
        start=START,
        n_jobs=len(queue),
        processors=MACHINE,
        queues=dict(enumerate(QUEUES, 1)),
    )
    return Trace.from_columns(
        jobs.submit,
        jobs.run_time,
        jobs.processors,
        jobs.requested_time,
        user=jobs.user,
        queue=queue,
        status=(jobs.run_time < jobs.requested_time).astype(np.int32),
        max_processors=MACHINE,
        unix_start_time=int(START.timestamp()),
        header_lines=lines,
    )


def _draw(
    dice: Generator,
    name: str,
    n: int,
    when: tuple[int, int],
    work: float,
    at_limit: float,
    killed: float,
) -> tuple[Drawn, Reach]:
    """Generate the jobs of a queue in a month.

    `when` is the start of the month, in seconds since time 0, and its length in hours.
    """
    known = TABLE_I[name]
    leads = dice.random(n) >= REPEATS
    leads[0] = True
    session = np.cumsum(leads) - 1
    sizes = _sizes(dice, known, n)[session]
    user = (1 + dice.zipf(1.4, n) % USERS)[session]
    submit = _submits(dice, session, *when)
    requested, run_time, reach = _lengths(dice, name, sizes, work, at_limit, killed)
    return Drawn(submit, run_time, requested, sizes, user), reach


def _sizes(dice: Generator, known: Range, n: int) -> Int64:
    """Sample the sizes of jobs: 8 or 16 processors, or whole nodes.

    On a log scale, the size lies at the fraction u^`smallness` of the queue's range, where u is
    uniform. Two in five node counts are rounded to a power of two.
    """
    low = np.log2(max(known.fewest, NODE / 2) / NODE)
    high = np.log2(known.most / NODE)
    exact = low + (high - low) * dice.random(n) ** known.smallness
    exponent = np.where(dice.random(n) < 0.4, np.rint(exact), exact)
    nodes = np.rint(2.0**exponent).astype(np.int64)
    sizes = np.clip(nodes * NODE, -(-known.fewest // NODE) * NODE, known.most // NODE * NODE)
    if known.fewest < NODE:
        parts = dice.random(n) < 0.25
        sizes = np.where(parts, dice.choice([8, 16], n), sizes)
    return np.asarray(sizes, np.int64)


def _submits(dice: Generator, session: Int64, begin: int, hours: int) -> Int64:
    """Sample submit times; the rate at which sessions start depends on the hour and the day."""
    days = np.arange(hours // 24)
    noise = np.empty(len(days))
    level = dice.normal()
    for day, step in enumerate(dice.normal(size=len(days))):
        level = DAY_MEMORY * level + np.sqrt(1 - DAY_MEMORY**2) * step
        noise[day] = level
    weekday = (START + timedelta(seconds=begin)).weekday() + days
    rate = np.exp(DAY_NOISE * noise) * np.where(weekday % 7 >= 5, WEEKEND, 1.0)
    share = np.cumsum(np.outer(rate, DAYTIME).ravel())
    first = np.searchsorted(share, dice.random(int(session[-1]) + 1) * share[-1])
    opened = first * HOUR + dice.integers(0, HOUR, len(first))
    gaps = dice.exponential(SESSION_GAP, len(session))
    gaps[np.flatnonzero(np.diff(session, prepend=-1))] = 0
    since = np.cumsum(gaps)
    starts = np.flatnonzero(np.diff(session, prepend=-1))
    within = (opened[session] + since - since[starts][session]).astype(np.int64)
    return np.asarray(begin + np.minimum(within, hours * HOUR - 1), np.int64)


def _lengths(
    dice: Generator, name: str, sizes: Int64, work: float, at_limit: float, killed: float
) -> tuple[Int64, Int64, Reach]:
    """Sample the requested times, and run times that amount to `work` processor-seconds in total.

    A job runs for u^g times its queue's longest request, where u is uniform and g is chosen to give
    the wanted work. It requests the longest time, or a round value that is long enough.
    """
    known = TABLE_I[name]
    n = len(sizes)
    above = np.full(n, known.above)
    if name == "small":  # the small queue gets no jobs that fit idqueue
        above[sizes <= TABLE_I["idqueue"].most] = TABLE_I["idqueue"].longest
    values = np.array([h * HOUR for h in ROUND_HOURS if h * HOUR <= known.longest], np.int64)
    u = dice.random(n)
    asks_longest = dice.random(n) < at_limit
    extra = dice.integers(0, 3, n)
    to_the_end = dice.random(n) < killed

    def lengths(g: float) -> tuple[Int64, Int64]:
        run_time = np.maximum(np.rint(known.longest * u**g), 1).astype(np.int64)
        place = np.searchsorted(values, np.maximum(run_time, above + 1)) + extra
        requested = np.where(
            asks_longest, known.longest, values[np.minimum(place, len(values) - 1)]
        )
        return requested, np.where(to_the_end, requested, run_time)

    low, high = -10.0, 10.0  # bounds of log2 of g; a higher g gives shorter run times
    for _ in range(50):
        middle = (low + high) / 2
        made = float(np.dot(lengths(2.0**middle)[1], sizes))
        low, high = (middle, high) if made > work else (low, middle)
    requested, run_time = lengths(2.0**high)
    made = float(np.dot(run_time, sizes))
    one = float(sizes.max()) * known.longest
    least, most = (float(np.dot(lengths(2.0**g)[1], sizes)) for g in (10, -10))
    reach = Reach(
        abs(made - work) <= max(0.02 * work, one),
        min(least / 1.02, least - one) / work,
        max(most / 0.98, most + one) / work,
    )
    return requested, run_time, reach
