"""Jobs that may not start before their eligible time."""

from __future__ import annotations

import numpy as np
import pytest

import slotwise as sw

BACKFILLS = ["none", "first-fit", "easy", "conservative"]


def trace_of(rows: list[tuple[int, ...]], machine: int = 4, **columns: list[int]) -> sw.Trace:
    """Make a trace of (submit, run time, processors, eligible)."""
    submit, run_time, processors, eligible = zip(*rows, strict=True)
    return sw.Trace.from_columns(
        submit, run_time, processors, run_time, eligible=eligible, max_processors=machine, **columns
    )  # type: ignore[misc]


def random_trace(seed: int) -> sw.Trace:
    random = np.random.default_rng(seed)
    n = 120
    submit = np.sort(random.integers(0, 2000, n))
    held = random.integers(0, 600, n) * (random.random(n) < 0.4)
    return sw.Trace.from_columns(
        submit, random.integers(1, 300, n), random.integers(1, 9, n), random.integers(1, 400, n),
        eligible=submit + held, user=random.integers(1, 4, n), max_processors=8,
    )  # fmt: skip


def test_a_job_waits_until_it_is_eligible_and_is_queued_from_then_on() -> None:
    # Job 0 is eligible from 100. Job 1, submitted at 50, needs all processors. It starts at once
    # and ends at 150, when job 0 starts. Job 2, submitted at 90, comes before job 0 in the queue.
    trace = trace_of([(0, 100, 4, 100), (50, 100, 4, 50), (90, 10, 4, -1)])
    result = sw.simulate(trace, sw.Site(policy=sw.Policy(backfill="none")))
    assert result.start.tolist() == [160, 50, 150]
    assert result.wait.tolist() == [160, 0, 60]
    metrics = result.metrics()
    assert metrics["mean_wait"] == pytest.approx((160 + 0 + 60) / 3)
    # Waits are measured from 100, 50 and 90; the response times are 160, 100 and 70.
    assert metrics["mean_eligible_wait"] == pytest.approx((60 + 0 + 60) / 3)
    assert metrics["max_eligible_response"] == 160
    # The bounded slowdowns are 160 / 100, 100 / 100 and 70 / 10.
    assert metrics["mean_eligible_bounded_slowdown"] == pytest.approx((1.6 + 1 + 7) / 3)


def test_without_later_times_nothing_changes() -> None:
    trace = random_trace(1)
    plain = trace.with_columns(eligible=trace.submit)
    bare = plain.with_columns(eligible=np.full(len(trace), -1))
    assert sw.simulate(plain).start.tolist() == sw.simulate(bare).start.tolist()
    assert "mean_eligible_wait" not in sw.simulate(plain).metrics()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("backfill", BACKFILLS)
def test_starts_are_those_of_a_log_submitted_when_eligible(seed: int, backfill: str) -> None:
    trace = random_trace(seed)
    arrival = np.maximum(trace.submit, trace.eligible)
    order = np.argsort(arrival, kind="stable")
    moved = sw.Trace.from_columns(
        arrival[order], trace.run_time[order], trace.processors[order],
        trace.requested_time[order], user=trace.user[order], max_processors=8,
    )  # fmt: skip
    for site in (
        sw.Site(policy=sw.Policy(backfill=backfill)),
        sw.Site(policy=sw.Policy(backfill=backfill), limits=sw.Limits(running_per_user=2)),
    ):
        result = sw.simulate(trace, site)
        assert (result.start >= arrival).all()
        assert result.start[order].tolist() == sw.simulate(moved, site).start.tolist()
        assert result.backfilled[order].tolist() == sw.simulate(moved, site).backfilled.tolist()


def test_a_dependency_counts_instead() -> None:
    # Job 2 depends on job 1, which runs from 0 to 10. Job 2 became eligible at 500 in the log, but
    # that time depends on the logged schedule, so it is ignored.
    trace = trace_of([(0, 10, 1, 0), (5, 10, 1, 500), (6, 10, 1, 300)], preceding_job=[-1, 1, -1])
    site = sw.Site(dependencies=True)
    assert sw.simulate(trace, site).start.tolist() == [0, 10, 300]
    assert sw.simulate(trace).start.tolist() == [0, 500, 300]


def test_a_dependency_on_a_job_that_is_eligible_late_still_holds() -> None:
    # Job 2 depends on job 1, which may start at 100 at the earliest and runs for 10 s.
    trace = trace_of([(0, 10, 1, 100), (5, 10, 1, 5)], preceding_job=[-1, 1])
    assert sw.simulate(trace, sw.Site(dependencies=True)).start.tolist() == [100, 110]


def test_logged_starts_are_replayed_as_they_were() -> None:
    trace = trace_of([(0, 10, 4, 50), (20, 10, 4, 20)], wait=[55, 0])
    result = sw.simulate(trace, sw.Site(policy=sw.Policy(backfill="as-logged")))
    assert result.start.tolist() == [55, 20]


def test_jobs_on_nodes_and_on_a_torus_keep_their_places() -> None:
    trace = trace_of([(0, 100, 4, 100), (50, 100, 2, 50)])
    nodes = sw.Nodes([sw.NodeType(count=2, cores=2)])
    demands = sw.Demands([2, 1], cores=[2, 2])
    result = sw.simulate(trace.with_demands(demands), sw.Site(machine=nodes))
    assert result.start.tolist() == [150, 50]
    assert [int(np.diff(result.nodes(row)).sum()) for row in (0, 1)] == [2, 1]
    torus = sw.simulate(trace, sw.Site(machine=sw.Torus((2, 2, 1))))
    assert torus.start.tolist() == [150, 50]
    assert [int(np.diff(torus.nodes(row)).sum()) for row in (0, 1)] == [4, 2]


def test_a_sweep_waits_too() -> None:
    trace = random_trace(5)
    swept = sw.sweep(trace, [sw.Site()], keep_results=True)
    assert swept.results[0].start.tolist() == sw.simulate(trace).start.tolist()


def test_the_reason_of_the_wait_is_given() -> None:
    trace = trace_of([(0, 100, 4, 100), (50, 100, 4, 50)])
    told = sw.simulate(trace).explain(1)
    # From 0 to 100 job 1 is not eligible. From 100 to 150 it waits until the other job ends.
    assert told.seconds == {"not eligible": 100, "processors": 50}


def test_a_stepped_replay_makes_jobs_arrive_when_they_are_eligible() -> None:
    trace = trace_of([(0, 10, 1, 100)])
    sim = sw.Simulation(trace)
    sim.run()
    assert sim.result().start.tolist() == [100]


def test_the_fair_start_counts_jobs_by_the_time_they_are_eligible() -> None:
    # First-fit on 8 processors. Job 3 (4 processors) runs from 0 to 100. Job 1 (8 processors) joins
    # the queue at 50. Job 2 joins at 60, fits beside job 3 and runs until 360, when job 1 starts.
    # Without job 2, job 1 would start at 100.
    trace = trace_of([(0, 10, 8, 50), (0, 300, 4, 60), (0, 100, 4, 0)], machine=8)
    result = sw.simulate(trace, sw.Site(policy=sw.Policy(backfill="first-fit")))
    assert result.start.tolist() == [360, 60, 0]
    assert result.fair_start().tolist() == [100, 60, 0]
