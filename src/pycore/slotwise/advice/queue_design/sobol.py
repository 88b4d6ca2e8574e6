"""The scrambled Sobol sequence of `scipy.stats.qmc.Sobol`, point for point.

Importing `scipy.stats` takes a quarter of a second, an eighth of the time for one month's queues.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise import extras

if TYPE_CHECKING:
    from numpy.typing import NDArray

BITS = 30
POLYNOMIALS = (
    (1, (1,)),
    (3, (1,)),
    (7, (1, 3)),
    (11, (1, 3, 1)),
    (13, (1, 1, 1)),
    (19, (1, 1, 3, 3)),
    (25, (1, 3, 5, 13)),
    (37, (1, 1, 5, 5, 17)),
    (41, (1, 1, 5, 5, 5)),
    (47, (1, 1, 7, 11, 19)),
)
"""For each dimension, a primitive polynomial in binary and the first direction numbers (Joe and
Kuo, 2008); the first dimension needs none."""


class Sobol:
    """Points in the unit cube of n dimensions; SciPy's own class beyond `POLYNOMIALS`."""

    def __init__(self, n: int, seed: int) -> None:
        self._drawn = 0
        self._beyond = None
        if n > len(POLYNOMIALS):
            self._beyond = extras.load("scipy.stats").qmc.Sobol(n, scramble=True, seed=seed)
            return
        rng = np.random.default_rng(seed)
        powers = 2 ** np.arange(BITS, dtype=np.uint32)
        digits = rng.integers(2, size=(n, BITS), dtype=np.uint32)
        self._point = (digits @ powers).astype(np.uint32)
        lower = np.tril(rng.integers(2, size=(n, BITS, BITS), dtype=np.uint32))
        lower[:, range(BITS), range(BITS)] = 1
        plain = np.array([_directions(k) for k in range(n)], dtype=np.uint32)
        bits = (plain[:, :, None] >> np.arange(BITS - 1, -1, -1, dtype=np.uint32)) & 1
        scrambled = np.einsum("dpk,djk->djp", lower, bits) % 2
        self._directions = (scrambled @ powers[::-1]).astype(np.uint32)

    def random(self, count: int) -> NDArray[np.float64]:
        """Return the next points; (count, n) float64 in [0, 1)."""
        if self._beyond is not None:
            return np.asarray(self._beyond.random(count))
        numbers = np.arange(max(self._drawn, 1), self._drawn + count)
        steps = self._directions[:, _trailing(numbers)].T
        first = self._point[None, :]
        points = np.bitwise_xor.accumulate(np.vstack([first, steps]), axis=0)
        self._point = points[-1]
        found = points if self._drawn == 0 else points[1:]
        self._drawn += count
        return np.asarray(found / 2.0**BITS)


def _trailing(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of zeros at the end of each number in binary."""
    return np.log2((numbers & -numbers).astype(np.float64)).astype(np.int64)


def _directions(dimension: int) -> list[int]:
    """Return the direction numbers of a dimension, the highest bit first."""
    polynomial, first = POLYNOMIALS[dimension]
    degree = polynomial.bit_length() - 1
    numbers = list(first) if degree else [1] * BITS
    for k in range(len(numbers), BITS):
        new = numbers[k - degree]
        for j in range(1, degree + 1):
            if polynomial >> (degree - j) & 1:
                new ^= numbers[k - j] << j
        numbers.append(new)
    return [number << (BITS - 1 - k) for k, number in enumerate(numbers)]
