"""Workload model of a centre with GPU nodes, for examples/sites/gpu-centre.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slotwise.trace import Trace
from slotwise.trace.demands import Demands

from .centre_parameters import (
    AT_LIMIT,
    CONSTRAINTS,
    CPU_NODES,
    DAYTIME,
    GPUS,
    NODE_CORES,
    PARTITIONS,
    REPEATS,
    SHARED_CPU,
    SHARED_GPU,
    WEEKEND,
    Partition,
)
from .options import moment, real, seconds, whole
from .registry import model
from .synthetic import header_lines

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from numpy.random import Generator
    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]

REFERENCE = "Classes, sizes and shares are our own (docs/generators.md), not from a publication"
GB = 1 << 20  # KB


class Shapes(NamedTuple):
    """The requests of the jobs, as columns with one value per job."""

    queue: Int64
    user: Int64
    request: Int64
    units: Int64
    cores: Int64
    memory: Int64
    gpus: Int64
    is_exclusive: NDArray[np.bool_]
    constraint: NDArray[np.str_]


@model("centre", reference=REFERENCE)
def centre(
    n_jobs: int = 100_000,
    *,
    duration: float | str | timedelta | None = None,
    load: float = 0.85,
    gpu_share: float = 0.25,
    shared: float = 1 / 3,
    users: int = 300,
    seed: int = 0,
    start: str | datetime = "2025-03-03T00:00:00",
) -> Trace:
    """Generate jobs for a centre of 1,500 nodes, 200 of them with GPUs, in six partitions.

    The machine is that of examples/sites/gpu-centre.toml. Two thirds of the jobs use whole nodes;
    the others share theirs. Run times are scaled so that CPU nodes and GPUs have the same load.

    Parameters
    ----------
    n_jobs : int
        Number of jobs.
    duration : duration, optional
        Time over which the jobs arrive. Default: 30 days per 100,000 jobs, at least a minute. With
        few jobs, the load may be lower than specified, because no job runs for longer than it
        requests.
    load : float
        Share of the CPU nodes, and of the GPUs, that the jobs keep busy over the duration;
        0 < load ≤ 2.
    gpu_share : float
        Share of jobs that request GPUs.
    shared : float
        Fraction of jobs that share nodes with other jobs.
    users : int
        Number of users. A few users submit most jobs: the rate of user k is proportional to 1 / k.
    seed : int
        The same seed and options give the same trace.
    start : str or datetime
        Date of time 0; UTC unless it has a zone. Arrivals depend on the hour and the day
        of the week.

    Returns
    -------
    Trace
        With `demands`, queue (1 debug, 2 cpu, 3 long, 4 highmem, 5 gpu, 6 gpu-short), user, group,
        account and qos. ``.csv`` and ``.parquet`` files contain the demands; ``.swf`` files do not.

    Raises
    ------
    ValueError
        For an option out of range, or a load that cannot be reached with these requests.
    """
    n_jobs = whole("n_jobs", n_jobs, 1, 10_000_000)
    span = max(round(25.92 * n_jobs), 60) if duration is None else seconds("duration", duration)
    load = real("load", load, 1e-3, 2, "0.85 is the default")
    gpu_share = real("gpu_share", gpu_share, 0, 1, "0.25 is the default")
    shared = real("shared", shared, 0, 1, "0.33 is the default")
    users = whole("users", users, 1, 100_000)
    seed = whole("seed", seed, 0, 2**63 - 1)
    begin = moment("start", start)
    random = np.random.Generator(np.random.PCG64(seed))
    submit = _arrivals(n_jobs, span, begin, random)
    shapes = _shapes(n_jobs, gpu_share, shared, users, random)
    run_time = _run_times(shapes, load, span, random, must_meet=duration is not None)
    options = (
        f"{n_jobs=}, duration={span}, {load=}, {gpu_share=}, {shared=}, {users=}, {seed=}, "
        f"start={begin.isoformat()!r}"
    )
    return _as_trace(submit, run_time, shapes, begin, options)


def _arrivals(n_jobs: int, span: int, begin: datetime, random: Generator) -> Int64:
    """Sample submit times over the span, by the hour of the day and the day of the week."""
    hours = np.arange(-(-span // 3600) + 1)
    hour_of_week = (begin.weekday() * 24 + begin.hour + hours[:-1]) % 168
    rates = DAYTIME[hour_of_week % 24] * np.where(hour_of_week >= 120, WEEKEND, 1.0)
    passed = np.concatenate([[0.0], np.cumsum(rates)])
    drawn = np.interp(random.random(n_jobs) * passed[-1], passed, hours * 3600.0)
    submit = np.sort(np.minimum(drawn, span - 1).astype(np.int64))
    return np.asarray(submit - submit[0])


def _shapes(n_jobs: int, gpu_share: float, shared: float, users: int, random: Generator) -> Shapes:
    """Sample the requests of the jobs; a job often repeats the request of the previous one."""
    asks_gpus = random.random(n_jobs) < gpu_share
    queue = np.empty(n_jobs, dtype=np.int64)
    is_shared = np.empty(n_jobs, dtype=bool)
    weight = SHARED_GPU * gpu_share + SHARED_CPU * (1 - gpu_share)
    for is_gpu, weight_of in ((False, SHARED_CPU), (True, SHARED_GPU)):
        chosen = np.flatnonzero(asks_gpus == is_gpu)
        numbers = [n for n, p in enumerate(PARTITIONS) if p.has_gpus == is_gpu]
        shares = np.array([PARTITIONS[n].share for n in numbers])
        queue[chosen] = random.choice(numbers, len(chosen), p=shares / shares.sum())
        share = min(shared * weight_of / weight, 1.0)
        is_shared[chosen] = random.random(len(chosen)) < share
    frequency = 1 / np.arange(1, users + 1)
    user = random.choice(users, n_jobs, p=frequency / frequency.sum()) + 1
    parts = [np.zeros(n_jobs, dtype=np.int64) for _ in range(5)]
    constraint = np.full(n_jobs, "", dtype="U9")
    for number, partition in enumerate(PARTITIONS):
        of_it = queue == number
        for is_whole in (True, False):
            chosen = np.flatnonzero(of_it & (is_shared != is_whole))
            drawn = _asked(partition, is_whole, len(chosen), random)
            for column, values in zip(parts, drawn, strict=True):
                column[chosen] = values
        if partition.has_gpus:
            words = [word for word, _ in CONSTRAINTS]
            odds = [share for _, share in CONSTRAINTS]
            constraint[of_it] = random.choice(words, int(of_it.sum()), p=odds)
    request, units, cores, memory, gpus = parts
    leads = random.random(n_jobs) >= REPEATS
    leads[0] = True
    leader = np.maximum.accumulate(np.where(leads, np.arange(n_jobs), 0))
    return Shapes(
        queue=queue[leader],
        user=user[leader],
        request=request[leader],
        units=units[leader],
        cores=cores[leader],
        memory=memory[leader],
        gpus=gpus[leader],
        is_exclusive=~is_shared[leader],
        constraint=constraint[leader],
    )


def _asked(
    partition: Partition, is_whole: bool, n_jobs: int, random: Generator
) -> tuple[Int64, Int64, Int64, Int64, Int64]:
    """Sample each job's requested time, number of units, and cores, memory and GPUs per unit."""

    def drawn(table: tuple[tuple[int, float], ...]) -> Int64:
        values, shares = zip(*table, strict=True)
        return np.asarray(random.choice(values, n_jobs, p=shares), dtype=np.int64)

    request = drawn(partition.requests)
    if is_whole:
        cores = np.full(n_jobs, partition.node_cores)
        memory = drawn(partition.node_memory) * GB
        return request, drawn(partition.nodes), cores, memory, np.full(n_jobs, partition.node_gpus)
    if partition.has_gpus:
        gpus = drawn(((1, 0.65), (2, 0.2), (4, 0.15)))
        cores = gpus * drawn(((4, 0.3), (8, 0.5), (12, 0.2)))
        return (
            request,
            np.ones(n_jobs, dtype=np.int64),
            cores,
            gpus * drawn(((32, 0.5), (64, 0.4), (96, 0.1))) * GB,
            gpus,
        )
    # A job requests either one unit of several cores, or several units of one core each, which may
    # be on different nodes.
    cores = drawn(((1, 0.35), (2, 0.15), (4, 0.2), (8, 0.15), (16, 0.1), (32, 0.05)))
    is_split = random.random(n_jobs) < 0.2
    units = np.where(is_split, cores * 4, 1)
    cores = np.where(is_split, 1, cores)
    memory = cores * drawn(((1, 0.3), (2, 0.5), (4, 0.2))) * GB
    return request, units, cores, memory, np.zeros(n_jobs, dtype=np.int64)


