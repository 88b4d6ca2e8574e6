"""Lublin and Feitelson's workload model, with users and requested times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import PCG64, SeedSequence

from slotwise.trace import Trace

from ._lublin import draw_arrivals, draw_run_times, draw_sessions, draw_sizes, follow_cycle
from .cycle import BUCKET, Cycle, daily_rates
from .estimates import Requests, request
from .gpu_requests import gpu_requests
from .load import meet_load
from .lublin_parameters import (
    LONGEST_GAP,
    LONGEST_RUN,
    PARAMETERS,
    Parameters,
    long_jobs_slope,
    size_bounds,
)
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
PROGRAMS = 8  # executables per user
MOST_USERS = 2**31 // PROGRAMS - 1


@dataclass(frozen=True)
class Plan:
    """Options of a workload, already checked."""

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
    """Columns of the jobs, as in `Trace`; `opens` is 1 for a job that opens a session."""

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
    kind: str = "batch",
    scaled: bool = True,
    start: str | datetime = "2024-01-01",
    weekend: float = 1.0,
    users: int | None = None,
    sessions: float = 0.5,
    killed: float = 0.02,
    gpus: int = 0,
    gpu_share: float = 0.2,
    cores_per_gpu: int = 8,
) -> Trace:
    """Generate a trace from Lublin and Feitelson's model of supercomputer workloads.

    Sizes follow a two-stage uniform distribution of log2 processors, with extra weight on serial
    jobs and powers of two. The log of the run time has one of two gamma distributions; wide jobs
    more often get the one with longer run times. The log of the time between arrivals is a gamma
    variate on a clock that runs faster in rush hours. Users and requested times are additions to
    the published model.

    Parameters
    ----------
    n_jobs : int
        Number of jobs.
    processors : int
        Size of the machine; no job is larger.
    load : float or None, share of the machine
        Sum of run_time · processors over all jobs, divided by the size of the machine and by the
        time from first to last submission; 0 < load ≤ 10. Above 1, the queue grows without bound.
        The gaps between arrivals are scaled to reach the load, without shifting the daily cycle;
        sizes and run times stay as in the model. Without a load, the gaps are not scaled.
    duration : float, str or timedelta, optional
        Time from first to last submission, in seconds or as "365d". Arrivals are spread over
        this time, and all run times are multiplied by one factor to reach the load. Without a
        load, the run times stay as in the model.
    seed : int
        The same seed and options give the same trace.
    kind : {"batch", "interactive", "all"}
        Type of jobs; each type has its own published parameters.
    scaled : bool
        Adapt the sizes, which were published for machines of 128 nodes, to larger machines.
        Otherwise, the published sizes are used.
    start : str or datetime
        Date of the first submission, at which the trace's clock is 0; UTC unless it has a zone.
        The daily cycle follows this clock: arrivals peak from 11:00 to 15:00.
    weekend : float
        Arrival rate on Saturdays and Sundays, relative to other days; 0 < weekend ≤ 10.
    users : int, optional
        Number of users. Default: the square root of the number of jobs. A few users are far more
        active than the others: user k submits a job with a probability proportional to
        log(1 + 1/k).
    sessions : float
        Share of jobs that continue the session of the previous job: they have the same user,
        executable, size and run-time distribution. Their requested time is also the same,
        unless the run time exceeds it. With 0, jobs are independent, as in the model.
    killed : float
        Share of jobs whose requested time is below the run time, among jobs that run for more
        than a minute. All other jobs request at least their run time. No job requests more than
        48 hours, unless it runs for longer.
    gpus : int
        Number of GPUs in the machine. With 0, no job uses GPUs; otherwise the gpus column, which
        csv and parquet files include, gives the number of GPUs of each job.
    gpu_share : float
        Probability that a job requests GPUs. If a job would need more GPUs than there are, it
        requests none.
    cores_per_gpu : int
        Processors per GPU in jobs with GPUs; the number of GPUs is rounded up.

    Returns
    -------
    Trace
        With submit, run_time, requested_time, processors, user, group, executable, queue and
        status (1, or 0 for a job that cannot end within its request); with `gpus`, also gpus.

    Raises
    ------
    ValueError
        For an option out of range, or a load that no factor on the run times can meet.

    Notes
    -----
    With `scaled`, a machine of more than 128 processors gets UMed and UProb from the ranges that
    the paper allows. The probability of a long run time then depends on the job's share of the
    machine. Without scaling, every job of more than 233 processors would be long.

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
        load = real(
            "load", load, 1e-9, 10, "0.85 means a busy machine, and more than 1 an overloaded one"
        )
    span = None if duration is None else seconds("duration", duration)
    if kind not in PARAMETERS:
        raise ValueError(f"kind={kind!r}: choose one of: {', '.join(PARAMETERS)}")
    gpus = whole("gpus", gpus, 0, 2**31 - 1)
    gpu_share = real("gpu_share", gpu_share, 0, 1, "0.2 is one job in five")
    cores_per_gpu = whole("cores_per_gpu", cores_per_gpu, 1, 2**31 - 1)
    begin = moment("start", start)
    plan = Plan(
        PARAMETERS[kind], n_jobs, processors, scaled, load, span,
        math.isqrt(n_jobs) if users is None else whole("users", users, 1, MOST_USERS),
        real("sessions", sessions, 0, 0.99, "0 makes all jobs independent"),
        real("killed", killed, 0, 1, "with 0, no job runs past its requested time"),
        Cycle.build(
            daily_rates(PARAMETERS[kind].anum, PARAMETERS[kind].bnum),
            real("weekend", weekend, 0.001, 10, "1 makes weekends like other days"),
            begin,
        ),
    )  # fmt: skip
    *streams, people, cards = (PCG64(s) for s in SeedSequence(seed).spawn(6))
    columns = draw(plan, streams)
    requests = request(
        people, columns.run_time, columns.user, columns.opens, plan.users, plan.killed
    )
    options = (
        f"{n_jobs=}, {processors=}, {load=}, duration={span}, {seed=}, {kind=}, {scaled=}, "
        f"start={begin.isoformat()!r}, {weekend=}, users={plan.users}, {sessions=}, {killed=}"
    )
    if gpus == 0:
        return as_trace(columns, requests, plan, begin, kind, options)
    options += f", {gpus=}, {gpu_share=}, {cores_per_gpu=}"
    trace = as_trace(columns, requests, plan, begin, kind, options)
    drawn = gpu_requests(cards, trace.processors, gpus, gpu_share, cores_per_gpu)
    return trace.with_columns(gpus=drawn)


