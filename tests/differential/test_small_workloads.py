"""The core against the reference simulator, job by job, on small workloads full of corner cases.

Examples are the same in every run. SLOTWISE_EXAMPLES=5000 (say) draws that many new ones a test.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import slotwise as sw
from reference.orders import ORDERS
from reference.policy import BACKFILLS, Policy
from reference.workloads import Workload, assert_core_agrees, cases

GIVEN = os.environ.get("SLOTWISE_EXAMPLES")
HURRIED = settings(
    max_examples=int(GIVEN or 100),
    derandomize=GIVEN is None,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.mark.parametrize("estimates", ["requested", "exact", "user-history"])
@pytest.mark.parametrize("passes", ["per-instant", "per-event", "periodic"])
@pytest.mark.parametrize("backfill", BACKFILLS)
@HURRIED
@given(data=st.data())
def test_core_agrees_with_the_oracle(
    backfill: str, passes: str, estimates: str, data: st.DataObject
) -> None:
    drawn = cases(backfill=backfill, passes=passes, estimates=estimates)
    assert_core_agrees(*data.draw(drawn))


@pytest.mark.parametrize("order", ORDERS)
@HURRIED
@given(data=st.data())
def test_core_ranks_as_the_oracle(order: str, data: st.DataObject) -> None:
    """On one processor every start is a decision of the order."""
    assert_core_agrees(*data.draw(cases(max_processors=1, order=order, passes="per-instant")))


# 0.1 a second or a minute of the request against 0.1 a processor: sums that are equal but for rounding.
CLOSE = ({"queue_time": 6, "expansion": 0}, {"queue_time": 0, "expansion": 0.1})


@pytest.mark.parametrize("weights", CLOSE, ids=["same-slopes", "slopes-of-requests"])
@HURRIED
@given(data=st.data())
def test_scores_apart_by_rounding_rank_as_the_oracle(
    weights: dict[str, float], data: st.DataObject
) -> None:
    order = {"name": "priority", "cores": 0.1, **weights}
    assert_core_agrees(*data.draw(cases(order=order, backfill="easy", backfill_order=None)))


@settings(HURRIED, max_examples=10 * HURRIED.max_examples)
@given(case=cases())
def test_core_agrees_under_any_policy(case: tuple[Workload, Policy]) -> None:
    assert_core_agrees(*case)


def test_the_oracle_knows_every_registered_name() -> None:
    assert {order.name for order in sw.orders()} == set(ORDERS)
    assert {backfill.name for backfill in sw.backfills()} == {*BACKFILLS, "as-logged"}
