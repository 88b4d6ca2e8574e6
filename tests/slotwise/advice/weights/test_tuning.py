"""Tuning of weights: search or grid, split of the weeks, gains, printed values."""

from __future__ import annotations

import pytest

import slotwise as sw
from slotwise.advice.weights.formula import KRAKEN, Weights
from slotwise.advice.weights.outcomes import outcome_of
from slotwise.advice.weights.search import Search
from slotwise.advice.weights.tuning import Tuning, mean_job_of, readable, tune
from slotwise.studies.priority.sites import study_site

GRID = {"cores": (0, 1), "queue_time": (1, 5), "expansion": (0, 100)}


@pytest.fixture(scope="module")
def log() -> sw.Trace:
    """Draw a log of four weeks on a busy small machine."""
    return sw.generate("lublin", n_jobs=1500, processors=128, duration="29d", load=0.9, seed=2)


@pytest.fixture(scope="module")
def by_grid(log: sw.Trace) -> Tuning:
    asked = Search(("mean_wait", "utilisation"))
    return tune(log, study_site("strict", log), asked, grid=True, sets=GRID)


def test_every_set_of_the_grid_is_tried_once(by_grid: Tuning) -> None:
    # The weight C is 0 or 1, Q is 1 or 5, and X is 0 or 100, which gives eight sets. The sets
    # (0, 1, 0) and (0, 5, 0) are equivalent.
    assert len(by_grid.candidates) == 7


def test_the_best_set_has_the_least_mean_wait(by_grid: Tuning, log: sw.Trace) -> None:
    waits = [c.outcome.value("mean_wait", by_grid.split.train) for c in by_grid.candidates]
    best = by_grid.best()
    assert by_grid.value(best, "mean_wait") == min(waits)
    again = outcome_of(sw.simulate(log, study_site("strict", log, best.weights)))
    assert again.to_dict() == best.outcome.to_dict()


def test_gains_are_relative_to_krakens_weights(by_grid: Tuning, log: sw.Trace) -> None:
    current = outcome_of(sw.simulate(log, study_site("strict", log, KRAKEN)))
    assert by_grid.current.to_dict() == current.to_dict()
    gain = by_grid.gain(by_grid.best())
    train = by_grid.split.train
    assert gain.train == pytest.approx(
        current.value("mean_wait", train) - by_grid.best().outcome.value("mean_wait", train)
    )
    assert (len(train), len(by_grid.split.held_out)) == (3, 1)


def test_plain_values_have_the_front_and_a_verdict_for_each_objective(by_grid: Tuning) -> None:
    plain = by_grid.to_dict()
    assert [gain["objective"] for gain in plain["gain"]] == ["mean_wait", "utilisation"]
    assert all(gain["verdict"] for gain in plain["gain"])
    waits = [each["mean_wait"] for each in plain["front"]]
    busy = [each["utilisation"] for each in plain["front"]]
    assert waits == sorted(waits)
    assert busy == sorted(busy)


def test_a_search_is_no_worse_than_krakens_weights(log: sw.Trace) -> None:
    found = tune(log, study_site("strict", log), Search(("mean_wait",), trials=32, batch=8))
    assert found.gain(found.best()).train >= 0


def test_the_search_does_not_use_held_out_weeks(log: sw.Trace) -> None:
    found = tune(log, study_site("strict", log), grid=True, sets=GRID, hold_out=3)
    assert (found.split.train.tolist(), found.split.held_out.tolist()) == ([0], [1, 2, 3])
    with pytest.raises(ValueError, match="hold_out is 4"):
        tune(log, study_site("strict", log), grid=True, sets=GRID, hold_out=4)


def test_weights_are_shown_whole_or_in_units_of_krakens() -> None:
    assert readable(Weights(6, 100, 0)) == {"queue_time": 6, "expansion": 100, "cores": 0}
    assert readable(Weights(1, 20.5, 0.2)) == {"queue_time": 5, "expansion": 102.5, "cores": 1}
    assert readable(Weights(0, 0.5, 0.1)) == {"queue_time": 0, "expansion": 5, "cores": 1}


def test_the_mean_job_is_cut_at_its_request() -> None:
    trace = sw.Trace.from_columns([0, 0], [7200, 3600], [10, 4], [3600, 3600])
    assert mean_job_of(trace) == 7
