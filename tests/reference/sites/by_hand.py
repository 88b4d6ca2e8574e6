"""Shorthand for jobs and schedules in examples that are small enough to work out on paper."""

from __future__ import annotations

from typing import Any

from reference.policy import Policy
from reference.sites.simulate import simulate_site
from reference.sites.values import Attempt, Site, SiteJob

EASY = Policy(backfill="easy")


def job(position: int, submit: int, length: int, processors: int, **columns: Any) -> SiteJob:
    """Make a job that requests its run time, unless `asked` is given."""
    asked = columns.pop("asked", length)
    return SiteJob(position, submit, length, asked, processors, **columns)


def starts(site: Site, *jobs: SiteJob) -> list[int]:
    return [outcome.start for outcome in simulate_site(jobs, site)[0]]


def pools(site: Site, *jobs: SiteJob) -> list[int]:
    return [outcome.pool for outcome in simulate_site(jobs, site)[0]]


def attempts(site: Site, *jobs: SiteJob) -> list[Attempt]:
    return simulate_site(jobs, site)[1]
