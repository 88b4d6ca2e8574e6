"""Verdicts on a gain: is it real, or only noise?"""

from __future__ import annotations

import numpy as np
import pytest

from slotwise.advice.weights.comparison import Split, gain_of, pareto_front, ranked
from slotwise.advice.weights.outcomes import Outcome


def outcome(utilisation: list[float], waits: list[float]) -> Outcome:
    """Return weeks with ten jobs each, on a machine that provides 100 core hours per week."""
    n = len(utilisation)
    return Outcome(
        np.array(utilisation), np.full(n, 10.0), 10 * np.array(waits), np.full(n, 10.0),
        np.array(waits), 100.0,
    )  # fmt: skip


CURRENT = outcome([80, 82, 84, 81, 83, 80, 85, 82], [2.0] * 8)
SPLIT = Split.of(8)


def test_a_quarter_of_the_weeks_is_held_out() -> None:
    assert (SPLIT.train.tolist(), SPLIT.held_out.tolist()) == ([0, 1, 2, 3, 4, 5], [6, 7])
    assert [len(Split.of(n).held_out) for n in (1, 2, 3, 7, 60)] == [0, 1, 1, 1, 15]
    assert len(Split.of(5, 3).train) == 2


def test_holding_out_every_week_is_refused() -> None:
    with pytest.raises(ValueError, match="hold_out is 2: the log has 2 whole weeks"):
        Split.of(2, 2)


def test_a_steady_gain_holds() -> None:
    better = outcome((CURRENT.core_hours + 1).tolist(), [2.0] * 8)
    gain = gain_of(better, CURRENT, "utilisation", SPLIT, mean_job=0.5)
    assert (gain.train, gain.held_out) == (pytest.approx(1), pytest.approx(1))
    assert gain.low == pytest.approx(1)
    assert (gain.core_hours, gain.jobs) == (pytest.approx(1), pytest.approx(2))
    assert not gain.is_noise
    assert gain.verdict == "gain holds in other weeks"


def test_less_wait_is_a_gain() -> None:
    better = outcome(CURRENT.core_hours.tolist(), [1.5] * 8)
    gain = gain_of(better, CURRENT, "mean_wait", SPLIT, 1)
    assert (gain.train, gain.held_out, gain.low) == (0.5, 0.5, 0.5)
    assert not gain.is_noise


def test_a_gain_lost_on_the_held_out_weeks_is_noise() -> None:
    change = np.array([1, 1, 1, 1, 1, 1, -1, -1])
    gain = gain_of(
        outcome((CURRENT.core_hours + change).tolist(), [2.0] * 8), CURRENT, "utilisation", SPLIT, 1
    )
    assert gain.train == pytest.approx(1)
    assert gain.is_noise
    assert gain.verdict == "noise: no gain in the held-out weeks"


def test_a_gain_no_larger_than_the_difference_between_weeks_is_noise() -> None:
    change = np.array([5, -4, 5, -4, 5, -4, 3, -2])
    gain = gain_of(
        outcome((CURRENT.core_hours + change).tolist(), [2.0] * 8), CURRENT, "utilisation", SPLIT, 1
    )
    assert gain.train > 0
    assert gain.held_out > 0
    assert gain.low < 0 < gain.high
    assert gain.verdict == "noise: a gain no larger than the difference between weeks"


def test_one_week_is_too_few_for_a_verdict() -> None:
    gain = gain_of(outcome([90], [1]), outcome([80], [1]), "utilisation", Split.of(1), 1)
    assert gain.is_noise
    assert gain.verdict == "noise: too few weeks to tell"


def test_bootstrap_bounds_are_those_of_the_binomial() -> None:
    # Two of four weeks gain 1 point. The mean of four resampled weeks is k/4, with k distributed as
    # B(4, 1/2). The means 0 and 1 have a probability of 1/16 = 6 % each, more than the 2.5 % cut
    # off at either end.
    base = outcome([50.0] * 4, [1.0] * 4)
    gain = gain_of(outcome([51, 50, 51, 50], [1.0] * 4), base, "utilisation", Split.of(4), 1)
    assert (gain.low, gain.high) == (pytest.approx(0), pytest.approx(1))


def test_ties_share_a_rank_and_are_all_shown() -> None:
    values = [1.0, 3.0, 2.0, 3.0 + 1e-13, 2.0, 0.5]
    assert ranked(values, more_is_better=True, places=3) == [(1, 1), (1, 3), (3, 2), (3, 4)]
    assert ranked(values, more_is_better=False, places=1) == [(1, 5)]


def test_the_front_has_every_undominated_candidate() -> None:
    # For the first objective, higher is better; for the second, lower. Two of the points are equal.
    points = [(1, 1), (2, 2), (1.5, 3), (3, 5), (0.5, 1), (1, 1)]
    assert pareto_front(points, [True, False]) == [0, 1, 3]
