"""Dispatchers on sites with queues, pools, limits and a calendar."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import pytest

import slotwise as sw

POOLS = (sw.Pool("a", 40), sw.Pool("b", 24))
QUEUES = (
    sw.Queue("small", processors=(1, 8), pools=("b", "a")),
    sw.Queue("large", processors=(9, 40), pools=("a",)),
)


def first_fit(queue: Any, machine: Any) -> list[tuple[int, str]]:
    """Start all jobs that fit: large ones in pool a, then small ones in b, then small ones in a."""
    free, chosen = machine.free_in_pools, {}
    for small, large in (("", "a"), ("b", ""), ("a", "")):
        for job_id, processors in zip(queue.job_id, queue.processors, strict=True):
            pool = small if processors <= 8 else large
            if pool and job_id not in chosen and processors <= free[pool]:
                free[pool] -= processors
                chosen[int(job_id)] = pool
    return list(chosen.items())


def rows(result: sw.Result) -> list[list[int]]:
    columns = (result.start, result.end, result.pool, result.state)
    return [column.tolist() for column in columns]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"crashes": sw.Crashes(times=(40_000, 90_000), repair=600)},
        {"outages": (sw.Outage(start=30_000, duration=9_000, processors=30),)},
        {"dependencies": True},
    ],
)
def test_a_first_fit_dispatcher_gives_the_schedule_of_first_fit(fields: dict[str, Any]) -> None:
    trace = sw.generate("lublin", n_jobs=500, processors=40, load=1.3, seed=3)
    common: dict[str, Any] = {"machine": 64, "pools": POOLS, "queues": QUEUES} | fields
    inside = sw.simulate(trace, sw.Site(policy=sw.Policy(backfill="first-fit"), **common))
    sim = sw.Simulation(trace, sw.Site(policy=sw.External(first_fit), **common))
    sim.run(until=int(trace.submit[250]))
    other = copy.copy(sim)
    for each in (sim, other):
        each.run()
        assert rows(each.result()) == rows(inside)
    told = sim.result().explain(0, row=int(inside.wait.argmax()))
    assert sum(told.seconds.values()) == int(inside.wait.max())


class Script:
    """Returns the prepared answers one after another, and then starts no more jobs."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.seen: list[dict[str, Any]] = []

    def __call__(self, queue: Any, machine: Any) -> Any:
        self.seen.append(
            {"queue": queue.job_id.tolist(), "free": machine.free, **machine.free_in_pools}
        )
        return self.answers.pop(0) if self.answers else None


def small_site(script: Script, **fields: Any) -> sw.Site:
    common: dict[str, Any] = {"machine": 64, "pools": POOLS, "queues": QUEUES} | fields
    return sw.Site(policy=sw.External(script), **common)


