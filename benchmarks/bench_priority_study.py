"""Time of three tasks that use the priority formula of Kraken.

On two idle cores, searching for weights must take at most 60 s of wall time, replaying a whole log
at most 2 s, and forecasting starts at most 10 s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import slotwise as sw
from slotwise.advice.start_forecast import Shape, StartForecast, advise, machine_state
from slotwise.advice.weights.outcomes import Outcome, evaluate, outcome_of
from slotwise.advice.weights.ratios import distinct_weights
from slotwise.studies.priority import Weights
from slotwise.studies.priority.sites import study_site
from yardstick.study_tasks import crowded

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture


def test_500_sets_of_weights_over_100_000_jobs(benchmark: BenchmarkFixture) -> None:
    trace = sw.generate("kraken", seed=1)
    site = study_site("thesis", trace)
    sets = [each.weights for each in distinct_weights()[:500]]

    def try_all() -> list[Outcome]:
        return evaluate(trace, site, sets)

    found = benchmark.pedantic(try_all, rounds=1, iterations=1)
    last = sw.simulate(trace, study_site("thesis", trace, sets[-1]))
    assert found[-1].to_dict() == outcome_of(last).to_dict()
    assert len(trace) == 100_000
    assert len(found) == 500


def test_13_months_under_the_formula(benchmark: BenchmarkFixture) -> None:
    trace = sw.generate("kraken", period="13mo", seed=1)
    site = study_site("strict", trace, Weights())
    result = benchmark(sw.simulate, trace, site)
    assert len(result) == 573_000
    assert (result.start >= trace.submit).all()
    assert 100 * result.metrics()["utilisation"] > 85


def test_advice_on_eight_shapes_in_a_state_of_5000_jobs(benchmark: BenchmarkFixture) -> None:
    trace, at = crowded()
    site = study_site("strict", trace)
    shapes = [Shape(c, h * 3600) for c in (512, 1024, 4096, 12_000) for h in (2, 4)]
    state = machine_state(trace, site, at, shapes)
    assert 4900 <= state.running + state.waiting <= 5100

    def ask() -> list[StartForecast]:
        return advise(trace, site, at, shapes, draws=200)

    found = benchmark.pedantic(ask, rounds=1, iterations=1)
    again = advise(trace, site, at, shapes, draws=200, workers=1)
    assert [f.to_dict() for f in found] == [f.to_dict() for f in again]
    assert all(np.isfinite(forecast.mean) for forecast in found)
