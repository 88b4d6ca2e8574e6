"""A calendar has the same effect on one-core nodes as on processors: every start is the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import slotwise as sw
from reference.one_core_nodes import BACKFILLS, LARGEST, TRACE, one_core_nodes

SIZE = LARGEST + 3
FIRST = int(TRACE.submit[0])

CALENDARS: dict[str, dict[str, Any]] = {
    "maintenance": {"maintenance": [sw.Maintenance(start=FIRST + 500, duration=300, every=20_000)]},
    "killing maintenance": {
        "maintenance": [sw.Maintenance(start=FIRST + 700, duration=100, every=1500, mode="kill")]
    },
    "outages": {
        "outages": [
            sw.Outage(start=FIRST + 300, duration=900, processors=LARGEST // 2, mode="sudden"),
            sw.Outage(start=FIRST + 600, duration=900, processors=LARGEST // 3, mode="drain"),
            sw.Outage(start=FIRST + 900, duration=50, every=700, processors=3, mode="kill"),
        ]
    },
    "crashes": {"crashes": sw.Crashes(law="exponential", mean=1500, seed=4, repair=60)},
    "crashes, no repair": {
        "crashes": sw.Crashes(times=[FIRST + 400, FIRST + 2000]),
        "interruption": sw.Interruption(requeue="never"),
    },
    "reservations": {
        "reservations": [
            sw.Reservation(
                "r1", start=FIRST + 200, duration=2000, processors=LARGEST // 2, users=[1]
            ),
            sw.Reservation(
                "r2", start=FIRST + 900, duration=400, every=5000, processors=9, groups=[0, 2]
            ),
        ]
    },
    "all": {
        "maintenance": [sw.Maintenance(start=FIRST + 4000, duration=100, every=30_000)],
        "outages": [sw.Outage(start=FIRST + 300, duration=900, processors=20, mode="sudden")],
        "crashes": sw.Crashes(law="weibull", mean=4000, shape=0.7, seed=2, repair=30),
        "reservations": [
            sw.Reservation(
                "r", start=FIRST + 600, duration=900, every=3000, processors=30, users=[2]
            )
        ],
        "limits": sw.Limits(running_per_user=4),
        "queues": [
            sw.Queue("starves", trace_queues=[2], starvation=300),
            sw.Queue("rest", priority=1),
        ],
    },
}


def assert_equal(**site: Any) -> None:
    plain = sw.simulate(TRACE, sw.Site(SIZE, **site))
    nodes = sw.simulate(TRACE, sw.Site(one_core_nodes(SIZE), **site))
    for column in ("start", "end", "wait", "state", "backfilled", "queue", "reject_reason"):
        assert np.array_equal(getattr(plain, column), getattr(nodes, column)), column
    expected, found = plain.attempts, nodes.attempts
    for column in ("job", "start", "end", "reason"):
        assert np.array_equal(expected[column], found[column]), column


@pytest.mark.parametrize("calendar", CALENDARS)
@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
def test_a_calendar_is_that_of_processors(backfill: Any, calendar: str) -> None:
    assert_equal(policy=sw.Policy(backfill=backfill), **CALENDARS[calendar])


@pytest.mark.parametrize("calendar", ["outages", "reservations", "all"])
@pytest.mark.parametrize(
    "policy",
    [
        {"estimates": "user-history"},
        {"kill_at_limit": False},
        {"passes": "60s"},
        {"order": "wfp3"},
    ],
    ids=str,
)
@pytest.mark.parametrize("backfill", ["easy", "replan", "conservative"])
def test_so_it_is_whatever_is_assumed(backfill: str, policy: dict[str, Any], calendar: str) -> None:
    assert_equal(policy=sw.Policy(backfill=backfill, **policy), **CALENDARS[calendar])


def test_a_reservation_may_name_its_nodes() -> None:
    # Nodes 1 and 2 of 4 are reserved for user 1 on [10, 110). Job 0 requests 3 nodes for 50 s and
    # cannot end by 10. Job 1, of user 1, may start at 20.
    machine = sw.Nodes([sw.NodeType(hosts="n[1-4]", cores=1)])
    kept = sw.Reservation("r", start=10, duration=100, nodes="n[1-2]", users=[1])
    log = sw.Trace.from_columns([5, 20], [50, 30], [3, 2], [50, 30], user=[2, 1])
    result = sw.simulate(log, sw.Site(machine, reservations=[kept]))
    assert result.start.tolist() == [110, 20]
    assert result.places(1)[0].tolist() == [0, 1]