def test_the_queue_has_only_eligible_jobs_and_pools_show_free_processors() -> None:
    trace = sw.Trace.from_columns([0, 0, 0, 5], [9, 9, 9, 9], [8, 8, 20, 4], user=[1, 1, 2, 3])
    script = Script([1, (3, "a")])
    sim = sw.Simulation(trace, small_site(script, limits=sw.Limits(running_per_user=1)))
    sim.hold(4)
    sim.run(until=5)
    # Job 1 gets the first pool of its queue; then user 1 has reached the limit, and job 4 is held.
    assert script.seen == [
        {"queue": [1, 2, 3], "free": 64, "a": 40, "b": 24},
        {"queue": [], "free": 36, "a": 20, "b": 16},
    ]
    assert sim.result().pool[[0, 2]].tolist() == [1, 0]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([1, 1], "job 1: the answer lists the job twice"),
        (itertools.repeat(1), "job 1: the answer lists the job twice"),  # an endless answer
        (
            [1, 2],
            "job 2: a hold, a limit, the opening hours of its queue or a dependency delays the job",
        ),
        ([1, 5], "job 5: the job is not in the queue"),
        ([1, (3, "b")], "job 3: the job's queue does not use pool 'b'"),
        ([1, (3, "c")], r"returned \(3, 'c'\); return a job's number, or a pair .* pools: a, b"),
        ([1, (3, 7)], r"returned \(3, 7\); return a job's number, or a pair .* pools: a, b"),
        ([3, 4], r"job 4: the job needs more processors \(30\) than are free in pool 'a' \(20\)"),
        ([6], "job 6: .*hold, a limit"),
        ([7], "job 7: the job's requested time overlaps a downtime"),
    ],
)
def test_an_impossible_answer_is_refused_as_a_whole(answer: Any, words: str) -> None:
    trace = sw.Trace.from_columns(
        [0, 0, 0, 0, 9, 0, 0],
        [9, 9, 9, 9, 9, 9, 9],
        [8, 8, 20, 30, 4, 4, 12],
        [9, 9, 9, 9, 9, 9, 500],
        user=[1, 1, 2, 3, 4, 5, 6],
        job_id=[1, 2, 3, 4, 5, 6, 7],
    )
    script = Script(answer, [1, 3])
    away = sw.Maintenance(start=100, duration=10)
    limits = sw.Limits(running_per_user=1)
    sim = sw.Simulation(trace, small_site(script, limits=limits, maintenance=(away,)))
    sim.hold(6)
    with pytest.raises(sw.ReplayError, match=words):
        sim.run()
    assert len(sim.running) == 0
    sim.run(until=1)
    # No part of the answer has taken effect, and the same pass is repeated.
    first, again = script.seen[:2]
    assert first == again == {"queue": [1, 2, 3, 4, 7], "free": 64, "a": 40, "b": 24}
    assert sim.running.job_id.tolist() == [1, 3]
    assert sim.machine.free_in_pools == {"a": 20, "b": 16}


def test_an_exception_of_a_dispatcher_leaves_the_site_unchanged() -> None:
    asked = []

    def fails_once(queue: Any, machine: Any) -> Any:
        asked.append(machine.now)
        if len(asked) == 20:
            raise LookupError("no answer")
        return first_fit(queue, machine)

    trace = sw.generate("lublin", n_jobs=60, processors=40, load=1.3, seed=3)
    site = sw.Site(64, sw.External(fails_once), pools=POOLS, queues=QUEUES)
    sim = sw.Simulation(trace, site)
    with pytest.raises(LookupError, match="no answer"):
        sim.run()
    sim.run()
    assert asked[19] == asked[20]
    expected = sw.simulate(trace, site.replace(policy=sw.External(first_fit)))
    assert rows(sim.result()) == rows(expected)


def test_a_job_of_a_spanning_queue_takes_its_share_of_each_pool() -> None:
    # 20 processors are busy in pool a and 4 in pool b, so each pool has 20 left. The wide job gets
    # 15 in each pool.
    queues = (
        sw.Queue("wide", trace_queues=(1,), pools=("a", "b"), spanning=True),
        sw.Queue("rest", trace_queues=(2,)),
    )
    trace = sw.Trace.from_columns([0, 0, 1], [50, 50, 9], [20, 4, 30], queue=[2, 2, 1])
    script = Script([(1, "a"), (2, "b")], [(3, "a")], [3])
    sim = sw.Simulation(trace, small_site(script, queues=queues))
    refused = "job 3: the answer places the job in pool 'a', but jobs in its queue span several"
    with pytest.raises(sw.ReplayError, match=refused):
        sim.run(until=1)
    sim.run(until=1)
    assert sim.machine.free_in_pools == {"a": 5, "b": 5}
    assert sim.running.pool.tolist() == [0, 1, -1]
    assert sim.running.site_queue.tolist() == [1, 1, 0]


def test_a_job_of_a_spanning_queue_that_does_not_fit_is_refused() -> None:
    queues = (sw.Queue("wide", pools=("a", "b"), spanning=True),)
    trace = sw.Trace.from_columns([0, 0, 0], [50, 50, 9], [30, 40, 30], [50, 50, 99])
    away = sw.Maintenance(start=60, duration=10, pool="a")
    site = small_site(Script([1, 2], [1, 3], [1]), queues=queues, maintenance=(away,))
    sim = sw.Simulation(trace, site)
    # Job 2 is too wide now. Job 3 would still be running at 60, when only the 24 processors of b
    # are up.
    for job in (2, 3):
        with pytest.raises(
            sw.ReplayError, match=rf"job {job}: the pools of the job's queue .* free now: 34"
        ):
            sim.run(until=0)
        assert sim.machine.free_in_pools == {"a": 40, "b": 24}
    sim.run(until=0)
    assert sim.machine.free_in_pools == {"a": 21, "b": 13}
    # The refused answers had no effect: only the job named in the third answer is running.
    assert sim.running.job_id.tolist() == [1]


