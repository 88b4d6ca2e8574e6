"""Formulas of the thesis, checked against the simulator's priorities and worked examples."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import slotwise as sw
from slotwise.studies.priority import (
    QueuedJob,
    Weights,
    catch_up,
    crossing,
    head_start,
    priority,
    priority_at_submit,
)

WHOLE = st.integers(1, 1440)


def simulated(job: QueuedJob, now: float, weights: Weights | None = None) -> float:
    """Return a job's priority in a scheduling pass; times are in whole minutes."""
    seconds = round(60 * job.requested)
    trace = sw.Trace.from_columns(
        [round(60 * job.submit)], [seconds], [round(job.cores)], [seconds]
    )
    return float(sw.scores(trace, (weights or Weights()).order(), round(60 * now))[0])


def test_priority_at_the_submit_time_is_the_cores_and_the_expansion_weight() -> None:
    assert priority_at_submit(512) == 612
    assert priority_at_submit(512, Weights(expansion=0, cores=2)) == 1024
    assert priority_at_submit(512, qos=3) == 912


@given(wait=st.integers(0, 10_000), requested=WHOLE, cores=st.integers(1, 98_976))
def test_the_closed_form_is_the_simulators_priority(wait: int, requested: int, cores: int) -> None:
    ours = priority(wait, requested, cores)
    assert ours == pytest.approx(simulated(QueuedJob(0, requested, cores), wait), rel=1e-14)


def test_a_request_of_less_than_a_minute_counts_as_one() -> None:
    assert priority(10, 0.5, 1) == priority(10, 1, 1) == 5 * 10 + 100 * 11 + 1


def test_equation_4_against_a_manual_result() -> None:
    # If two jobs request 60 minutes each, 100 more cores make up for a submit time that is 100 / (5
    # + 100/60) = 15 minutes later.
    assert head_start(100, 60) == pytest.approx(15)


@given(requested=st.integers(1, 600), more=st.integers(1, 5000), later=st.integers(0, 500))
def test_equation_4_is_where_the_simulator_ties(requested: int, more: int, later: int) -> None:
    minutes = head_start(more, requested)
    small, large = QueuedJob(0, requested, 12), QueuedJob(minutes, requested, 12 + more)
    now = math.ceil(minutes) + later
    # The simulator's clock counts whole seconds; a second is worth at most rate/60 points.
    rate = Weights().rate(requested)
    assert abs(simulated(small, now) - simulated(large, now)) <= rate / 60 + 1e-6


def test_jobs_submitted_together_that_differ_in_cores_never_tie() -> None:
    assert crossing(QueuedJob(0, 60, 100), QueuedJob(0, 60, 200)) is None


def test_equation_5_against_a_manual_result() -> None:
    # Equation 5 gives (5·120 + 100)(120 − 60) / (100·60) · 30 = 210 minutes.
    assert catch_up(120, 60, 30) == pytest.approx(210)


@given(requested=st.integers(10, 1440), part=st.floats(0.05, 0.95), waited=st.integers(1, 300))
def test_equation_5_gives_the_papers_figures_and_the_simulators_tie(
    requested: int, part: float, waited: int
) -> None:
    less = min(max(1, round(part * requested)), requested - 1)
    minutes = catch_up(requested, less, waited)
    assert minutes == pytest.approx(
        (5 * requested + 100) * (requested - less) / (100 * less) * waited, rel=1e-9
    )
    long, short = QueuedJob(0, requested, 12), QueuedJob(waited, requested - less, 12)
    before, after = math.floor(waited + minutes), math.ceil(waited + minutes)
    assert simulated(long, max(before, waited)) >= simulated(short, max(before, waited)) - 1e-6
    assert simulated(short, after) >= simulated(long, after) - 1e-6


