"""Wall time of study tasks: sweeps of weights, a long log, start forecasts, queue design, the
tables of the torus study, and nodes with several resources.

The first five tasks use generated logs of Kraken (98,976 cores) and its priority formula.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

import slotwise as sw
from slotwise.advice.queue_design.history import months_of
from slotwise.advice.queue_design.strategies import Decision
from slotwise.advice.start_forecast import Shape, advise, machine_state
from slotwise.advice.weights.outcomes import evaluate
from slotwise.advice.weights.ratios import distinct_weights
from slotwise.studies.priority.sites import study_site
from slotwise.studies.queues.workloads import table_i
from yardstick import node_sites, node_tasks, torus_tables
from yardstick.clock import clocked
from yardstick.task import Task

SETS, ROUNDS = 500, 3
TORUS_TABLES = "torus: Tables I to VI"
ADVISED = 5_000  # number of running and waiting jobs at the time of the forecast


def weighted_sites(trace: sw.Trace, count: int) -> list[sw.Site]:
    """Make sites with strict backfilling and different weights of the priority formula."""
    return [study_site("strict", trace, each.weights) for each in distinct_weights()[:count]]


def swept_weights(jobs: int = 100_000, sets: int = SETS) -> dict[str, Any]:
    """Sweep over sets of weights on two threads."""
    trace = sw.generate("kraken", n_jobs=jobs, seed=1)
    sites = weighted_sites(trace, sets)
    found, wall, cpu = clocked(lambda: sw.sweep(trace, sites, workers=2))
    alone = sw.simulate(trace, sites[-1]).metrics()
    if found.row(len(sites) - 1) != alone:
        raise AssertionError("a sweep gave other metrics than the replay alone")
    return {"jobs": jobs, "wall": wall, "cpu": cpu}


def measured_weights(jobs: int = 100_000, sets: int = SETS) -> dict[str, Any]:
    """Replay a log under sets of weights; measure each week separately, as the search does."""
    trace = sw.generate("kraken", n_jobs=jobs, seed=1)
    weights = [each.weights for each in distinct_weights()[:sets]]
    site = study_site("thesis", trace)
    _, wall, cpu = clocked(lambda: evaluate(trace, site, weights, workers=2))
    return {"jobs": jobs, "wall": wall, "cpu": cpu}


def speed_up(jobs: int = 100_000, sets: int = 40) -> dict[str, Any]:
    """Sweep on one thread and on two in turn; compare the fastest round of each."""
    trace = sw.generate("kraken", n_jobs=jobs, seed=1)
    sites = weighted_sites(trace, sets)
    fastest = dict.fromkeys((1, 2), np.inf)
    spent = dict.fromkeys((1, 2), np.inf)
    for _ in range(ROUNDS):
        for workers in fastest:
            _, wall, cpu = clocked(lambda workers=workers: sw.sweep(trace, sites, workers=workers))
            fastest[workers] = min(fastest[workers], wall)
            spent[workers] = min(spent[workers], cpu)
    return {
        "jobs": jobs, "wall": fastest[2], "cpu": spent[2], "speed_up": fastest[1] / fastest[2],
        "by_cpu": 2 * spent[1] / spent[2],
    }  # fmt: skip


def long_log(jobs: int = 573_000) -> dict[str, Any]:
    """Replay thirteen months under the priority formula."""
    trace = sw.generate("kraken", n_jobs=jobs, period="13mo", seed=1)
    site = study_site("strict", trace)
    rounds = [clocked(lambda: sw.simulate(trace, site))[1:] for _ in range(ROUNDS)]
    return {"jobs": jobs, "wall": min(r[0] for r in rounds), "cpu": min(r[1] for r in rounds)}


def crowded(jobs: int = 20_000, present: int = ADVISED) -> tuple[sw.Trace, int]:
    """Return a log, and the time at which the number of jobs in the system reaches `present`.

    The log is generated, and its jobs arrive five times as fast as usual.
    """
    trace = sw.generate("kraken", n_jobs=jobs, seed=1)
    crowd = sw.Trace.from_columns(
        trace.submit // 5,
        trace.run_time,
        trace.processors,
        trace.requested_time,
        user=trace.user,
        max_processors=trace.max_processors,
    )
    start = sw.simulate(crowd, study_site("strict", crowd))
    submitted = np.arange(1, len(crowd) + 1)
    ended = np.searchsorted(np.sort(start.end), crowd.submit, side="right")
    return crowd, int(crowd.submit[np.argmax(submitted - ended >= present)])


def advice(jobs: int = 20_000, present: int = ADVISED, draws: int = 200) -> dict[str, Any]:
    """Forecast the starts of eight jobs of different sizes and walltimes."""
    trace, at = crowded(jobs, present)
    site = study_site("strict", trace)
    shapes = [Shape(c, h * 3600) for c in (512, 1024, 4096, 12_000) for h in (2, 4)]
    state = machine_state(trace, site, at, shapes)
    if abs(state.running + state.waiting - present) > present // 50:
        raise AssertionError(f"{state.running + state.waiting} jobs are there, not {present}")
    _, wall, cpu = clocked(lambda: advise(trace, site, at, shapes, draws=draws))
    return {"jobs": present, "wall": wall, "cpu": cpu}


def decided_month(name: str = "2015-10") -> dict[str, Any]:
    """Choose partitions, splits, merges and the common pool from one month of jobs."""
    trace = sw.generate("serc", seed=1)
    month = next(m for m in months_of(trace) if m.name == name)

    def decide() -> None:
        Decision.of(
            table_i(), month.of(trace), begin=month.begin, end=month.end
        ).layout("hybrid")  # fmt: skip

    _, wall, cpu = clocked(decide)
    return {"jobs": len(month.of(trace)), "wall": wall, "cpu": cpu, "slower": max(wall, cpu)}


TASKS: dict[str, Task] = {
    f"{SETS} sets of weights swept": Task(swept_weights, "wall", target=60),
    f"{SETS} sets, measured by weeks": Task(measured_weights, "wall", target=60),
    "two threads beside one": Task(speed_up, "speed_up", target=1.8),
    "13 months under the formula": Task(long_log, "wall", target=2),
    "advice: 8 shapes, 200 draws": Task(advice, "wall", target=10),
    "queues: a month's decision": Task(decided_month, "slower", target=2, held=3),
    TORUS_TABLES: Task(torus_tables.all_tables, "wall", target=120),
    **node_tasks.TASKS,
    **node_sites.TASKS,
}
"""Tasks by name, with their targets on two idle cores."""


def present(*, long: bool = True) -> list[str]:
    """List the tasks whose logs are available; leave out long tasks if `long` is false."""
    return [
        name
        for name, task in TASKS.items()
        if (name != TORUS_TABLES or torus_tables.are_there()) and (long or not task.is_long)
    ]


def measure(name: str) -> dict[str, Any]:
    """Measure a task; return its figures and verdict."""
    load = os.getloadavg()[0]
    figures = TASKS[name].work()
    verdict = TASKS[name].verdict(figures, load)
    return {**figures, "load_average": round(load, 2), "verdict": verdict}
