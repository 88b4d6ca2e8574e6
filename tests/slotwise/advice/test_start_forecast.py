"""Forecasts of a job's start: the state, the random draws, the result."""

from __future__ import annotations

import math

import numpy as np
import pytest

import slotwise as sw
from slotwise.advice.run_ratios import RunRatios
from slotwise.advice.start_forecast import Shape, advise, machine_state, moment_of
from slotwise.studies.priority.sites import study_site

HOUR = 3600


@pytest.fixture(scope="module")
def trace() -> sw.Trace:
    return sw.generate("lublin", n_jobs=1500, processors=128, load=1.1, seed=4)


def with_job(trace: sw.Trace, at: int, shape: Shape) -> sw.Trace:
    """Insert a job into a log, after all jobs with the same submit time."""
    names = ("submit", "run_time", "processors", "requested_time", "user")
    columns = {name: getattr(trace, name) for name in names}
    place = int(np.searchsorted(trace.submit, at, side="right"))
    values = (at, shape.walltime, shape.cores, shape.walltime, -1)
    added = {
        name: np.insert(columns[name], place, value)
        for name, value in zip(names, values, strict=True)
    }
    return sw.Trace.from_columns(**added, max_processors=trace.max_processors)


@pytest.mark.parametrize("site_name", ["thesis", "strict", "kraken"])
@pytest.mark.parametrize("part", [0.3, 0.7])
def test_with_the_true_run_times_the_forecast_equals_the_replay(
    trace: sw.Trace, site_name: str, part: float
) -> None:
    site = study_site(site_name, trace)
    at = int(trace.submit[int(part * len(trace))])
    shapes = [Shape(8, HOUR), Shape(100, 5 * HOUR)]
    state = machine_state(trace, site, at, shapes, arrivals=True)
    run_time = state.simulation.trace.run_time
    for shape, row in zip(shapes, state.rows, strict=True):
        start = state.simulation._core.start_under(row, run_time, state.shapes)
        full = with_job(trace, at, shape)
        place = int(np.searchsorted(trace.submit, at, side="right"))
        assert start == sw.simulate(full, site).start[place]


def test_with_full_requests_the_forecast_equals_the_simulations_estimate(trace: sw.Trace) -> None:
    site = study_site("strict", trace)
    at = int(trace.submit[700])
    shape = Shape(64, 2 * HOUR)
    (forecast,) = advise(trace, site, at, [shape], draws=3)
    sim = sw.Simulation(trace[trace.submit <= at], site.replace(machine=128))
    sim.run(until=at - 1)
    job = sim.submit(processors=64, run_time=shape.walltime, submit=at)
    rest = sim.trace
    asked = sw.Trace.from_columns(
        rest.submit, np.where(rest.submit < at, rest.run_time, rest.requested_time),
        rest.processors, rest.requested_time, max_processors=128,
    )  # fmt: skip
    assert len(asked) == len(rest)
    row = int(np.flatnonzero(rest.job_id == job)[0])
    start = sim._core.start_under(row, rest.requested_time, np.array([row]))
    assert start is not None
    assert forecast.if_all_take_their_requests == start - at


def test_answers_are_the_same_on_any_number_of_threads(trace: sw.Trace) -> None:
    site, at = study_site("kraken", trace), int(trace.submit[800])
    shapes = [Shape(16, HOUR), Shape(64, HOUR)]
    one, two = (
        [f.to_dict() for f in advise(trace, site, at, shapes, draws=12, workers=workers)]
        for workers in (1, 2)
    )
    assert one == two
    other = [f.to_dict() for f in advise(trace, site, at, shapes, draws=12, seed=1)]
    assert other != one


def test_the_cheapest_shape_comes_first(trace: sw.Trace) -> None:
    shapes = [Shape(c, h * HOUR) for c in (64, 8) for h in (4, 1)]
    found = advise(trace, study_site("strict", trace), int(trace.submit[400]), shapes, draws=2)
    costs = [f.shape.core_hours for f in found]
    assert costs == [8, 32, 64, 256]


def test_an_idle_machine_starts_at_once() -> None:
    trace = sw.Trace.from_columns([0, 9000], [60, 60], [4, 4], max_processors=8)
    (forecast,) = advise(trace, sw.Site(), 5000, [Shape(8, HOUR)], draws=5)
    assert forecast.at_once == 1
    assert forecast.quantile(0.9) == 0
    assert forecast.to_dict()["median_wait"] == 0


