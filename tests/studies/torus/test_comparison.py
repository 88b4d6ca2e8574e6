"""Improvements of one replay over another: their definition, and their means over the seeds."""

from __future__ import annotations

import math

import pytest

from slotwise.studies.torus.comparison import Pair, rows_of
from slotwise.studies.torus.replays import Outcome, improvement


def outcome(utilisation: float, wait: float, response: float, span: float = 100.0) -> Outcome:
    return Outcome(utilisation, span, wait, response, 100.0, wait, 1.0)


def test_utilisation_improves_upwards_and_waits_and_responses_downwards() -> None:
    ours, other = outcome(66, 90, 150), outcome(60, 100, 120)
    # Utilisation: (66 - 60) / 60; wait: (100 - 90) / 100; response time: (120 - 150) / 120.
    assert improvement("utilisation", ours, other) == pytest.approx(10)
    assert improvement("wait", ours, other) == pytest.approx(10)
    assert improvement("response", ours, other) == pytest.approx(-25)


def test_an_improvement_on_no_wait_is_zero_or_undefined() -> None:
    assert improvement("wait", outcome(1, 0, 1), outcome(1, 0, 1)) == 0
    assert math.isnan(improvement("wait", outcome(1, 5, 1), outcome(1, 0, 1)))


def test_rows_are_means_over_the_seeds() -> None:
    ours = [outcome(60, 90, 1), outcome(66, 80, 1, span=80)]
    pair = Pair(ours, [outcome(60, 100, 1)] * 2)
    utilisation, wait = rows_of("I", {"alpha": 10}, pair, ["utilisation", "wait"], paper=1.0)
    # The waits are 10 and 20 % better, so the mean is 15 and the sample deviation is 10 / sqrt(2).
    assert wait.to_dict() == {
        "table": "I", "metric": "wait", "alpha": 10, "ours": pytest.approx(15),
        "spread": pytest.approx(10 / math.sqrt(2)), "paper": 1.0,
    }  # fmt: skip
    # Utilisation is better by 0 and 6 points; with the work as logged, by 0 and 100/80 - 1 = 25 %.
    assert utilisation.more == {"points": 3.0, "work_as_logged": pytest.approx(12.5)}
