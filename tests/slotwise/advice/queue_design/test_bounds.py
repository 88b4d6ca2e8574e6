"""Lower bounds and the feasible region of the program: equations 3, 4 and 6."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from slotwise.advice.queue_design.bounds import (
    band_rows,
    bound_of_curve,
    region_about,
    region_of,
    utilisation_curve,
)
from slotwise.advice.queue_design.parameters import Parameters
from slotwise.advice.queue_design.sampling import sample

if TYPE_CHECKING:
    from collections.abc import Callable

HOUR = 3600
USUAL = Parameters()


def test_the_bound_is_where_utilisation_falls_below_the_share_of_its_maximum() -> None:
    # 0.9 of 0.8 is 0.72, which the line from (100, 0.8) to (200, 0.6) reaches at 140.
    assert bound_of_curve([50, 100, 200], np.array([0.7, 0.8, 0.6]), 0.9) == 140
    assert bound_of_curve([50, 100], np.array([0.8, 0.8]), 0.9) == 100


def test_utilisation_of_a_queue_falls_with_its_processors(history: Callable[..., Any]) -> None:
    # One job on 10 processors runs in a partition of p processors, so the utilisation is 10/p. Its
    # maximum is 1, and it falls to 0.9 at about p = 11.
    jobs, base = history([(0, HOUR, 10, HOUR)])
    sizes, figures = utilisation_curve(jobs, base, 0)
    assert figures[:, 0].tolist() == pytest.approx([10 / size for size in sizes])
    assert figures[:, 1].max() == 0
    assert bound_of_curve(sizes, figures[:, 0], 0.9) == 11


def test_the_band_is_a_factor_in_both_directions() -> None:
    # A band of a factor of 2 around shares of 0.2 and 0.8 allows ratios x1/x2 from 1/8 to 1/2, so
    # x1 may be from 1/9 to 1/3.
    rows = band_rows(np.array([0.2, 0.8]), 2.0)
    for x1, inside in ((0.110, False), (0.112, True), (0.333, True), (0.334, False)):
        assert (rows @ np.array([x1, 1 - x1]) <= 0).all() == inside


def test_bounds_that_fit_the_machine_are_unchanged() -> None:
    region = region_about(
        100, np.array([0.1, 0.3]), np.array([0.2, 0.5]), np.array([0.3, 0.7]), USUAL
    )
    assert region.scaled == 1
    assert region.lower.tolist() == [0.2, 0.5]


def test_bounds_that_exceed_the_machine_are_scaled_down_to_the_largest_jobs() -> None:
    # The bounds of 0.7 and 0.7 add up to more than 1, whereas the largest jobs need only 0.1 and
    # 0.3. Each bound is therefore lowered to need + t·(bound − need). At t = 0.6, the bounds would
    # fill the machine, because 0.4 + t·1.0 = 1. A slack of 0.5 halves t to 0.3, so the bounds are
    # 0.1 + 0.3·0.6 and 0.3 + 0.3·0.4. A band of 100 is too wide to matter.
    region = region_about(
        100, np.array([0.1, 0.3]), np.array([0.7, 0.7]), np.array([0.4, 0.6]),
        USUAL.replace(band=100.0),
    )  # fmt: skip
    assert region.scaled == pytest.approx(0.3)
    assert region.lower == pytest.approx([0.28, 0.42])


def test_every_sample_is_in_the_region(history: Callable[..., Any]) -> None:
    rows = [(k * 900, HOUR * (1 + k % 5), 1 + 7 * k % 60, 6 * HOUR) for k in range(200)]
    jobs, base = history(rows)
    region = region_of(jobs, base, USUAL)
    assert region.holds(region.inside)
    points = sample(region, 50, seed=0)
    assert len(points) == 50
    assert all(region.holds(point) for point in points)


def test_samples_are_the_same_for_a_seed_and_spread_over_the_simplex() -> None:
    region = region_about(
        1000, np.array([0.1, 0.1, 0.1]), np.array([0.1, 0.1, 0.1]), np.full(3, 1 / 3),
        USUAL.replace(band=100.0),
    )  # fmt: skip
    points = sample(region, 256, seed=4)
    assert np.array_equal(points, sample(region, 256, seed=4))
    assert not np.array_equal(points, sample(region, 256, seed=5))
    # The samples are uniform on the simplex above 0.1. Each share has the mean 0.1 + 0.7/3, and
    # exceeds half of its range with probability (1 − 1/2)² = 1/4.
    assert points.mean(axis=0) == pytest.approx(np.full(3, 1 / 3), abs=0.01)
    assert (points > 0.45).mean(axis=0) == pytest.approx(np.full(3, 0.25), abs=0.02)


def test_a_narrow_band_is_sampled_between_start_and_interior() -> None:
    centre = np.array([0.05, 0.15, 0.3, 0.5])
    region = region_about(1000, centre / 10, centre / 10, centre, USUAL.replace(band=1.01))
    points = sample(region, 20, seed=0)
    assert len(points) == 20
    assert all(region.holds(point, 1e-6) for point in points)
