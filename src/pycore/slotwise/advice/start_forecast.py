"""Forecasts of a job's start for each of its possible shapes, by simulation.

A log is replayed up to a given moment. Each shape is then submitted, after the log's own
submissions in that second, and the replay continues until the shape starts. This is repeated with
different run times of the running and waiting jobs, because a scheduler cannot know them.
"""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._numbers import whole
from slotwise.advice.run_ratios import RunRatios
from slotwise.errors import SiteError, TraceError
from slotwise.replay.reject_reason import RejectReason
from slotwise.simulation.simulation import Simulation
from slotwise.site.dates import dates_of
from slotwise.site.policy.external import External
from slotwise.sweeps.workers import threads_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from slotwise.site import Site
    from slotwise.trace import Trace

    Floats = NDArray[np.float64]

DRAWS = 200


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """A size and walltime that a job may request.

    Parameters
    ----------
    cores : int
    walltime : int, seconds
    """

    cores: int
    walltime: int

    def __post_init__(self) -> None:
        for name, value, unit in (
            ("cores", self.cores, "cores"),
            ("walltime", self.walltime, "seconds"),
        ):
            number = whole(value)
            if number is None or not 1 <= number < 2**31:
                raise ValueError(f"{name} is {value!r}; use a whole number of {unit}, at least 1")

    @property
    def core_hours(self) -> float:
        """Cost of the shape if it uses its whole walltime."""
        return self.cores * self.walltime / 3600


@dataclass(frozen=True, eq=False)
class StartForecast:
    """Forecast of the start of one shape.

    Attributes
    ----------
    shape : Shape
    waits : (n_draws,) float64, seconds, ascending
        Waits from the given moment; infinite if the shape never starts.
    if_all_take_their_requests : float, seconds
        The wait if every job used its full request and no other job arrived.
    queue : str
        Queue of the site that accepts the shape; empty if there is none.
    reject_reason : RejectReason
        Reason why the shape never starts.
    """

    shape: Shape
    waits: Floats
    if_all_take_their_requests: float
    queue: str = ""
    reject_reason: RejectReason = RejectReason.NONE

    def quantile(self, share: float) -> float:
        """Return the wait in seconds that is not exceeded in the given share of the samples."""
        place = min(int(share * len(self.waits)), len(self.waits) - 1)
        return float(self.waits[place])

    @property
    def mean(self) -> float:
        """Mean wait, seconds."""
        return float(self.waits.mean())

    @property
    def at_once(self) -> float:
        """Share of the samples in which the shape starts immediately."""
        return float((self.waits == 0).mean())

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; None means that the shape never starts."""
        figures = {
            "mean_wait": self.mean,
            "median_wait": self.quantile(0.5),
            "wait_10": self.quantile(0.1),
            "wait_90": self.quantile(0.9),
            "wait_if_all_take_their_requests": self.if_all_take_their_requests,
        }
        return {
            "cores": self.shape.cores,
            "walltime": self.shape.walltime,
            "core_hours": self.shape.core_hours,
            "at_once": self.at_once,
            **{name: value if np.isfinite(value) else None for name, value in figures.items()},
            "queue": self.queue or None,
            "reject_reason": self.reject_reason.name.lower(),
        }


@dataclass(frozen=True)
class MachineState:
    """A replay that has stopped at a given moment, at which the shapes are submitted.

    Attributes
    ----------
    simulation : Simulation
    now : int, seconds on the trace's clock
    rows : list of int
        Row of each shape in the simulation's trace.
    shapes : (n,) int64
        The same rows as an array. Each replay includes only one shape.
    ratios : RunRatios
        Ratios of the jobs that had ended before `now`.
    running, waiting : int
        Numbers of jobs.
    """

    simulation: Simulation
    now: int
    rows: list[int]
    shapes: NDArray[np.int64]
    ratios: RunRatios
    running: int
    waiting: int


def advise(
    trace: Trace,
    site: Site,
    at: int | str | datetime,
    shapes: Sequence[Shape],
    *,
    draws: int = DRAWS,
    seed: int = 0,
    arrivals: bool = False,
    user: int = -1,
    queue: int = -1,
    partition: int = -1,
    workers: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> list[StartForecast]:
    """Forecast when each shape would start if it were submitted at a given moment of a log.

    Parameters
    ----------
    trace : Trace
    site : Site
        The site under which the log is replayed, before and after the moment.
    at : int, str or datetime
        Seconds on the trace's clock, or a date.
    shapes : sequence of Shape
    draws : int, default 200
        Number of samples. In each, a job's run time is its requested time multiplied by a sampled
        ratio. The ratio comes from an earlier job with a similar request, and exceeds the share of
        the request that a running job has already used.
    seed : int, default 0
        Equal seeds give equal forecasts, on any number of threads.
    arrivals : bool, default False
        Include the log's later jobs.
    user : int, default -1
        The submitting user, for sites with per-user limits or fair share.
    queue, partition : int, default -1
        Queue and partition of the log to which the job is submitted, for sites with `trace_queues`.
    workers : int, optional
        Threads. Default: one per processor.
    progress : callable, optional
        Called with the fraction of the work done, 0 to 1.

    Returns
    -------
    list of StartForecast
        Cheapest first: by cores times walltime.

    Raises
    ------
    SiteError
        For a shape larger than the machine, a date in a log without dates, and an external
        dispatcher.
    TraceError
        For a moment outside the log.
    ValueError
        For an empty list of shapes, and a number of draws or a seed out of range.
    """
    for name, value, low, high in (("draws", draws, 1, 10**6), ("seed", seed, 0, 2**63 - 1)):
        number = whole(value)
        if number is None or not low <= number <= high:
            raise ValueError(f"{name} is {value!r}; use a whole number from {low} to {high:,}")
    chosen = sorted(set(shapes), key=lambda shape: (shape.core_hours, shape.cores))
    state = machine_state(
        trace, site, at, chosen, arrivals=arrivals, user=user, queue=queue, partition=partition
    )
    waits = _draw_waits(state, draws, seed, threads_for(workers), progress)
    asked = state.simulation.trace.requested_time
    routes = _routes(state)
    return [
        StartForecast(
            shape,
            np.sort(waits[:, place]),
            _wait(state.simulation, state, row, asked),
            *routes[place],
        )
        for place, (shape, row) in enumerate(zip(chosen, state.rows, strict=True))
    ]


def machine_state(
    trace: Trace,
    site: Site,
    at: int | str | datetime,
    shapes: Sequence[Shape],
    *,
    arrivals: bool = False,
    user: int = -1,
    queue: int = -1,
    partition: int = -1,
) -> MachineState:
    """Replay a log to just before a moment, and submit the shapes at that moment."""
    now = moment_of(trace, site, at)
    machine = site.machine_for(trace).count
    if not shapes:
        raise ValueError("no shapes are given; pass at least one number of cores and one walltime")
    if isinstance(site.policy, External):
        raise SiteError("a forecast cannot call an external dispatcher; use a policy")
    for shape in shapes:
        if shape.cores > machine:
            raise SiteError(
                f"a job of {shape.cores:,} cores never starts: the machine has {machine:,}; use "
                f"at most {machine:,} cores"
            )
    known = trace if arrivals else trace[trace.submit <= now]
    simulation = Simulation(known, site)
    simulation.run(until=now - 1)
    running, waiting = len(simulation.running), len(simulation.queue)
    numbers = [
        simulation.submit(
            processors=s.cores,
            run_time=s.walltime,
            requested_time=s.walltime,
            submit=now,
            user=user,
            queue=queue,
            partition=partition,
        )
        for s in shapes
    ]
    whole_trace = simulation.trace
    rows = [int(np.flatnonzero(whole_trace.job_id == number)[0]) for number in numbers]
    return MachineState(
        simulation, now, rows, np.array(rows, np.int64), _ratios_before(simulation, now),
        running, waiting,
    )  # fmt: skip


def _routes(state: MachineState) -> list[tuple[str, RejectReason]]:
    """Return the queue of each shape, and the reason if the shape is rejected."""
    submitted = copy.copy(state.simulation)
    submitted.run(until=state.now)
    result = submitted.result()
    return [
        (
            result.queue_names[result.queue[row]] if result.queue[row] >= 0 else "",
            RejectReason(result.reject_reason[row]),
        )
        for row in state.rows
    ]


def _ratios_before(simulation: Simulation, now: int) -> RunRatios:
    """Compute the ratios of the jobs that have ended, the only ones a user can know."""
    end = simulation.result().end
    trace = simulation.trace
    return RunRatios.of(trace[(end >= 0) & (end < now)])


def moment_of(trace: Trace, site: Site, at: int | str | datetime) -> int:
    """Convert a moment to seconds on the trace's clock; see `advise`."""
    number = whole(at)
    if number is None:
        try:
            date = at if isinstance(at, datetime) else datetime.fromisoformat(str(at))
        except ValueError:
            raise SiteError(
                f"{at!r} is not a time; use seconds on the log's clock, or a date such "
                "as 2010-10-20T08:00:00"
            ) from None
        dates = dates_of(trace, site.clock)
        if dates is None:
            raise SiteError(
                f"{at!r} is a date, but the start date of the log's clock is unknown; pass "
                "seconds, or set [clock] start in the site file"
            )
        number = dates.seconds(date)
    first, last = int(trace.submit[0]), int(trace.submit[-1])
    if not first < number <= last:
        raise TraceError(
            f"time {at} is second {number:,} on the log's clock, but the submit times range from "
            f"{first:,} to {last:,}: choose a time after {first:,} and no later than {last:,}",
            path=trace.source,
        )
    return number


