"""Logarithms and powers of two, compared with values computed to 40 digits and rounded once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from reference.logarithms import log2, log10, natural_log
from reference.usage import exp2

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]


def computed(key: str, x: Doubles) -> list[float]:
    """Evaluate an expression in x in the core; x is passed as the priority of a job's queue."""
    trace = sw.Trace.from_columns(np.zeros(len(x)), np.ones(len(x)), np.ones(len(x)))
    order = {"name": "expression", "key": key.replace("x", "queue_priority")}
    found: list[float] = sw.scores(trace, order, 0, queue_priority=x).tolist()
    return found


def positive_doubles() -> Doubles:
    """Draw doubles of every magnitude, and add those next to 1, where a logarithm is near 0."""
    rng = np.random.default_rng(17)
    drawn = np.ldexp(rng.uniform(0.5, 1, 400), rng.integers(-1073, 1025, 400))
    near_one = [1 + sign * k * 2.0**-52 for k in (1, 2, 3, 1000, 2**40) for sign in (-0.5, 1)]
    ends = [5e-324, np.finfo(float).smallest_normal, np.finfo(float).max]
    return np.array([*drawn, *near_one, *ends])


@pytest.mark.parametrize(
    ("name", "exact"), [("log2", log2), ("log10", log10), ("log", natural_log)]
)
def test_a_logarithm_is_correctly_rounded(name: str, exact: Callable[[float], float]) -> None:
    x = positive_doubles()
    assert computed(f"{name}(x)", x) == [exact(value) for value in x.tolist()]


def test_the_logarithm_of_a_power_of_its_base_is_exact() -> None:
    twos, tens = np.arange(-1074, 1024), np.arange(23)  # a double holds 10^k exactly up to k = 22
    assert computed("log2(x)", np.ldexp(1.0, twos)) == twos.tolist()
    assert computed("log10(x)", np.array([10.0**k for k in tens.tolist()])) == tens.tolist()


def test_a_power_of_two_is_correctly_rounded_down_to_the_smallest_double() -> None:
    x = np.random.default_rng(18).uniform(-1075, 1023.9, 400)
    assert computed("2 ^ x", x) == [exp2(value) for value in x.tolist()]
