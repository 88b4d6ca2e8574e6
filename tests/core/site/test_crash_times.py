"""Crash times, listed or random; the random ones are the same on every platform."""

from __future__ import annotations

import math
from decimal import Decimal, getcontext
from itertools import pairwise

import pytest

from slotwise import _core

MASK = 2**64 - 1


def uniforms(seed: int, n: int) -> list[float]:
    """Draw from SplitMix64 as published, with the upper 53 bits as a fraction."""
    drawn, state = [], seed
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        drawn.append(((z ^ (z >> 31)) >> 11) / 2**53)
    return drawn


def gap(u: float, mean: float, shape: float) -> int:
    """Compute mean · (-ln(1 - u))^(1/shape) to 50 digits, rounded up to seconds, at least 1."""
    getcontext().prec = 50
    if u == 0:
        return 1
    hazard = -(1 - Decimal(u)).ln()
    length = Decimal(mean) * (hazard.ln() / Decimal(shape)).exp()
    return max(1, math.ceil(length))


def crash_times(n: int, first_submit: int = 0, **values: object) -> list[int]:
    site = _core.Site(10, _core.Policy())
    for name, value in values.items():
        setattr(site.crashes, name, value)
    calendar = _core.Calendar(site, first_submit)
    times: list[int] = []
    while len(times) < n and calendar.next() != _core.NEVER:
        time, kind, _ = calendar.pop()
        if kind == "crash":
            times.append(time)
    return times


def test_splitmix64_begins_with_the_published_number() -> None:
    # Seed 0 begins with 0xE220A8397B1DCDAF; its upper 53 bits over 2^53 are 0.88331…
    assert uniforms(0, 1)[0] == (0xE220A8397B1DCDAF >> 11) / 2**53


def test_the_first_exponential_gap() -> None:
    # u = 0.88331…: -ln(1 - u) = 2.14824…; times 1000 s = 2148.24…, rounded up to 2149.
    assert math.ceil(-1000 * math.log(1 - (0xE220A8397B1DCDAF >> 11) / 2**53)) == 2149
    assert crash_times(
        1, law=_core.Crashes.Law.exponential, mean=1000.0, seed=0, first_submit=500
    ) == [2649]


@pytest.mark.parametrize("seed", [0, 1, 42, 2**64 - 1])
@pytest.mark.parametrize("shape", [0.5, 0.7, 1.0, 1.5, 3.0])
def test_gaps_follow_the_law_by_inversion(seed: int, shape: float) -> None:
    law = _core.Crashes.Law.exponential if shape == 1.0 else _core.Crashes.Law.weibull
    times = crash_times(500, law=law, mean=86_400.0, shape=shape, seed=seed)
    gaps = [b - a for a, b in pairwise([0, *times])]
    assert gaps == [gap(u, 86_400.0, shape) for u in uniforms(seed, 500)]


def test_gaps_are_counted_from_the_end_of_the_repair() -> None:
    drawn = [gap(u, 100.0, 1.0) for u in uniforms(7, 3)]
    times = crash_times(
        3, first_submit=1000, law=_core.Crashes.Law.exponential, mean=100.0, seed=7, repair=50
    )
    assert times == [
        1000 + drawn[0],
        1000 + drawn[0] + 50 + drawn[1],
        1000 + drawn[0] + 50 + drawn[1] + 50 + drawn[2],
    ]


def test_gaps_are_at_least_a_second() -> None:
    assert crash_times(3, law=_core.Crashes.Law.exponential, mean=1e-9) == [1, 2, 3]


def test_given_crashes_come_in_order_and_once() -> None:
    assert crash_times(9, times=[30, 10, 30, 20]) == [10, 20, 30]


def test_a_given_crash_counts_before_the_first_submit_while_its_repair_lasts() -> None:
    # The repairs end at 20 and 25; the first submit time is 20.
    assert crash_times(9, first_submit=20, times=[10, 15], repair=10) == [15]
    assert crash_times(9, first_submit=20, times=[10, 15]) == []
