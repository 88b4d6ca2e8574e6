"""The core against the reference simulator, job by job, on small workloads full of corner cases.

Examples are the same in every run. SLOTWISE_EXAMPLES=5000 draws 5,000 new ones per test.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import slotwise as sw
from reference.examples import hurried
from reference.orders import ORDERS
from reference.policy import BACKFILLS, Policy
from reference.workloads import Workload, assert_core_agrees, cases

HURRIED = hurried(50)


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
    """Replay on one processor, where the order decides every start."""
    assert_core_agrees(*data.draw(cases(max_processors=1, order=order, passes="per-instant")))


# Weights under which some scores differ only by rounding.
CLOSE = ({"queue_time": 6, "expansion": 0}, {"queue_time": 0, "expansion": 0.1})


@pytest.mark.parametrize("weights", CLOSE, ids=["same-slopes", "slopes-of-requests"])
@HURRIED
@given(data=st.data())
def test_scores_apart_by_rounding_rank_as_the_oracle(
    weights: dict[str, float], data: st.DataObject
) -> None:
    order = {"name": "priority", "cores": 0.1, **weights}
    assert_core_agrees(*data.draw(cases(order=order, backfill="easy", backfill_order=None)))


@pytest.mark.parametrize(
    "order",
    [
        {"name": "priority", "queue_time": -1, "expansion": 50, "cores": 0.5, "resource": -3},
        {"name": "fairshare", "half_life": 3},
        {"name": "expression", "key": "-submit + 100 * processors / max(requested_time, 60)"},
        {"name": "expression", "key": "(wait + 1) ^ 1.5 / area - where(user == 1, 2, now % 7)"},
        {"name": "expression", "key": "processors < 3 and wait > 5 or not user"},
    ],
    ids=lambda order: order.get("key", order["name"]),
)
@HURRIED
@given(data=st.data())
def test_core_agrees_with_the_oracle_under_parameters(
    order: dict[str, Any], data: st.DataObject
) -> None:
    assert_core_agrees(*data.draw(cases(order=order)))


@settings(HURRIED, max_examples=6 * HURRIED.max_examples)
@given(case=cases())
def test_core_agrees_under_any_policy(case: tuple[Workload, Policy]) -> None:
    assert_core_agrees(*case)


def test_the_oracle_knows_every_registered_name() -> None:
    # Slurm's schedulers and their order have a separate oracle.
    others = {"as-logged", "window", "slurm"}
    assert {order.name for order in sw.orders()} == {*ORDERS, "multifactor"}
    assert {backfill.name for backfill in sw.backfills()} == {*BACKFILLS, *others}
