"""Explanations of waits, checked against worked cases and against totals counted every second."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from reference.workloads import crowd
from slotwise.explain import LimitHeld
from slotwise.explain.explain import row_of
from slotwise.replay.interventions import Hold

if TYPE_CHECKING:
    from pathlib import Path


def replay(jobs: list[tuple[int, int, int]], processors: int = 10, **site: Any) -> sw.Result:
    """Replay jobs of (submit, length, processors); users 1 and 2 alternate."""
    submit, length, width = map(list, zip(*jobs, strict=True))
    trace = sw.Trace.from_columns(
        submit, length, width, length, user=[1 + i % 2 for i in range(len(jobs))],
        job_id=range(100, 100 + len(jobs)),
    )  # fmt: skip
    return sw.simulate(trace, sw.Site(sw.Processors(processors), **site))


def test_a_job_behind_a_reservation_then_behind_its_owner() -> None:
    # A runs on 6 of 10 processors until 100, and B (8 processors) waits. C (4 processors, 200 s)
    # would fit beside A, but may not delay B. From 100 to 150, B runs, and C lacks 2 processors.
    result = replay([(0, 100, 6), (10, 50, 8), (20, 200, 4)])
    told = result.explain(102)
    assert [(part.start, part.end, part.reason) for part in told.parts] == [
        (20, 100, "reservation"),
        (100, 150, "processors"),
    ]
    assert told.seconds == {"reservation": 80, "processors": 50}
    # C lacks 2 processors for 50 s, all of them held by B, which belongs to user 2.
    assert [(b.job_id, b.user, b.processor_seconds) for b in told.blockers] == [(101, 2, 100.0)]
    assert told.by_user == {2: 100.0}
    assert told.alone == 20
    assert told.overtaken_by == ()


def test_without_reservations_the_strict_order_holds_a_job_back() -> None:
    result = replay([(0, 100, 6), (10, 50, 8), (20, 200, 4)], policy=sw.Policy(backfill="none"))
    assert result.explain(102).seconds == {"order": 80, "processors": 50}


def test_a_logged_schedule_holds_a_job_back_by_itself() -> None:
    # In the log, job 2 waits 30 s on an empty machine with 10 processors.
    trace = sw.Trace.from_columns([0, 5], [1, 10], [1, 4], wait=[0, 30])
    result = sw.simulate(trace, sw.Site(sw.Processors(10), sw.Policy(backfill="as-logged")))
    assert result.explain(2).seconds == {"log": 30}


def test_a_changed_policy_applies_from_then_on() -> None:
    # B (8 of 10 processors) waits for A (6) until 100. C (4 processors, 200 s) waits behind B:
    # until 60 because of the order, and then because of B's reservation.
    trace = sw.Trace.from_columns([0, 10, 20], [100, 50, 200], [6, 8, 4])
    sim = sw.Simulation(trace, sw.Site(sw.Processors(10), sw.Policy(backfill="none")))
    sim.run(until=60)
    sim.set_policy(sw.Policy(backfill="easy"))
    sim.run()
    told = sim.result().explain(3)
    assert told.seconds == {"order": 40, "reservation": 40, "processors": 50}


def test_the_deficit_is_shared_by_size() -> None:
    # 6 + 2 processors are busy until 60, then 6 until 100. D needs 9 of 10: it lacks 7 for 60 s and
    # 5 for 40 s.
    result = replay([(0, 100, 6), (0, 60, 2), (0, 10, 9)])
    told = result.explain(102)
    shares = {b.job_id: b.processor_seconds for b in told.blockers}
    assert shares == pytest.approx({100: 7 * 60 * 6 / 8 + 5 * 40, 101: 7 * 60 * 2 / 8})
    assert told.by_user == pytest.approx({1: shares[100], 2: shares[101]})
    assert list(told.by_user) == [1, 2]


def test_jobs_that_overtook_by_backfilling_are_named_by_time() -> None:
    # B is at the head of the queue until 100. C starts at 30 and D at 40; they overtake B.
    result = replay([(0, 100, 6), (10, 50, 8), (30, 20, 2), (40, 30, 2)])
    assert result.explain(101).overtaken_by == (102, 103)
    assert result.explain(103).overtaken_by == ()


def test_an_order_that_drifts_is_evaluated_at_the_time_of_overtaking() -> None:
    # Under wfp3, a short job overtakes not only by backfilling, but also because its score grows
    # faster.
    trace = crowd(8).trace()
    result = sw.simulate(trace, sw.Site(sw.Processors(160), sw.Policy(order="wfp3")))
    job = int(np.argmax(result.wait))
    told = result.explain(0, row=job)
    row_of = {int(job_id): row for row, job_id in enumerate(trace.job_id)}
    assert told.overtaken_by
    for row in map(row_of.__getitem__, told.overtaken_by):
        assert result.backfilled[row]
        mine, theirs = sw.scores(trace, "wfp3", int(result.start[row]), jobs=[job, row])
        assert (mine, -job) > (theirs, -row)


def test_a_job_that_never_waited_has_no_parts() -> None:
    told = replay([(5, 10, 4)]).explain(100)
    assert (told.wait, told.parts, told.blockers, told.alone) == (0, (), (), 5)


@pytest.mark.parametrize("backfill", ["none", "easy", "conservative", "first-fit"])
def test_reasons_and_shares_equal_a_count_second_by_second(backfill: str) -> None:
    group = crowd(11, n_jobs=120)
    trace = group.trace()
    site = sw.Site(sw.Processors(group.processors), sw.Policy(backfill=backfill))
    result = sw.simulate(trace, site)
    rows = np.flatnonzero(result.wait > 0)
    assert len(rows) >= 30
    held_back = "order" if backfill == "none" else "reservation"
    for row in rows[::5].tolist():
        counted: Counter[str] = Counter()
        lacking = 0
        for now in range(int(trace.submit[row]), int(result.start[row])):
            runs = (result.start <= now) & (now < result.end)
            free = group.processors - int(trace.processors[runs].sum())
            short = max(0, int(trace.processors[row]) - free)
            counted["processors" if short else held_back] += 1
            lacking += short
        told = result.explain(0, row=row)
        assert told.seconds == dict(counted)
        assert sum(told.seconds.values()) == told.wait
        assert sum(b.processor_seconds for b in told.blockers) == pytest.approx(lacking)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((7,), "no job in the trace has the number 7"),
        (("102",), "job_id is '102'; use the number of a job"),
        ((100,), "2 jobs have the number 100; choose the row of one of them: row=0, row=1"),
        ((102,), r"job 102 never started \(rejected: it"),
    ],
)
def test_a_job_that_cannot_be_explained_is_refused(arguments: tuple[int], message: str) -> None:
    trace = sw.Trace.from_columns([0, 1, 2], [5, 5, 5], [4, 4, 40], job_id=[100, 100, 102])
    result = sw.simulate(trace, sw.Site(sw.Processors(8)))
    with pytest.raises(ValueError, match=message):
        result.explain(*arguments)
    assert result.explain(100, row=1).job == 1
    for row in (3, -1, "1"):
        with pytest.raises(ValueError, match=f"row is {row!r}; it must be from 0 to 2"):
            result.explain(100, row=row)  # type: ignore[arg-type]


def test_a_waiting_job_is_explained_in_a_copy_that_has_started_it() -> None:
    trace = sw.Trace.from_columns([0, 1], [50, 5], [8, 8], job_id=[100, 101])
    sim = sw.Simulation(trace, sw.Site(sw.Processors(8)))
    sim.run(until=20)
    with pytest.raises(ValueError, match=r"101 has not started yet.*copy\.copy\(sim\)"):
        sim.result().explain(101)
    ahead = copy.copy(sim)
    ahead.run()
    assert ahead.result().explain(101).seconds == {"processors": 49}


def test_limits_hours_drains_reservations_and_dependencies_have_their_own_reasons() -> None:
    # User 1 may run one job at a time; without this limit, each job would start when submitted.
    limited = replay([(0, 100, 2), (5, 9, 2), (10, 50, 2)], limits=sw.Limits(running_per_user=1))
    assert limited.explain(102).seconds == {"limit": 90}
    # Maintenance in [100, 200): job 101 (95 s), submitted at 10, would run into it.
    drain = sw.Maintenance(start=100, duration=100)
    drained = replay([(0, 5, 1), (10, 95, 4)], maintenance=(drain,))
    assert drained.explain(101).seconds == {"drain": 190}
    assert drained.explain(101).alone == 200
    # All processors are kept for user 7 in [0, 60).
    kept = sw.Reservation("course", start=0, duration=60, processors=10, users=(7,))
    fenced = replay([(0, 5, 1), (10, 20, 4)], reservations=(kept,))
    assert fenced.explain(101).seconds == {"fence": 50}
    # Time 0 is midnight; the queue opens at 01:00.
    clock = sw.Clock(start="2020-01-01T00:00:00")
    shut = replay(
        [(0, 5, 1), (10, 20, 4)], clock=clock, queues=(sw.Queue("q", hours="01:00-02:00"),)
    )
    assert shut.explain(101).seconds == {"opening hours": 3590}
    # The first job ends at 30, and the second may start 7 s later.
    trace = sw.Trace.from_columns(
        [0, 1], [30, 5], [1, 1], job_id=[1, 2], preceding_job=[-1, 1], think_time=[-1, 7]
    )
    depends = sw.simulate(trace, sw.Site(sw.Processors(4), dependencies=True))
    assert depends.explain(2).seconds == {"dependency": 36}


def test_the_limits_that_held_a_job_are_named_with_the_counted_jobs() -> None:
    # All three jobs belong to user 1. Job 101 runs until 30, and job 102 until 50. With two jobs
    # per user, job 103 waits until 101 ends, and starts at 30. If the queue may use at most 6
    # processors, job 103 also waits until 102 ends at 50, because jobs 102 and 103 would use 4 + 4.
    jobs = {
        "submit": [0, 0, 10],
        "run_time": [30, 50, 5],
        "processors": [2, 4, 4],
        "user": [1, 1, 1],
        "job_id": [101, 102, 103],
    }
    trace = sw.Trace.from_columns(**jobs)
    two = sw.Limits(running_per_user=2)
    queue = sw.Queue("q", processors_in_use=6)
    told = sw.simulate(trace, sw.Site(10, limits=two)).explain(103)
    assert told.seconds == {"limit": 20}
    assert told.limits == (
        LimitHeld("limits.running_per_user", "user 1", 2, "jobs", 20, 2, (101, 102)),
    )
    told = sw.simulate(trace, sw.Site(10, limits=two, queues=[queue])).explain(103)
    assert told.seconds == {"limit": 40}
    assert told.limits == (
        LimitHeld("limits.running_per_user", "user 1", 2, "jobs", 20, 2, (101, 102)),
        LimitHeld("queue.q.processors_in_use", "queue q", 6, "processors", 20, 4, (102,)),
    )
    # A pass considers one waiting job per user, so it ignores 103 until 102 starts at 30.
    first = sw.Limits(queued_per_user=1)
    alone = sw.simulate(
        sw.Trace.from_columns(**jobs | {"processors": [10, 8, 2], "submit": [0, 1, 2]}),
        sw.Site(10, limits=first),
    )
    assert alone.explain(103).limits == (
        LimitHeld("limits.queued_per_user", "user 1", 1, "jobs", 28, 1, (102,)),
    )
    assert alone.explain(101).limits == ()


def test_the_wait_of_a_crashed_job_excludes_its_lost_attempt() -> None:
    # A is killed at 20, restarts immediately, and holds the whole machine until 120.
    result = replay([(0, 100, 10), (0, 50, 10)], crashes=sw.Crashes(times=(20,)))
    told = result.explain(101)
    assert told.seconds == {"processors": 120}
    assert told.wait == int(result.wait[1])
    assert sum(b.processor_seconds for b in told.blockers) == pytest.approx(10 * 120)


def test_what_could_be_foretold_at_submit_is_the_start_by_requests() -> None:
    trace = sw.Trace.from_columns([0, 10], [50, 20], [8, 8], [100, 20])
    told = sw.simulate(trace, sw.Site(sw.Processors(10))).explain(2)
    # A requests 100 s and runs for 50 s.
    assert (told.start, told.estimated_start) == (50, 100)


def test_a_hold_is_a_reason() -> None:
    # Job 101 is held from 20 to 50, and lacks processors until 40. It starts when it is released.
    trace = sw.Trace.from_columns([0, 10], [40, 5], [6, 5], job_id=[100, 101])
    sim = sw.Simulation(trace, sw.Site(sw.Processors(10)))
    sim.run(until=20)
    sim.hold(101)
    sim.run(until=50)
    assert sim.result().by_hand.holds == (Hold(1, 20, None),)
    sim = sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes()))
    sim.release(101)
    sim.run()
    result = pickle.loads(pickle.dumps(sim.result()))
    assert result.by_hand.holds == (Hold(1, 20, 50),)
    told = result.explain(101)
    assert told.start == 50
    assert [(p.start, p.end, p.reason) for p in told.parts] == [
        (10, 20, "processors"),
        (20, 50, "hold"),
    ]
    assert sum(told.seconds.values()) == told.wait == 40


def test_interventions_before_the_first_step_have_no_time() -> None:
    # Job 102 is released before the first step, so its hold leaves no trace. Job 100 is held until
    # 20, when job 102 has ended, and then starts.
    trace = sw.Trace.from_columns([0, 0, 0], [9, 9, 9], [4] * 3, job_id=[100, 101, 102])
    sim = sw.Simulation(trace, sw.Site(sw.Processors(4)))
    sim.hold(100)
    sim.hold(102)
    sim.release(102)
    sim.cancel(101)
    sim.set_priority(102, 3)
    sim.set_policy(sw.Policy(backfill="none"))
    sim.run(until=20)
    assert sim.result().by_hand.holds == (Hold(0, None, None),)
    sim.release(100)
    sim.run()
    result = sim.result()
    done = result.by_hand
    assert done.holds == (Hold(0, None, 20),)
    assert done.cancelled == ((1, None),)
    assert done.priorities == ((None, 2, 3.0),)
    assert done.priority_at(2, 0) == 3
    assert [at for at, _ in done.policies] == [None]
    told = result.explain(100)
    assert [(p.start, p.end, p.reason) for p in told.parts] == [(0, 20, "hold")]
    assert told.overtaken_by == ()


def test_a_job_in_several_pools_counts_in_each_with_its_processors_there() -> None:
    # Job 100 (6 processors) holds 4·6/8 = 3 in each of two pools until 30. Job 101 needs 2 in pool
    # a, where 1 is free: it lacks 1, held entirely by job 100.
    pools = (sw.Pool("a", 4), sw.Pool("b", 4))
    queues = (
        sw.Queue("wide", processors=(5, None), pools=("a", "b"), spanning=True),
        sw.Queue("a", pools=("a",)),
    )
    narrow = replay([(0, 30, 6), (5, 10, 2)], 8, pools=pools, queues=queues)
    assert narrow.schedule.spans()["processors"].tolist() == [3, 3]
    told = narrow.explain(101)
    assert told.seconds == {"processors": 25}
    assert [(b.job_id, round(b.processor_seconds, 6)) for b in told.blockers] == [(100, 25.0)]
    # A second spanning job needs 5 processors from a and b together; 2 are free, so it lacks 3 for
    # 24 s.
    wide = replay([(0, 30, 6), (6, 10, 5)], 8, pools=pools, queues=queues)
    told = wide.explain(101)
    assert told.seconds == {"processors": 24}
    assert [(b.job_id, round(b.processor_seconds, 6)) for b in told.blockers] == [(100, 72.0)]


def test_named_nodes_of_a_torus_are_as_many_processors() -> None:
    # There are 10 nodes, of which two are down. Job 0 holds 6 until 100. Job 1 (5 nodes) waits for
    # it, and job 2 (1 node) waits behind job 1, although two nodes are free all the time.
    trace = sw.Trace.from_columns([0, 10, 20], [100, 10, 10], [6, 5, 1], [100, 10, 10])
    site = sw.Site(
        sw.Torus((10,)),
        sw.Policy(backfill="none", allocation="contiguous"),
        outages=[sw.Outage(5, 200, nodes="[8-9]")],
    )
    result = sw.simulate(trace, site)
    assert result.start.tolist() == [0, 100, 100]
    assert result.explain(3).seconds == {"order": 80}


def test_a_job_that_is_not_in_the_trace_may_have_been_dropped(tmp_path: Path) -> None:
    head = "JobID|Submit|Start|End|State|NCPUS|TimelimitRaw|Partition|User\n"
    ran = "1|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T01:00:00|COMPLETED|4|60|a|u\n"
    cancelled = "2|2025-01-01T00:00:10|None|2025-01-01T00:00:20|CANCELLED by 7|4|60|a|u\n"
    (tmp_path / "log.txt").write_text(head + ran + cancelled)
    with pytest.raises(ValueError, match="no job in the trace has the number 2") as raised:
        row_of(sw.read_trace(tmp_path / "log.txt"), 2)
    assert str(raised.value) == (
        "no job in the trace has the number 2; it may be in one of the lines of the log that were "
        "dropped (1: cancelled before it started: no start time); use the number of "
        "a job that was kept"
    )
    (tmp_path / "log.txt").write_text(head + ran)
    with pytest.raises(ValueError, match="has the number 2; use the number of a job in the"):
        row_of(sw.read_trace(tmp_path / "log.txt"), 2)
