"""The centre from the examples, under every backfill policy: rules that must always hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from generate import ROOT

import slotwise as sw
from reference import node_use
from slotwise.site.dates import dates_of
from slotwise.site.policy.backfill_facts import backfill_facts

pytestmark = pytest.mark.slow
N_JOBS = 2000
BACKFILLS = sorted(n for n, facts in backfill_facts().items() if "nodes" in facts.works_on)
DRAIN = sw.Maintenance(start=36_000, duration="4h")
"""A drain on the first day, in addition to the weekly one, so that these few jobs meet a drain."""


@pytest.fixture(scope="module")
def trace() -> sw.Trace:
    return sw.generate("centre", n_jobs=N_JOBS, load=1.3, seed=7)


def site_with(backfill: str, running_per_user: int | None) -> sw.Site:
    """Return the centre with limits and a drain, or with neither.

    The ``slurm`` backfill refuses limits and drains.
    """
    site = sw.Site.from_toml(ROOT / "examples" / "sites" / "gpu-centre.toml")
    policy = site.policy.replace(backfill=backfill)
    if running_per_user is None:
        queues = [replace(queue, running_per_user=None) for queue in site.queues]
        return site.replace(policy=policy, limits=sw.Limits(), maintenance=[], queues=queues)
    gpus = 128 if running_per_user == 200 else 8
    return site.replace(
        policy=policy,
        limits=sw.Limits(running_per_user=running_per_user, per_user={"gpus": gpus}),
        maintenance=[DRAIN, *site.maintenance],
    )


@pytest.mark.parametrize(
    ("backfill", "running_per_user"),
    [(name, most) for name in BACKFILLS for most in ((None,) if name == "slurm" else (200, 4))],
)
def test_the_centre_keeps_every_rule(
    backfill: str, running_per_user: int | None, trace: sw.Trace
) -> None:
    site = site_with(backfill, running_per_user)
    result = sw.simulate(trace, site)
    machine = site.machine
    assert isinstance(machine, sw.Nodes)
    assert (result.start >= 0).mean() > 0.95
    assert not (result.state == sw.State.WAITING).any()
    node_use.check_room(result, machine)
    node_use.check_places(result, machine)
    node_use.check_limits(result)
    if site.maintenance:
        node_use.check_drains(result, drains(result, site))
    if running_per_user == 4:
        ran = result.start >= 0
        columns = (
            column[ran].astype(np.int64) for column in (trace.user, result.start, result.end)
        )
        peaks = node_use.most_at_once(*columns, np.ones(int(ran.sum()), np.int64))
        assert max(peaks.values()) == running_per_user  # the limit was reached


def drains(result: sw.Result, site: sw.Site) -> list[tuple[int, int]]:
    """Return the windows of `DRAIN` and of the weekly drain, until the last job ends."""
    _, weekly = site.maintenance
    first = int(dates_of(result.trace, site.clock).seconds(weekly.start))
    days = range(first, int(result.end.max()) + 1, int(weekly.every or 1))
    ours = (DRAIN.start, DRAIN.start + DRAIN.duration)
    return [ours, *((day, day + int(weekly.duration)) for day in days)]
