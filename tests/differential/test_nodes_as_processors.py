"""Random sites, replayed on processors and on one-core nodes, give the same starts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import slotwise as sw
from reference.one_core_nodes import BACKFILLS, one_core_nodes

SIZE = 8
POLICIES: list[dict[str, Any]] = [
    {},
    {},
    {"estimates": "user-history"},
    {"estimates": "exact", "kill_at_limit": False},
    {"kill_at_limit": False},
    {"passes": "7s"},
    {"passes": "per-event"},
    {"order": "wfp3"},
    {"order": "sjf"},
]


@st.composite
def traces(draw: Any) -> sw.Trace:
    rows = []
    submit = 0
    for position in range(draw(st.integers(1, 16))):
        submit += draw(st.integers(0, 8))
        request = draw(st.integers(1, 30))
        run = draw(st.sampled_from((0, 1, request // 2, request, request + 5)))
        preceding = draw(st.sampled_from((-1, -1, -1, max(position - 2, 0) + 1)))
        rows.append(
            (submit, run, draw(st.integers(1, SIZE)), request, draw(st.integers(-1, 2)), preceding)
        )
    submits, runs, processors, requests, users, preceding_jobs = zip(*rows, strict=True)
    return sw.Trace.from_columns(
        submits,
        runs,
        processors,
        requests,
        user=users,
        group=[user % 2 for user in users],
        queue=[user % 3 for user in users],
        preceding_job=preceding_jobs,
        think_time=[3] * len(rows),
        job_id=list(range(1, len(rows) + 1)),
    )


@st.composite
def calendars(draw: Any) -> dict[str, Any]:
    some = st.sampled_from((False, False, True))
    site: dict[str, Any] = {}
    if draw(some):
        every = draw(st.sampled_from((None, 90, 200)))
        site["maintenance"] = [
            sw.Maintenance(
                start=draw(st.integers(0, 60)),
                duration=draw(st.integers(1, 20)),
                every=every,
                mode=draw(st.sampled_from(("drain", "kill"))),
            )
        ]
    site["outages"] = [
        sw.Outage(
            start=draw(st.integers(0, 60)),
            duration=draw(st.integers(1, 25)),
            every=draw(st.sampled_from((None, 70))),
            processors=draw(st.integers(1, SIZE)),
            mode=draw(st.sampled_from(("drain", "kill", "sudden"))),
        )
        for _ in range(draw(st.integers(0, 2)))
    ]
    site["reservations"] = [
        sw.Reservation(
            f"r{index}",
            start=draw(st.integers(0, 60)),
            duration=draw(st.integers(5, 40)),
            every=draw(st.sampled_from((None, 100))),
            processors=draw(st.integers(1, 5)),
            users=[draw(st.integers(0, 2))],
        )
        for index in range(draw(st.integers(0, 2)))
    ]
    if draw(some):
        site["crashes"] = sw.Crashes(
            law="exponential", mean=60, seed=draw(st.integers(0, 9)), repair=draw(st.integers(0, 9))
        )
        site["interruption"] = sw.Interruption(
            requeue=draw(st.sampled_from(("never", "from-start")))
        )
    return site


@st.composite
def rules(draw: Any) -> dict[str, Any]:
    some = st.sampled_from((False, True))
    site: dict[str, Any] = {"dependencies": draw(some)}
    if draw(some):
        site["limits"] = sw.Limits(
            running_per_user=draw(st.sampled_from((None, 1, 2))),
            processors_per_group=draw(st.sampled_from((None, SIZE))),
            queued_per_user=draw(st.sampled_from((None, 1))),
            lifted_when_idle=draw(some),
        )
    if draw(some):
        site["queues"] = [
            sw.Queue("first", trace_queues=[0], starvation=draw(st.sampled_from((None, 12)))),
            sw.Queue(
                "rest",
                priority=draw(st.sampled_from((0, 2))),
                running=draw(st.sampled_from((None, 2))),
                order=draw(st.sampled_from((None, "sjf"))),
            ),
        ]
    return site


@settings(max_examples=600)
@given(
    trace=traces(),
    rules=rules(),
    calendar=calendars(),
    backfill=st.sampled_from(BACKFILLS),
    policy=st.sampled_from(POLICIES),
)
def test_starts_are_those_of_processors(
    trace: sw.Trace, rules: Any, calendar: Any, backfill: Any, policy: dict[str, Any]
) -> None:
    if backfill in ("none", "first-fit"):
        policy = {name: value for name, value in policy.items() if name != "estimates"}
    site = rules | calendar | {"policy": sw.Policy(backfill=backfill, **policy)}
    try:
        expected = sw.simulate(trace, sw.Site(SIZE, **site))
    except (ValueError, sw.ReplayError) as fault:  # the site lets no job start, or a job never ends
        with pytest.raises(type(fault)):
            sw.simulate(trace, sw.Site(one_core_nodes(SIZE), **site))
        return
    found = sw.simulate(trace, sw.Site(one_core_nodes(SIZE), **site))
    for column in ("start", "end", "state", "backfilled", "reject_reason"):
        assert np.array_equal(getattr(expected, column), getattr(found, column)), column
