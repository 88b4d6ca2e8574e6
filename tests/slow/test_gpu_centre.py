"""The centre of the examples under every backfill: rules that hold at every instant."""

from __future__ import annotations

from typing import Any

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
"""In the first day, beside the centre's weekly one: all drains within these few jobs."""


@pytest.fixture(scope="module")
def trace() -> sw.Trace:
    return sw.generate("centre", n_jobs=N_JOBS, load=1.3, seed=7)


def site_with(backfill: str, **limits: Any) -> sw.Site:
    site = sw.Site.from_toml(ROOT / "examples" / "sites" / "gpu-centre.toml")
    return site.replace(
        policy=site.policy.replace(backfill=backfill),
        limits=sw.Limits(**limits),
        maintenance=[DRAIN, *site.maintenance],
    )


@pytest.mark.parametrize("running_per_user", [200, 4])
@pytest.mark.parametrize("backfill", BACKFILLS)
def test_the_centre_keeps_every_rule(backfill: str, running_per_user: int, trace: sw.Trace) -> None:
    gpus = 128 if running_per_user == 200 else 8
    site = site_with(backfill, running_per_user=running_per_user, per_user={"gpus": gpus})
    result = sw.simulate(trace, site)
    machine = site.machine
    assert isinstance(machine, sw.Nodes)
    assert (result.start >= 0).mean() > 0.95
    assert not (result.state == sw.State.WAITING).any()
    node_use.check_room(result, machine)
    node_use.check_places(result, machine)
    node_use.check_limits(result)
    _, weekly = site.maintenance
    first = int(dates_of(trace, site.clock).seconds(weekly.start))
    days = range(first, int(result.end.max()) + 1, int(weekly.every or 1))
    drains = [(day, day + int(weekly.duration)) for day in days]
    node_use.check_drains(result, [(DRAIN.start, DRAIN.start + DRAIN.duration), *drains])
    if running_per_user == 4:
        ran = result.start >= 0
        columns = (
            column[ran].astype(np.int64) for column in (trace.user, result.start, result.end)
        )
        peaks = node_use.most_at_once(*columns, np.ones(int(ran.sum()), np.int64))
        assert max(peaks.values()) == running_per_user  # the limit was reached