def test_the_elapsed_time_of_a_running_job_excludes_short_run_times() -> None:
    # Sixty past jobs requested one hour. Thirty of them ran for a tenth of it, thirty for nine
    # tenths. A job that has already run for half an hour is therefore drawn to run for nine tenths.
    past = 60
    submit = [*range(0, past * 4000, 4000), past * 4000]
    run = [360] * 30 + [3240] * 30 + [3600]
    trace = sw.Trace.from_columns(
        [*submit, 10**6], [*run, 60], [8] * (past + 2), [3600] * (past + 2), max_processors=8
    )
    at = past * 4000 + 1800
    (forecast,) = advise(trace, sw.Site(), at, [Shape(8, 60)], draws=20)
    assert set(forecast.waits.tolist()) == {3240 - 1800}
    assert forecast.if_all_take_their_requests == 1800


def test_a_shape_longer_than_every_maintenance_gap_never_starts() -> None:
    trace = sw.generate("kraken", n_jobs=2000, seed=1)
    site = study_site("kraken", trace)
    at = int(trace.submit[1000])
    (forecast,) = advise(trace, site, at, [Shape(12, 8 * 86_400)], draws=2)
    assert math.isinf(forecast.mean)
    assert forecast.to_dict()["median_wait"] is None


def test_ratios_are_drawn_from_the_class_of_the_request() -> None:
    n = 50
    asked = [600] * n + [7200] * n
    run = [300] * n + [6480] * n
    ratios = RunRatios.of(sw.Trace.from_columns([0] * 2 * n, run, [1] * 2 * n, asked))
    random = np.random.default_rng(0)
    drawn = ratios.draw(np.array([800, 10_000]), np.zeros(2, np.int64), random)
    assert drawn.tolist() == [400, 9000]


def test_a_job_that_outran_every_ratio_takes_its_request() -> None:
    ratios = RunRatios.of(sw.Trace.from_columns([0] * 40, [10] * 40, [1] * 40, [100] * 40))
    drawn = ratios.draw(np.array([100, 100]), np.array([50, 150]), np.random.default_rng(0))
    assert drawn.tolist() == [100, 151]


@pytest.mark.parametrize(
    ("at", "error", "message"),
    [
        ("noon", sw.SiteError, "'noon' is not a time"),
        (10**9, sw.TraceError, "choose a time after [0-9,]+ and no later than [0-9,]+"),
        (0, sw.TraceError, "choose a time after [0-9]"),
    ],
)
def test_moments_outside_the_log_are_refused(
    trace: sw.Trace, at: int | str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        advise(trace, sw.Site(), at, [Shape(8, 60)])


def test_a_date_is_a_moment_of_a_log_with_a_clock() -> None:
    trace = sw.generate("kraken", n_jobs=8000, seed=1)
    assert moment_of(trace, sw.Site(), "2010-10-14T06:30") == 30 * HOUR + 1800
    bare = sw.Trace.from_columns([0, 90_000], [5, 5], [1, 1], max_processors=4)
    with pytest.raises(sw.SiteError, match="the start date of the log's clock is unknown"):
        moment_of(bare, sw.Site(), "2010-10-14T06:30")


def test_impossible_shapes_and_draws_are_refused(trace: sw.Trace) -> None:
    at = int(trace.submit[500])
    with pytest.raises(sw.SiteError, match="a job of 129 cores never starts: the machine has 128"):
        advise(trace, sw.Site(), at, [Shape(129, 60)])
    with pytest.raises(ValueError, match="no shape"):
        advise(trace, sw.Site(), at, [])
    with pytest.raises(ValueError, match="draws is 0"):
        advise(trace, sw.Site(), at, [Shape(1, 60)], draws=0)
    with pytest.raises(ValueError, match="cores is 0"):
        Shape(0, 60)
    outside = sw.Site(policy=sw.External(lambda _queue, _machine: []))
    with pytest.raises(sw.SiteError, match="a forecast cannot call an external dispatcher"):
        advise(trace, outside, at, [Shape(1, 60)])


def test_run_times_for_another_number_of_jobs_are_refused(trace: sw.Trace) -> None:
    state = machine_state(trace, sw.Site(), int(trace.submit[500]), [Shape(1, 60)])
    with pytest.raises(ValueError, match="pass one per job"):
        state.simulation._core.start_under(state.rows[0], np.zeros(3, np.int64), state.shapes)
