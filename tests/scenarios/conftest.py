"""Each scenario runs twice: on the reference simulator and on the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reference import Job, Outcome, Policy, simulate
from reference.sites import Attempt, Site, SiteJob, SiteOutcome, simulate_site
from reference.sites.comparison import core_outcomes as core_site_outcomes, maintenance_first
from reference.sites.drawing import SiteCase
from reference.workloads import Workload, core_outcomes

Replay = Callable[..., list[Outcome]]
ReplaySite = Callable[..., tuple[list[SiteOutcome], list[Attempt]]]


@pytest.fixture(params=["oracle", "core"])
def outcomes(request: pytest.FixtureRequest) -> Replay:
    """Replay rows of (submit, run_time, requested_time, processors[, user])."""

    def replay(*rows: tuple[int, ...], processors: int = 10, **policy: Any) -> list[Outcome]:
        workload = Workload(processors, tuple(Job(at, *row) for at, row in enumerate(rows)))
        chosen = Policy(**policy)
        if request.param == "oracle":
            return simulate(workload.jobs, processors, chosen)
        return core_outcomes(workload, chosen)

    return replay


@pytest.fixture
def starts(outcomes: Replay) -> Callable[..., list[int]]:
    """Replay as `outcomes` does, and return only the starts."""

    def replay(*rows: tuple[int, ...], **options: Any) -> list[int]:
        return [outcome.start for outcome in outcomes(*rows, **options)]

    return replay


@pytest.fixture(params=["oracle", "core"])
def replay_site(request: pytest.FixtureRequest) -> ReplaySite:
    """Replay jobs on a site; return all outcomes, and all attempts by job and attempt number."""

    def replay(site: Site, *jobs: SiteJob) -> tuple[list[SiteOutcome], list[Attempt]]:
        if request.param == "oracle":
            return simulate_site(jobs, site)
        return core_site_outcomes(SiteCase(jobs, maintenance_first(site)))

    return replay


@pytest.fixture
def site_outcomes(replay_site: ReplaySite) -> Callable[..., list[SiteOutcome]]:
    """Replay as `replay_site` does, and return only the outcomes of jobs."""

    def replay(site: Site, *jobs: SiteJob) -> list[SiteOutcome]:
        return replay_site(site, *jobs)[0]

    return replay


@pytest.fixture
def site_starts(replay_site: ReplaySite) -> Callable[..., list[int]]:
    """Replay as `replay_site` does, and return only the starts."""

    def replay(site: Site, *jobs: SiteJob) -> list[int]:
        return [outcome.start for outcome in replay_site(site, *jobs)[0]]

    return replay
