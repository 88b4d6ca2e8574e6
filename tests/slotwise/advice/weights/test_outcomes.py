"""Outcomes week by week, checked against worked examples and a second computation."""

from __future__ import annotations

import numpy as np
import pytest

import slotwise as sw
from slotwise.advice.weights.outcomes import (
    WEEK,
    Outcome,
    check_objectives,
    evaluate,
    outcome_of,
    weeks_of,
)
from slotwise.advice.weights.tuning import tune
from slotwise.studies.priority import Weights
from slotwise.studies.priority.sites import study_site
from slotwise_workers import PlainExecutor

HOUR, DAY = 3600, 86_400


def two_weeks() -> sw.Result:
    """Replay two jobs that each need the whole machine, and a third after the second week."""
    submit = [0, 5 * DAY, 2 * WEEK]
    run = [6 * DAY, 3 * DAY, DAY]
    trace = sw.Trace.from_columns(submit, run, [4, 4, 2], max_processors=4)
    return sw.simulate(trace, sw.Site())


def test_weeks_against_manual_sums() -> None:
    # The first job runs from day 0 to 6; the second waits a day and runs to day 9. So the first
    # week has six days of the first job and one of the second; the second week has two more days of
    # the second job. The third job falls in no complete week.
    outcome = outcome_of(two_weeks())
    assert outcome.core_hours.tolist() == [7 * 24 * 4, 2 * 24 * 4]
    assert outcome.jobs.tolist() == [2, 0]
    assert outcome.wait.tolist() == [24, 0]
    assert outcome.longest.tolist() == [24, 0]
    # The bounded slowdowns are 1 and (1 + 3)/3.
    assert outcome.slowdown.tolist() == [pytest.approx(1 + 4 / 3), 0]
    assert outcome.value("utilisation", [0]) == 100
    assert outcome.value("utilisation", [0, 1]) == pytest.approx(100 * 9 / 14)
    assert outcome.value("mean_wait", [0]) == 12
    assert outcome.value("max_wait", [0, 1]) == 24


def test_delivered_hours_are_the_integral_of_busy_processors() -> None:
    trace = sw.generate("kraken", n_jobs=40_000, seed=3)
    result = sw.simulate(trace, study_site("strict", trace))
    outcome = outcome_of(result)
    series = result.series()
    for week in range(len(outcome)):
        bounds = np.clip(series["time"], week * WEEK, (week + 1) * WEEK)
        busy = float(np.dot(series["busy_processors"][:-1], np.diff(bounds)))
        assert outcome.core_hours[week] == pytest.approx(busy / 3600, rel=1e-9)


def test_an_outcome_is_read_back_from_plain_values() -> None:
    outcome = outcome_of(two_weeks())
    again = Outcome.from_dict(outcome.to_dict())
    assert again.to_dict() == outcome.to_dict()


def test_evaluate_is_the_same_on_any_number_of_threads() -> None:
    trace = sw.generate("kraken", n_jobs=16_000, seed=1)
    sets = [Weights(), Weights(1, 0, 0), Weights(0, 50, 2)]
    site = study_site("thesis", trace)
    one, two = (evaluate(trace, site, sets, workers=workers) for workers in (1, 2))
    assert [o.to_dict() for o in one] == [o.to_dict() for o in two]
    alone = sw.simulate(trace, study_site("thesis", trace, sets[2]))
    assert one[2].to_dict() == outcome_of(alone).to_dict()


def test_a_log_of_less_than_a_week_is_refused() -> None:
    with pytest.raises(sw.TraceError, match="covers less than a week"):
        weeks_of(sw.Trace.from_columns([0, WEEK - 1], [1, 1], [1, 1]))


def test_an_unknown_objective_lists_the_known() -> None:
    with pytest.raises(
        sw.SiteError, match="unknown objective 'speed'; choose one of: utilisation, "
    ):
        check_objectives(["speed"])
    with pytest.raises(sw.SiteError, match="no objective"):
        check_objectives([])


def test_a_search_on_an_executor_is_that_on_threads() -> None:
    trace = sw.generate("lublin", n_jobs=900, processors=128, duration="15d", load=0.9, seed=2)
    site = study_site("strict", trace)
    executor = PlainExecutor()
    sets = {"cores": [0, 1], "queue_time": [1], "expansion": [10, 20]}
    on_threads = tune(trace, site, grid=True, sets=sets, workers=2)
    elsewhere = tune(trace, site, grid=True, sets=sets, executor=executor)
    assert elsewhere.to_dict() == on_threads.to_dict()
    assert len(executor.sizes) > 1
    assert max(executor.sizes) < 10_000  # the columns of 900 jobs take more than 10,000 bytes
