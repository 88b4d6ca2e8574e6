"""Checks that the one-pool planner, the pools planner and the oracle agree on random sites."""

from __future__ import annotations

import copy
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import slotwise as sw
from reference.sites.comparison import (
    assert_core_agrees,
    maintenance_first,
    slotwise_site,
    trace_of,
)
from reference.sites.one_pool import drawn

if TYPE_CHECKING:
    from reference.sites.drawing import SiteCase

COLUMNS = ("start", "end", "state", "backfilled", "reject_reason")
CHANGES = ("hold", "cancel", "order", "submit")
Rows = list[list[int]]


def check(seed: int) -> str:
    """Assert that all replays of a seed's case agree; return its additional rule or 'refused'."""
    pool = drawn(seed)
    assert_core_agrees(pool.case)
    if pool.case.site.dependencies:
        return pool.beside
    one, other = _replays(pool.case)
    try:
        expected = rows(sw.simulate(*one))
    except (sw.SiteError, sw.TraceError):
        return "refused"
    assert rows(sw.simulate(*other)) == expected, f"seed {seed}: the pools planner differs"
    draw = Random(seed)
    assert stepped(draw, *one) == expected, f"seed {seed}: steps differ"
    changes = draw.choice(CHANGES)
    found = [changed(Random(seed), trace, site, changes) for trace, site in (one, other)]
    assert found[0] == found[1], f"seed {seed}: changed by {changes}, both differ"
    return pool.beside


def rows(result: sw.Result) -> Rows:
    return [getattr(result, name).tolist() for name in COLUMNS]


def _replays(case: SiteCase) -> list[tuple[sw.Trace, sw.Site]]:
    """Return the trace and the site of the case, and a copy that the pools planner handles.

    No job of the copy has a dependency, but the site has `dependencies=True`, which selects this
    planner.
    """
    site = slotwise_site(maintenance_first(case.site))
    alone = tuple(
        replace(job, preceding=-1, after=(), array=-1, task=-1, array_limit=-1) for job in case.jobs
    )
    independent = trace_of(replace(case, jobs=alone))
    return [(trace_of(case), site), (independent, site.replace(dependencies=True))]


def stepped(draw: Random, trace: sw.Trace, site: sw.Site) -> Rows:
    """Step through the replay; copies, snapshots and start estimates on the way change nothing."""
    sim = sw.Simulation(trace, site)
    while sim.step():
        if draw.random() < 0.05:
            sim = kept(draw, sim)
        if draw.random() < 0.05:
            sim.estimate_start(processors=1, requested_time=600)
        if draw.random() < 0.02:
            break
    sim.run()
    return rows(sim.result())


def kept(draw: Random, sim: sw.Simulation) -> sw.Simulation:
    if draw.random() < 0.5:
        return copy.copy(sim)
    return sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes()))


def changed(draw: Random, trace: sw.Trace, site: sw.Site, changes: str) -> Rows:
    """Change a running simulation a few times, then end it."""
    sim = sw.Simulation(trace, site)
    held: list[int] = []
    last = int(trace.submit[-1])
    for _ in range(8):
        sim.run(until=min(sim.now + draw.choice((0, 300, 900, 2000)), last + 4000))
        waiting = sorted(set(sim.queue.job_id.tolist()) - set(held))
        if waiting or changes == "submit":
            change(draw, sim, changes, waiting, held)
        if draw.random() < 0.3:
            sim = kept(draw, sim)
    for job in held:
        sim.release(job)
    sim.run()
    return rows(sim.result())


def change(
    draw: Random, sim: sw.Simulation, changes: str, waiting: list[int], held: list[int]
) -> None:
    """Make one change; `held` lists the jobs that are held."""
    if changes == "submit":
        asked: dict[str, Any] = {"processors": draw.choice((1, 2)), "run_time": 400}
        sim.submit(**asked, requested_time=600, user=draw.choice((-1, 1, 2)), group=1)
        return
    job = draw.choice(waiting)
    if changes == "cancel":
        sim.cancel(job)
    elif changes == "order":
        sim.set_priority(job, float(draw.randrange(-2, 3)))
        sim.set_policy(sim.site.policy.replace(order=draw.choice(("sjf", "fcfs", "lifo"))))
    elif len(held) > 1 and draw.random() < 0.5:
        sim.release(held.pop(0))
    else:
        sim.hold(job)
        held.append(job)
