"""Explanations of waits under crashes, starvation, dependencies and external dispatchers."""

from __future__ import annotations

import slotwise as sw
from slotwise.explain import Part


def test_alone_keeps_the_grid_of_periodic_passes() -> None:
    # Passes run at 0, 30, 60 …, from the log's first submit time: job 2, submitted at 45, is
    # considered at 60.
    trace = sw.Trace.from_columns([0, 45], [500, 10], [8, 8])
    result = sw.simulate(trace, sw.Site(sw.Processors(8), sw.Policy(passes="30s")))
    assert result.explain(2).alone == 60
    assert result.explain(1).alone == 0


def test_waiting_for_the_next_periodic_pass_is_not_waiting_for_a_reservation() -> None:
    # Passes at 0, 30, 60, …: B, submitted at 10, fits at once and starts at 30. C and D request all
    # 10 processors. C has them from 60, because A and B end at 35 and 40. D lacks processors until
    # C ends at 95, and then waits for the pass at 120.
    trace = sw.Trace.from_columns([0, 10, 31, 32], [35, 10, 35, 5], [4, 4, 10, 10])
    result = sw.simulate(trace, sw.Site(10, sw.Policy(passes="30s")))
    assert result.start.tolist() == [0, 30, 60, 120]
    assert result.explain(2).seconds == {"pass": 20}
    assert result.explain(3).seconds == {"pass": 20, "processors": 9}
    assert result.explain(4).parts == (
        Part(32, 40, "processors"), Part(40, 60, "pass"),
        Part(60, 95, "processors"), Part(95, 120, "pass"),
    )  # fmt: skip


def test_alone_includes_the_crashes_drawn_from_the_first_submit_time() -> None:
    trace = sw.Trace.from_columns([0, 7, 300], [50, 50, 400], [4, 4, 4])
    crashes = sw.Crashes(law="exponential", mean=200, seed=5, repair=90)
    site = sw.Site(sw.Processors(4), crashes=crashes)
    sim = sw.Simulation(trace, site)
    for other in (1, 2):
        sim.cancel(other)
    sim.run()
    expected = int(sim.result().start[2])
    assert expected > 300
    assert sw.simulate(trace, site).explain(3).alone == expected


def test_a_repair_after_a_crash_is_a_drain() -> None:
    # A is killed at 20, the machine is repaired until 70, and A runs again until 170.
    trace = sw.Trace.from_columns([0, 0], [100, 50], [10, 10])
    crashes = sw.Crashes(times=(20,), repair=50)
    result = sw.simulate(trace, sw.Site(sw.Processors(10), crashes=crashes))
    told = result.explain(2)
    assert [(p.start, p.end, p.reason) for p in told.parts] == [
        (0, 20, "processors"),
        (20, 70, "drain"),
        (70, 170, "processors"),
    ]


def test_a_starving_job_is_overtaken_only_by_jobs_that_it_precedes() -> None:
    # A holds 6 of 10 processors until 100, and D holds 4 until 50. T (9 processors) and S (4
    # processors, 40 s) are submitted at 2 and 15, and starve 20 s later. At 50, T has its
    # reservation at 100, and S overtakes it. Under sjf, X (10 s) would precede S, but S starves. S
    # would precede T (50 s), but T has starved longer.
    submit, length, width = [0, 0, 2, 15, 20], [100, 50, 50, 40, 10], [6, 4, 9, 4, 4]
    trace = sw.Trace.from_columns(submit, length, width, queue=[2, 2, 1, 1, 2])
    queues = (
        sw.Queue("starves", trace_queues=(1,), starvation=20),
        sw.Queue("waits", trace_queues=(2,)),
    )
    result = sw.simulate(trace, sw.Site(sw.Processors(10), sw.Policy(order="sjf"), queues=queues))
    assert result.start.tolist() == [0, 0, 100, 50, 90]
    assert result.backfilled[3]
    assert result.explain(5).overtaken_by == ()
    assert result.explain(3).overtaken_by == (4, 5)


def test_an_order_that_reads_the_priority_of_queues_counts_it_once() -> None:
    # At 30, the score of W, submitted at 12, is 18, and the score of V is 0 + 5. So W precedes V,
    # although V's queue has the higher priority. W waits until 100, and V ends before then.
    trace = sw.Trace.from_columns([0, 12, 30], [100, 10, 20], [6, 8, 2], queue=[1, 1, 2])
    queues = (
        sw.Queue("low", trace_queues=(1,)),
        sw.Queue("high", trace_queues=(2,), priority=5),
    )
    key = {"name": "expression", "key": "wait + queue_priority"}
    result = sw.simulate(trace, sw.Site(sw.Processors(10), sw.Policy(order=key), queues=queues))
    assert result.start.tolist() == [0, 100, 30]
    assert result.explain(2).overtaken_by == (3,)


