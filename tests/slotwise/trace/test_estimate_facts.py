"""Facts about the requested times of a log."""

from __future__ import annotations

import math

import slotwise as sw
from slotwise.trace.facts import estimate_facts


def test_jobs_without_a_request_are_left_out() -> None:
    # The first two jobs request no time. The third uses 50 s of its 100 s; the fourth requests
    # 50 s and uses 100 s.
    log = sw.Trace.from_columns([0] * 4, [100, 7, 50, 100], [1] * 4, [-1, 0, 100, 50])
    assert estimate_facts(log) == {
        "share_given": 0.5,
        "mean_used": 0.75,
        "median_used": 0.75,
        "share_under_tenth": 0.0,
        "share_overrun": 0.5,
        "distinct": 2,
        "share_ten_commonest": 1.0,
    }


def test_a_log_without_requests_has_no_share() -> None:
    facts = estimate_facts(sw.Trace.from_columns([0, 0], [100, 7], [1, 1]))
    assert (facts["share_given"], facts["distinct"]) == (0, 0)
    assert math.isnan(facts["mean_used"])
