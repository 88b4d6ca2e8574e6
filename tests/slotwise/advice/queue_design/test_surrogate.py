"""The polynomial that predicts the mean wait from the shares of the partitions."""

from __future__ import annotations

import numpy as np
import pytest

from slotwise.advice.queue_design.surrogate import degree_for, exponents, fit


def shares(n: int, count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(n, 4.0), count)


def test_terms_of_two_variables_up_to_the_second_degree() -> None:
    assert exponents(2, 2).tolist() == [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]
    assert len(exponents(3, 3)) == 20  # C(6, 3)


def test_the_degree_falls_with_few_samples() -> None:
    assert degree_for(3, 100, 3) == 3  # 20 terms
    assert degree_for(6, 100, 3) == 2  # 84 terms up to degree 3, 28 up to degree 2
    assert degree_for(3, 6, 3) == 0


def test_a_cubic_in_the_shares_is_recovered() -> None:
    x = shares(3, 60)
    a, b = x[:, 0], x[:, 1]
    waits = 100 + 40 * a - 7 * b + 900 * a * a * b - 300 * b**3
    found = fit(x, waits, 3)
    assert found.r2 > 0.999999
    assert found.r2_left_out > 0.99999
    for point, wait in zip(x, waits, strict=True):
        assert found(point) == pytest.approx(wait, abs=1e-2)


def test_the_gradient_equals_finite_differences() -> None:
    x = shares(4, 100)
    waits = np.random.default_rng(1).normal(1000, 200, 100)
    found = fit(x, waits, 3)
    step = 1e-6
    for point in x[:10]:
        slope = found.gradient(point)
        assert slope[-1] == 0  # the last share is not a variable
        for k in range(3):
            up, down = point.copy(), point.copy()
            up[k] += step
            down[k] -= step
            assert slope[k] == pytest.approx((found(up) - found(down)) / (2 * step), rel=1e-4)


def test_ridge_prevents_fitting_noise() -> None:
    # The waits are pure noise. The terms explain part of the variance of the fitted samples, but do
    # not predict a sample that is left out.
    noise = np.random.default_rng(2).normal(0, 1, 50)
    found = fit(shares(4, 50), noise, 3)
    assert found.r2 < 0.9
    assert found.r2_left_out < 0.3


def test_leave_one_out_predicts_without_the_sample() -> None:
    # Four samples allow only degree 0, so each sample is predicted as the mean of the others. The
    # waits 1, 2, 3 and 6 have the mean 3, and their squared deviations add up to 14. If left out, 1
    # is predicted as 11/3, 2 as 10/3, 3 as 3, and 6 as 2. The squared errors 64/9, 16/9, 0 and 16
    # add up to 224/9.
    found = fit(shares(4, 4), np.array([1.0, 2.0, 3.0, 6.0]), 3)
    assert found.r2 == pytest.approx(0.0, abs=1e-6)
    assert found.r2_left_out == pytest.approx(1 - 224 / 9 / 14, abs=1e-6)


def test_waits_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ValueError, match="some jobs of a queue never start"):
        fit(shares(3, 10), np.full(10, np.inf), 3)
