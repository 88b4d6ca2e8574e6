"""One-pool sites changed during a replay: the one-pool planner against the pools planner."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest

import slotwise as sw

MIDNIGHT = sw.Clock(start="2001-02-03T00:00:00")
SITES: dict[str, dict[str, Any]] = {
    "limits": {"limits": sw.Limits(running_per_user=1, processors_per_group=6)},
    "maintenance": {"maintenance": [sw.Maintenance(2000, 900, every=9000)]},
    "hours": {"queues": [sw.Queue("day", hours="00:10-01:00")]},
    "machine": {},
}
SJF, FAIR = sw.Policy(order="sjf"), sw.Policy(order={"name": "fairshare", "half_life": 900})
POLICIES = {"sjf": SJF, "fairshare": FAIR, "conservative": sw.Policy(backfill="conservative")}
JOBS = 60


def trace_of(seed: int) -> sw.Trace:
    """Draw a burst of jobs of three users and two groups on 8 processors."""
    draw = Random(seed)
    submit = sorted(draw.randrange(6000) for _ in range(JOBS))
    asked = [draw.choice((300, 600, 1200)) for _ in range(JOBS)]
    return sw.Trace.from_columns(
        submit,
        [draw.choice((each, each // 2, each // 3)) for each in asked],
        [draw.choice((1, 1, 2, 4, 8)) for _ in range(JOBS)],
        asked,
        user=[draw.choice((1, 2, 3)) for _ in range(JOBS)],
        group=[draw.choice((1, 2)) for _ in range(JOBS)],
        max_processors=8,
    )


def rows(result: sw.Result) -> list[list[int]]:
    names = ("start", "end", "state", "backfilled")
    return [getattr(result, name).tolist() for name in names]


def pair(kind: str, policy: str) -> tuple[sw.Site, sw.Site]:
    """Return a site, and a copy with dependencies, which the pools planner replays."""
    site = sw.Site(sw.Processors(8), POLICIES[policy], clock=MIDNIGHT, **SITES[kind])
    return site, site.replace(dependencies=True)


def changed(seed: int, site: sw.Site, changes: str) -> list[list[int]]:
    """Step through a replay, and hold, release, cancel or reorder jobs on the way."""
    draw = Random(seed)
    sim = sw.Simulation(trace_of(seed), site)
    held: list[int] = []
    for until in range(500, 6000, 500):
        sim.run(until=until)
        waiting = [job for job in sim.queue.job_id.tolist() if job not in held]
        draw.shuffle(waiting)
        if changes == "hold" and waiting:
            sim.hold(waiting[0])
            held.append(waiting[0])
        if changes == "hold" and len(held) > 3:
            sim.release(held.pop(0))
        if changes == "cancel" and waiting:
            sim.cancel(waiting[0])
        if changes == "order" and waiting:
            sim.set_priority(waiting[0], float(draw.randrange(-2, 3)))
            sim.set_policy(draw.choice((SJF, site.policy, sw.Policy())))
        if changes == "submit":
            sim.submit(processors=2, run_time=400, requested_time=600, user=2, group=1)
        if draw.random() < 0.5:
            sim = copy.copy(sim)
        if draw.random() < 0.5:
            sim = sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes()))
    for job in held:
        sim.release(job)
    sim.run()
    return rows(sim.result())


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", SITES)
def test_a_stepped_replay_equals_a_whole_one(kind: str, policy: str) -> None:
    for seed in range(5):
        one, other = pair(kind, policy)
        expected = rows(sw.simulate(trace_of(seed), other))
        assert rows(sw.simulate(trace_of(seed), one)) == expected
        sim = sw.Simulation(trace_of(seed), one)
        while sim.step():
            pass
        assert rows(sim.result()) == expected


@pytest.mark.parametrize("changes", ["hold", "cancel", "order", "submit"])
@pytest.mark.parametrize("policy", ["sjf", "fairshare"])
@pytest.mark.parametrize("kind", SITES)
def test_a_changed_replay_equals_that_of_queues(kind: str, policy: str, changes: str) -> None:
    for seed in range(3):
        one, other = pair(kind, policy)
        assert changed(seed, one, changes) == changed(seed, other, changes)
