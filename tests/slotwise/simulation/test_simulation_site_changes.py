"""Manual priorities and changes of policy on sites with queues, pools, limits and a calendar."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np
import pytest

import slotwise as sw
from reference.workloads import crowd

BOUNDLESS = sw.Limits(running=10**6)  # never reached, so the starts equal those on a plain machine


def rows(result: sw.Result) -> list[list[int]]:
    return [result.start.tolist(), result.backfilled.tolist()]


def changed(trace: sw.Trace, site: sw.Site, second: sw.Policy, seed: int) -> sw.Result:
    """Replay in five parts; set or reset priorities between them, and change the policy once."""
    random = np.random.default_rng(seed)
    sim = sw.Simulation(trace, site)
    marks = np.quantile(trace.submit, [0.2, 0.4, 0.6, 0.8]).astype(int).tolist()
    for stride, mark in enumerate(marks):
        sim.run(until=mark)
        waiting = sim.queue.job_id.copy()
        for job in random.permutation(waiting)[:3].tolist():
            sim.set_priority(job, float(random.integers(-2, 3)))
        to_come = trace.job_id[trace.submit > mark]
        sim.set_priority(int(random.choice(to_come)), 1.5)
        if stride == 2:
            sim.set_policy(second)
    sim.run()
    return sim.result()


def assert_changed_as_on_a_machine(first: sw.Policy, second: sw.Policy) -> None:
    """Compare changes on a plain machine, under limits that never bind, and with a single pool."""
    for seed in range(6):
        group = crowd(seed, n_jobs=80)
        trace, machine = group.trace(), sw.Processors(group.processors)
        expected = rows(changed(trace, sw.Site(machine, first), second, seed))
        site = sw.Site(machine, first, limits=BOUNDLESS)
        assert rows(changed(trace, site, second, seed)) == expected
        pools = sw.Site(machine, first, pools=(sw.Pool("all", group.processors),))
        assert rows(changed(trace, pools, second, seed)) == expected


@pytest.mark.parametrize("order", ["fcfs", "wfp3"])
@pytest.mark.parametrize(
    "backfill", ["none", "first-fit", "easy", "depth", "replan", "conservative"]
)
def test_changes_on_a_site_equal_those_on_a_machine(backfill: str, order: str) -> None:
    first = sw.Policy(order=order, backfill=backfill)
    second = sw.Policy(order="sjf", backfill="depth", depth=3)
    assert_changed_as_on_a_machine(first, second)


@pytest.mark.parametrize("backfill", ["none", "easy", "conservative"])
def test_conservative_takes_over_equally_on_a_site_and_on_a_machine(backfill: str) -> None:
    second = sw.Policy(order="sjf", backfill="conservative", compression="every-end")
    assert_changed_as_on_a_machine(sw.Policy(backfill=backfill), second)


def two_queues(**fields: Any) -> sw.Site:
    queues = (
        sw.Queue("high", trace_queues=(1,), priority=9, **fields),
        sw.Queue("low", trace_queues=(2,)),
    )
    return sw.Site(4, queues=queues)


def test_a_manual_priority_precedes_that_of_queues_but_not_starvation() -> None:
    # Job 2 is in a queue of higher priority than job 3's. Both wait until job 1 ends at 100.
    trace = sw.Trace.from_columns([0, 1, 2], [100, 10, 20], [4, 4, 4], queue=[1, 1, 2])
    for site, starts in (
        (two_queues(), [0, 120, 100]),
        (two_queues(starvation=50), [0, 100, 110]),
        (two_queues(starvation=100), [0, 120, 100]),
    ):
        sim = sw.Simulation(trace, site)
        sim.run(until=5)
        sim.set_priority(3, 1)
        sim.run()
        assert sim.result().start.tolist() == starts


def test_a_manual_priority_precedes_the_factor_of_a_pool_with_a_threshold() -> None:
    # Job 1 passes the threshold after 1 s and runs until 101. By then job 2, which is shorter, is
    # ahead of job 3.
    trace = sw.Trace.from_columns([0, 1, 2], [100, 10, 20], [4, 4, 4], queue=[1, 2, 2])
    site = sw.Site(
        8,
        pools=(sw.Pool("own", 4), sw.Pool("common", 4, threshold=1)),
        queues=(
            sw.Queue("first", trace_queues=(1,), pools=("common",), priority=1000),
            sw.Queue("later", trace_queues=(2,), pools=("common",), priority=1),
            sw.Queue("other", trace_queues=(3,), pools=("own",)),
        ),
    )
    sim = sw.Simulation(trace, site)
    sim.run(until=50)
    sim.set_priority(3, 1)
    sim.run()
    assert sim.result().start.tolist() == [1, 121, 101]


def test_a_manual_priority_chooses_the_head_of_a_spanning_queue() -> None:
    trace = sw.Trace.from_columns([0, 1, 2], [100, 10, 20], [8, 6, 6])
    for order, drifts in (("fcfs", False), ("wfp3", True)):
        site = sw.Site(
            8,
            sw.Policy(order=order),
            pools=(sw.Pool("a", 4), sw.Pool("b", 4)),
            queues=(sw.Queue("wide", spanning=True),),
        )
        sim = sw.Simulation(trace, site)
        sim.run(until=5)
        sim.set_priority(3, 1)
        sim.run()
        assert sim.result().start.tolist() == [0, 120, 100], drifts


def test_pools_of_one_queue_each_change_as_machines_do() -> None:
    group = crowd(3, n_jobs=120)
    trace = group.trace()
    half = np.arange(len(trace)) % 2 + 1
    columns = {name: getattr(trace, name) for name in ("run_time", "processors", "requested_time")}
    both = sw.Trace.from_columns(trace.submit, **columns, queue=half)
    site = sw.Site(
        2 * group.processors,
        pools=(sw.Pool("a", group.processors), sw.Pool("b", group.processors)),
        queues=(
            sw.Queue("a", trace_queues=(1,), pools=("a",)),
            sw.Queue("b", trace_queues=(2,), pools=("b",)),
        ),
    )
    mark = int(np.median(trace.submit))
    favoured = [row for row in range(len(both)) if trace.submit[row] > mark][:10]

    def run(jobs: sw.Trace, where: sw.Site) -> sw.Result:
        sim = sw.Simulation(jobs, where)
        sim.run(until=mark)
        for row in favoured:
            if row + 1 in jobs.job_id:
                sim.set_priority(row + 1, 1)
        sim.set_policy(sw.Policy(order="ljf"))
        sim.run()
        return sim.result()

    result = run(both, site)
    for queue in (1, 2):
        alone = run(both[half == queue], sw.Site(group.processors))
        assert rows(alone) == [list(itertools.compress(c, half == queue)) for c in rows(result)]


def test_changes_of_a_site_are_copied_and_written_out() -> None:
    trace = sw.generate("lublin", n_jobs=600, processors=64, load=1.1, seed=3)
    site = sw.Site(
        64,
        pools=[sw.Pool("a", 40), sw.Pool("b", 24)],
        queues=[
            sw.Queue("small", processors=(1, 8), pools=["a", "b"]),
            sw.Queue("large", processors=(9, 40), pools=["a"]),
        ],
        maintenance=[sw.Maintenance(start=2 * 86400, duration=7200, mode="kill")],
    )
    sim = sw.Simulation(trace, site)
    sim.run(until=int(trace.submit[300]))
    last = int(sim.queue.job_id[-1])
    sim.set_priority(last, 3)
    sim.set_policy(sw.Policy(order="sjf", backfill="depth", depth=2))
    sim.submit(processors=3, run_time=500)
    sim.run(until=int(trace.submit[400]))
    sim.set_priority(int(sim.queue.job_id[-1]), 5)
    others = [
        sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes())),
        copy.copy(sim),
    ]
    for other in (*others, sim):
        other.run()
    assert sim.site.policy.order == "sjf"
    for other in others:
        assert rows(other.result()) == rows(sim.result())
    state = sim.result().state
    assert set(state.tolist()) <= {sw.State.COMPLETED, sw.State.KILLED, sw.State.REJECTED}


@pytest.mark.parametrize("passes", ["30s", "per-event", "per-instant"])
def test_other_passes_work_equally_on_a_site_and_on_a_machine(passes: str) -> None:
    first = sw.Policy(passes="7s" if passes == "per-instant" else "per-instant")
    second = sw.Policy(order="sjf", passes=passes)
    assert_changed_as_on_a_machine(first, second)


@pytest.mark.parametrize("estimates", ["requested", "exact", "user-history"])
@pytest.mark.parametrize("kill_at_limit", [True, False])
def test_other_estimates_work_equally_on_a_site_and_on_a_machine(
    estimates: str, *, kill_at_limit: bool
) -> None:
    for seed, (before, backfill) in enumerate(
        itertools.product(("requested", "exact", "user-history"), ("easy", "conservative"))
    ):
        group = crowd(seed, n_jobs=80)
        trace, plain = group.trace(), sw.Site(group.processors)
        common: dict[str, Any] = {"backfill": backfill, "kill_at_limit": kill_at_limit}
        found = []
        for site in (plain, plain.replace(limits=BOUNDLESS)):
            sim = sw.Simulation(trace, site.replace(policy=sw.Policy(estimates=before, **common)))
            sim.run(until=int(np.median(trace.submit)))
            sim.set_policy(sw.Policy(order="sjf", estimates=estimates, **common))
            sim.run()
            found.append(rows(sim.result()))
        assert found[0] == found[1], (seed, before, backfill)


def test_passes_that_would_leave_a_job_without_a_start_are_refused() -> None:
    # The machine is drained for the last 60 s of every hour, so job 2 can start only on the hour.
    # The first pass is at 10 s. Passes every 5 s include one on each hour; passes every 60 s always
    # run 10 s past the minute.
    trace = sw.Trace.from_columns([10, 10], [100, 3540], [4, 4])
    drain = sw.Maintenance(start=3540, duration=60, every=3600)
    sim = sw.Simulation(trace, sw.Site(4, maintenance=[drain]))
    sim.run(until=10)
    sim.set_policy(sw.Policy(passes="5s"))
    with pytest.raises(
        sw.SiteError, match="with the new passes or estimates, different jobs would fit"
    ):
        sim.set_policy(sw.Policy(passes="60s"))
    sim.run()
    assert sim.result().start.tolist() == [10, 3600]


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (sw.Policy(kill_at_limit=False), "kill_at_limit determines how long jobs run"),
        (sw.Policy(order="fairshare"), "depends on all usage since the first submission"),
        (
            sw.Policy(waiting_estimates="exact"),
            "does not support pools, queues, limits, a calendar, checkpoints or dependencies",
        ),
    ],
)
def test_a_policy_that_a_site_refuses_changes_nothing(policy: sw.Policy, words: str) -> None:
    group = crowd(5, n_jobs=60)
    site = sw.Site(group.processors, limits=BOUNDLESS)
    expected = rows(sw.simulate(group.trace(), site))
    sim = sw.Simulation(group.trace(), site)
    sim.run(until=int(group.trace().submit[30]))
    with pytest.raises(sw.SiteError, match=words):
        sim.set_policy(policy)
    assert sim.site == site
    sim.run()
    assert rows(sim.result()) == expected


def test_a_submitted_job_that_no_queue_accepts_is_rejected() -> None:
    queues = (sw.Queue("small", processors=(1, 2)),)
    trace = sw.Trace.from_columns([0, 5, 9], [10, 10, 10], [2, 3, 3])
    for queued in (queues, (sw.Queue("mapped", trace_queues=(1,)), *queues)):
        sim = sw.Simulation(trace, sw.Site(4, queues=queued))
        sim.run(until=7)
        number = sim.submit(processors=4, run_time=5)
        later = sim.submit(processors=4, run_time=5, submit=20)
        assert sim.estimate_start(processors=3, requested_time=5) is None
        rejected = [sw.State.COMPLETED, *[sw.State.REJECTED] * 4]
        assert sim.result().state.tolist() == [sw.State.RUNNING, *rejected[1:]]
        sim.run()
        assert sim.result().state.tolist() == rejected
        assert sim.result().reject_reason[[2, 4]].tolist() == [sw.RejectReason.NO_QUEUE] * 2
        assert sim.trace.job_id.tolist() == [1, 2, number, 3, later]
        with pytest.raises(ValueError, match="processors is 5; it must lie between 1 and"):
            sim.submit(processors=5, run_time=5)
        assert sw.simulate(sim.trace, sim.site).state.tolist() == rejected


def test_a_held_job_does_not_hold_back_identical_jobs() -> None:
    # One processor, busy with job 1 until 10. Jobs 2, 3 and 4 are identical. Job 2 is held at 2, so
    # job 3 runs from 10 to 15. Job 2 is released at 12, is first again and starts at 15; job 4
    # starts at 20.
    trace = sw.Trace.from_columns(
        submit=[0, 1, 1, 1], run_time=[10, 5, 5, 5], processors=[1, 1, 1, 1], user=[1, 1, 1, 1]
    )
    sim = sw.Simulation(trace, sw.Site(sw.Processors(1), limits=BOUNDLESS))
    sim.run(until=2)
    sim.hold(2)
    sim.run(until=12)
    sim.release(2)
    sim.run()
    assert sim.result().start.tolist() == [0, 15, 10, 20]


def test_a_manual_priority_separates_a_job_from_identical_ones() -> None:
    # Jobs 2, 3 and 4 are identical. Job 4 gets a priority at 2 and starts out of turn, and job 3
    # is cancelled.
    trace = sw.Trace.from_columns(
        submit=[0, 1, 1, 1], run_time=[10, 5, 5, 5], processors=[1, 1, 1, 1], user=[1, 1, 1, 1]
    )
    sim = sw.Simulation(trace, sw.Site(sw.Processors(1), limits=BOUNDLESS))
    sim.run(until=2)
    sim.set_priority(4, 1.0)
    sim.cancel(3)
    sim.run()
    assert sim.result().start.tolist() == [0, 15, -1, 10]


def test_jobs_above_a_threshold_are_tried_once_after_a_change_of_policy() -> None:
    # Under `depth`, each job above the threshold has its own reservation; under `easy`, identical
    # jobs are tried only once. Jobs 2 to 5 are identical, and are above the threshold of 0
    # from 2 onwards. The policy changes at 3. Job 1 holds the queue's own pool until 20, and job 6
    # the common pool of 4 processors until 11. Then jobs 2 to 5 all fit in the common pool.
    trace = sw.Trace.from_columns(
        submit=[0, 0, 1, 1, 1, 1],
        run_time=[20, 10, 5, 5, 5, 5],
        processors=[1, 4, 1, 1, 1, 1],
        job_id=[1, 6, 2, 3, 4, 5],
        user=[1, 1, 1, 1, 1, 1],
    )
    pools = (sw.Pool("own", 1), sw.Pool("common", 4, threshold=0))
    queue = sw.Queue("all", priority=1, pools=("own", "common"))
    first = sw.Policy(backfill="depth", depth=2)
    sim = sw.Simulation(trace, sw.Site(sw.Processors(5), first, pools=pools, queues=(queue,)))
    sim.run(until=3)
    sim.set_policy(sw.Policy())
    sim.run()
    result = sim.result()
    assert result.start.tolist() == [0, 1, 11, 11, 11, 11]