def _run_times(
    shapes: Shapes, load: float, span: int, random: Generator, *, must_meet: bool
) -> Int64:
    """Sample run times within the requests, scaled to give CPU nodes and GPUs the same load."""
    n_jobs = len(shapes.queue)
    share = 10 ** random.uniform(-1.5, 0, n_jobs)
    at_limit = random.random(n_jobs) < AT_LIMIT
    run_time = np.empty(n_jobs, dtype=np.int64)
    on_gpus = np.array([p.has_gpus for p in PARTITIONS])[shapes.queue]
    for is_gpu, capacity, kind in ((False, CPU_NODES, "CPU nodes"), (True, GPUS, "GPUs")):
        chosen = np.flatnonzero(on_gpus == is_gpu)
        if not len(chosen):
            continue
        taken = _taken(shapes, is_gpu)[chosen]
        request = shapes.request[chosen]
        drawn = np.where(at_limit[chosen], request, request * share[chosen])
        made = float(request @ taken) / (capacity * span)
        if made < load and must_meet:
            raise ValueError(
                f"load={load:g}: even if every job used its full requested time, the {kind} would "
                f"have a load of only {made:.2g}; set a smaller load, more jobs or a shorter "
                "duration"
            )
        run_time[chosen] = _scaled(drawn, request, taken, min(load, made) * capacity * span)
    return run_time


