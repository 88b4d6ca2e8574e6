"""Weights as ratios: the grid counts equal ratios once, and the search uses only ratios."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

import slotwise as sw
from slotwise.advice.weights.ratios import distinct_weights, parameters_of, same_order, weights_of
from slotwise.studies.priority import Weights


def test_equal_ratios_of_the_grid_count_once() -> None:
    sets = {(w.cores, w.queue_time, w.expansion): w for w in distinct_weights()}
    assert sets[0, 3, 50].members == ((0, 3, 50), (0, 6, 100), (0, 9, 150))
    assert sum(len(w.members) for w in sets.values()) == 11 * 10 * 15
    ratios = {same_order(w.weights) for w in sets.values()}
    assert len(ratios) == len(sets)
    assert all(math.gcd(*key) == 1 for key in sets)


def test_a_grid_of_nothing_has_no_sets_and_a_negative_weight_is_refused() -> None:
    assert distinct_weights([0], [0], [0]) == []
    with pytest.raises(sw.SiteError, match=r"weight -1 in the grid"):
        distinct_weights([-1], [1], [1])


def test_the_search_covers_krakens_weights() -> None:
    weights = weights_of(parameters_of(Weights()))
    assert same_order(weights) == same_order(Weights())
    assert weights.per_inverse_minute / weights.per_minute == pytest.approx(20)


# The search covers weight ratios C/Q up to 16 and X/Q up to 4096.
@given(
    queue_time=st.sampled_from([0.0, 0.5, 7.0]),
    expansion=st.sampled_from([0.0, 1.0, 100.0]),
    cores=st.sampled_from([0.0, 0.5, 8.0]),
)
def test_parameters_hold_the_ratios(queue_time: float, expansion: float, cores: float) -> None:
    if not (queue_time or expansion or cores):
        return
    given_weights = Weights(queue_time, expansion, cores)
    found = weights_of(parameters_of(given_weights))
    for ours, theirs in zip(same_order(found), same_order(given_weights), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-9)


def test_all_switches_off_is_first_come_first_served() -> None:
    off = {"expansion_ratio": 3.0, "cores_ratio": 1.0, "with_queue_time": 0, "with_expansion": 0}
    weights = weights_of({**off, "with_cores": 0})
    assert same_order(weights) == (1, 0, 0)
    trace = sw.generate("kraken", n_jobs=800, seed=2)
    policies = [sw.Policy(order=weights.order()), sw.Policy(order="fcfs")]
    starts = [sw.simulate(trace, sw.Site(policy=policy)).start.tolist() for policy in policies]
    assert starts[0] == starts[1]


@given(factor=st.floats(1e-6, 1e6))
def test_a_factor_on_all_weights_keeps_the_order(factor: float) -> None:
    scaled = Weights(5 * factor, 100 * factor, factor)
    assert same_order(scaled) == same_order(Weights())
