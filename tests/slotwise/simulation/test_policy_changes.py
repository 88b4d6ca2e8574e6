"""Changes of policy during a replay, accepted or refused."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw

TRACE = sw.Trace.from_columns(
    [0, 0, 1, 2, 3, 4], [5] * 6, [4, 4, 2, 8, 1, 3], requested_time=[6] * 6, max_processors=8,
    wait=[0, 0, 5, 6, 14, 14],
)  # fmt: skip
NODES = sw.Nodes([sw.NodeType(count=2, cores=4)])


def greedy(queue: Any, machine: Any) -> list[int]:
    """Start every job that fits, in the order of the queue."""
    free, chosen = machine.free, []
    for number, processors in zip(queue.job_id, queue.processors, strict=True):
        if processors <= free:
            chosen.append(int(number))
            free -= processors
    return chosen


def stepped(machine: Any, backfill: str) -> sw.Simulation:
    """Begin a replay, and stop after its first starts."""
    sim = sw.Simulation(TRACE, sw.Site(machine, sw.Policy(backfill=backfill)))
    sim.run(2)
    return sim


@pytest.mark.parametrize(
    ("machine", "before", "after", "message"),
    [
        (
            8,
            "easy",
            "slurm",
            "a simulation that has begun cannot change to backfill 'slurm'; choose",
        ),
        (8, "easy", "as-logged", "has begun cannot change to backfill 'as-logged'"),
        (8, "easy", "window", "'window' cannot take over from backfill 'easy'"),
        (NODES, "easy", "slurm", "has begun cannot change to backfill 'slurm'"),
        (NODES, "slurm", "easy", "has begun cannot change from backfill 'slurm'"),
    ],
)
def test_a_policy_that_cannot_take_over_is_refused_and_nothing_changes(
    machine: Any, before: str, after: str, message: str
) -> None:
    sim = stepped(machine, before)
    with pytest.raises(sw.SiteError, match=message):
        sim.set_policy(sw.Policy(backfill=after))
    sim.run()
    policy = sw.Policy(backfill=before)
    whole = sw.simulate(TRACE, sw.Site(machine, policy))
    assert sim.result().start.tolist() == whole.start.tolist()


def test_the_window_takes_over_from_no_other_policy_although_no_job_runs() -> None:
    sim = sw.Simulation(TRACE, sw.Site(8))
    with pytest.raises(sw.SiteError, match=r"cannot take over .* assigns no nodes to jobs"):
        sim.set_policy(sw.Policy(backfill="window"))


def test_the_core_refuses_what_python_would_have_refused() -> None:
    # A snapshot that was not written by this package may contain a change of policy that Python
    # would refuse.
    for machine in (8, NODES):
        core = stepped(machine, "easy")._core
        with pytest.raises(ValueError, match=r"^a replay that has begun cannot change to this"):
            core.set_policy(sw.Policy(backfill="slurm")._to_core(), None)
    core = sw.Simulation(TRACE, sw.Site(8))._core
    with pytest.raises(ValueError, match=r"^jobs that have started must have nodes$"):
        core.set_policy(sw.Policy(backfill="window")._to_core(), None)


def test_a_dispatcher_takes_over_jobs_that_the_window_has_placed() -> None:
    # At 2, the first two jobs fill the machine until 5. The dispatcher then starts the third job (2
    # processors), the fifth (1) and the sixth (3), and at 10 the fourth (8).
    sim = stepped(8, "window")
    sim.set_policy(sw.External(greedy))
    sim.run()
    assert sim.result().start.tolist() == [0, 0, 5, 10, 5, 5]


@pytest.mark.parametrize("backfill", ["as-logged", "slurm"])
def test_a_backfill_without_an_order_takes_no_priority(backfill: str) -> None:
    sim = stepped(8, backfill)
    with pytest.raises(sw.SiteError, match=f"backfill '{backfill}' ignores priorities; choose"):
        sim.set_priority(6, 1)
    sim.run()  # the refusal has changed nothing