def _taken(shapes: Shapes, is_gpu: bool) -> NDArray[np.float64]:
    """Return the GPUs, or the CPU nodes, that each job makes unavailable to others."""
    if is_gpu:
        return (shapes.units * shapes.gpus).astype(np.float64)
    per_unit = np.maximum(shapes.cores / 128, shapes.memory / (256 * GB))
    return np.asarray(shapes.units * np.where(shapes.is_exclusive, 1.0, per_unit))


def _scaled(
    drawn: NDArray[np.float64], request: Int64, taken: NDArray[np.float64], wanted: float
) -> Int64:
    """Scale run times to a given total work; each stays between 1 s and its request."""

    def made(factor: float) -> Int64:
        return np.clip(np.rint(drawn * factor), 1, request).astype(np.int64)

    low, high = 0.0, 1.0
    while float(made(high) @ taken) < wanted and high < 2**20:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if float(made(middle) @ taken) < wanted else (low, middle)
    return made(high)


def _as_trace(
    submit: Int64, run_time: Int64, shapes: Shapes, begin: datetime, options: str
) -> Trace:
    demands = Demands(
        shapes.units,
        exclusive=np.where(shapes.is_exclusive, "job", "no"),
        constraint=shapes.constraint,
        cores=shapes.cores,
        memory=shapes.memory,
        gpus=shapes.gpus,
    )
    lines = header_lines(
        computer="a centre of 1,500 nodes, 200 with GPUs",
        reference=REFERENCE,
        options=f'slotwise.generate("centre", {options})',
        start=begin,
        n_jobs=len(submit),
        processors=int(sum(count * cores for count, cores in NODE_CORES)),
        queues={number: p.name for number, p in enumerate(PARTITIONS, 1)},
    )
    group = (shapes.user - 1) % 30 + 1
    trace = Trace.from_columns(
        submit=submit,
        run_time=run_time,
        requested_time=shapes.request,
        processors=demands.processors,
        user=shapes.user,
        group=group,
        account=(shapes.user - 1) % 45 + 1,
        qos=np.where(shapes.user % 20 == 0, 2, 1),
        queue=shapes.queue + 1,
        max_processors=int(sum(count * cores for count, cores in NODE_CORES)),
        unix_start_time=int(begin.timestamp()),
        header_lines=lines,
    )
    return trace.with_demands(demands)
