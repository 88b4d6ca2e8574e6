"""Weights reduced to their ratios, which alone decide the order.

Jobs are ordered by Q·q + X·(1 + q/r) + C·c, and a common factor of the weights changes nothing. A
set of weights is therefore two log-ratios, log2 X/Q and log2 C/Q, and three switches. A switch that
is off sets its weight to 0. As integers, (C, Q, X) = (0, 6, 100), (0, 3, 50) and (0, 9, 150) are
the same set.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise.advice.weights.formula import Weights
from slotwise.errors import SiteError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

EXPANSION_RATIO = (-4.0, 12.0)
CORES_RATIO = (-12.0, 4.0)
"""Ranges of log2 X/Q and log2 C/Q; Kraken's values are 4.3 and −2.3."""

SWITCHES = ("with_queue_time", "with_expansion", "with_cores")

GRID = {"cores": range(11), "queue_time": range(1, 11), "expansion": range(10, 151, 10)}
"""Integer weights near those in Table 2 of the thesis."""


@dataclass(frozen=True, slots=True)
class WholeWeights:
    """Integer weights in lowest terms, and the sets in a grid that have the same ratios.

    Attributes
    ----------
    cores, queue_time, expansion : int
        C, Q and X.
    members : tuple of (int, int, int)
        C, Q and X as in the grid, ascending.
    """

    cores: int
    queue_time: int
    expansion: int
    members: tuple[tuple[int, int, int], ...]

    @property
    def weights(self) -> Weights:
        """The weights of the formula."""
        return Weights(float(self.queue_time), float(self.expansion), float(self.cores))


def distinct_weights(
    cores: Iterable[int] = GRID["cores"],
    queue_time: Iterable[int] = GRID["queue_time"],
    expansion: Iterable[int] = GRID["expansion"],
) -> list[WholeWeights]:
    """Return the distinct ratios in a grid of weights, as C, Q and X in lowest terms.

    Raises
    ------
    SiteError
        For a negative or fractional weight.
    """
    members: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}
    chosen = [list(cores), list(queue_time), list(expansion)]
    for values in chosen:
        for value in values:
            if not isinstance(value, int) or value < 0:
                raise SiteError(
                    f"weight {value!r} in the grid: a weight must be a whole number, at least 0"
                )
    for c in chosen[0]:
        for q in chosen[1]:
            for x in chosen[2]:
                if common := math.gcd(c, q, x):
                    members.setdefault((c // common, q // common, x // common), []).append(
                        (c, q, x)
                    )
    return [
        WholeWeights(*lowest, tuple(sorted(alike))) for lowest, alike in sorted(members.items())
    ]


def weights_of(parameters: Mapping[str, Any]) -> Weights:
    """Convert a trial's parameters to weights.

    With every switch off, all jobs have the same score, so submit times decide the order. Q alone
    gives the same order, so Q is switched on in this case.
    """
    on = [bool(parameters[name]) for name in SWITCHES]
    if not any(on):
        on = [True, False, False]
    ratios = (0.0, parameters["expansion_ratio"], parameters["cores_ratio"])
    q, x, c = (2.0**ratio if used else 0.0 for used, ratio in zip(on, ratios, strict=True))
    return Weights(q, x, c)


def parameters_of(weights: Weights) -> dict[str, Any]:
    """Return the trial parameters for `weights`, with ratios clipped to the range of the search."""
    q, x, c = weights.per_minute, weights.per_inverse_minute, weights.per_core
    unit = q or max(x / 2 ** EXPANSION_RATIO[1], c / 2 ** CORES_RATIO[1])

    def ratio(value: float, span: tuple[float, float]) -> float:
        return min(max(math.log2(value / unit), span[0]), span[1]) if value else span[0]

    return {
        "expansion_ratio": ratio(x, EXPANSION_RATIO),
        "cores_ratio": ratio(c, CORES_RATIO),
        "with_queue_time": int(q > 0),
        "with_expansion": int(x > 0),
        "with_cores": int(c > 0),
    }


def same_order(weights: Weights) -> tuple[float, float, float]:
    """Return a key, equal for weights in the same ratios: Q, X and C as fractions of their sum.

    Rounding to twelve digits removes the rounding errors of these fractions. If only one weight is
    above 0, the key does not depend on its value.
    """
    given = (weights.per_minute, weights.per_inverse_minute, weights.per_core)
    total = sum(given)
    q, x, c = (float(f"{value / total:.12g}") for value in given)
    return q, x, c
