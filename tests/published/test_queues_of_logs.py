"""Queues and pools on real logs: invariants hold, and rules that never apply change nothing.

Logs from the Parallel Workloads Archive (KTH-SP2: Lars Malinowsky; SDSC-BLUE: Travis Earheart and
Nancy Wilkins-Diehr).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from reference import Policy
from reference.invariants import (
    Stays,
    assert_limits_kept,
    assert_pools_hold,
    assert_reservations_kept,
    assert_starving_heads_undelayed,
    assert_wide_heads_undelayed,
)
from reference.sites import Limits, Pool, Queue, Reservation, Site
from reference.sites.comparison import slotwise_site

if TYPE_CHECKING:
    from pathlib import Path

KTH = "KTH-SP2-1996-2.1-cln.swf.gz"
BLUE = "SDSC-BLUE-2000-4.2-cln.swf.gz"
WEEK = 7 * 86400
NEVER_REACHED = sw.Limits(running=10**6)

# Queue numbers and names from the log's header; 8 nodes of 8 processors serve interactive and
# express work.
BLUE_QUEUES = (
    ("interactive", 5.0, (0, 1)), ("express", 4.0, (0, 1)), ("high", 3.0, (1,)),
    ("normal", 2.0, (1,)), ("low", 1.0, (1,)), ("standby", 0.0, (1, 0)),
    *((name, 0.0, (1,)) for name in (
        "Diag", "command", "testqwh", "Diag0", "No_Class", "Diag2", "Diagsj", "Diag5", "Diag4",
        "Diag3", "Diag1", "Diag7", "Diag6", "Diag9", "Diag8", "parallel", "unknown", "legion",
    )),
)  # fmt: skip
BLUE_SITE = Site(
    1152,
    Policy(backfill="easy"),
    pools=(Pool("fast", 64), Pool("batch", 1088)),
    queues=tuple(
        Queue(
            name,
            trace_queues=(number,),
            priority=priority,
            pools=pools,
            limits=Limits(running_per_user=8) if name == "normal" else Limits(),
            starvation=86400 if name in ("low", "standby") else None,
        )
        for number, (name, priority, pools) in enumerate(BLUE_QUEUES)
    ),
)


def read(folder: Path, log: str, jobs: int | None = None) -> sw.Trace:
    return sw.read_swf(folder / log)[:jobs]


def core_site(site: Site) -> sw.Site:
    """Build the oracle's site for slotwise, which reads the clock from the header of the log."""
    return replace(slotwise_site(site), clock=None)


def test_blue_horizon_with_its_own_queues_keeps_every_rule(shared_traces: Path) -> None:
    trace = read(shared_traces, BLUE)
    result = sw.simulate(trace, core_site(BLUE_SITE))
    assert set(trace.queue.tolist()) <= set(range(24))
    assert np.array_equal(result.queue, trace.queue)
    stays = Stays.of_result(trace, result)
    assert len(stays.start) > 232_000
    assert_pools_hold(stays, [64, 1088], {})
    assert_limits_kept(stays, BLUE_SITE)
    assert assert_starving_heads_undelayed(stays, BLUE_SITE) > 5_000


def test_a_weekly_reservation_is_kept_on_a_real_log(shared_traces: Path) -> None:
    trace = read(shared_traces, KTH, 10_000)
    first = int(trace.submit[0])
    course = Reservation("course", first + 86400, 4 * 3600, 40, every=WEEK, users=(92, 17))
    site = Site(100, Policy(backfill="easy"), reservations=(course,))
    result = sw.simulate(trace, core_site(site))
    stays = Stays.of_result(trace, result)
    assert_pools_hold(stays, [100], {})
    assert_reservations_kept(stays, [100], [course], int(stays.end.max()))


def test_wide_jobs_over_several_pools_never_overfill_a_pool(shared_traces: Path) -> None:
    trace = read(shared_traces, KTH, 10_000)
    site = Site(
        100,
        Policy(backfill="easy"),
        pools=(Pool("a", 50), Pool("b", 30), Pool("c", 20)),
        queues=(
            Queue("wide", processors=(51, None), pools=(0, 1, 2), spanning=True),
            Queue("wider", processors=(31, 50), pools=(0,), starvation=86400),
            Queue("rest", pools=(2, 1, 0)),
        ),
    )
    result = sw.simulate(trace, core_site(site))
    assert not (result.state == sw.State.REJECTED).any()
    stays = Stays.of_result(trace, result)
    assert np.count_nonzero(stays.pool < 0) > 100
    in_pools = stays.in_pools(result.schedule.spans())
    assert_pools_hold(in_pools, [50, 30, 20], {})
    assert assert_wide_heads_undelayed(in_pools, site) > 100


@pytest.mark.parametrize(
    "policy",
    [
        {"backfill": "none"},
        {"backfill": "first-fit"},
        {"backfill": "easy"},
        {"backfill": "easy", "order": "sjf"},
        {"backfill": "easy", "order": "priority"},
        {"backfill": "easy", "kill_at_limit": False},
        {"backfill": "easy", "estimates": "user-history"},
        {"backfill": "easy", "passes": "30s"},
        {"backfill": "depth", "depth": 4},
        {"backfill": "replan"},
    ],
    ids=str,
)
def test_rules_that_never_bind_change_nothing(policy: dict[str, Any], shared_traces: Path) -> None:
    trace = read(shared_traces, KTH, 6_000)
    plain = sw.Site(sw.Processors(100), sw.Policy(**policy))
    expected = sw.simulate(trace, plain)
    for site in (
        replace(plain, queues=[sw.Queue("all")]),
        replace(plain, limits=NEVER_REACHED),
        replace(plain, queues=[sw.Queue("all", starvation="9000d")], limits=NEVER_REACHED),
    ):
        found = sw.simulate(trace, site)
        assert np.array_equal(found.start, expected.start)
        assert np.array_equal(found.state, expected.state)
        assert np.array_equal(found.backfilled, expected.backfilled)


@pytest.mark.parametrize("limits", [sw.Limits(), NEVER_REACHED], ids=["apart", "together"])
@pytest.mark.parametrize("order", ["fcfs", "sjf"])
def test_a_pool_with_queues_of_its_own_is_a_machine_of_its_own(
    order: str, limits: sw.Limits, shared_traces: Path
) -> None:
    trace = read(shared_traces, KTH)
    bounds = [0, 600, 3600, 14400, None]
    pools = [sw.Pool(f"pool {at}", 25) for at in range(4)]
    queues = [
        sw.Queue(f"queue {at}", processors=(1, 25), walltime=bounds[at : at + 2], pools=[pool.name])
        for at, pool in enumerate(pools)
    ]
    site = sw.Site(
        sw.Processors(100), sw.Policy(order=order), pools=pools, queues=queues, limits=limits
    )
    result = sw.simulate(trace, site)
    assert np.array_equal(result.queue == -1, trace.processors > 25)
    for at in range(4):
        mine = np.flatnonzero(result.queue == at)
        alone = sw.simulate(trace[mine], sw.Site(sw.Processors(25), sw.Policy(order=order)))
        assert np.array_equal(result.start[mine], alone.start)
        assert np.array_equal(result.backfilled[mine], alone.backfilled)