def as_trace(
    columns: Columns, requests: Requests, plan: Plan, begin: datetime, kind: str, options: str
) -> Trace:
    """Return the trace, with groups, queues and header lines."""
    queue = requests.queues()
    queues = {k: f"requested times up to {limit} s" for k, limit in enumerate(requests.limits, 1)}
    if kind == "interactive":
        queue.fill(0)
        queues = {0: "interactive"}
    status = (columns.run_time <= requests.requested_time).astype(np.int32)
    lines = header_lines(
        computer=f"Lublin and Feitelson's model, {kind} jobs",
        reference=REFERENCE,
        options=f'slotwise.generate("lublin", {options})',
        start=begin,
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
    """Generate the columns; users, sizes, run times and arrivals have separate random streams."""
    who, how_wide, how_long, when = streams
    opens = np.empty(plan.n_jobs, np.uint8)
    user, executable = (np.empty(plan.n_jobs, np.int32) for _ in range(2))
    draw_sessions(who, plan.sessions, plan.users, PROGRAMS, opens, user, executable)
    processors = np.empty(plan.n_jobs, np.int64)
    known = plan.known
    sizes = size_bounds(known, plan.processors, plan.scaled)
    draw_sizes(
        how_wide, opens, known.serial, known.pow2,
        sizes.low, sizes.medium, sizes.high, sizes.small, processors,
    )  # fmt: skip
    slope = long_jobs_slope(known, plan.processors, plan.scaled)
    drawn = np.empty(plan.n_jobs)
    draw_run_times(
        how_long, opens, processors,
        known.a1, known.b1, known.a2, known.b2, slope, known.pb, LONGEST_RUN, drawn,
    )  # fmt: skip
    run_time, span = meet_load(drawn, processors, plan.processors, plan.load, plan.span)
    ticks = np.empty(plan.n_jobs, np.int64)
    draw_arrivals(when, known.aarr * known.arar, known.barr, LONGEST_GAP, ticks)
    arrive(ticks, plan.cycle, span)
    return Columns(opens, user, executable, processors, run_time, ticks)


def arrive(ticks: NDArray[np.int64], cycle: Cycle, span: int | None) -> None:
    """Convert arrivals, in place, from 1/1024 s of working time to submit times in seconds.

    If `span` is given, the arrivals are first scaled to this number of seconds.
    """
    begin = cycle.working_time(cycle.offset)
    stretch = 1.0
    if span is not None:
        work = cycle.working_time(cycle.offset + span) - begin
        stretch = work * 1024 / max(int(ticks[-1]), 1)
    follow_cycle(ticks, stretch, cycle.passed, BUCKET, cycle.offset, begin)