def _draw_waits(
    state: MachineState,
    draws: int,
    seed: int,
    workers: int,
    progress: Callable[[float], object] | None,
) -> Floats:
    """Return the wait of each shape in each sample; every sample has its own random numbers."""
    streams = np.random.SeedSequence(seed).spawn(draws)
    requested = state.simulation.trace.requested_time
    so_far = state.simulation.result()
    alive = np.flatnonzero((so_far.start < 0) | (so_far.end >= state.now))
    begun = so_far.start[alive]
    elapsed = np.where(begun >= 0, state.now - begun, 0)

    # Each thread needs its own copy, because only one thread at a time may use a simulation.
    copies: SimpleQueue[Simulation] = SimpleQueue()
    for _ in range(workers):
        copies.put(copy.copy(state.simulation))

    def one(stream: np.random.SeedSequence) -> list[float]:
        random = np.random.Generator(np.random.PCG64(stream))
        run_time = requested.copy()
        run_time[alive] = state.ratios.draw(requested[alive], elapsed, random)
        mine = copies.get()
        try:
            return [_wait(mine, state, row, run_time) for row in state.rows]
        finally:
            copies.put(mine)

    found = []
    with ThreadPoolExecutor(workers) as pool:
        for waits in pool.map(one, streams):
            found.append(waits)
            if progress is not None:
                progress(len(found) / draws)
    return np.array(found)


def _wait(
    simulation: Simulation, state: MachineState, row: int, run_time: NDArray[np.int64]
) -> float:
    start = simulation._core.start_under(row, run_time, state.shapes)
    return np.inf if start is None else float(start - state.now)
