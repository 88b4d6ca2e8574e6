"""Outside dispatchers on sites of queues, pools, limits and a calendar."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import slotwise as sw

POOLS = (sw.Pool("a", 40), sw.Pool("b", 24))
QUEUES = (
    sw.Queue("small", processors=(1, 8), pools=("b", "a")),
    sw.Queue("large", processors=(9, 40), pools=("a",)),
)


def first_fit(queue: Any, machine: Any) -> list[tuple[int, str]]:
    """Start whatever fits: the first choices of all pools, then the second ones."""
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
def test_a_dispatcher_that_does_as_first_fit_gives_its_schedule(fields: dict[str, Any]) -> None:
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
    """Answers one after the other; then nobody is started."""

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


def test_who_may_not_start_is_not_in_the_queue_and_pools_show_what_is_free() -> None:
    trace = sw.Trace.from_columns([0, 0, 0, 5], [9, 9, 9, 9], [8, 8, 20, 4], user=[1, 1, 2, 3])
    script = Script([1, (3, "a")])
    sim = sw.Simulation(trace, small_site(script, limits=sw.Limits(running_per_user=1)))
    sim.hold(4)
    sim.run(until=5)
    # Job 1 gets the first pool of its queue; then user 1 has his one job, and job 4 is held.
    assert script.seen == [
        {"queue": [1, 2, 3], "free": 64, "a": 40, "b": 24},
        {"queue": [], "free": 36, "a": 20, "b": 16},
    ]
    assert sim.result().pool[[0, 2]].tolist() == [1, 0]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([1, 1], "job 1, which it names twice"),
        ([1, 2], "job 2, which a hold, a limit, the hours of its queue or a dependency keeps back"),
        ([1, 5], "job 5, which is not in the queue"),
        ([1, (3, "b")], "job 3, which may not run in pool 'b'"),
        ([1, (3, "c")], r"answers \(3, 'c'\); give a job's number, or a pair .* pools: a, b"),
        ([1, (3, 7)], r"answers \(3, 7\); give a job's number, or a pair .* pools: a, b"),
        ([3, 4], "job 4, which does not fit: it needs 30 processors and 20 are free in pool 'a'"),
        ([6], "job 6, which .*hold, a limit"),
        ([7], "job 7, which does not fit: by its request it would run into what the calendar"),
    ],
)
def test_an_answer_that_cannot_be_followed_is_refused_whole(answer: Any, words: str) -> None:
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
    # Nothing of it was followed, and the same is asked again.
    first, again = script.seen[:2]
    assert first == again == {"queue": [1, 2, 3, 4, 7], "free": 64, "a": 40, "b": 24}
    assert sim.running.job_id.tolist() == [1, 3]
    assert sim.machine.free_in_pools == {"a": 20, "b": 16}


def test_what_a_dispatcher_raises_leaves_the_site_as_it_was() -> None:
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


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"queues": (sw.Queue("w", spanning=True),)},
            "takes no spanning queues, which decide starts themselves; give their jobs a pool",
        ),
        (
            {"reservations": (sw.Reservation("r", 0, 9, 4, pool="a", users=(1,)),)},
            "takes no reservations of users",
        ),
        (
            {"limits": sw.Limits(running_per_user=2, lifted_when_idle=True)},
            "leave lifted_when_idle out",
        ),
    ],
)
def test_parts_that_start_jobs_themselves_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(sw.SiteError, match=words):
        sw.Simulation(sw.Trace.from_columns([0], [9], [8]), small_site(Script(), **fields))


def test_what_would_need_the_past_to_be_asked_again_is_refused_with_a_remedy() -> None:
    trace = sw.Trace.from_columns([0, 3], [9, 9], [8, 8])
    sim = sw.Simulation(trace, small_site(Script()))
    sim.run(until=1)
    with pytest.raises(ValueError, match=r"cannot be asked about the past .* into the trace"):
        sim.submit(processors=4, run_time=9)
    with pytest.raises(ValueError, match="a priority would need; have the dispatcher weigh it"):
        sim.set_priority(1, 2)
    with pytest.raises(sw.SiteError, match="another policy would need; begin another simulation"):
        sim.set_policy(sw.Policy(order="sjf"))
    with pytest.raises(sw.SiteError, match=r"not in which pools; go on from the snapshot itself"):
        sim.snapshot().to_bytes()
    inside = sw.Simulation(trace, sw.Site(64, pools=POOLS, queues=QUEUES))
    with pytest.raises(sw.SiteError, match="does not take over a site of queues, pools"):
        inside.set_policy(sw.External(first_fit))
    again = sw.Simulation.restore(sim.snapshot())
    again.run()
    assert again.result().start.tolist() == [-1, -1]