@given(
    first=st.tuples(st.integers(0, 500), WHOLE, st.integers(1, 50_000)),
    second=st.tuples(st.integers(0, 500), WHOLE, st.integers(1, 50_000)),
)
def test_crossing_is_where_the_leader_changes(
    first: tuple[int, int, int], second: tuple[int, int, int]
) -> None:
    a, b = QueuedJob(*first), QueuedJob(*second)
    begin = max(a.submit, b.submit)
    at = crossing(a, b)
    assert at == crossing(b, a)
    signs = [
        np.sign(round(a.points(t, Weights()) - b.points(t, Weights()), 6))
        for t in np.linspace(begin, 2 * (at or begin) + 1000, 50)
    ]
    changes = {s for s in signs if s}
    if at is None:
        assert len(changes) == 1
    else:
        assert at >= begin
        assert a.points(at, Weights()) == pytest.approx(b.points(at, Weights()), rel=1e-9)


def test_two_identical_jobs_tie_from_the_start() -> None:
    assert crossing(QueuedJob(5, 60, 12), QueuedJob(5, 60, 12)) == 5


def test_a_head_start_is_infinite_where_waiting_earns_nothing() -> None:
    assert head_start(10, 60, Weights(queue_time=0, expansion=0)) == math.inf
    assert head_start(0, 60, Weights(queue_time=0, expansion=0)) == 0
    assert catch_up(60, 30, 5, Weights(expansion=0)) == math.inf


@pytest.mark.parametrize("name", ["queue_time", "expansion", "cores", "service", "resource", "qos"])
@pytest.mark.parametrize("value", [-1, math.nan, math.inf, "5"])
def test_a_weight_must_be_finite_and_at_least_0(name: str, value: float) -> None:
    with pytest.raises(
        sw.SiteError, match=f"weight {name} is .*: a weight must be a finite number"
    ):
        Weights(**{name: value})


@pytest.mark.parametrize(
    "weights",
    [{"queue_time": 0, "expansion": 0, "cores": 0}, {"service": 0, "resource": 0}],
)
def test_weights_that_are_all_0_are_refused(weights: dict[str, float]) -> None:
    with pytest.raises(sw.SiteError, match="wait and cores have no weight"):
        Weights(**weights)


def test_a_request_of_no_time_is_refused() -> None:
    with pytest.raises(ValueError, match="the requested time is 0 minutes"):
        priority(5, 0, 12)
    with pytest.raises(ValueError, match="must be below the requested"):
        catch_up(60, 60, 5)


def test_weights_of_an_order_are_read_back() -> None:
    weights = Weights(3, 50, 0)
    assert Weights.of_order(weights.order()) == weights
    with pytest.raises(sw.SiteError, match="order 'fcfs' has no weights"):
        Weights.of_order({"name": "fcfs"})


def schedule(weights: Weights, trace: sw.Trace) -> list[int]:
    site = sw.Site(policy=sw.Policy(order=weights.order(), backfill="easy"))
    return sw.simulate(trace, site).start.tolist()


@pytest.mark.parametrize("power", [-20, -1, 3, 40])
def test_the_schedule_is_the_same_under_weights_times_a_power_of_two(power: int) -> None:
    trace = sw.generate("kraken", n_jobs=1500, seed=5)
    factor = 2.0**power
    scaled = Weights(5 * factor, 100 * factor, 1 * factor)
    assert schedule(scaled, trace) == schedule(Weights(), trace)


@pytest.mark.parametrize("factor", [3, 0.1, 7])
def test_another_factor_only_reorders_jobs_that_tie(factor: float) -> None:
    # Scores multiplied by 3 are rounded differently: jobs may change places only where their exact
    # scores are equal, or closer than a rounding error.
    trace = sw.generate("kraken", n_jobs=400, seed=5)
    now = int(trace.submit[-1])
    one = sw.scores(trace, Weights().order(), now)
    other = sw.scores(trace, Weights(5 * factor, 100 * factor, factor).order(), now)
    for a, b in itertools.pairwise(np.argsort(-one, kind="stable")):
        if other[a] < other[b]:
            assert one[a] == pytest.approx(one[b], rel=1e-14)
