"""Cost of six queues and pools, relative to the one-queue replay of the same trace."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

import numpy as np

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

QUEUES = 6
ROUNDS = 3, 51


def bounds_of(trace: sw.Trace) -> list[int]:
    """Find requested times, strictly ascending, that split the work into six nearly equal parts."""
    order = np.argsort(trace.requested_time, kind="stable")
    work = np.cumsum((trace.processors * trace.run_time)[order])
    at = np.searchsorted(work, work[-1] * np.arange(1, QUEUES) / QUEUES)
    return sorted({int(trace.requested_time[order[i]]) for i in at} - {0})


def queues_of(trace: sw.Trace, pools: bool) -> list[sw.Queue]:
    ends = [*bounds_of(trace), None]
    return [
        sw.Queue(f"queue {n}", walltime=(begin, end), pools=[f"pool {n}"] if pools else [])
        for n, (begin, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True))
    ]


def sites_of(trace: sw.Trace, machine: int) -> dict[str, sw.Site]:
    """Make four sites to compare.

    The first has one queue, the second six queues that share a pool, and the third six queues with
    a pool each. The fourth is the third with limits.
    """
    one = sw.Site(sw.Processors(machine))
    own = queues_of(trace, pools=True)
    pools = [sw.Pool(f"pool {n}", machine // len(own)) for n in range(len(own))]
    limits = sw.Limits(running_per_user=100)
    return {
        "one": one,
        "shared": sw.Site(one.machine, queues=queues_of(trace, pools=False)),
        "own": sw.Site(one.machine, pools=pools, queues=own),
        "ruled": sw.Site(one.machine, pools=pools, queues=own, limits=limits),
    }


def starts_alone(trace: sw.Trace, own: sw.Result, size: int) -> NDArray[np.int64]:
    """Replay each queue's jobs on a separate machine of `size` processors; return the starts."""
    starts = np.full(len(trace), -1)
    for queue in np.unique(own.queue[own.queue >= 0]):
        mine = np.flatnonzero(own.queue == queue)
        starts[mine] = sw.simulate(trace[mine], sw.Site(sw.Processors(size))).start
    return starts


def measure(
    trace: sw.Trace, machine: int, seconds: float, clocked: Callable[..., tuple[Any, float, float]]
) -> dict[str, Any]:
    """Replay all sites in turn; return their costs relative to one queue.

    A wrong schedule raises AssertionError. Jobs larger than a sixth of the machine are left out, so
    that all sites replay the same jobs.
    """
    trace = trace[trace.processors <= machine // QUEUES]
    sites = sites_of(trace, machine)
    results = {name: sw.simulate(trace, site) for name, site in sites.items()}
    if not np.array_equal(results["shared"].start, results["one"].start):
        raise AssertionError("six queues on one pool and one queue give different starts")
    size = sites["own"].pools[0].processors
    if not np.array_equal(results["own"].start, starts_alone(trace, results["own"], size)):
        raise AssertionError("separate pools and separate machines give different starts")
    rounds: list[dict[str, float]] = []
    spent = 0.0
    while len(rounds) < ROUNDS[0] or (spent < seconds and len(rounds) < ROUNDS[1]):
        rounds.append(
            {n: clocked(lambda s=site: sw.simulate(trace, s))[1] for n, site in sites.items()}
        )
        spent += sum(rounds[-1].values())
    figures: dict[str, Any] = {"jobs": len(trace), "rounds": len(rounds)}
    figures["one_seconds"] = statistics.median(r["one"] for r in rounds)
    for name in ("shared", "own", "ruled"):
        figures[name] = statistics.median(r[name] / r["one"] for r in rounds)
    return figures
