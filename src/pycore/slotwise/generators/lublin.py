"""Lublin and Feitelson's workload model, with users and requested times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import PCG64, SeedSequence

from slotwise.trace import Trace

from . import _lublin
from .cycle import BUCKET, Cycle, daily_rates
from .estimates import Requests, request
from .options import moment, real, seconds, whole
from .registry import model
from .synthetic import header_lines

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from numpy.typing import NDArray

REFERENCE = (
    "U. Lublin, D. G. Feitelson, The workload on parallel supercomputers: modeling the "
    "characteristics of rigid jobs, J. Parallel Distrib. Comput. 63(11), 2003"
)
LONGEST_RUN = 12.0  # log seconds, 45 h; as the authors' program bounds it
LONGEST_GAP = 13.0  # log seconds, 5 days
FITTED_MACHINE = 128  # processors the published size parameters are given for
PROGRAMS = 8  # of each user
MOST_USERS = 2**31 // PROGRAMS - 1
LAST_TIME = 2**53  # seconds; what a trace can hold
LAST_RUN = 2**32 - 2  # seconds


@dataclass(frozen=True)
class Parameters:
    """One column of the paper's parameters, under its names.

    `uhi` and `umed` are counted down from log2 of the machine's processors.
    """

    serial: float
    pow2: float
    ulow: float
    umed: float
    uhi: float
    uprob: float
    a1: float
    b1: float
    a2: float
    b2: float
    pa: float
    pb: float
    aarr: float
    barr: float
    anum: float
    bnum: float
    arar: float


# Figures of the paper as the authors publish them with their program (lublin99.c, Parallel
# Workloads Archive), where the machine has 2**7 nodes.
PARAMETERS = {
    "batch": Parameters(
        serial=0.2927, pow2=0.6686, ulow=1.2, umed=2.0, uhi=0.0, uprob=0.875,
        a1=6.57, b1=0.823, a2=639.1, b2=0.0156, pa=-0.003, pb=0.6986,
        aarr=6.0415, barr=0.8531, anum=6.1271, bnum=5.2740, arar=1.0519,
    ),
    "interactive": Parameters(
        serial=0.1541, pow2=0.625, ulow=1.0, umed=4.0, uhi=1.5, uprob=0.705,
        a1=3.8351, b1=0.6605, a2=7.073, b2=0.6856, pa=-0.0118, pb=0.9156,
        aarr=6.5510, barr=0.6621, anum=8.9186, bnum=3.6680, arar=0.9797,
    ),
    "all": Parameters(
        serial=0.244, pow2=0.576, ulow=0.8, umed=2.5, uhi=0.0, uprob=0.86,
        a1=4.2, b1=0.94, a2=312.0, b2=0.03, pa=-0.0054, pb=0.78,
        aarr=10.2303, barr=0.4871, anum=8.1737, bnum=3.9631, arar=1.0225,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Sizes:
    """Bounds of the two-stage uniform distribution of log2 processors."""

    low: float
    medium: float
    high: float
    small: float


def size_bounds(known: Parameters, processors: int, scaled: bool) -> Sizes:
    """Return the size distribution for a machine.

    The paper gives ranges for what depends on the machine: UMed 1.5 to 3.5 below UHi, UProb 0.7
    to 0.95. Scaled, the parameters go from the fitted ones at 128 processors to the end of these
    ranges that has the smaller jobs at 2**15 and more, linearly in log2 of the processors: the
    larger a machine, the smaller the part of it that one job takes.
    """
    machine = math.log2(processors)
    large = min(max((machine - math.log2(FITTED_MACHINE)) / 8, 0.0), 1.0) if scaled else 0.0
    step, uprob = known.umed - known.uhi, known.uprob
    step += (3.5 - step) * large
    uprob += (0.95 - uprob) * large
    high = max(machine - known.uhi, 0.0)
    low = min(known.ulow, high)
    return Sizes(low, max(high - step, low), high, uprob)


@dataclass(frozen=True)
class Plan:
    """The options of a workload, checked."""

    known: Parameters
    n_jobs: int
    processors: int
    scaled: bool
    load: float | None
    span: int | None
    users: int
    sessions: float
    killed: float
    cycle: Cycle


@dataclass(frozen=True)
class Columns:
    """What the model draws; see `Trace` for the meaning. `opens` is 1 where a session opens."""

    opens: NDArray[np.uint8]
    user: NDArray[np.int32]
    executable: NDArray[np.int32]
    processors: NDArray[np.int64]
    run_time: NDArray[np.int64]
    submit: NDArray[np.int64]


@model("lublin", reference=REFERENCE)
def lublin(
    n_jobs: int = 100_000,
    processors: int = 35_232,
    *,
    load: float | None = 0.85,
    duration: float | str | timedelta | None = None,
    seed: int = 0,
    jobs: str = "batch",
    scaled: bool = True,
    start: str | datetime = "2024-01-01",
    weekend: float = 1.0,
    users: int | None = None,
    sessions: float = 0.5,
    killed: float = 0.02,
) -> Trace:
    """Draw a trace from Lublin and Feitelson's model of supercomputer workloads.

    Sizes are a two-stage uniform distribution of log2 processors with extra weight on serial jobs
    and powers of two; the log of the run time is one of two gamma variates, wide jobs taking the
    longer more often; the log of the time between arrivals is a gamma variate on a clock that runs
    faster in the rush hours. Users and requested times are additions of ours.

    Parameters
    ----------
    n_jobs : int
    processors : int
        Size of the machine; no job is wider.
    load : float or None, share of the machine
        Sum of run_time · processors over processors · (last submit − first submit); 0 < load ≤ 10,
        and above 1 the queue grows without end. Met by stretching the times between arrivals, the
        daily cycle staying in phase; sizes and run times are the model's. None leaves the
        model's own arrivals.
    duration : float, str or timedelta, optional
        First to last submit, in seconds or as "365d". Then arrivals are stretched to that, and
        the load is met by one factor on all run times (with load=None they stay the model's).
    seed : int
        Same seed and options, same trace.
    jobs : {"batch", "interactive", "all"}
        The column of the paper's parameters.
    scaled : bool
        Adapt the size parameters, published for machines of 128 nodes, to the machine: see Notes.
    start : str or datetime
        Date of the first submit, at which the trace's clock is 0; UTC unless it has a zone.
        The daily cycle follows this clock: arrivals peak from 11 to 15.
    weekend : float
        Rate of arrivals on Saturdays and Sundays, 1 on other days; 0 < weekend ≤ 10.
    users : int, optional
        Default: the square root of n_jobs. A few are far more active than the others: user k
        submits a job with a probability in proportion to log(1 + 1/k).
    sessions : float
        Share of jobs that follow the job before in its session: same user, executable, size,
        kind of run time, and request if it is long enough. 0 gives the model's independent jobs;
        the distribution of a single job is the model's either way.
    killed : float
        Share of jobs, among those of more than a minute, whose request is below their run time.
        Also jobs longer than 48 hours never are: the longest limit grows with them.

    Returns
    -------
    Trace
        With submit, run_time, requested_time, processors, user, group, executable, queue and
        status (1, or 0 where the job cannot end within its request).

    Raises
    ------
    ValueError
        An option out of its range, or a load no factor on the run times can meet.

    Notes
    -----
    Scaled, a machine of more than 128 processors gets UMed and UProb from the ranges the paper
    allows (`size_bounds`), and the slope of the run time mixture counts processors in 128ths of
    the machine; else every job of more than 233 processors would be a long one. With scaled=False
    the published figures are taken as they are.

    References
    ----------
    U. Lublin, D. G. Feitelson, "The workload on parallel supercomputers: modeling the
    characteristics of rigid jobs", J. Parallel Distrib. Comput. 63(11), 2003.
    D. Tsafrir, Y. Etsion, D. G. Feitelson, "Modeling User Runtime Estimates", JSSPP 2005.
    """
    n_jobs = whole("n_jobs", n_jobs, 1, 2**32 - 2)
    processors = whole("processors", processors, 1, 2**31 - 1)
    seed = whole("seed", seed, 0, 2**63 - 1)
    if load is not None:
        load = real("load", load, 1e-9, 10, "0.85 is a busy machine, above 1 an overloaded one")
    span = None if duration is None else seconds("duration", duration)
    if jobs not in PARAMETERS:
        raise ValueError(f"jobs={jobs!r}: the paper's classes of jobs are {', '.join(PARAMETERS)}")
    begin = moment("start", start)
    plan = Plan(
        PARAMETERS[jobs], n_jobs, processors, scaled, load, span,
        math.isqrt(n_jobs) if users is None else whole("users", users, 1, MOST_USERS),
        real("sessions", sessions, 0, 0.99, "0 gives independent jobs"),
        real("killed", killed, 0, 1, "0 makes every request long enough"),
        Cycle.build(
            daily_rates(PARAMETERS[jobs].anum, PARAMETERS[jobs].bnum),
            real("weekend", weekend, 0.001, 10, "1 makes weekends like other days"),
            begin,
        ),
    )  # fmt: skip
    *streams, people = (PCG64(s) for s in SeedSequence(seed).spawn(5))
    columns = draw(plan, streams)
    requests = request(
        people, columns.run_time, columns.user, columns.opens, plan.users, plan.killed
    )
    options = (
        f"lublin: n_jobs={n_jobs} processors={processors} load={load} duration={span} seed={seed} "
        f"jobs={jobs} scaled={scaled} start={begin.isoformat()} weekend={weekend} "
        f"users={plan.users} sessions={sessions} killed={killed}"
    )
    return as_trace(columns, requests, plan, begin, jobs, options)


def as_trace(
    columns: Columns, requests: Requests, plan: Plan, begin: datetime, jobs: str, options: str
) -> Trace:
    """Return the trace, with groups, queues and header lines."""
    queue = requests.queues()
    queues = {k: f"requests up to {limit} s" for k, limit in enumerate(requests.limits, 1)}
    if jobs == "interactive":
        queue.fill(0)
        queues = {0: "interactive"}
    status = (columns.run_time <= requests.requested_time).astype(np.int32)
    lines = header_lines(
        computer=f"Lublin and Feitelson's model, {jobs} jobs",
        reference=REFERENCE,
        options=options,
        start=begin,
        last_submit=int(columns.submit[-1]),
        n_jobs=plan.n_jobs,
        processors=plan.processors,
        queues=queues,
    )
    groups = math.isqrt(plan.users)
    return Trace.from_columns(
        columns.submit,
        columns.run_time,
        columns.processors,
        requests.requested_time,
        user=columns.user,
        group=(columns.user - 1) % groups + 1,
        executable=columns.executable,
        queue=queue,
        status=status,
        max_processors=plan.processors,
        unix_start_time=int(begin.timestamp()),
        header_lines=lines,
    )


def draw(plan: Plan, streams: list[PCG64]) -> Columns:
    """Draw the columns, each aspect from a stream of its own."""
    who, how_wide, how_long, when = streams
    opens = np.empty(plan.n_jobs, np.uint8)
    user, executable = (np.empty(plan.n_jobs, np.int32) for _ in range(2))
    _lublin.draw_sessions(who, plan.sessions, plan.users, PROGRAMS, opens, user, executable)
    processors = np.empty(plan.n_jobs, np.int64)
    known = plan.known
    sizes = size_bounds(known, plan.processors, plan.scaled)
    _lublin.draw_sizes(
        how_wide, opens, known.serial, known.pow2,
        sizes.low, sizes.medium, sizes.high, sizes.small, processors,
    )  # fmt: skip
    slope = known.pa * (min(1.0, FITTED_MACHINE / plan.processors) if plan.scaled else 1.0)
    drawn = np.empty(plan.n_jobs)
    _lublin.draw_run_times(
        how_long, opens, processors,
        known.a1, known.b1, known.a2, known.b2, slope, known.pb, LONGEST_RUN, drawn,
    )  # fmt: skip
    run_time, span = meet_load(plan, drawn, processors)
    ticks = np.empty(plan.n_jobs, np.int64)
    _lublin.draw_arrivals(when, known.aarr * known.arar, known.barr, LONGEST_GAP, ticks)
    arrive(ticks, plan.cycle, span)
    return Columns(opens, user, executable, processors, run_time, ticks)


def meet_load(
    plan: Plan, drawn: NDArray[np.float64], processors: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int | None]:
    """Return run times, and first to last submit, that give the load; None leaves the arrivals."""
    run_time = drawn.astype(np.int64)
    if plan.load is None:
        return run_time, plan.span
    capacity = plan.load * plan.processors
    if plan.span is None:
        span = round(area(run_time, processors) / capacity)
        if span > LAST_TIME:
            raise ValueError(
                f"load={plan.load}: these jobs would arrive over {span:,} seconds, more than a "
                "trace can hold; give a larger load"
            )
        return run_time, span
    wanted = capacity * plan.span
    least = int(processors.sum())
    if least > 1.01 * wanted:
        raise ValueError(
            f"load={plan.load}: {plan.n_jobs} jobs of one second already make a load of "
            f"{plan.load * least / wanted:.3g} over {plan.span} seconds; "
            "give fewer jobs, a larger load or a longer duration"
        )
    return scale_run_times(drawn, processors, wanted), plan.span


def scale_run_times(
    drawn: NDArray[np.float64], processors: NDArray[np.int64], wanted: float
) -> NDArray[np.int64]:
    """Return the run times times one factor, whole seconds from 1, of area `wanted`."""
    factor = 1.0
    run_time = drawn.astype(np.int64)
    for _ in range(40):
        made = area(run_time, processors)
        if abs(made - wanted) <= 1e-4 * wanted:
            break
        factor *= wanted / made
        run_time = np.maximum(np.rint(drawn * factor), 1).astype(np.int64)
        if int(run_time.max()) > LAST_RUN:
            raise ValueError(
                f"duration: meeting the load takes run times of {int(run_time.max()):,} seconds, "
                "more than a trace can hold; give more jobs, a shorter duration or a smaller load"
            )
    return run_time


def area(run_time: NDArray[np.int64], processors: NDArray[np.int64]) -> int:
    """Return the processor seconds of the jobs, exactly."""
    if int(run_time.max()) * int(processors.max()) * len(run_time) < 2**63:
        return int(np.dot(run_time, processors))
    return int(np.dot(run_time.astype(object), processors.astype(object)))


def arrive(ticks: NDArray[np.int64], cycle: Cycle, span: int | None) -> None:
    """Turn the working time of the arrivals into submit times, in place."""
    begin = cycle.working_time(cycle.offset)
    stretch = 1.0
    if span is not None:
        work = cycle.working_time(cycle.offset + span) - begin
        stretch = work * 1024 / max(int(ticks[-1]), 1)
    _lublin.follow_cycle(ticks, stretch, cycle.passed, BUCKET, cycle.offset, begin)