def test_a_job_starts_inside_a_reservation_of_its_user_if_it_fits() -> None:
    seen = []

    def first(queue: Any, machine: Any) -> Any:
        seen.append((machine.now, dict(machine.free_in_pools), dict(machine.free_in_reservations)))
        return queue.job_id[:1]

    trace = sw.Trace.from_columns([5, 10, 11, 12], [3, 50, 50, 99], [8] * 4, user=[1] * 4)
    course = sw.Reservation("course", start=10, duration=60, processors=12, pool="a", users=(1,))
    site = sw.Site(64, sw.External(first), pools=POOLS, reservations=(course,))
    result = sw.simulate(trace, site)
    # Job 2 runs inside the reservation. Job 3 does not fit beside it, and job 4 would run past the
    # end of the reservation, so both use the pool.
    assert [row for row in seen if row[0] in (10, 11, 12)] == [
        (10, {"a": 28, "b": 24}, {"course": 12}),
        (11, {"a": 28, "b": 24}, {"course": 4}),
        (12, {"a": 20, "b": 24}, {"course": 4}),
    ]
    assert result.start.tolist() == [5, 10, 11, 12]
    assert seen[0] == (5, {"a": 40, "b": 24}, {})


def test_lifted_limits_show_the_held_jobs_once_no_other_may_start() -> None:
    trace = sw.Trace.from_columns([0, 0, 0], [9, 9, 9], [8, 8, 8], user=[1, 1, 2])
    script = Script([1], [3], [2])
    limits = sw.Limits(running_per_user=1, lifted_when_idle=True)
    sim = sw.Simulation(trace, small_site(script, limits=limits))
    sim.run()
    # At every pass, the limit allows at least one waiting job, so it is never lifted.
    assert [row["queue"] for row in script.seen] == [[1, 2, 3], [2, 3], [2], []]
    assert sim.result().start.tolist() == [0, 18, 9]
    # If jobs 1 and 3 start together, the limit allows no other job. So the limit is lifted, and
    # another pass at the same instant offers job 2.
    script = Script([1, 3], [2])
    sim = sw.Simulation(trace, small_site(script, limits=limits))
    sim.run()
    assert [row["queue"] for row in script.seen] == [[1, 2, 3], [2], []]
    assert sim.result().start.tolist() == [0, 0, 0]
    # Even if passes run every 30 s, job 2 does not wait for the next periodic pass.
    script = Script([1, 3], [2])
    policy = sw.External(script, passes="30s")
    sim = sw.Simulation(trace, sw.Site(64, policy, pools=POOLS, queues=QUEUES, limits=limits))
    sim.run()
    assert [row["queue"] for row in script.seen][:2] == [[1, 2, 3], [2]]
    assert sim.result().start.tolist() == [0, 0, 0]


SITES: dict[str, dict[str, Any]] = {
    "pools": {},
    "crashes": {"crashes": sw.Crashes(times=(40_000, 90_000), repair=600)},
    "outages": {"outages": (sw.Outage(start=30_000, duration=9_000, processors=30),)},
    "dependencies": {"dependencies": True},
}


@pytest.mark.parametrize("fields", SITES.values(), ids=SITES.keys())
def test_a_dispatcher_takes_over_and_is_replaced_during_a_replay(fields: dict[str, Any]) -> None:
    trace = sw.generate("lublin", n_jobs=400, processors=40, load=1.3, seed=4)
    inside = sw.Policy(backfill="first-fit")
    common: dict[str, Any] = {"machine": 64, "pools": POOLS, "queues": QUEUES} | fields
    expected = rows(sw.simulate(trace, sw.Site(policy=inside, **common)))
    outside = sw.External(first_fit)
    for first, second in ((inside, outside), (outside, inside)):
        sim = sw.Simulation(trace, sw.Site(policy=first, **common))
        for part, policy in ((100, second), (200, first), (300, second)):
            sim.run(until=int(trace.submit[part]))
            sim.set_policy(policy)
            assert sim.site.policy == policy
        sim.run()
        assert rows(sim.result()) == expected


