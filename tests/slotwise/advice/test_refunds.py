"""Equations 7 to 9, checked against analytic integrals, quadrature, random draws and replays."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate

from slotwise.studies.priority import Failures, RefundedJob, expected_loss
from slotwise.studies.priority.replays import crash_report, sampled_loss
from slotwise.studies.priority.sites import study_site

LAWS = [Failures(0.7, 24), Failures(1, 24), Failures(2.5, 15), Failures(0.3, 200)]


def density(failures: Failures, t: float) -> float:
    """Return the density of crash times, equation 6."""
    b, d = failures.shape, failures.scale
    return b / d * (t / d) ** (b - 1) * math.exp(-((t / d) ** b))


def test_equation_7_against_a_manual_integral() -> None:
    # β = 1, δ = 12 h, 24 h on one node: E = 24 + ∫ (τ − 6) e^(−τ/12)/12 dτ over (6, 24)
    #   = 24 + [−(τ − 6) e^(−τ/12) − 12 e^(−τ/12)] = 24 − 18 e^(−2) + 12 (e^(−1/2) − e^(−2))
    by_hand = 24 - 18 * math.exp(-2) + 12 * (math.exp(-0.5) - math.exp(-2))
    assert expected_loss(RefundedJob(24), Failures(1, 12)) == pytest.approx(by_hand, rel=1e-14)


def test_equation_8_against_a_manual_integral() -> None:
    # With a checkpoint of 2 h the job ends at 26: E = 26 + ∫ (τ − 12) f over (6, 26)
    #   = 26 + [−(τ − 12) e^(−τ/12) − 12 e^(−τ/12)] = 26 − 14 e^(−13/6) − 6 e^(−1/2)
    #     + 12 (e^(−1/2) − e^(−13/6))
    late, early = math.exp(-13 / 6), math.exp(-0.5)
    by_hand = 26 - 14 * late - 6 * early + 12 * (early - late)
    loss = expected_loss(RefundedJob(24, 2), Failures(1, 12), 6)
    assert loss == pytest.approx(by_hand, rel=1e-14)


def test_equation_9_against_a_manual_integral() -> None:
    # The checkpoint is complete at 12: E = 26 + ∫ (τ − 6) f over (6, 26) − 12 (e^(−1) − e^(−13/6)).
    late, early = math.exp(-13 / 6), math.exp(-0.5)
    by_hand = 26 - 20 * late + 12 * (early - late) - 12 * (math.exp(-1) - late)
    loss = expected_loss(RefundedJob(24, 2), Failures(1, 12), 12)
    assert loss == pytest.approx(by_hand, rel=1e-14)


@pytest.mark.parametrize("failures", LAWS)
@pytest.mark.parametrize("nodes", [1, 4])
def test_the_equations_as_the_thesis_writes_them(failures: Failures, nodes: int) -> None:
    job = RefundedJob(24, 0.5, nodes)
    six = 6 / nodes

    def mean(begin: float, end: float) -> float:
        total, _ = integrate.quad(lambda t: t * density(failures, t), begin, end, limit=200)
        return float(total) / failures.between(begin, end)

    p = failures.between
    t, full = 24.0, 24.5
    seven = (1 - p(six, t)) * t + p(six, t) * (t + mean(six, t) - six)
    assert expected_loss(job, failures) == pytest.approx(seven, rel=1e-9)
    eight = (1 - p(six, full)) * full + p(six, full) * (mean(six, full) + full - 2 * six)
    assert expected_loss(job, failures, six) == pytest.approx(eight, rel=1e-9)
    done = 11.0
    nine = (
        (1 - p(six, full)) * full
        + p(six, done) * (mean(six, done) + full - six)
        + p(done, full) * (mean(done, full) + full - (six + done))
    )
    assert expected_loss(job, failures, done) == pytest.approx(nine, rel=1e-9)


@pytest.mark.parametrize("failures", LAWS)
@pytest.mark.parametrize("done", [None, 6.0, 11.0])
def test_a_million_draws_agree(failures: Failures, done: float | None) -> None:
    job = RefundedJob(24, 0.5)
    end = 24.0 if done is None else 24.5
    tau = failures.draw(np.random.default_rng(3).random(1_000_000))
    cost = np.full(len(tau), end)
    hit = (tau > 6) & (tau < end)
    cost[hit] += tau[hit] - 6
    if done is not None:
        cost[(tau >= done) & (tau < end)] -= done
    error = cost.std() / 1000
    assert abs(cost.mean() - expected_loss(job, failures, done)) < 4 * error


@pytest.mark.parametrize(
    ("job", "done"),
    [
        (RefundedJob(24, 0.5), None),
        (RefundedJob(24, 0.5), 6.0),
        (RefundedJob(24, 0.5), 11.0),
        (RefundedJob(12, 0.25, 4), 1.5),
        (RefundedJob(12, 0.25, 4), 7.0),
    ],
)
@pytest.mark.parametrize("failures", LAWS[:2])
def test_the_engine_agrees_within_its_sampling_error(
    job: RefundedJob, done: float | None, failures: Failures
) -> None:
    sampled = sampled_loss(job, failures, done, jobs=4000, seed=11)
    assert abs(sampled.mean - expected_loss(job, failures, done)) < 4 * sampled.error
    assert sampled.error < 0.02 * sampled.mean


def test_a_job_within_the_refund_costs_its_length() -> None:
    assert expected_loss(RefundedJob(5), Failures(1, 2)) == 5


def test_the_refund_is_counted_in_node_hours() -> None:
    assert RefundedJob(24, nodes=12).refunded == 0.5


def test_probabilities_and_means_of_the_law() -> None:
    # A Weibull law of shape 1 is exponential with mean δ.
    failures = Failures(1, 10)
    assert failures.mean == 10
    assert failures.between(0, 10) == pytest.approx(1 - math.exp(-1))
    assert failures.mean_between(0, 1e9) == pytest.approx(10)
    assert failures.between(5, 5) == 0
    assert math.isnan(failures.mean_between(5, 5))


@pytest.mark.parametrize("shape", [0, -1, math.nan, math.inf, "a", 1e-9, 1000])
def test_impossible_shapes_are_refused(shape: float) -> None:
    with pytest.raises(ValueError, match=r"shape is .* must lie between 0.01 and 100"):
        Failures(shape, 10)


@pytest.mark.parametrize("scale", [0, -3, math.nan, math.inf])
def test_impossible_scales_are_refused(scale: float) -> None:
    with pytest.raises(ValueError, match=r"scale is .*; use a finite number of hours"):
        Failures(1, scale)


@pytest.mark.parametrize("shape", [0.01, 100])
def test_the_extremes_of_the_law_give_figures(shape: float) -> None:
    for hours in (1e-3, 24, 1e4):
        loss = expected_loss(RefundedJob(hours, hours / 10), Failures(shape, 24), hours / 2)
        assert math.isfinite(loss)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"hours": 0}, "hours is 0"),
        ({"hours": 4, "checkpoint_hours": -1}, "checkpoint_hours is -1"),
        ({"hours": 4, "nodes": 0}, "nodes is 0"),
        ({"hours": 4, "refund": -6}, "refund is -6"),
    ],
)
def test_impossible_jobs_are_refused(given: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RefundedJob(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize("done", [0.4, 25.0])
def test_a_checkpoint_outside_the_run_is_refused(done: float) -> None:
    with pytest.raises(ValueError, match=r"writing takes 0.5 h, and the job ends after 24.5 h"):
        expected_loss(RefundedJob(24, 0.5), Failures(1, 12), done)


def test_crashes_of_a_machine_lose_less_with_checkpoints() -> None:
    import slotwise as sw

    trace = sw.generate("kraken", n_jobs=5000, seed=3)
    site, law = study_site("strict", trace), Failures(0.7, 12)
    anew = crash_report(trace, site, law, seed=2)
    saved = crash_report(trace, site, law, seed=2, checkpoint_every=1, checkpoint_hours=0.02)
    assert anew.killed > 20
    assert 0 < saved.lost < anew.lost
    # For each attempt, at most six hours per node are refunded, and never more than were lost.
    assert 0 < anew.refunded <= min(anew.lost, anew.killed * 6 * 12)
