"""Dependencies on other jobs and limits of job arrays, by example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reference.policy import Policy
from reference.sites import Site, SiteJob
from reference.sites.values import Interruption, Outage

Starts = Callable[..., list[int]]
EASY = Policy(backfill="easy")
SITE = Site(4, EASY, dependencies=True)


def job(at: int, submit: int, run: int, processors: int = 1, **more: Any) -> SiteJob:
    asked = more.pop("asked", run)
    return SiteJob(at, submit, run, asked, processors, **more)


@pytest.mark.parametrize(
    ("status", "kind", "start"),
    [
        (1, "afterok", 10), (0, "afterok", -1), (5, "afterok", -1), (-1, "afterok", 10),
        (1, "afterany", 10), (0, "afterany", 10),
        (1, "afternotok", -1), (0, "afternotok", 10),
    ],
)  # fmt: skip
def test_a_condition_reads_how_the_log_says_that_the_other_job_ended(
    status: int, kind: str, start: int, site_starts: Starts
) -> None:
    # Job 0 runs from 0 to 10. A condition that can no longer be met keeps job 1 waiting forever.
    jobs = (job(0, 0, 10, status=status), job(1, 1, 5, after=((kind, 1, -1),)))
    assert site_starts(SITE, *jobs) == [0, start]


def test_a_job_killed_at_its_limit_has_failed(site_starts: Starts) -> None:
    # Job 0 completed in the log after 20 s; here it is killed after 10.
    jobs = (
        job(0, 0, 20, asked=10, status=1),
        job(1, 1, 5, after=(("afterok", 1, -1),)),
        job(2, 1, 5, after=(("afternotok", 1, -1),)),
    )
    assert site_starts(SITE, *jobs) == [0, -1, 10]


def test_a_job_that_an_outage_ends_for_good_has_failed(site_starts: Starts) -> None:
    # The machine is down from 5 to 7, and killed jobs are not queued again.
    outage = Outage(5, 2, 4, mode="sudden")
    jobs = (
        job(0, 0, 20, status=1),
        job(1, 1, 5, after=(("afterok", 1, -1),)),
        job(2, 1, 5, after=(("afternotok", 1, -1),)),
    )
    once = Site(4, EASY, outages=(outage,), interruption=Interruption("never"), dependencies=True)
    assert site_starts(once, *jobs) == [0, -1, 7]
    # If killed jobs are queued again, job 0 runs from 7 to 27 and completes.
    again = Site(4, EASY, outages=(outage,), dependencies=True)
    assert site_starts(again, *jobs) == [7, 27, -1]


def test_all_conditions_of_a_job_must_hold(site_starts: Starts) -> None:
    jobs = (
        job(0, 0, 10, status=1),
        job(1, 0, 30, status=0),
        job(2, 0, 20),
        job(3, 1, 5, after=(("afterok", 1, -1), ("afternotok", 2, -1), ("afterany", 3, -1))),
    )
    assert site_starts(SITE, *jobs) == [0, 0, 0, 30]


def test_a_missing_or_rejected_job_holds_no_other_back(site_starts: Starts) -> None:
    jobs = (
        job(0, 0, 10, 5),
        job(1, 1, 5, after=(("afterok", 1, -1),)),
        job(2, 2, 5, after=(("afterok", 77, -1),)),
        job(3, 3, 5, after=(("afterany", 4, -1),)),
    )
    assert site_starts(SITE, *jobs) == [-1, 1, 2, 3]


def test_a_singleton_waits_for_earlier_jobs_of_its_user_and_name(site_starts: Starts) -> None:
    # Job 2 waits for jobs 0 and 1, and job 4 for jobs 0, 1 and 2; job 3 has another name.
    named: dict[str, Any] = {"user": 1, "executable": 7}
    alone: dict[str, Any] = {"after": (("singleton", -1, -1),)}
    jobs = (
        job(0, 0, 10, **named),
        job(1, 0, 30, **named),
        job(2, 1, 5, **named, **alone),
        job(3, 1, 5, user=1, executable=8, **alone),
        job(4, 2, 5, **named, **alone),
    )
    assert site_starts(SITE, *jobs) == [0, 0, 30, 1, 35]


def test_a_condition_on_an_array_means_its_tasks(site_starts: Starts) -> None:
    # Tasks 1 and 2 of array 50 end at 10 and 20. Job 2 waits for both, job 3 for task 1 only; task
    # 2 of array 60 waits for task 2 of array 50.
    jobs = (
        job(0, 0, 10, array=50, task=1),
        job(1, 0, 20, array=50, task=2),
        job(2, 1, 5, after=(("afterok", 50, -1),)),
        job(3, 1, 5, after=(("afterany", 50, 1),)),
        job(4, 1, 5, array=60, task=2, after=(("aftercorr", 50, -1),)),
    )
    assert site_starts(Site(8, EASY, dependencies=True), *jobs) == [0, 0, 20, 10, 20]


@pytest.mark.parametrize("backfill", ["none", "first-fit", "easy", "conservative", "replan"])
def test_no_more_tasks_of_an_array_run_than_its_limit(backfill: str, site_starts: Starts) -> None:
    # Two tasks of array 50 may run at the same time; job 4 belongs to no array. Tasks 3 and 4 start
    # when tasks 1 and 2 end, at 10 and 20.
    jobs = (
        job(0, 0, 10, array=50, task=1, array_limit=2),
        job(1, 0, 20, array=50, task=2, array_limit=2),
        job(2, 0, 30, array=50, task=3, array_limit=2),
        job(3, 0, 5, array=50, task=4, array_limit=2),
        job(4, 0, 5),
    )
    site = Site(8, Policy(backfill=backfill), dependencies=True)
    assert site_starts(site, *jobs) == [0, 0, 10, 20, 0]


def test_without_the_switch_conditions_and_limits_of_arrays_have_no_effect(
    site_starts: Starts,
) -> None:
    jobs = (
        job(0, 0, 10, array=50, task=1, array_limit=1),
        job(1, 0, 10, array=50, task=2, array_limit=1, after=(("afterok", 1, -1),)),
    )
    assert site_starts(Site(4, EASY), *jobs) == [0, 0]


def test_a_job_without_a_known_dependency_starts_when_it_is_eligible(site_starts: Starts) -> None:
    # The dependency of job 1 replaces its eligible time of 50. Job 2 depends on a job that is not
    # in the log, so it starts at its eligible time.
    jobs = (
        job(0, 0, 10),
        job(1, 0, 5, eligible=50, after=(("afterok", 1, -1),)),
        job(2, 0, 5, eligible=40, after=(("afterok", 9, -1),)),
    )
    assert site_starts(SITE, *jobs) == [0, 10, 40]
