"""The core against the reference simulator, with many jobs queued and running at once."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from reference.jobs import Job
from reference.orders import ORDERS
from reference.policy import BACKFILLS, Policy
from reference.workloads import Workload, assert_core_agrees, core_outcomes, crowd


@pytest.mark.parametrize("backfill", BACKFILLS)
def test_core_agrees_in_a_crowd(backfill: str) -> None:
    for seed, (estimates, kill) in enumerate([("requested", True), ("user-history", False)]):
        policy = Policy(backfill=backfill, depth=3, estimates=estimates, kill_at_limit=kill)
        assert_core_agrees(crowd(seed), policy)


@pytest.mark.parametrize("order", ORDERS)
def test_core_orders_a_crowd(order: str) -> None:
    assert_core_agrees(crowd(7), Policy(order=order))


@pytest.mark.parametrize("passes", ["per-event", "30s"])
@pytest.mark.parametrize("order", ["fcfs", "sjf", "wfp3"])
def test_core_agrees_in_a_crowd_whenever_passes_run(order: str, passes: str) -> None:
    assert_core_agrees(crowd(11), Policy(order=order, passes=passes, backfill_order="saf"))


# Number of jobs, submitted within about 20 minutes; over 1,000 wait at the same time.
LONG_QUEUE = 1_400


def slow(*values: object) -> object:
    """Run this case only in `make test-slow`: the oracle takes seconds if the queue is long."""
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        slow(Policy(order="saf")),
        slow(Policy(backfill_order="sjf")),
        slow(Policy(backfill="relaxed", estimates="exact")),
        Policy(backfill="first-fit", order="ljf"),
        slow(Policy(estimates="user-history")),
        slow(Policy(order="unicef")),
        slow(Policy(order="wfp3", backfill_order="sjf")),
        slow(Policy(order="priority")),
        slow(Policy(order="priority", estimates="exact", backfill="first-fit")),
        Policy(order="priority", backfill="relaxed"),
        slow(Policy(passes="per-event", event_order="arrivals-first", ending_now="free")),
    ],
    ids=lambda policy: f"{policy.backfill}-{policy.order}-{policy.backfill_order}-{policy.passes}",
)
def test_core_agrees_where_a_queue_gets_long_and_short_again(policy: Policy) -> None:
    assert_core_agrees(crowd(23, n_jobs=LONG_QUEUE), policy)


def of_few_kinds(workload: Workload) -> Workload:
    """Let jobs request one of three lengths, which gives about twenty groups of identical jobs."""
    asked = (60, 120, 300)
    jobs = (
        replace(
            job, requested_time=next(length for length in asked if job.requested_time <= length)
        )
        for job in workload.jobs
    )
    return Workload(workload.processors, tuple(jobs))


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy(order="saf"),
        Policy(order="lifo"),
        Policy(backfill="relaxed", estimates="exact"),
        Policy(backfill="first-fit", order="ljf"),
        Policy(estimates="user-history"),
        Policy(passes="per-event", event_order="arrivals-first", ending_now="free"),
    ],
    ids=lambda policy: f"{policy.backfill}-{policy.order}-{policy.estimates}-{policy.passes}",
)
@pytest.mark.parametrize("n_jobs", [220, slow(LONG_QUEUE)])
def test_core_agrees_where_jobs_of_few_kinds_wait(policy: Policy, n_jobs: int) -> None:
    assert_core_agrees(of_few_kinds(crowd(29, n_jobs=n_jobs)), policy)


def of_no_length(workload: Workload) -> Workload:
    """Let most jobs request no time at all, and let some outlive their requests."""
    jobs = (
        replace(job, requested_time=0, run_time=0)
        if job.position % 4
        else replace(job, requested_time=max(1, job.requested_time // 2))
        for job in workload.jobs
    )
    return Workload(workload.processors, tuple(jobs))


@pytest.mark.parametrize(
    "policy",
    [
        Policy(strict_end=True),
        Policy(frozen_reservation=True, kill_at_limit=False),
        Policy(frozen_reservation=True, kill_at_limit=False, order="priority"),
        Policy(backfill="relaxed", kill_at_limit=False),
        Policy(kill_at_limit=False),
    ],
    ids=lambda policy: f"{policy.backfill}-{policy.order}-{policy.frozen_reservation}",
)
def test_core_agrees_where_jobs_of_no_length_wait(policy: Policy) -> None:
    """Include heads whose deadline has passed: not even jobs of length 0 may overtake them."""
    for seed in range(2):
        assert_core_agrees(of_no_length(crowd(seed, n_jobs=400)), policy)


def of_many_sizes(seed: int, n_jobs: int) -> Workload:
    """Draw jobs with eight lengths; those in the first third have four sizes, the others any size.

    This gives about thirty groups of identical jobs, too many for the planner to try one by one.
    """
    draw = random.Random(seed)
    jobs = []
    for position in range(n_jobs):
        asked = draw.choice((20, 45, 60, 90, 120, 150, 200, 300))
        few = (1, 2, 5, 100)
        width = draw.choice(
            few if 3 * position < n_jobs else (1, 2, *draw.choices(range(1, 401), k=3))
        )
        run_time = draw.choice((asked, draw.randint(0, asked)))
        jobs.append(Job(position, position // 2, run_time, asked, width, 1))
    return Workload(400, tuple(jobs))


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        slow(Policy(order="sjf")),
        slow(Policy(order="lifo")),
        slow(Policy(backfill="first-fit", order="saf")),
    ],
    ids=lambda policy: f"{policy.backfill}-{policy.order}",
)
def test_core_agrees_where_jobs_of_many_sizes_wait(policy: Policy) -> None:
    assert_core_agrees(of_many_sizes(31, LONG_QUEUE), policy)


@pytest.mark.parametrize("backfill_order", [None, "sjf"])
def test_a_head_that_starts_in_between_hides_no_job_from_the_search_of_the_next(
    backfill_order: str | None,
) -> None:
    """Six hundred different jobs that each need the whole machine make the queue long.

    Nine of the ten processors are busy until 1000. Job 1, on ten processors, is the head. At 10, a
    shorter job takes the tenth processor until 40. The last job, of 60 s, arrives at 20 and starts
    at 40.
    """
    fillers = [(1, 5000 + i, 10) for i in range(600)]
    rows = [(0, 1000, 9), (1, 50, 10), *fillers, (10, 30, 1), (20, 60, 1)]
    jobs = (Job(i, submit, run, run, width, 1) for i, (submit, run, width) in enumerate(rows))
    workload = Workload(10, tuple(jobs))
    policy = Policy(order="sjf", backfill_order=backfill_order)
    assert core_outcomes(workload, policy)[-1].start == 40
    assert_core_agrees(workload, policy)
