"""One-pool sites with rules: the one-pool planner against the oracle and the pools planner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import slotwise as sw
from reference.policy import Policy
from reference.sites.comparison import assert_core_agrees
from reference.sites.one_pool import KINDS, ORDERS, ruled_case
from reference.sites.values import Queue

EXAMPLES = 5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_core_agrees_with_the_oracle_on_one_pool_under_rules(order: Any, kind: str) -> None:
    for seed in range(EXAMPLES):
        assert_core_agrees(ruled_case(seed, kind, order))


@pytest.mark.parametrize("kind", ["limits", "windows", "limits and a window"])
@pytest.mark.parametrize("order", ["fcfs", "saf", "lifo"])
def test_core_agrees_with_the_oracle_on_promises_in_one_pool(order: str, kind: str) -> None:
    for seed in range(3 * EXAMPLES):
        case = ruled_case(seed, "windows" if kind == "windows" else "limits", order)
        outages = ruled_case(seed, "windows", order).site.outages[:1] if "window" in kind else ()
        site = replace(
            case.site,
            policy=Policy(order=order, backfill="conservative"),
            limits=replace(case.site.limits, lifted_when_idle=False),
            outages=outages,
        )
        assert_core_agrees(replace(case, site=site))


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_core_agrees_with_the_oracle_on_one_pool_of_queues(order: Any) -> None:
    """Include orders in which the priority of the queue has a weight."""
    for seed in range(EXAMPLES):
        case = ruled_case(seed, "limits", order)
        queues = (Queue("first", trace_queues=(1,), priority=2.0), Queue("rest", priority=2.0))
        if order == "priority" and seed % 2:
            queues = (queues[0], replace(queues[1], priority=0.5))
        assert_core_agrees(replace(case, site=replace(case.site, queues=queues)))


WEEK, SHIFT = 604_800, 28_800
CLOCK = sw.Clock(start="2001-02-03T00:00:00")
LIMITS = sw.Limits(running_per_user=3, processors_per_group=400)
SITES: dict[str, dict[str, Any]] = {
    "limits": {"limits": LIMITS},
    "lifted": {"limits": sw.Limits(running_per_user=1, lifted_when_idle=True)},
    "maintenance": {"maintenance": [sw.Maintenance(86_400, SHIFT, every=WEEK)]},
    "hours": {"queues": [sw.Queue("day", hours="06:00-22:00")]},
    "all": {
        "limits": LIMITS,
        "maintenance": [sw.Maintenance(86_400, SHIFT, every=WEEK)],
        "queues": [
            sw.Queue("short", walltime=(0, "1h")),
            sw.Queue("long", hours="18:00-08:00", running_per_user=2),
        ],
    },
}


def crowded_trace() -> sw.Trace:
    """Generate 3,000 jobs of 20 users in a month with idle hours; few requests are distinct."""
    trace = sw.generate("lublin", n_jobs=3000, processors=512, load=1.1, seed=3)
    draw = np.random.default_rng(4)
    asked = np.array([900, 3600, 14_400, 43_200, 86_400])
    at = np.minimum(np.searchsorted(asked, trace.run_time), len(asked) - 1)
    return sw.Trace.from_columns(
        trace.submit,
        np.minimum(trace.run_time, asked[at]),
        trace.processors,
        asked[at],
        user=draw.integers(0, 20, len(trace)),
        group=draw.integers(0, 4, len(trace)),
        max_processors=512,
    )


@pytest.mark.parametrize("kind", SITES)
@pytest.mark.parametrize("order", ["fcfs", "sjf", "priority", "fairshare"])
def test_one_pool_under_rules_is_planned_as_pools_are(order: str, kind: str) -> None:
    """Compare the one-pool planner with the pools planner, which sites with dependencies use."""
    trace = crowded_trace()
    site = sw.Site(sw.Processors(512), sw.Policy(order=order), clock=CLOCK, **SITES[kind])
    one, other = sw.simulate(trace, site), sw.simulate(trace, site.replace(dependencies=True))
    for name in ("start", "end", "state", "backfilled", "queue", "pool"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert one.metrics() == other.metrics()


PROMISED: dict[str, dict[str, Any]] = {
    "one job per user": {"limits": sw.Limits(running_per_user=1)},
    "limits": SITES["limits"],
    "limits of queues": {
        "queues": [sw.Queue("short", walltime=(0, "1h")), sw.Queue("long", running_per_user=2)]
    },
    "maintenance": SITES["maintenance"],
    "maintenance and limits": SITES["maintenance"] | SITES["limits"],
}


@pytest.mark.parametrize("kind", PROMISED)
@pytest.mark.parametrize("order", ["fcfs", "sjf"])
def test_promises_in_one_pool_are_planned_as_in_pools(order: str, kind: str) -> None:
    trace = crowded_trace()
    policy = sw.Policy(order=order, backfill="conservative")
    site = sw.Site(sw.Processors(512), policy, **PROMISED[kind])
    one, other = sw.simulate(trace, site), sw.simulate(trace, site.replace(dependencies=True))
    for name in ("start", "end", "state", "backfilled", "queue", "pool"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert one.metrics() == other.metrics()


def test_fairshare_alone_is_planned_as_pools_are() -> None:
    trace = crowded_trace()
    plain = sw.Site(sw.Processors(512), sw.Policy(order="fairshare"))
    np.testing.assert_array_equal(
        sw.simulate(trace, plain).start,
        sw.simulate(trace, plain.replace(dependencies=True)).start,
    )


def assert_planned_as_pools(trace: sw.Trace, **fields: Any) -> None:
    """Compare the results of the one-pool planner and the pools planner, under two orders."""
    for order in ("fcfs", "fairshare"):
        site = sw.Site(sw.Processors(512), sw.Policy(order=order), clock=CLOCK, **fields)
        one, other = sw.simulate(trace, site), sw.simulate(trace, site.replace(dependencies=True))
        for name in ("start", "end", "state", "reject_reason", "queue"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def with_columns(**columns: Any) -> sw.Trace:
    """Add columns to the first 600 jobs of the crowded trace."""
    trace = crowded_trace()[:600]
    known = ("run_time", "processors", "requested_time", "user", "group")
    return sw.Trace.from_columns(
        trace.submit,
        **{name: getattr(trace, name) for name in known},
        max_processors=512,
        **columns,
    )


FURTHER_LIMITS = {
    "account": {"running_per_account": 2},
    "quality": {"processors_per_qos": 300},
    "submitted": {"submitted_per_user": 4, "running_per_user": 2},
    "queued": {"queued_per_user": 1},
}


@pytest.mark.parametrize("limit", FURTHER_LIMITS)
def test_further_limits_are_kept_as_in_pools(limit: str) -> None:
    trace = with_columns(account=np.arange(600) % 5, qos=np.arange(600) % 3)
    assert_planned_as_pools(trace, limits=sw.Limits(**FURTHER_LIMITS[limit]))


def test_default_requests_are_planned_as_in_pools() -> None:
    """A job without a request gets its queue's default time, or its run time if that is longer."""
    trace = with_columns(has_request=np.arange(600) % 2)
    queue = sw.Queue("all", default_walltime="2h", running_per_user=3)
    assert_planned_as_pools(trace, queues=[queue])
    plain = sw.Site(sw.Processors(512), clock=CLOCK, queues=[sw.Queue("all", running_per_user=3)])
    default = plain.replace(queues=(queue,))
    assert sw.simulate(trace, plain).start.tolist() != sw.simulate(trace, default).start.tolist()


