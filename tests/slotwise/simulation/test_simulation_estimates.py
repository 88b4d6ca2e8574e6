"""Estimates of the start that a job would have if it were submitted now."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

import slotwise as sw
from reference.simulations import HURRIED, Case, move, simulated


def site(**policy: object) -> sw.Site:
    return sw.Site(policy=sw.Policy(**policy))  # type: ignore[arg-type]


def busy() -> sw.Trace:
    """Return a log: job 1 requests 100 s and runs for 30 s; jobs 2 and 3 need the whole machine."""
    return sw.Trace.from_columns(
        [0, 10, 25], [30, 50, 5], [3, 4, 4], [100, 60, 5], max_processors=4
    )


def test_jobs_are_assumed_to_use_their_requests_and_no_job_to_arrive() -> None:
    sim = sw.Simulation(busy())
    sim.run(until=20)
    # Job 1 is assumed to end at 100, and job 2 at 160. Job 3 has not arrived and does not count.
    assert sim.estimate_start(processors=4, requested_time=10) == 160
    # One processor is free for 80 s before job 2 needs it.
    assert sim.estimate_start(processors=1, requested_time=80) == 20
    assert sim.estimate_start(processors=1, requested_time=81) == 160
    assert sim.estimate_start(processors=1, requested_time=80, submit=21) == 160
    assert (sim.now, len(sim.trace)) == (20, 3)
    sim.run()
    assert sim.result().start.tolist() == [0, 30, 80]


def test_exact_estimates_are_the_real_lengths() -> None:
    sim = sw.Simulation(busy(), site(estimates="exact"))
    sim.run(until=20)
    assert sim.estimate_start(processors=4, requested_time=10) == 80


def test_a_job_beyond_its_request_is_assumed_to_end_in_the_next_second() -> None:
    trace = sw.Trace.from_columns([0], [100], [4], [10], max_processors=4)
    sim = sw.Simulation(trace, site(kill_at_limit=False))
    sim.run(until=50)
    assert sim.estimate_start(processors=1, requested_time=10) == 51


def test_a_promise_is_kept_under_conservative() -> None:
    sim = sw.Simulation(busy(), site(backfill="conservative"))
    sim.run(until=20)
    assert sim.estimate_start(processors=4, requested_time=10) == 160


def test_an_impossible_job_is_refused() -> None:
    sim = sw.Simulation(busy())
    with pytest.raises(ValueError, match="processors is 5; it must lie between 1 and"):
        sim.estimate_start(processors=5, requested_time=10)
    sim = sw.Simulation(busy(), sw.Site(policy=sw.External(lambda queue, machine: None)))
    with pytest.raises(sw.SiteError, match="cannot be predicted; run a copy of the simulation"):
        sim.estimate_start(processors=1, requested_time=10)


SMALL = sw.Queue("small", processors=(1, 2))
HALVES = (sw.Pool("a", 2), sw.Pool("b", 2))


@pytest.mark.parametrize(
    ("site", "job"),
    [
        (sw.Site(4, queues=(SMALL,)), {}),
        (sw.Site(4, pools=HALVES), {}),
        (sw.Site(4, limits=sw.Limits(processors_per_user=2)), {}),
        (sw.Site(4, maintenance=(sw.Maintenance(4, "1h", every="2h"),)), {"requested_time": 3601}),
        (sw.Site(4, dependencies=True), {"preceding_job": 2}),
        (sw.Site(4, limits=sw.Limits(queued_per_user=1)), {}),
    ],
    ids=["no queue", "pools", "limit", "maintenance", "dependency", "queued"],
)
def test_a_job_that_would_never_start_has_no_estimate(site: sw.Site, job: dict[str, int]) -> None:
    # Job 2 of user 7 is held. The new job is of the same user. It never starts if it depends on job
    # 2, or if the user's limit counts job 2.
    trace = sw.Trace.from_columns([0, 3], [10, 10], [2, 2], user=[1, 7])
    sim = sw.Simulation(trace, site)
    sim.hold(2)
    sim.run(until=5)
    assert sim.estimate_start(**{"processors": 3, "requested_time": 5, "user": 7} | job) is None
    # Without the dependency and the limit, the job starts after job 1, whose request ends at 10.
    sim = sw.Simulation(trace, sw.Site(4))
    sim.hold(2)
    sim.run(until=5)
    assert sim.estimate_start(processors=3, requested_time=5, user=7) == 10


PLANNING = ("easy", "depth", "replan", "relaxed", "conservative")
KNOWN = st.one_of(*(simulated(estimates="exact", backfill=backfill) for backfill in PLANNING))


@HURRIED
@given(case=KNOWN, data=st.data())
def test_the_estimate_is_exact_if_the_assumptions_hold(case: Case, data: st.DataObject) -> None:
    """Compare the estimate with the real start; run times are known, and no job arrives later."""
    sim = sw.Simulation(case.trace, case.site)
    sim.run(until=int(case.trace.submit[-1]))
    for _ in range(data.draw(st.integers(0, 4))):
        move(sim, data.draw)
    job = {
        "processors": data.draw(st.integers(1, sim.machine.processors)),
        "requested_time": data.draw(st.integers(1, 9)),
    }
    estimate = sim.estimate_start(**job)
    number = sim.submit(**job, run_time=job["requested_time"])
    sim.run()
    assert sim.result().start[sim.trace.job_id.tolist().index(number)] == estimate


def test_a_running_job_that_ended_between_two_passes_ends_once() -> None:
    # Passes run at 0, 7, 14, …; job 1 ends at 9, and the pass at 14 is the first one after that.
    trace = sw.Trace.from_columns([0, 1], [9, 20], [4, 4], max_processors=4)
    sim = sw.Simulation(trace, site(passes="7s"))
    sim.run(until=10)
    # Job 2 starts at 14 and ends at 34.
    assert sim.estimate_start(processors=1, requested_time=5) == 35
    with pytest.raises(ValueError, match="job 1 has ended"):
        sim.cancel(1)
    sim.run()
    assert sim.result().start.tolist() == [0, 14]


def test_before_the_first_step_the_jobs_of_the_first_instant_count() -> None:
    sim = sw.Simulation(sw.Trace.from_columns([3, 3, 4], [9, 9, 9], [4, 4, 4], max_processors=4))
    sim.submit(processors=4, run_time=9)
    assert sim.estimate_start(processors=4, requested_time=5) == 30


def test_held_jobs_stay_held_and_priorities_count() -> None:
    trace = sw.Trace.from_columns([0, 1, 2], [10, 10, 10], [4, 4, 4], max_processors=4)
    sim = sw.Simulation(trace)
    sim.run(until=5)
    assert sim.estimate_start(processors=4, requested_time=5) == 30
    sim.hold(2)
    assert sim.estimate_start(processors=4, requested_time=5) == 20
    sim.set_priority(3, -1)
    assert sim.estimate_start(processors=4, requested_time=5) == 10
