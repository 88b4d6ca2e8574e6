"""Copies share columns in blocks of 2,048 jobs; no copy may see the changes of another."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import slotwise as sw

N_JOBS, PROCESSORS = 9000, 256
POLICIES: dict[str, dict[str, Any]] = {
    "easy": {},
    "first-fit": {"backfill": "first-fit"},
    "ranked": {"order": "sjf"},
    "linear scores": {"order": "wfp3"},
    "overrun": {"kill_at_limit": False},
    "predictions": {"estimates": "user-history"},
    "conservative": {"backfill": "conservative"},
}


def overloaded() -> sw.Trace:
    """Return a log whose queue grows to thousands of jobs."""
    return sw.generate("lublin", n_jobs=N_JOBS, processors=PROCESSORS, load=1.3, seed=5)


def assert_same(one: sw.Result, other: sw.Result) -> None:
    for column in ("start", "end", "backfilled", "state"):
        np.testing.assert_array_equal(getattr(one, column), getattr(other, column))


@pytest.mark.parametrize("name", POLICIES)
def test_a_tree_of_copies_ends_like_a_fresh_replay(name: str) -> None:
    trace = overloaded()
    site = sw.Site(policy=sw.Policy(**POLICIES[name]))
    expected = sw.simulate(trace, site)
    last = int(expected.end.max())
    dice = np.random.default_rng(3)
    alive = [sw.Simulation(trace, site)]
    for _ in range(40):
        source = alive[dice.integers(len(alive))]
        alive.append(copy.copy(source))
        for sim in (alive[-1], source):  # the copy or its source may move first
            if dice.random() < 0.7:
                sim.run(until=sim.now + int(dice.integers(1, last // 10)))
        if len(alive) > 6:  # deleting a copy may leave blocks with a single owner
            alive.pop(int(dice.integers(len(alive))))
    for sim in alive:
        begun = (expected.start >= 0) & (expected.start <= sim.now)
        np.testing.assert_array_equal(sim.result().start, np.where(begun, expected.start, -1))
    for sim in alive:
        sim.run()
        assert_same(sim.result(), expected)


@pytest.mark.parametrize("name", ["easy", "ranked", "first-fit", "overrun"])
def test_branches_with_changes_equal_the_replays_of_their_recipes(name: str) -> None:
    site = sw.Site(policy=sw.Policy(**POLICIES[name]))
    root = sw.Simulation(overloaded(), site)
    root.run(until=int(root.trace.submit[N_JOBS // 2]))
    root.set_priority(int(root.queue.job_id[0]), 1)
    root.step()
    before = root.result()
    dice = np.random.default_rng(4)
    branches = []
    for _ in range(6):
        branch = copy.copy(root)
        for _ in range(5):
            number = int(dice.choice(branch.queue.job_id[~branch.queue.held]))
            act = dice.choice(["set_priority", "set_priority", "hold", "cancel"])
            getattr(branch, act)(number, *([float(dice.random())] * (act == "set_priority")))
            branch.run(until=branch.now + int(dice.integers(1, 3 * 86400)))
        branches.append(branch)
    assert_same(root.result(), before)
    for branch in branches:
        again = sw.Simulation.restore(sw.Snapshot.from_bytes(branch.snapshot().to_bytes()))
        assert again.queue.job_id.tolist() == branch.queue.job_id.tolist()
        for sim in (branch, again):
            sim.run()
        assert_same(branch.result(), again.result())
    root.run()
    others = {tuple(branch.result().start.tolist()) for branch in branches}
    assert len(others) == len(branches)
    assert tuple(root.result().start.tolist()) not in others
