"""The Sobol points are those of SciPy."""

import numpy as np
import pytest

from slotwise.advice.queue_design.sobol import POLYNOMIALS, Sobol

qmc = pytest.importorskip("scipy.stats").qmc


@pytest.mark.parametrize("n", range(1, len(POLYNOMIALS) + 2))
def test_points_are_those_of_scipy(n: int) -> None:
    for seed in (0, 1, 2015):
        ours, theirs = Sobol(n, seed), qmc.Sobol(n, scramble=True, seed=seed)
        for count in (1024, 1024, 4, 2048):
            np.testing.assert_array_equal(ours.random(count), theirs.random(count))
    ours, theirs = Sobol(n, 3), qmc.Sobol(n, scramble=True, seed=3)
    for count in (1, 1, 2):
        np.testing.assert_array_equal(ours.random(count), theirs.random(count))
