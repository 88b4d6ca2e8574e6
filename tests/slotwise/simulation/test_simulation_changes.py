"""Interventions: submissions, cancellations, holds, priorities and changes of policy."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import slotwise as sw
from reference.simulations import HURRIED, PLANNERS, Case, change, columns, move, simulated

NUMBERS = ("submit", "run_time", "requested_time", "processors", "job_id", "user")


@HURRIED
@given(case=simulated(), data=st.data())
def test_a_job_submitted_before_its_time_equals_one_of_the_trace(
    case: Case, data: st.DataObject
) -> None:
    fits = case.trace.processors <= case.site.machine.count  # type: ignore[union-attr]
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=len(fits), max_size=len(fits))))
    sim = sw.Simulation(case.trace[kept | ~fits], case.site)
    for row in np.flatnonzero(fits & ~kept):
        job = {name: int(getattr(case.trace, name)[row]) for name in NUMBERS}
        while sim.next_event is not None and sim.next_event < job["submit"]:
            move_before = data.draw(st.booleans())
            if not move_before:
                break
            sim.run(until=sim.next_event)
        sim.submit(**job)
    sim.run()
    assert len(sim.trace) == len(case.trace)
    assert columns(sim.result()) == columns(sw.simulate(sim.trace, case.site))


def blocked(policy: sw.Policy | None = None) -> sw.Simulation:
    """Return a replay at 50: job 1 has the machine until 100; jobs 2 to 4 need all of it."""
    trace = sw.Trace.from_columns([0, 1, 2, 3], [100, 10, 10, 10], [4] * 4, max_processors=4)
    sim = sw.Simulation(trace, sw.Site(policy=policy or sw.Policy()))
    sim.run(until=50)
    return sim


@pytest.mark.parametrize("backfill", PLANNERS)
class TestEveryPlanner:
    def test_a_job_submitted_now_starts_now_if_it_can(self, backfill: str) -> None:
        trace = sw.Trace.from_columns([0], [100], [3], max_processors=4)
        sim = sw.Simulation(trace, sw.Site(policy=sw.Policy(backfill=backfill)))
        sim.run(until=0)
        number = sim.submit(processors=1, run_time=5)
        assert (number, sim.next_event, sim.queue.job_id.tolist()) == (2, 0, [])
        assert sim.step()
        assert (sim.now, sim.running.job_id.tolist()) == (0, [1, 2])
        sim.run()
        assert sim.result().end.tolist() == [100, 5]

    def test_a_cancelled_job_gives_up_its_turn(self, backfill: str) -> None:
        sim = blocked(sw.Policy(backfill=backfill))
        sim.cancel(2)
        assert sim.queue.job_id.tolist() == [3, 4]
        sim.run()
        assert sim.result().start.tolist() == [0, -1, 100, 110]
        assert sim.result().state.tolist() == [0, sw.State.CANCELLED, 0, 0]

    def test_a_held_job_waits_aside_until_released(self, backfill: str) -> None:
        sim = blocked(sw.Policy(backfill=backfill))
        sim.hold(2)
        assert sim.queue.held.tolist() == [True, False, False]
        sim.run(until=100)
        assert sim.running.job_id.tolist() == [3]
        sim.release(2)
        sim.run()
        # Job 2 regains its place by submit time and precedes job 4, unless job 4 has an earlier
        # promise.
        expected = [0, 120, 100, 110] if backfill == "conservative" else [0, 110, 100, 120]
        assert sim.result().start.tolist() == expected

    def test_a_manual_priority_precedes_the_order(self, backfill: str) -> None:
        sim = blocked(sw.Policy(backfill=backfill))
        sim.set_priority(4, 2)
        sim.set_priority(3, 1)
        sim.run()
        assert sim.result().start.tolist() == [0, 120, 110, 100]

    def test_a_low_priority_comes_last(self, backfill: str) -> None:
        sim = blocked(sw.Policy(order="wfp3", backfill=backfill))
        sim.set_priority(2, -0.5)
        sim.run()
        assert sim.result().start.tolist() == [0, 120, 100, 110]

    def test_another_policy_takes_over_waiting_and_running_jobs(self, backfill: str) -> None:
        sim = blocked(sw.Policy(order="lifo"))
        sim.set_policy(sw.Policy(backfill=backfill))
        assert sim.site.policy.backfill == backfill
        sim.run()
        assert sim.result().start.tolist() == [0, 100, 110, 120]

    def test_future_jobs_can_be_changed_too(self, backfill: str) -> None:
        trace = sw.Trace.from_columns([0, 1, 2, 3], [100, 10, 10, 10], [4] * 4, max_processors=4)
        sim = sw.Simulation(trace, sw.Site(policy=sw.Policy(backfill=backfill)))
        sim.cancel(2)
        sim.hold(3)
        sim.set_priority(4, 1)
        sim.run()
        assert sim.result().start.tolist() == [0, -1, -1, 100]
        assert sim.result().state.tolist() == [0, sw.State.CANCELLED, sw.State.WAITING, 0]
        sim.release(3)
        sim.run()
        assert sim.result().start.tolist() == [0, -1, 110, 100]


@pytest.mark.parametrize("estimates", ["requested", "exact", "user-history"])
@pytest.mark.parametrize("backfill", PLANNERS)
def test_a_running_job_that_is_cancelled_ends_now(backfill: str, estimates: str) -> None:
    values = {} if backfill in ("none", "first-fit") else {"estimates": estimates}
    sim = blocked(sw.Policy(backfill=backfill, **values))
    sim.cancel(1)
    assert (sim.machine.free, sim.next_event) == (4, 50)
    sim.run()
    result = sim.result()
    assert result.start.tolist() == [0, 50, 60, 70]
    assert result.end.tolist() == [50, 60, 70, 80]
    assert result.state.tolist() == [sw.State.CANCELLED, 0, 0, 0]


def test_conservative_promises_move_up_when_a_job_is_cancelled() -> None:
    # Job 1 holds all 4 processors until 100. Job 2 (4 processors, 50 s) is promised a start at 100,
    # and job 3 (2 processors, 10 s) a start at 150.
    trace = sw.Trace.from_columns([0, 1, 2], [100, 50, 10], [4, 4, 2], max_processors=4)
    sim = sw.Simulation(trace, sw.Site(policy=sw.Policy(backfill="conservative")))
    sim.run(until=10)
    sim.cancel(2)
    sim.run()
    assert sim.result().start.tolist() == [0, -1, 100]


@HURRIED
@given(case=simulated(), data=st.data())
def test_interventions_never_overfill_the_machine(case: Case, data: st.DataObject) -> None:
    sim = sw.Simulation(case.trace, case.site)
    for _ in range(data.draw(st.integers(1, 10))):
        move(sim, data.draw)
        change(sim, data.draw)
    for job_id in sim.queue.job_id[sim.queue.held]:
        sim.release(int(job_id))
    sim.run()
    result = sim.result()
    ran = result.start >= 0
    events = [(t, p) for t, p in zip(result.start[ran], sim.trace.processors[ran], strict=True)]
    ends = [(t, -p) for t, p in zip(result.end[ran], sim.trace.processors[ran], strict=True)]
    busy = 0
    for _, change_of_busy in sorted([*events, *ends], key=lambda e: (e[0], e[1])):
        busy += change_of_busy
        assert busy <= sim.machine.processors
    assert (result.start[ran] >= sim.trace.submit[ran]).all()
    left = set(result.state[~ran].tolist())
    assert left <= {sw.State.REJECTED, sw.State.CANCELLED, sw.State.WAITING}


def test_numbers_of_submitted_jobs_continue_those_of_the_trace() -> None:
    sim = sw.Simulation(sw.Trace.from_columns([], [], []), sw.Site(machine=8))
    assert sim.done
    assert [sim.submit(processors=8, run_time=5) for _ in range(3)] == [1, 2, 3]
    assert sim.submit(processors=1, run_time=5, job_id=9, submit=2, user=3) == 9
    assert sim.submit(processors=1, run_time=5, submit=1) == 10
    sim.run()
    assert sim.trace.job_id.tolist() == [1, 2, 3, 10, 9]
    assert sim.trace.user.tolist() == [-1, -1, -1, -1, 3]
    assert sim.result().start.tolist() == [0, 5, 10, 15, 15]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"processors": 5}, r"processors is 5; it must lie between 1 and the machine's 4"),
        ({"processors": 0}, r"processors is 0"),
        ({"processors": 1.5}, r"processors is 1.5; use a whole number"),
        ({"run_time": -1}, r": run_time is -1 s"),
        ({"requested_time": 2**32}, r": requested_time is 4294967296 s"),
        ({"submit": 49}, r"submit is 49, but the time is 50; a job can only be submitted now or"),
        ({"job_id": 3}, r"job 3: another job has this number"),
        ({"user": 2**31}, r"user is 2147483648; it must lie between"),
    ],
)
def test_a_job_that_cannot_be_submitted_is_refused(fields: dict[str, int], why: str) -> None:
    sim = blocked()
    with pytest.raises(ValueError, match=why):
        sim.submit(**{"processors": 1, "run_time": 1, **fields})
    sim.run()
    assert sim.result().start.tolist() == [0, 100, 110, 120]


def test_impossible_changes_are_refused_and_change_nothing() -> None:
    sim = blocked()
    for act in (sim.cancel, sim.hold, sim.release):
        with pytest.raises(ValueError, match="no job has the number 77"):
            act(77)
    with pytest.raises(ValueError, match="job 1 has started"):
        sim.hold(1)
    with pytest.raises(ValueError, match="job 2 is not held"):
        sim.release(2)
    with pytest.raises(ValueError, match="priority is nan"):
        sim.set_priority(2, float("nan"))
    with pytest.raises(ValueError, match="job 1 is no longer waiting"):
        sim.set_priority(1, 1)
    with pytest.raises(sw.SiteError, match="unknown preset"):
        sim.set_policy("fifo")
    with pytest.raises(sw.SiteError, match="kill_at_limit determines how long jobs run"):
        sim.set_policy(sw.Policy(kill_at_limit=False))
    sim.cancel(2)
    with pytest.raises(ValueError, match="job 2 has already been cancelled"):
        sim.cancel(2)
    with pytest.raises(ValueError, match="job 2 has been cancelled"):
        sim.hold(2)
    sim.run()
    assert sim.result().start.tolist() == [0, -1, 100, 110]


def test_numbers_that_two_jobs_share_are_refused() -> None:
    trace = sw.Trace.from_columns([0, 1], [5, 5], [1, 1], max_processors=1, job_id=[4, 4])
    with pytest.raises(ValueError, match="several jobs have the number 4"):
        sw.Simulation(trace).cancel(4)


def site_of_pools() -> sw.Site:
    return sw.Site(
        machine=64,
        pools=[sw.Pool("a", 40), sw.Pool("b", 24)],
        queues=[
            sw.Queue("small", processors=(1, 8), pools=["a", "b"]),
            sw.Queue("large", processors=(9, 40), pools=["a"]),
        ],
        limits=sw.Limits(running_per_user=6),
        maintenance=[sw.Maintenance(start=2 * 86400, duration=7200, mode="kill")],
    )


def test_a_site_of_pools_is_stepped_and_changed() -> None:
    trace = sw.generate("lublin", n_jobs=800, processors=64, load=1.0, seed=3)
    sim = sw.Simulation(trace, site_of_pools())
    sim.run(until=int(trace.submit[400]))
    held, cancelled = sim.queue.job_id[:2].tolist()
    ends = int(sim.running.job_id[0])
    sim.hold(held)
    sim.cancel(cancelled)
    sim.cancel(ends)
    number = sim.submit(processors=4, run_time=100, submit=sim.now + 50)
    sim.step()
    assert (sim.queue.job_id[0], bool(sim.queue.held[0])) == (held, True)
    sim.release(held)
    restored = sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes()))
    for other in (restored, sim):
        other.run()
    assert columns(restored.result()) == columns(sim.result())
    state = dict(zip(sim.trace.job_id.tolist(), sim.result().state.tolist(), strict=True))
    assert {state[cancelled], state[ends]} == {sw.State.CANCELLED}
    assert {state[held], state[number]} == {sw.State.COMPLETED}


def test_a_site_of_pools_run_in_steps_equals_one_replay() -> None:
    trace = sw.generate("lublin", n_jobs=800, processors=64, load=1.0, seed=3)
    sim = sw.Simulation(trace, site_of_pools())
    while sim.step():
        pass
    assert columns(sim.result()) == columns(sw.simulate(trace, site_of_pools()))


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"limits": sw.Limits(running=3)},
        {"queues": [sw.Queue("q", hours="20:00-21:00")]},
        {"maintenance": [sw.Maintenance(100_000, 50, every=100_000)]},
    ],
    ids=["plain", "limits", "hours", "calendar"],
)
def test_a_job_held_forever_does_not_prolong_periodic_passes(rules: dict[str, Any]) -> None:
    # With an order whose scores change over time, a pass runs every 30 s while eligible jobs wait.
    trace = sw.Trace.from_columns([0, 0, 5], [60, 90, 60], [1, 2, 3], max_processors=4)
    policy = sw.Policy(order="priority", passes="30s")
    clock = sw.Clock(start="2001-02-03T00:00:00")
    sim = sw.Simulation(trace, sw.Site(policy=policy, clock=clock, **rules))
    sim.hold(3)
    sim.run()
    start = 72_000 if "queues" in rules else 0
    assert sim.result().start.tolist() == [start, start, -1]


def test_free_processors_are_reported_per_pool() -> None:
    trace = sw.Trace.from_columns([0, 0], [50, 90], [3, 2], queue=[1, 2], max_processors=8)
    pools = [sw.Pool("a", 4), sw.Pool("b", 4)]
    queues = [
        sw.Queue("a", trace_queues=(1,), pools=["a"]),
        sw.Queue("b", trace_queues=(2,), pools=["b"]),
    ]
    for limits in (sw.Limits(), sw.Limits(running=5)):
        sim = sw.Simulation(trace, sw.Site(pools=pools, queues=queues, limits=limits))
        sim.run(until=0)
        assert sim.machine.free_in_pools == {"a": 1, "b": 2}
        sim.run(until=60)
        assert (sim.machine.free, sim.machine.free_in_pools) == (6, {"a": 4, "b": 2})
    assert sw.Simulation(trace, sw.Site()).machine.free_in_pools == {}


@pytest.mark.parametrize("kinds", [1, 150], ids=["alike", "of-all-kinds"])
def test_jobs_leave_and_rejoin_a_long_queue_in_its_middle(kinds: int) -> None:
    """Job 0 holds the machine until 1000, as estimated; 300 jobs of two processors wait.

    Each of the 300 then holds the machine for 10 s, in order, except the two that are cancelled.
    Job 150 was held and is released before its turn.
    """
    n = 300
    requests = [1000, *(10 + i % kinds for i in range(n))]
    trace = sw.Trace.from_columns(
        [0] * (n + 1), [1000] + [10] * n, [2] * (n + 1), requested_time=requests,
        job_id=range(n + 1), max_processors=2,
    )  # fmt: skip
    sim = sw.Simulation(trace)
    sim.run(until=10)
    for job in (1, 100, 150, n):
        sim.hold(job)
    sim.run(until=20)
    for job in (1, 150):
        sim.release(job)
    for job in (100, n):
        sim.cancel(job)
    fork = copy.copy(sim)
    for each in (sim, fork):
        each.run()
        start = each.result().start
        left = [job for job in range(1, n) if job != 100]
        assert start[left].tolist() == [1000 + 10 * turn for turn in range(n - 2)]
        assert start[[100, n]].tolist() == [-1, -1]