def test_jobs_that_never_start_count_as_queued() -> None:
    # Only one job of user 1 is considered: the held job 1 blocks job 2 until job 1 is cancelled.
    trace = sw.Trace.from_columns([0, 5], [10, 10], [4, 4], user=[1, 1])
    site = sw.Site(sw.Processors(8), limits=sw.Limits(queued_per_user=1))
    sim = sw.Simulation(trace, site)
    sim.hold(1)
    sim.run(until=50)
    sim.cancel(1)
    sim.run()
    result = sim.result()
    assert result.by_hand.cancelled == ((0, 50),)
    assert [(p.start, p.end, p.reason) for p in result.explain(2).parts] == [(5, 50, "limit")]


def test_a_lost_attempt_is_not_time_in_the_queue() -> None:
    # Job 1 runs from 0, crashes at 20, and waits until the repair ends at 30. Job 2, of the same
    # user, lacks processors. Job 2 exceeds the limit only from 20 to 30, when both jobs are in the
    # queue.
    trace = sw.Trace.from_columns([0, 5], [40, 10], [8, 8], user=[1, 1])
    crashes = sw.Crashes(times=(20,), repair=10)
    limits = sw.Limits(queued_per_user=1)
    result = sw.simulate(trace, sw.Site(sw.Processors(8), limits=limits, crashes=crashes))
    assert result.explain(2).seconds == {"limit": 10, "processors": 15 + 40}


def test_an_estimated_start_waits_for_the_job_it_depends_on() -> None:
    # Job 1 requests 100 s and runs for 30 s; job 2 may start 7 s after the end of job 1.
    trace = sw.Trace.from_columns(
        [0, 10], [30, 5], [1, 1], [100, 5], preceding_job=[-1, 1], think_time=[-1, 7]
    )
    result = sw.simulate(trace, sw.Site(sw.Processors(4), dependencies=True))
    told = result.explain(2)
    assert (told.start, told.estimated_start) == (37, 107)
    sim = sw.Simulation(trace[:1], result.site)
    sim.run(until=10)
    asked = {"processors": 1, "requested_time": 5, "preceding_job": 1, "think_time": 7}
    assert sim.estimate_start(**asked) == 107


def test_the_first_job_has_an_estimated_start() -> None:
    trace = sw.Trace.from_columns([40, 50], [30, 5], [1, 1])
    away = sw.Maintenance(start=0, duration=100)
    result = sw.simulate(trace, sw.Site(sw.Processors(4), maintenance=(away,)))
    assert result.explain(1).estimated_start == 100


def test_waits_under_an_outside_dispatcher_are_explained_without_asking_it() -> None:
    asked = []

    def first_come(queue: sw.JobView, machine: sw.MachineView) -> object:
        asked.append(machine.now)
        return queue.job_id[:1] if len(queue) and queue.processors[0] <= machine.free else None

    # Job 2 would fit beside job 1, but the dispatcher starts one job of the queue per pass.
    trace = sw.Trace.from_columns([0, 0, 5], [20, 30, 10], [4, 8, 2])
    result = sw.simulate(trace, sw.Site(sw.Processors(8), sw.External(first_come)))
    n_asked = len(asked)
    told = result.explain(3)
    assert told.seconds == {"dispatcher": 15, "processors": 30}
    assert (told.alone, told.estimated_start, told.overtaken_by) == (5, None, ())
    assert len(asked) == n_asked


def shared() -> sw.Trace:
    """Return a log for 4 processors, of which job A holds 3 until 100.

    H (4 processors, 5 s), J (2 processors, 50 s) and K (1 processor, 10 s) are submitted at 1, 2
    and 3. Only K fits, and it overtakes H.
    """
    return sw.Trace.from_columns([0, 1, 2, 3], [100, 5, 50, 10], [3, 4, 2, 1], max_processors=4)


def test_a_job_is_not_overtaken_by_one_it_follows_in_manual_priority() -> None:
    for priority, overtakers in ((0, (4,)), (1, ())):
        sim = sw.Simulation(shared())
        sim.set_priority(2, 2)
        sim.set_priority(4, priority)
        sim.run(until=50)
        sim.set_priority(3, 1.5)  # J then precedes K
        sim.run()
        result = sim.result()
        assert result.start[3] == 3
        assert result.backfilled[3]
        assert result.explain(2).overtaken_by == (4,)
        assert result.explain(3).overtaken_by == overtakers


def test_overtaking_is_judged_by_the_policy_of_that_time() -> None:
    # Under sjf, the order is H, K, J.
    for first, second, overtakers in (("sjf", "fcfs", ()), ("fcfs", "sjf", (4,))):
        sim = sw.Simulation(shared(), sw.Site(policy=sw.Policy(order=first)))
        sim.run(until=50)
        sim.set_policy(sw.Policy(order=second))
        sim.run()
        result = sim.result()
        assert result.explain(2).overtaken_by == (4,)
        assert result.explain(3).overtaken_by == overtakers
