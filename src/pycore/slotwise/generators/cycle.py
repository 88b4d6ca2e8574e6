"""Daily and weekly cycles of arrivals, as rates per half hour.

Working time is the integral of the rate: it passes faster in hours with more arrivals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

BUCKETS = 48
BUCKET = 1800
DAY = BUCKETS * BUCKET
FIRST_BUCKET = 11  # the model's day begins with the 11th half hour, 5:00 to 5:30


def gamma_cdf(x: float, shape: float) -> float:
    """Return the regularised lower incomplete gamma function, by its power series.

    References
    ----------
    DLMF 8.7.1; accurate to 1e-13 for x < 12 · shape, as in all calls in this module.
    """
    term = total = 1.0 / shape
    k = shape
    while term > total * 1e-17:
        k += 1.0
        term *= x / k
        total += term
    return total * math.exp(shape * math.log(x) - x - math.lgamma(shape))


@cache
def daily_rates(shape: float, scale: float) -> tuple[float, ...]:
    """Return the arrival rate of each half hour from midnight; the mean rate is 1.

    Rates are rounded to 1e-9, so that they do not depend on how the C library rounds.
    """
    share = [0.0] * BUCKETS
    for i in range(FIRST_BUCKET, FIRST_BUCKET + BUCKETS):
        upper, lower = ((i + half) / scale for half in (0.5, -0.5))
        share[(i - 1) % BUCKETS] = gamma_cdf(upper, shape) - gamma_cdf(lower, shape)
    mean = sum(share) / BUCKETS
    return tuple(round(s / mean, 9) for s in share)


@dataclass(frozen=True)
class Cycle:
    """A cycle of arrival rates per half hour, and the position at which a workload starts in it.

    Attributes
    ----------
    passed : (n_buckets + 1,) float64, seconds
        Working time from the start of the cycle to each boundary between half hours.
    offset : int, seconds
        Position of the start in the cycle.
    """

    passed: NDArray[np.float64]
    offset: int

    @classmethod
    def build(cls, day: tuple[float, ...], weekend: float, start: datetime) -> Cycle:
        """Return a weekly cycle; Saturdays and Sundays have `weekend` times the rate of other days.

        If `weekend` is 1, the cycle is one day long. The mean rate of the cycle is 1.
        """
        offset = start.hour * 3600 + start.minute * 60 + start.second
        rates = list(day)
        if weekend != 1:
            rates = [r * (weekend if d >= 5 else 1.0) for d in range(7) for r in day]
            offset += start.weekday() * DAY
        unit = BUCKET * len(rates) / sum(rates)
        passed = [0.0, *accumulate(r * unit for r in rates)]
        return cls(np.array(passed), offset)

    def working_time(self, seconds: int) -> float:
        """Return the working time from the start of the cycle to `seconds` after it."""
        buckets = len(self.passed) - 1
        cycles, rest = divmod(seconds, buckets * BUCKET)
        bucket, rest = divmod(rest, BUCKET)
        low, high = float(self.passed[bucket]), float(self.passed[bucket + 1])
        return cycles * float(self.passed[-1]) + low + (high - low) * rest / BUCKET
