"""Each scenario runs twice: on the reference simulator and on the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reference import Job, Outcome, Policy, simulate
from reference.sites import Site, SiteJob, SiteOutcome, simulate_site
from reference.sites.comparison import core_outcomes as site_core_outcomes
from reference.sites.strategies import SiteCase
from reference.workloads import Workload, core_outcomes

Replay = Callable[..., list[Outcome]]


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
    """As `outcomes`, the starts alone."""

    def replay(*rows: tuple[int, ...], **options: Any) -> list[int]:
        return [outcome.start for outcome in outcomes(*rows, **options)]

    return replay


SiteReplay = Callable[..., list[SiteOutcome]]


@pytest.fixture(params=["oracle", "core"])
def site_outcomes(request: pytest.FixtureRequest) -> SiteReplay:
    """Replay jobs on a site of the reference simulator, there and on the core."""

    def replay(site: Site, *jobs: SiteJob) -> list[SiteOutcome]:
        if request.param == "oracle":
            return simulate_site(jobs, site)[0]
        return site_core_outcomes(SiteCase(jobs, site))[0]

    return replay


@pytest.fixture
def site_starts(site_outcomes: SiteReplay) -> Callable[..., list[int]]:
    """As `site_outcomes`, the starts alone."""

    def replay(site: Site, *jobs: SiteJob) -> list[int]:
        return [outcome.start for outcome in site_outcomes(site, *jobs)]

    return replay
