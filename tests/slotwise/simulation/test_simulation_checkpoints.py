"""Checkpoints still cost time after any intervention, in live and in restored simulations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Callable

CHANGES: dict[str, Callable[[sw.Simulation], object]] = {
    "none": lambda sim: None,
    "submit": lambda sim: sim.submit(processors=1, run_time=1, submit=500),
    "set_priority": lambda sim: sim.set_priority(2, 1),
    "set_policy": lambda sim: sim.set_policy(sw.Policy(backfill="none")),
    "submit and set_policy": lambda sim: (
        sim.submit(processors=1, run_time=1, submit=500),
        sim.set_policy(sw.Policy(backfill="none")),
    ),
}


def begun(site: sw.Site) -> sw.Simulation:
    """Start two jobs of 50 s, each on the whole machine, and stop in the middle of the first."""
    sim = sw.Simulation(sw.Trace.from_columns([0, 1], [50, 50], [4, 4], [200, 200]), site)
    sim.run(until=5)
    return sim


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    ("rule", "length"),
    [
        # Checkpoints after 10, 20, 30 and 40 s of work, none at the end: 50 + 4 · 10.
        ({"checkpoint_every": 10, "checkpoint_cost": 10}, 90),
        # One checkpoint after 20 s of work: 50 + 7.
        ({"checkpoint_at": 20, "checkpoint_cost": 7}, 57),
    ],
)
@pytest.mark.parametrize("machine", [sw.Processors(4), sw.Torus((4,))], ids=["plain", "torus"])
def test_a_waiting_job_pays_for_its_checkpoints_after_a_change(
    machine: sw.Processors | sw.Torus, rule: dict[str, int], length: int, change: str
) -> None:
    interruption = sw.Interruption(requeue="from-checkpoint", **rule)
    sim = begun(sw.Site(machine, interruption=interruption))
    CHANGES[change](sim)
    again = sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes()))
    for each in (sim, again):
        each.run()
        result = each.result()
        assert (result.end - result.start).tolist()[:2] == [length, length]
        assert result.state.tolist()[:2] == [sw.State.COMPLETED] * 2


def test_a_job_submitted_later_pays_for_its_checkpoints() -> None:
    # 25 s of work and two checkpoints of 2 s, after 10 and 20 s.
    rule = sw.Interruption(requeue="from-checkpoint", checkpoint_every=10, checkpoint_cost=2)
    sim = begun(sw.Site(4, interruption=rule))
    sim.submit(processors=1, run_time=25, requested_time=100)
    sim.run()
    result = sim.result()
    assert (result.end - result.start).tolist() == [58, 58, 29]