@pytest.mark.parametrize("fields", SITES.values(), ids=SITES.keys())
def test_a_dispatcher_is_not_asked_about_past_passes_again(fields: dict[str, Any]) -> None:
    # On a site with pools, the replay is repeated from its start to the present whenever a job is
    # submitted, or the simulation is restored from bytes.
    trace = sw.generate("lublin", n_jobs=200, processors=40, load=1.3, seed=5)
    asked: list[int] = []

    def noted(queue: Any, machine: Any) -> Any:
        asked.append(machine.now)
        return first_fit(queue, machine)

    common: dict[str, Any] = {"machine": 64, "pools": POOLS, "queues": QUEUES} | fields
    site = sw.Site(policy=sw.External(noted), **common)
    sim = sw.Simulation(trace, site)
    for part in (50, 100, 150):
        sim.run(until=int(trace.submit[part]))
        sim.submit(processors=4, run_time=900)
        sim.submit(processors=9, run_time=900, submit=sim.now + 500)
        before = len(asked)
        assert len(sim.trace) > 200
        data = sim.snapshot().to_bytes()
        assert len(asked) == before
    again = sw.Simulation.restore(sw.Snapshot.from_bytes(data, dispatch=noted))
    assert (again.now, len(asked)) == (sim.now, before)
    sim.set_priority(int(sim.queue.job_id[0]), 3)
    sim.run()
    again.run()
    # A deterministic dispatcher decides as if the jobs had been in the trace from the start.
    expected = rows(sw.simulate(sim.trace, site))
    assert rows(sim.result()) == rows(again.result()) == expected


def test_a_pass_that_failed_in_the_past_starts_no_job_when_repeated() -> None:
    trace = sw.Trace.from_columns([0, 0, 0], [90, 50, 9], [30, 24, 30])
    answers = Script([1], LookupError("not now"), [3], [(2, "b")])

    def scripted(queue: Any, machine: Any) -> Any:
        answer = answers(queue, machine)
        if isinstance(answer, Exception):
            raise answer
        return answer

    sim = sw.Simulation(trace, sw.Site(64, sw.External(scripted), pools=POOLS))
    sim.run(until=0)
    sim.hold(2)
    with pytest.raises(LookupError):
        sim.run(until=5)
    sim.cancel(1)
    sim.run(until=5)
    sim.release(2)
    sim.submit(processors=1, run_time=5)
    sim.run(until=6)
    assert sim.running.job_id.tolist() == [3, 2]
    data = sim.snapshot().to_bytes()
    again = sw.Simulation.restore(sw.Snapshot.from_bytes(data, dispatch=scripted))
    assert again.result().start.tolist() == sim.result().start.tolist() == [0, 5, 0, -1]


def test_a_failing_pass_per_event_leaves_the_site_before_its_instant() -> None:
    answers = Script([1], LookupError("not now"), [1], [2])

    def scripted(queue: Any, machine: Any) -> Any:
        answer = answers(queue, machine)
        if isinstance(answer, Exception):
            raise answer
        return answer

    outside = sw.External(scripted, passes="per-event")
    trace = sw.Trace.from_columns([5, 5], [9, 9], [8, 8])
    sim = sw.Simulation(trace, sw.Site(64, outside, pools=POOLS))
    with pytest.raises(LookupError):
        sim.run(until=5)
    assert len(sim.running) == 0
    sim.run(until=5)
    assert sim.running.job_id.tolist() == [1, 2]
    data = sim.snapshot().to_bytes()
    again = sw.Simulation.restore(sw.Snapshot.from_bytes(data, dispatch=scripted))
    assert again.running.job_id.tolist() == [1, 2]
