"""A synthetic log like Kraken's, calibrated to a thesis on Kraken's priority formula."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence

from slotwise.generators import kraken_parameters as known
from slotwise.trace import Trace

from .cycle import Cycle, daily_rates
from .lublin_parameters import PARAMETERS
from .options import moment, real, seconds, whole
from .registry import model
from .synthetic import header_lines

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

REFERENCE = (
    "M. D. Vanderlan, Analyzing supercomputer utilization under queuing with a priority formula "
    "and a strict backfill policy, University of Tennessee 2011"
)
WEEK, DAY = 604_800, 86_400
LEAST_FACTOR = 1 / 50


@dataclass(frozen=True)
class Sessions:
    """Sessions, each of which is a single job or a burst of similar jobs.

    `error` is a standard normal variate; `run` is in hours, before scaling to the load.
    """

    jobs: Ints
    user: Ints
    nodes: Ints
    run: Floats
    error: Floats
    killed: NDArray[np.bool_]
    submit: Floats

    def join(self, other: Sessions) -> Sessions:
        """Return these sessions, followed by those of `other`."""
        columns = {n: np.concatenate([getattr(self, n), getattr(other, n)]) for n in vars(self)}
        return Sessions(**columns)


@model("kraken", reference=REFERENCE)
def kraken(
    n_jobs: int | None = None,
    *,
    period: str = "47.5d",
    duration: float | str | timedelta | None = None,
    load: float = known.LOAD,
    seed: int = 0,
    start: str | datetime | None = None,
    users: int = 600,
    weekend: float = 0.6,
) -> Trace:
    """Generate a trace like the log of Kraken, which had 98,976 cores in nodes of 12.

    The trace has single jobs of all sizes, and bursts of small jobs by one user. Full-machine jobs
    are submitted in the last hour of the weekly maintenance. Users request far more time than they
    need, especially for short jobs. NumPy's exponential and logarithm may differ in the last digit
    between processors, which can change a run time by a second.

    Parameters
    ----------
    n_jobs : int, optional
        Number of jobs. Default: the number in the period, which is 100,000 or 573,000.
    period : {"47.5d", "13mo"}
        Period of Kraken's log: 47.5 days from 2010-10-13, or the 13 months from 2009-10-03. The
        period sets the number of jobs per day and the default start. It also sets the default
        number of jobs and the default duration.
    duration : float, str or timedelta, optional
        Time from first to last submission, in seconds or as "14d". Default: the number of jobs
        divided by the period's mean number of jobs per day.
    load : float, share of the machine
        Sum of run_time · processors over all jobs, divided by the size of the machine and by the
        duration; from 0.05 to 2. All run times are multiplied by one factor, from 1/50 to 50, to
        meet this load; a trace with few jobs may miss it.
    seed : int
        The same seed and options give the same trace.
    start : str or datetime, optional
        Date of the first submission, at which the trace's clock is 0. Default: the first day of the
        period.
    users : int
        Number of users, at least 40.
    weekend : float
        Arrival rate on Saturdays and Sundays, relative to other days; 0 < weekend ≤ 10.

    Returns
    -------
    Trace
        With submit, run_time, requested_time, processors, user and status (1, or 0 for a job that
        was killed at its time limit).

    Raises
    ------
    ValueError
        For an option out of range.

    References
    ----------
    M. D. Vanderlan, "Analyzing supercomputer utilization under queuing with a priority formula and
    a strict backfill policy", University of Tennessee 2011.
    """
    if period not in known.PERIODS:
        raise ValueError(f"period={period!r}: choose one of: {', '.join(known.PERIODS)}")
    whole_period = known.PERIODS[period]
    n_jobs = whole("n_jobs", whole_period.n_jobs if n_jobs is None else n_jobs, 2, 2**31)
    share = n_jobs / whole_period.n_jobs
    span = max(1, round(whole_period.seconds * share)) if duration is None else seconds(
        "duration", duration
    )  # fmt: skip
    load = real("load", load, 0.05, 2, "Kraken had 0.88")
    seed = whole("seed", seed, 0, 2**63 - 1)
    begin = moment("start", whole_period.start if start is None else start)
    users = whole("users", users, 40, 2**31 - 1)
    weekend = real("weekend", weekend, 0.001, 10, "1 makes weekends like other days")
    cycle = Cycle.build(
        daily_rates(PARAMETERS["batch"].anum, PARAMETERS["batch"].bnum), weekend, begin
    )
    who, when, what, asked, within = (Generator(PCG64(s)) for s in SeedSequence(seed).spawn(5))
    sessions = full_machine_jobs(what, asked, span, begin, n_jobs, users)
    usual = usual_sessions(who, when, what, asked, n_jobs - len(sessions.jobs), users, cycle, span)
    columns = as_columns(usual.join(sessions), within, span, load)
    options = (
        f"{n_jobs=}, {period=}, duration={span}, {load=}, {seed=}, start={begin.isoformat()!r}, "
        f"{users=}, {weekend=}"
    )
    return as_trace(columns, begin, f'slotwise.generate("kraken", {options})')


def as_trace(columns: dict[str, NDArray[Any]], begin: datetime, call: str) -> Trace:
    """Return the trace, with header lines; `call` is the call that generates it again."""
    lines = header_lines(
        computer="like Kraken, a Cray XT5 of 98,976 cores",
        reference=REFERENCE,
        options=call,
        start=begin,
        n_jobs=len(columns["submit"]),
        processors=known.CORES,
        queues={},
    )
    return Trace.from_columns(
        **columns,
        max_processors=known.CORES,
        unix_start_time=int(begin.timestamp()),
        header_lines=lines,
    )


def maintenance_ends(begin: datetime, span: int) -> Ints:
    """Return the end of each weekly maintenance window in the span, in seconds from the start."""
    hour = known.MAINTENANCE_HOURS[1]
    day = (2 - begin.weekday()) % 7  # Wednesday
    first = day * DAY + hour * 3600 - (begin.hour * 3600 + begin.minute * 60 + begin.second)
    return np.arange(first if first > 0 else first + WEEK, span + 1, WEEK, dtype=np.int64)


def full_machine_jobs(
    what: Generator, asked: Generator, span: int, begin: datetime, n_jobs: int, users: int
) -> Sessions:
    """Generate the full-machine jobs, submitted shortly before each maintenance window ends."""
    ends = np.repeat(maintenance_ends(begin, span), known.FULL_A_WEEK)[: n_jobs // 2]
    n = len(ends)
    most = known.CORES // known.CORES_A_NODE
    lead = known.FULL_LEAD * 3600 * what.random(n)
    return Sessions(
        np.ones(n, np.int64),
        users - what.integers(0, 10, n),
        what.integers(math.ceil(known.FULL_FROM * most), most + 1, n),
        known.FULL_HOURS * np.exp(0.4 * what.standard_normal(n)),
        asked.standard_normal(n),
        np.zeros(n, np.bool_),
        np.maximum(ends - lead, 0.0),
    )


def usual_sessions(
    who: Generator,
    when: Generator,
    what: Generator,
    asked: Generator,
    n_jobs: int,
    users: int,
    cycle: Cycle,
    span: int,
) -> Sessions:
    """Generate single jobs and bursts, `n_jobs` in all."""
    in_bursts = round(known.BURST_SHARE * n_jobs)
    sizes = what.geometric(1 / known.BURST_JOBS, max(1, in_bursts))
    n_bursts = int(np.searchsorted(np.cumsum(sizes), in_bursts, side="left")) + (in_bursts > 0)
    bursts = sizes[:n_bursts].astype(np.int64)
    if n_bursts:
        bursts[-1] -= int(bursts.sum()) - in_bursts
    singles = n_jobs - in_bursts
    jobs = np.concatenate([np.ones(singles, np.int64), bursts])
    n = len(jobs)
    low, high, share, hours = (np.array(column) for column in zip(*known.SIZES, strict=True))
    kind = np.searchsorted(np.cumsum(share), what.random(n) * share.sum(), side="right")
    kind = np.minimum(kind, len(share) - 1)
    width = what.random(n)
    nodes = np.floor(low[kind] * ((high[kind] + 1) / low[kind]) ** width).astype(np.int64)
    nodes[singles:] = np.floor(
        known.BURST_NODES[0] + width[singles:] * (known.BURST_NODES[1] + 1 - known.BURST_NODES[0])
    )
    median = hours[kind]
    median[singles:] = known.BURST_HOURS
    work = np.sort(when.random(n)) * (
        cycle.working_time(cycle.offset + span) - cycle.working_time(cycle.offset)
    )
    submit = clock_times(cycle, work)
    when.shuffle(submit)
    return Sessions(
        jobs,
        draw_users(who, n, singles, users),
        nodes,
        median * np.exp(known.RUN_SPREAD * what.standard_normal(n)),
        asked.standard_normal(n),
        asked.random(n) < known.KILLED,
        submit,
    )


def clock_times(cycle: Cycle, work: Floats) -> Floats:
    """Convert working time since the start to seconds since the start."""
    passed = cycle.passed
    length = 1800.0 * (len(passed) - 1)
    total = work + cycle.working_time(cycle.offset)
    rounds, rest = np.divmod(total, passed[-1])
    inside = np.interp(rest, passed, np.arange(len(passed)) * 1800.0)
    return np.asarray(rounds * length + inside - cycle.offset)


def draw_users(who: Generator, n: int, singles: int, users: int) -> Ints:
    """Choose the user of each of `n` sessions: `singles` single jobs, then the bursts.

    User k has activity 1/(k + 20). The first tenth of the users share the bursts evenly.
    """
    below = np.cumsum(1 / (np.arange(users) + 21.0))
    user = np.searchsorted(below, who.random(n) * below[-1], side="right") + 1
    user = np.minimum(user, users)
    crowd = max(1, round(known.BURST_USERS * users))
    user[singles:] = who.integers(1, crowd + 1, n - singles)
    return np.asarray(user, np.int64)


def as_columns(
    sessions: Sessions, within: Generator, span: int, load: float
) -> dict[str, NDArray[Any]]:
    """Expand the sessions into jobs that meet the load; columns are in order of submit time."""
    row = np.repeat(np.arange(len(sessions.jobs)), sessions.jobs)
    first = np.cumsum(sessions.jobs) - sessions.jobs
    place = np.arange(len(row)) - first[row]
    spread = np.exp(known.WITHIN_SPREAD * within.standard_normal(len(row)))
    spread[(sessions.jobs == 1)[row]] = 1.0
    submit = sessions.submit[row] + known.BURST_GAP * place
    submit = np.minimum(np.floor(submit), span).astype(np.int64)
    cores = sessions.nodes[row] * known.CORES_A_NODE
    run_time, requested = meet_load(sessions, row, spread, cores, load * known.CORES * span)
    order = np.lexsort((place, submit))
    submit[order[0]], submit[order[-1]] = 0, span
    cut = run_time == requested
    columns: dict[str, NDArray[Any]] = {
        "submit": submit,
        "run_time": run_time,
        "processors": cores,
        "requested_time": requested,
        "user": sessions.user[row].astype(np.int32),
        "status": np.where(cut, 0, 1).astype(np.int32),
    }
    return {name: column[order] for name, column in columns.items()}


def meet_load(
    sessions: Sessions, row: Ints, spread: Floats, cores: Ints, wanted: float
) -> tuple[Ints, Ints]:
    """Return run times whose work is close to `wanted` core-seconds, and requested times."""
    low, high = LEAST_FACTOR, 1 / LEAST_FACTOR
    factor = 1.0
    for _ in range(40):
        run_time, requested = times(sessions, row, spread, factor)
        work = float(np.dot(run_time, cores))
        if abs(work - wanted) <= 2e-4 * wanted:
            break
        low, high = (factor, high) if work < wanted else (low, factor)
        # Some jobs run until their limit, so the work changes less than the factor does, and one
        # correction of the factor is often too small. A factor outside the bracket is replaced by
        # the geometric mean of the bracket's ends.
        factor *= wanted / max(work, 1.0)
        if not low < factor < high:
            factor = math.sqrt(low * high)
    return run_time, requested


def times(sessions: Sessions, row: Ints, spread: Floats, factor: float) -> tuple[Ints, Ints]:
    """Return run and requested times in whole seconds, with run times multiplied by `factor`.

    Run times above LONG_RUN are compressed, so that they remain below LONGEST_RUN.
    """
    room = known.LONGEST_RUN - known.LONG_RUN
    hours = sessions.run * factor
    squeezed = known.LONG_RUN + room * -np.expm1(-np.maximum(hours - known.LONG_RUN, 0) / room)
    run = np.maximum(3600 * np.where(hours > known.LONG_RUN, squeezed, hours), known.SHORTEST_RUN)
    at, centre = (np.array(column) for column in zip(*known.DRAWN_ERROR, strict=True))
    logit = np.interp(np.log(run / 3600), np.log(at), np.log(centre / (1 - centre)))
    inverse = 1 + np.exp(logit + known.ERROR_SPREAD * sessions.error)  # request / run
    request = rounded_up(run * np.where(sessions.killed, 1.0, inverse), sessions.killed)
    requested = request[row]
    run_time = np.maximum(np.rint(run[row] * spread), 1).astype(np.int64)
    run_time = np.where(sessions.killed[row], requested, np.minimum(run_time, requested))
    return run_time, requested


def rounded_up(request: Floats, exact: NDArray[np.bool_]) -> Ints:
    """Round requests up to the usual steps, or to minutes if `exact`, and cap them at the limit."""
    step = np.full(len(request), float(known.ROUND_UP[-1][1]))
    for most, unit in reversed(known.ROUND_UP):
        step[request <= most] = unit
    step[exact] = 60.0
    rounded = np.minimum(np.ceil(request / step) * step, known.LONGEST_REQUEST)
    return np.asarray(rounded, np.int64)