def test_jobs_eligible_after_their_submission_are_planned_as_in_pools() -> None:
    trace = with_columns()
    trace = with_columns(eligible=trace.submit + np.arange(600) % 7 * 1800)
    assert_planned_as_pools(trace, limits=LIMITS)
    assert_planned_as_pools(trace)


def test_passes_at_ticks_are_planned_as_in_pools() -> None:
    trace = with_columns()
    policy = sw.Policy(passes="1h")
    site = sw.Site(sw.Processors(512), policy, clock=CLOCK, **SITES["all"])
    one, other = sw.simulate(trace, site), sw.simulate(trace, site.replace(dependencies=True))
    np.testing.assert_array_equal(one.start, other.start)


CROSSING = {
    "expansion": {"queue_time": 0, "expansion": 1000, "cores": 0.1},
    "queue time": {"queue_time": 1, "expansion": 10, "cores": 1},
    "ties": {"queue_time": 1, "expansion": 0, "cores": 0},
}


@pytest.mark.parametrize("weights", CROSSING)
@pytest.mark.parametrize("kind", ["lifted", "maintenance", "hours", "all"])
def test_heads_that_time_overtakes_are_planned_as_in_pools(kind: str, weights: str) -> None:
    """Use scores that grow at different rates, and jobs that are submitted together."""
    trace = crowded_trace()
    known = ("run_time", "processors", "requested_time", "user", "group")
    trace = sw.Trace.from_columns(
        trace.submit // 1800 * 1800,
        **{name: getattr(trace, name) for name in known},
        max_processors=512,
    )
    order = {"name": "priority", **CROSSING[weights]}
    site = sw.Site(sw.Processors(512), sw.Policy(order=order), clock=CLOCK, **SITES[kind])
    one, other = sw.simulate(trace, site), sw.simulate(trace, site.replace(dependencies=True))
    for name in ("start", "end", "state", "backfilled", "queue", "pool"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
