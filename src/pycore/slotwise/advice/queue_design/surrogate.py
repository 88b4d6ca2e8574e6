"""The mean wait as a polynomial in the partitions' shares of the machine."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RIDGES = (1e-8, 1e-6, 1e-4, 1e-2, 1e-1, 1.0)
"""Ridge values to try; the one that predicts left-out samples best is used."""


def exponents(n: int, degree: int) -> NDArray[np.int64]:
    """Return the exponents of all monomials of n variables up to a degree; (n_terms, n) int64.

    For two variables up to degree 2: 1, x, y, x², xy, y².
    """
    found = []
    for d in range(degree + 1):
        for chosen in combinations_with_replacement(range(n), d):
            row = [0] * n
            for k in chosen:
                row[k] += 1
            found.append(row)
    return np.array(found, dtype=np.int64).reshape(-1, n)


def degree_for(n: int, samples: int, most: int) -> int:
    """Return the largest degree with at most half as many terms as there are samples."""
    for degree in range(most, 0, -1):
        if 2 * len(exponents(n, degree)) <= samples:
            return degree
    return 0


@dataclass(frozen=True)
class Polynomial:
    """f(x) = Σ c_k Π z_i^e_ki with z = (x − centre)/scale; x excludes the last share.

    Attributes
    ----------
    powers : (n_terms, n − 1) int64
    coefficients : (n_terms,) float64, seconds
    centre, scale : (n − 1,) float64
    r2 : float
        Coefficient of determination of the fit: 1 − residual / total sum of squares.
    r2_left_out : float
        The same, with each sample predicted by a fit to the others.
    ridge : float
        Ridge parameter, relative to the largest eigenvalue of the normal matrix divided by the
        number of samples.
    """

    powers: NDArray[np.int64]
    coefficients: Floats
    centre: Floats
    scale: Floats
    r2: float
    r2_left_out: float
    ridge: float

    def __call__(self, shares: Floats) -> float:
        """Return the predicted mean wait in seconds; `shares` is (n,) float64 and sums to 1."""
        z = (np.asarray(shares)[:-1] - self.centre) / self.scale
        return float(_terms(z[None, :], self.powers)[0] @ self.coefficients)

    def gradient(self, shares: Floats) -> Floats:
        """Return the gradient with respect to all n shares; 0 for the last share."""
        z = (np.asarray(shares)[:-1] - self.centre) / self.scale
        slope = np.zeros(len(shares))
        for i in range(len(z)):
            lowered = self.powers.copy()
            lowered[:, i] = np.maximum(lowered[:, i] - 1, 0)
            terms = self.powers[:, i] * _terms(z[None, :], lowered)[0]
            slope[i] = float(terms @ self.coefficients) / self.scale[i]
        return slope


def _terms(z: Floats, powers: NDArray[np.int64]) -> Floats:
    terms: Floats = np.prod(z[:, None, :] ** powers[None, :, :], axis=2)
    return terms


def fit(shares: Floats, waits: Floats, degree: int) -> Polynomial:
    """Fit a polynomial by ridge regression.

    Parameters
    ----------
    shares : (n_samples, n) float64
        Each row sums to 1.
    waits : (n_samples,) float64, seconds
    degree : int
        Maximum degree; see `degree_for`.

    Raises
    ------
    ValueError
        If a wait is not finite.
    """
    if not np.isfinite(waits).all():
        raise ValueError(
            "in a sampled partition, some jobs of a queue never start, so the mean wait is infinite"
        )
    x = shares[:, :-1]
    centre = (x.max(axis=0) + x.min(axis=0)) / 2
    scale = np.maximum((x.max(axis=0) - x.min(axis=0)) / 2, 1e-12)
    powers = exponents(x.shape[1], degree_for(x.shape[1], len(x), degree))
    terms = _terms((x - centre) / scale, powers)[:, 1:]  # no ridge penalty on the constant
    means = terms.mean(axis=0)
    around = waits - waits.mean()
    total = float((around**2).sum())
    left, singular, right = np.linalg.svd(terms - means, full_matrices=False)
    largest = float(singular.max(initial=1.0))
    best: Polynomial | None = None
    for ridge in RIDGES:
        damped = singular / (singular**2 + ridge * largest**2 / len(x))
        slopes = right.T @ (damped * (left.T @ around))
        residual = around - (terms - means) @ slopes
        leverage = 1 / len(x) + (left**2 * (damped * singular)).sum(axis=1)
        r2, r2_left_out = (
            1 - float((e**2).sum()) / total if total > 0 else 1.0
            for e in (residual, residual / np.maximum(1 - leverage, 1e-9))
        )
        if best is None or r2_left_out > best.r2_left_out:
            coefficients = np.append(waits.mean() - means @ slopes, slopes)
            best = Polynomial(powers, coefficients, centre, scale, r2, r2_left_out, ridge)
    assert best is not None
    return best
