"""The best time for a checkpoint, and the test for whether it is worthwhile."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from slotwise.studies.priority import (
    Failures,
    RefundedJob,
    best_checkpoint,
    daly,
    expected_loss,
    young,
)


@given(
    shape=st.floats(0.1, 10),
    scale=st.floats(0.5, 5000),
    hours=st.floats(7, 200),
    cost=st.floats(0, 5),
    nodes=st.integers(1, 100),
)
def test_no_time_on_a_grid_is_better(
    shape: float, scale: float, hours: float, cost: float, nodes: int
) -> None:
    job, failures = RefundedJob(hours, cost, nodes), Failures(shape, scale)
    advice = best_checkpoint(job, failures)
    begin = max(job.refunded, cost)
    times = np.linspace(begin, job.with_checkpoint, 400)
    losses = [expected_loss(job, failures, t) for t in times[times > 0]]
    assert begin <= advice.checkpoint <= job.with_checkpoint
    assert advice.loss_with <= min(losses) * (1 + 1e-9)
    assert advice.worth_it == (advice.loss_with < advice.loss_without)


def test_with_constant_hazard_the_best_time_is_lamberts() -> None:
    # With β = T = δ = 1 and neither refund nor cost, the best time x satisfies (1 − x) e^(−x) =
    # e^(−1), that is, u e^u = 1 with u = 1 − x. So u is Lambert's W(1) = 0.5671433, and x is
    # 0.4328567.
    advice = best_checkpoint(RefundedJob(1, refund=0), Failures(1, 1))
    assert advice.checkpoint == pytest.approx(1 - 0.5671432904097838, rel=1e-12)


def test_with_rare_crashes_half_way_is_best_and_not_worth_its_cost() -> None:
    # If crashes are rare, the density for β = 1 is almost flat before T, so τ (T − τ) is largest
    # halfway.
    advice = best_checkpoint(RefundedJob(20, 0.5), Failures(1, 1e9))
    assert advice.checkpoint == pytest.approx(20.5 / 2, rel=1e-6)
    assert not advice.worth_it
    assert advice.saved == pytest.approx(0.5, rel=1e-6)


def test_no_checkpoint_fits_a_job_that_ends_within_the_refund() -> None:
    advice = best_checkpoint(RefundedJob(5), Failures(1, 4))
    assert not advice.worth_it
    assert math.isnan(advice.checkpoint)
    assert advice.loss_without == 5


def test_young_and_daly() -> None:
    # The mean time to a crash is 50 h, and a checkpoint takes 1 h. Young's interval is √(2·1·50) =
    # 10 h, and Daly's is 10 (1 + √(1/100)/3 + 1/900) − 1 = 9.3444… h.
    failures = Failures(1, 50)
    assert young(1, failures) == pytest.approx(10)
    assert daly(1, failures) == pytest.approx(10 * (1 + 0.1 / 3 + 1 / 900) - 1)
    assert daly(100, failures) == 50
