"""Workload model of EURORA: batches with the job counts in Table 6 of the EURORA paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slotwise.trace import Trace
from slotwise.trace.demands import Demands

from .options import moment, whole
from .registry import model
from .synthetic import header_lines

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.random import Generator
    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]

REFERENCE = (
    "A. Bartolini, A. Borghesi, T. Bridi, M. Lombardi, M. Milano, Proactive workload dispatching "
    "on the EURORA supercomputer, CP 2014"
)
WINDOW = 7200
QUEUES = ("debug", "parallel", "longpar", "other")
NODE_CORES = 16
NODE_MEMORY = 16 << 20  # KB
CORES = 1024


@dataclass(frozen=True)
class Batch:
    """A column of Table 6.

    Attributes
    ----------
    queues : tuple of int
        Jobs in debug, parallel and longpar; the other jobs are in minor queues.
    gpus, mics : int
        Jobs that request at least one GPU or MIC.
    cores : dict of int to int
        Jobs by number of cores; 9 means more than 8.
    run_times : int, percent
        Percentage to which sampled run times are scaled. Not in the table; see `RUN_TIMES_3`.
    """

    queues: tuple[int, int, int]
    gpus: int
    mics: int
    cores: dict[int, int]
    run_times: int = 100

    @property
    def n_jobs(self) -> int:
        """Number of jobs."""
        return sum(self.cores.values())


RUN_TIMES_3 = 60
"""Run times in BATCH3, as a percentage of the sampled run times. At 100 %, as in the other batches,
BATCH3 would need 1.37 times the machine's cores over the two hours (mean of seeds 1 to 5). At 60 %,
it needs 1.05 times the cores, and EASY uses 85 % of them, as in the paper's model (section 4.2)."""

BATCHES = (
    Batch((237, 130, 62), 85, 3, {1: 298, 2: 2, 4: 1, 5: 1, 6: 6, 8: 59, 9: 70}),
    Batch((133, 240, 25), 203, 1, {1: 197, 2: 73, 4: 4, 5: 1, 6: 2, 8: 56, 9: 101}),
    Batch((127, 415, 12), 224, 1, {1: 258, 2: 38, 4: 7, 6: 3, 8: 187, 9: 126}, RUN_TIMES_3),
)
"""The columns BATCH1 to BATCH3 of Table 6."""

MOST_UNITS = (2, 32, 16, 32)
"""Maximum nodes per job, by queue (Table 1); minor queues have the same limit as parallel."""

REQUESTS = (
    ((600, 0.2), (900, 0.2), (1800, 0.6)),
    ((1800, 0.1), (3600, 0.2), (7200, 0.3), (14400, 0.2), (21600, 0.2)),
    ((28800, 0.3), (43200, 0.3), (86400, 0.4)),
    ((1800, 0.1), (3600, 0.2), (7200, 0.3), (14400, 0.2), (21600, 0.2)),
)
"""Requested times and their shares, by queue: round values up to its limit. Not in the paper."""

WIDTHS = ((1, 0.8), (2, 0.14), (4, 0.04), (8, 0.02))
"""Numbers of units in a job with more than 8 cores, and their shares. Not in the paper."""


