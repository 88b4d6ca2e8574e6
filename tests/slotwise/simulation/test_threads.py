"""Several threads call the core at once: with one trace, one simulation, copies and sweeps.

`make test-tsan` runs these with the core compiled with a thread sanitizer.
"""

from __future__ import annotations

import copy
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.threads

THREADS = 8
TRACE = sw.generate("lublin", n_jobs=400, processors=64, seed=1)
CENTRE = sw.Site(
    64,
    sw.Policy({"name": "fairshare", "half_life": 5000}, "easy"),
    pools=[sw.Pool("large", 48), sw.Pool("small", 16)],
    queues=[sw.Queue("wide", processors=(17,), pools=["large"]), sw.Queue("any", priority=1)],
    limits=sw.Limits(running_per_user=20),
    outages=[sw.Outage(20_000, 9000, 8, every=90_000, mode="kill")],
    interruption=sw.Interruption("from-checkpoint", checkpoint_every=600, checkpoint_cost=10),
)
SITES = [
    sw.Site(64),
    sw.Site(64, sw.Policy("wfp3", "conservative")),
    sw.Site(64, sw.Policy("sjf", "depth", depth=4, estimates="user-history")),
    sw.Site(64, sw.Policy({"name": "expression", "key": "wait / requested_time"}, "replan")),
    CENTRE,
    sw.Site(sw.Torus((4, 4, 4)), sw.Policy(allocation="contiguous")),
    sw.Site(sw.Torus((4, 4, 4)), sw.Policy(backfill="window")),
    sw.Site(sw.Nodes([sw.NodeType(16, 4, "8GB")])),
]


def together(acts: list[Callable[[], object]]) -> list[object]:
    """Run all calls at the same moment, each in its own thread."""
    barrier = threading.Barrier(len(acts))

    def act(number: int) -> object:
        barrier.wait(60)
        return acts[number]()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(act, range(len(acts))))


def schedule(result: sw.Result) -> list[object]:
    return [result.start.tolist(), result.end.tolist(), result.metrics()]


def replayed(site: sw.Site) -> list[object]:
    return schedule(sw.simulate(TRACE, site))


@pytest.mark.parametrize("number", range(len(SITES)))
def test_eight_threads_on_one_trace_and_site_give_one_schedule(number: int) -> None:
    expected = replayed(SITES[number])
    assert together([partial(replayed, SITES[number])] * THREADS) == [expected] * THREADS


def test_threads_with_a_site_each_give_the_schedules_of_one_thread() -> None:
    assert together([partial(replayed, site) for site in SITES]) == [*map(replayed, SITES)]


def test_concurrent_sweeps_give_the_rows_of_one_thread() -> None:
    sites = [site for site in SITES if isinstance(site.machine, sw.Processors)] * 3
    alone = sw.sweep(TRACE, sites, workers=1)
    expected = [repr(alone.row(n)) for n in range(len(sites))]

    def rows(workers: int) -> list[str]:
        sweep = sw.sweep(TRACE, sites, workers=workers)
        return [repr(sweep.row(n)) for n in range(len(sites))]

    assert rows(8) == expected
    assert together([partial(rows, workers) for workers in (2, 3, 4)]) == [expected] * 3


@pytest.mark.parametrize("site", [SITES[0], SITES[1], CENTRE])
def test_copies_continue_in_their_own_threads(site: sw.Site) -> None:
    expected = replayed(site)
    sim = sw.Simulation(TRACE, site)
    sim.run(until=int(TRACE.submit[150]))

    def rest(of: sw.Simulation) -> list[object]:
        while of.step():
            pass
        return schedule(of.result())

    copies = [copy.copy(sim) for _ in range(4)]
    snapshot = sim.snapshot()
    copies += [sw.Simulation.restore(snapshot) for _ in range(3)]
    found = together([partial(rest, of) for of in (*copies, sim)])
    assert found == [expected] * THREADS


def test_one_simulation_run_from_eight_threads_ends_as_from_one() -> None:
    sim = sw.Simulation(TRACE, CENTRE)
    refused: list[str] = []

    def move() -> None:
        for _ in range(300):
            try:
                sim.step()
                _ = sim.now, len(sim.queue), len(sim.running)
            except RuntimeError as fault:
                refused.append(str(fault))

    together([move] * THREADS)
    # A call made during another thread's call is refused, and changes nothing.
    assert all("in the middle of a call" in text for text in refused)
    sim.run()
    assert schedule(sim.result()) == replayed(CENTRE)


def test_threads_read_one_result_at_once() -> None:
    result = sw.simulate(TRACE, CENTRE)
    expected = sw.simulate(TRACE, CENTRE)

    def read() -> list[object]:
        by_user = result.metrics_by("user")
        return [schedule(result), repr(by_user), repr(result.series()), len(result.attempts["job"])]

    by_user = repr(expected.metrics_by("user"))
    wanted = [schedule(expected), by_user, repr(expected.series()), len(expected.attempts["job"])]
    assert together([read] * THREADS) == [wanted] * THREADS


def test_threads_derive_traces_without_changing_the_original() -> None:
    expected = TRACE.content_hash

    def use(number: int) -> list[object]:
        part = TRACE[number : number + 200]
        return [part.content_hash, TRACE.content_hash, len(sw.simulate(part, SITES[0]).start)]

    found = together([partial(use, number) for number in range(THREADS)])
    assert found == [use(number) for number in range(THREADS)]
    assert TRACE.content_hash == expected
