"""Weighted tardiness as integers."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]

_FINEST = 10**9


@dataclass(frozen=True)
class Tardiness:
    """Weighted tardiness of a problem as integers.

    Attributes
    ----------
    unit : int
        The integer that stands for a tardiness of 1.
    weight : (n_jobs,) int64
        Weight per second past the expected wait.
    due : (n_jobs,) int64, seconds
        Submit time plus expected wait; a job that starts later is late.
    """

    unit: int
    weight: Int64
    due: Int64

    @classmethod
    def of(cls, submit: Int64, expected_wait: Int64) -> Tardiness:
        """Build the weights; they are rounded down if L (see `objectives`) would exceed 10^9."""
        unit = lcm(*(int(w) for w in np.unique(expected_wait)))
        unit = min(unit, _FINEST)
        weight = np.maximum(unit // expected_wait, 1)
        return cls(unit, weight, submit + expected_wait)