@model("eurora", reference=REFERENCE)
def eurora(
    batch: int = 1,
    n_jobs: int | None = None,
    *,
    seed: int = 0,
    waiting: int = 25,
    run_times: int | None = None,
    start: str | datetime = "2014-03-31T12:00:00",
) -> Trace:
    """Generate a two-hour batch of jobs for EURORA, with the counts in Table 6 of Bartolini et al.

    The numbers of jobs by queue, by cores, and with GPUs or MICs are those of the table. The paper
    does not give combinations of these, nor durations, memory or arrivals; this model chooses them.

    Parameters
    ----------
    batch : {1, 2, 3}
        Number of the batch in Table 6 of Bartolini et al.
    n_jobs : int, optional
        Number of jobs to choose at random. Default: all jobs of the batch. If the number is
        larger than the batch, the batch is generated several times.
    seed : int
        The same seed and options give the same trace.
    waiting : int, percent
        Percentage of jobs that are in the queue at the start; the submit times of the others
        are spread evenly over the two hours of the batch.
    run_times : int, percent, optional
        Scale generated run times to this percentage. Jobs that run to their limit are not
        affected. Default: 100, but 60 for batch 3, which would otherwise need a third more cores
        than the machine has.
    start : str or datetime
        Date of the first submission; UTC unless it has a zone.

    Returns
    -------
    Trace
        With `demands` (units, and the cores, memory, GPUs and MICs of each), queue (1 debug, 2
        parallel, 3 longpar, 4 others), user and group. A ``.swf`` file cannot store the demands;
        ``.csv`` and ``.parquet`` files can.

    Raises
    ------
    ValueError
        For an option out of range.

    Notes
    -----
    Wide jobs and jobs with accelerators go to queues that accept them (Table 1). Accelerators are
    assigned to parallel and longpar jobs first. A GPU unit requests 1 or 2 GPUs. The requested time
    is one of the queue's round values. A tenth of the jobs run to their limit. The run time of the
    others is the product of the request, `run_times`, and 10 to the power of a number between -1
    and 0.
    """
    batch = whole("batch", batch, 1, len(BATCHES))
    counts = BATCHES[batch - 1]
    total = counts.n_jobs
    n_jobs = total if n_jobs is None else whole("n_jobs", n_jobs, 1, 10_000_000)
    seed = whole("seed", seed, 0, 2**63 - 1)
    waiting = whole("waiting", waiting, 0, 100)
    run_times = counts.run_times if run_times is None else run_times
    run_times = whole("run_times", run_times, 1, 100)
    begin = moment("start", start)
    random = np.random.Generator(np.random.PCG64([seed, batch]))
    parts = [draw(counts, random, waiting, run_times) for _ in range(-(-n_jobs // total))]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    for part in range(1, len(parts)):
        columns["submit"][part * total :] += WINDOW
    chosen = np.sort(random.permutation(len(columns["submit"]))[:n_jobs])
    chosen = chosen[np.argsort(columns["submit"][chosen], kind="stable")]
    options = f"{batch=}, {n_jobs=}, {seed=}, {waiting=}, {run_times=}, start={begin.isoformat()!r}"
    return _as_trace({name: v[chosen] for name, v in columns.items()}, begin, options)


def draw(batch: Batch, random: Generator, waiting: int, run_times: int) -> dict[str, Int64]:
    """Generate the columns of one batch."""
    n = batch.n_jobs
    queue = np.repeat(np.arange(4), [*batch.queues, n - sum(batch.queues)])
    cores = _cores(batch, queue, random)
    units, unit_cores = _units(queue, cores, random)
    gpus, mics = _accelerators(batch, queue, unit_cores, random)
    request = np.array([_choice(REQUESTS[q], random) for q in queue])
    share = 10 ** random.uniform(-1, 0, n) * (run_times / 100)
    share[random.random(n) < 0.1] = 1.0
    memory = np.minimum(unit_cores * random.choice([262144, 524288, 1048576], n), NODE_MEMORY)
    submit = random.integers(0, WINDOW, n)
    submit[random.random(n) * 100 < waiting] = 0
    submit[random.integers(n)] = 0
    user = random.integers(1, 41, n)
    return {
        "submit": submit,
        "run_time": np.maximum(np.rint(request * share).astype(np.int64), 1),
        "requested_time": request,
        "queue": queue + 1,
        "user": user,
        "units": units,
        "cores": unit_cores,
        "memory": memory,
        "gpus": gpus,
        "mics": mics,
    }


def _choice(shares: tuple[tuple[int, float], ...], random: Generator) -> int:
    values, weights = zip(*shares, strict=True)
    return int(random.choice(values, p=weights))


def _cores(batch: Batch, queue: Int64, random: Generator) -> Int64:
    """Assign numbers of cores to the jobs; the largest tend to go to parallel and longpar."""
    cores = np.repeat(list(batch.cores), list(batch.cores.values()))
    likely = random.random(len(queue)) + np.where((queue == 1) | (queue == 2), 0.6, 0.0)
    dealt = np.empty(len(queue), dtype=np.int64)
    dealt[np.argsort(likely, kind="stable")] = np.sort(cores)
    return dealt


def _units(queue: Int64, cores: Int64, random: Generator) -> tuple[Int64, Int64]:
    """Split each job into units; the number 9 stands for more than 8 cores."""
    units = np.ones(len(queue), dtype=np.int64)
    each = cores.astype(np.int64)
    for job in np.flatnonzero(cores > 8):
        width = min(_choice(WIDTHS, random), MOST_UNITS[queue[job]])
        units[job] = width
        least = 9 if width == 1 else 8
        each[job] = random.choice([c for c in (8, 10, 12, 16) if c >= least])
    return units, each


def _accelerators(
    batch: Batch, queue: Int64, cores: Int64, random: Generator
) -> tuple[Int64, Int64]:
    """Choose the jobs with GPUs (1 or 2 per unit) and those with MICs (1); no job has both."""
    gpus = np.zeros(len(queue), dtype=np.int64)
    mics = np.zeros(len(queue), dtype=np.int64)
    likely = random.random(len(queue)) + np.where(queue == 0, 0.0, 0.5) + 0.3 * (cores < 9)
    chosen = np.argsort(-likely, kind="stable")
    gpus[chosen[: batch.gpus]] = random.choice([1, 2], batch.gpus, p=[0.85, 0.15])
    mics[chosen[batch.gpus : batch.gpus + batch.mics]] = 1
    return gpus, mics


def _as_trace(columns: dict[str, Int64], begin: datetime, options: str) -> Trace:
    names = ("units", "cores", "memory", "gpus", "mics")
    units, *each = (columns.pop(name) for name in names)
    demands = Demands(units, **dict(zip(names[1:], each, strict=True)))
    n_jobs = len(units)
    lines = header_lines(
        computer="EURORA, batches from the paper",
        reference=REFERENCE,
        options=f'slotwise.generate("eurora", {options})',
        start=begin,
        n_jobs=n_jobs,
        processors=CORES,
        queues=dict(enumerate(QUEUES, 1)),
    )
    trace = Trace.from_columns(
        **columns,
        processors=demands.processors,
        requested_memory=each[1] // np.maximum(each[0], 1),
        group=(columns["user"] - 1) % 8 + 1,
        max_processors=CORES,
        unix_start_time=int(begin.timestamp()),
        header_lines=lines,
    )
    return trace.with_demands(demands)
