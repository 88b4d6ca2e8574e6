"""Partition vectors spread evenly over the region of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise import extras

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.advice.queue_design.bounds import Region

MOST_DRAWS = 2**15


def sample(region: Region, count: int, seed: int) -> NDArray[np.float64]:
    """Return low-discrepancy partition vectors of a region, on the simplex above its lower bounds.

    The points come from a scrambled Sobol sequence. Taking −log of each coordinate and dividing by
    the sum makes them uniform on the simplex. Points in the band are used as they are. If there are
    too few of them, other points are moved towards the inside of the band as far as needed.

    Returns
    -------
    (count, n) float64, fractions of the machine
        One row if the bounds allow only one vector.
    """
    n = len(region.lower)
    room = 1.0 - float(region.lower.sum())
    if n == 1 or room <= 1e-12:
        return np.asarray(region.lower / region.lower.sum())[None, :]
    qmc = extras.load("scipy.stats").qmc
    draws = int(2 ** np.ceil(np.log2(4 * count)))
    points = np.empty((0, n))
    sequence = qmc.Sobol(n, scramble=True, seed=seed)
    drawn = 0
    while len(points) < count and drawn < MOST_DRAWS:
        unit = sequence.random(draws)
        weight = -np.log(np.clip(unit, 1e-12, 1 - 1e-12))
        found = region.lower + room * weight / weight.sum(axis=1, keepdims=True)
        inside = (found @ region.inequalities.T <= 1e-12).all(axis=1)
        points = np.vstack([points, found[inside]])
        drawn += draws
    if len(points) < count:
        missing = count - len(points)
        middle = region.inside
        points = np.vstack([points, [_towards(region, x, middle) for x in found[:missing]]])
    return np.asarray(points[:count])


def _towards(
    region: Region, point: NDArray[np.float64], inside: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Move `point` towards `inside` until it is in the band."""
    low, high = 0.0, 1.0
    for _ in range(40):
        part = (low + high) / 2
        holds = (region.inequalities @ (inside + part * (point - inside)) <= 0).all()
        low, high = (part, high) if holds else (low, part)
    return inside + low * (point - inside)
