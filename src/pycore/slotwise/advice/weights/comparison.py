"""Significance of the gain of one set of weights over another.

The best of five hundred sets owes part of its gain to chance. The gain is therefore also measured
on weeks that the search did not use, and resampled weeks show how much the gain varies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slotwise.advice.weights.outcomes import OBJECTIVES
from slotwise.text import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from slotwise.advice.weights.outcomes import Outcome

RESAMPLES = 10_000
LEVEL = 0.95
LEAST_WEEKS = 2


@dataclass(frozen=True)
class Split:
    """Weeks used by the search, and held-out weeks.

    Attributes
    ----------
    train, held_out : (n,) int64
    """

    train: NDArray[np.int64]
    held_out: NDArray[np.int64]

    @classmethod
    def of(cls, n_weeks: int, held_out: int | None = None) -> Split:
        """Hold out the last `held_out` weeks.

        The default is a quarter of the weeks, and at least one week if there are two or more.

        Raises
        ------
        ValueError
            If no week is left for the search.
        """
        if held_out is None:
            held_out = max(1, n_weeks // 4) if n_weeks > 1 else 0
        if not 0 <= held_out < n_weeks:
            raise ValueError(
                f"hold_out is {held_out}: the log has {plural(n_weeks, 'whole week')}; use 0 or "
                "more, and leave at least one week for the search"
            )
        weeks = np.arange(n_weeks, dtype=np.int64)
        return cls(weeks[: n_weeks - held_out], weeks[n_weeks - held_out :])


@dataclass(frozen=True)
class Gain:
    """Gain of one set of weights over another in one objective; above 0 is better.

    Attributes
    ----------
    objective : str
    train : float
        Gain on the weeks that the search used, in the objective's unit (percentage points, hours).
    held_out : float
        Gain on the held-out weeks; NaN if there are none.
    low, high : float
        Bounds of the 95 % bootstrap interval over all weeks; NaN for a single week.
    core_hours : float
        Additional core hours delivered per week, on average over the weeks that the search used.
    jobs : float
        `core_hours` divided by the core hours of the log's average job.
    """

    objective: str
    train: float
    held_out: float
    low: float
    high: float
    core_hours: float
    jobs: float

    @property
    def is_noise(self) -> bool:
        """True unless held-out weeks show a gain and the whole bootstrap interval is above 0."""
        return not (self.held_out > 0 and self.low > 0)

    @property
    def verdict(self) -> str:
        """The result in words."""
        if self.train == 0:
            return "no gain"
        if np.isnan(self.low) or np.isnan(self.held_out):
            return "noise: too few weeks to tell"
        if not self.held_out > 0:
            return "noise: no gain in the held-out weeks"
        if not self.low > 0:
            return "noise: a gain no larger than the difference between weeks"
        return "gain holds in other weeks"


def gain_of(
    outcome: Outcome,
    current: Outcome,
    objective: str,
    split: Split,
    mean_job: float,
    *,
    seed: int = 0,
) -> Gain:
    """Compare two replays of one log.

    Parameters
    ----------
    outcome, current : Outcome
    objective : str
    split : Split
    mean_job : float, core hours
        Core hours of the log's average job.
    seed : int, default 0
        Seed of the bootstrap.
    """
    sign = 1.0 if OBJECTIVES[objective][0] else -1.0

    def difference(weeks: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(
            sign * (outcome.values(objective, weeks) - current.values(objective, weeks))
        )

    low, high = bootstrap(difference, len(outcome), seed)
    more = float(np.mean((outcome.core_hours - current.core_hours)[split.train]))
    return Gain(
        objective,
        float(difference(split.train[None, :])[0]),
        float(difference(split.held_out[None, :])[0]) if len(split.held_out) else np.nan,
        low,
        high,
        more,
        more / mean_job,
    )


def bootstrap(
    difference: Callable[[NDArray[np.int64]], NDArray[np.float64]], n_weeks: int, seed: int
) -> tuple[float, float]:
    """Return the 95 % bootstrap interval over the weeks, or NaN for a single week."""
    if n_weeks < LEAST_WEEKS:
        return np.nan, np.nan
    drawn = np.random.Generator(np.random.PCG64(seed)).integers(0, n_weeks, (RESAMPLES, n_weeks))
    values = difference(drawn)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)


def ranked(values: Sequence[float], *, more_is_better: bool, places: int) -> list[tuple[int, int]]:
    """Return the ranks and positions of the best `places` values, including ties with the last.

    Equal values share a rank. Values are equal if they agree to nine digits.
    """
    sign = -1.0 if more_is_better else 1.0
    keys = [float(f"{sign * value:.9g}") for value in values]
    order = sorted(range(len(keys)), key=lambda position: (keys[position], position))
    found: list[tuple[int, int]] = []
    for place, position in enumerate(order, 1):
        tied = bool(found) and keys[found[-1][1]] == keys[position]
        if place > places and not tied:
            break
        found.append((found[-1][0] if tied else place, position))
    return found


def pareto_front(values: Sequence[Sequence[float]], more_is_better: Sequence[bool]) -> list[int]:
    """Return the positions of the points on the Pareto front; of equal points, only the first.

    A point is on the front if no other is at least as good in all values and better in one.
    """
    signs = np.array([1.0 if more else -1.0 for more in more_is_better])
    points = np.asarray(values, np.float64) * signs
    front: list[int] = []
    for i, point in enumerate(points):
        beaten = (points >= point).all(axis=1) & (points > point).any(axis=1)
        equal = (points[:i] == point).all(axis=1)
        if not beaten.any() and not equal.any():
            front.append(i)
    return front
