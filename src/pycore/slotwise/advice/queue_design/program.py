"""Phase 1: partition sizes computed with a surrogate and a nonlinear program (DP-NLPM)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slotwise import extras
from slotwise.advice.queue_design.bounds import Region, region_of
from slotwise.advice.queue_design.layout import Layout
from slotwise.advice.queue_design.replays import Replays
from slotwise.advice.queue_design.sampling import sample
from slotwise.advice.queue_design.shares import at_least, largest_jobs
from slotwise.advice.queue_design.surrogate import Polynomial, fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.advice.queue_design.base import Base
    from slotwise.advice.queue_design.history import History
    from slotwise.advice.queue_design.parameters import Parameters

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Program:
    """Result of phase 1.

    Attributes
    ----------
    layout : Layout
    region : Region
    polynomials : tuple of Polynomial
        One per epoch, oldest first.
    weights : tuple of float
        Weights of the epochs, divided by their sum.
    predicted, replayed : float, seconds
        Weighted mean wait of the program's solution, from the surrogate and from a replay.
    best_sampled : float, seconds
        Weighted mean wait of the best sampled vector, replayed.
    took_sampled : bool
        True if the layout is the best sampled vector, whose wait was shorter than the solution's.
    n_replays, n_jobs_replayed : int
        Number of replays, and the jobs in them.
    """

    layout: Layout
    region: Region
    polynomials: tuple[Polynomial, ...]
    weights: tuple[float, ...]
    predicted: float
    replayed: float
    best_sampled: float
    took_sampled: bool
    n_replays: int
    n_jobs_replayed: int


def minimise(
    polynomials: Sequence[Polynomial],
    weights: Sequence[float],
    region: Region,
    sampled: Floats,
    starts: int,
) -> tuple[Floats, float]:
    """Minimise equation 2 under equations 3, 4 and 6 by SLSQP on fractions of the machine.

    Parameters
    ----------
    sampled : (n_samples, n) float64
        Partition vectors. The solver starts from the most promising ones, and keeps each share
        within the sampled range.

    Returns
    -------
    shares : (n,) float64
    predicted : float, seconds
    """
    optimize = extras.load("scipy.optimize")
    unit = max(abs(_value(polynomials, weights, x)) for x in sampled) or 1.0

    def objective(x: Floats) -> float:
        return _value(polynomials, weights, x) / unit

    def gradient(x: Floats) -> Floats:
        slopes = [w * f.gradient(x) for w, f in zip(weights, polynomials, strict=True)]
        total: Floats = np.sum(slopes, axis=0) / unit
        return total

    rows = region.inequalities
    constraints = [
        {"type": "eq", "fun": lambda x: x.sum() - 1, "jac": lambda x: np.ones_like(x)},
        {"type": "ineq", "fun": lambda x: -rows @ x, "jac": lambda _x: -rows},
    ]
    bounds = list(zip(sampled.min(axis=0), sampled.max(axis=0), strict=True))
    order = np.argsort([objective(x) for x in sampled], kind="stable")
    best, value = sampled[order[0]], objective(sampled[order[0]])
    for start in sampled[order[:starts]]:
        solved = optimize.minimize(
            objective, start, jac=gradient, method="SLSQP", bounds=bounds,
            constraints=constraints[: 2 if len(rows) else 1], options={"ftol": 1e-10},
        )  # fmt: skip
        x = np.asarray(solved.x)
        if solved.fun < value and region.holds(x, 1e-7):
            best, value = x, float(solved.fun)
    return best, value * unit


def _value(polynomials: Sequence[Polynomial], weights: Sequence[float], x: Floats) -> float:
    return sum(w * f(x) for w, f in zip(weights, polynomials, strict=True))


def solve(history: History, base: Base, parameters: Parameters) -> Program:
    """Find the partition sizes for a history.

    The program's solution is replayed; the best sampled vector is used instead if its wait is
    shorter.
    """
    region = region_of(history, base, parameters)
    largest = largest_jobs(base)
    unsized = Layout.of_base(base, [0] * len(base.owners))

    def layout_of(shares: Floats) -> Layout:
        return unsized.resized(at_least(shares, largest, base.machine))

    epochs = history.epochs(parameters)
    total = sum(weight for weight, _part in epochs)
    weights = tuple(weight / total for weight, _part in epochs)
    replays = [Replays(part, base) for _weight, part in epochs]
    drawn = sample(region, parameters.samples, parameters.seed)
    layouts = [layout_of(shares) for shares in drawn]
    shares = np.array([layout.sizes for layout in layouts]) / base.machine
    waits = np.array([[w.mean for w in each.waits(layouts)] for each in replays])
    weighted = np.asarray(weights) @ waits
    best = int(np.argmin(weighted))
    if len(drawn) == 1:
        polynomials: tuple[Polynomial, ...] = ()
        solution, predicted = shares[0], float(weighted[0])
    else:
        polynomials = tuple(fit(shares, row, parameters.degree) for row in waits)
        solution, predicted = minimise(polynomials, weights, region, shares, parameters.starts)
    chosen = layout_of(solution)
    replayed = float(sum(w * each.mean(chosen) for w, each in zip(weights, replays, strict=True)))
    took_sampled = bool(weighted[best] < replayed)
    return Program(
        layouts[best] if took_sampled else chosen,
        region,
        polynomials,
        weights,
        predicted,
        replayed,
        float(weighted[best]),
        took_sampled,
        sum(each.n_replays for each in replays),
        sum(each.n_jobs_replayed for each in replays),
    )
