"""Phase 1 of the queue design: the nonlinear program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import optimize

import slotwise as sw
from slotwise.advice.queue_design.base import Base
from slotwise.advice.queue_design.bounds import region_about
from slotwise.advice.queue_design.history import History
from slotwise.advice.queue_design.parameters import Parameters
from slotwise.advice.queue_design.program import minimise, solve
from slotwise.advice.queue_design.sampling import sample
from slotwise.advice.queue_design.surrogate import fit

if TYPE_CHECKING:
    from collections.abc import Callable

HOUR = 3600
FEW = Parameters(samples=40, starts=8, epochs=1, weights=(1.0,), epoch_days=400)


def problem(seed: int) -> tuple[Any, ...]:
    """Return a problem whose two polynomials fall as any of the three shares grows."""
    usual = Parameters()
    lower = np.array([0.05, 0.1, 0.2])
    region = region_about(1000, lower, lower, np.array([0.2, 0.3, 0.5]), usual)
    x = sample(region, 60, seed)
    weight = np.random.default_rng(seed).uniform(0.5, 2, (2, 3))
    polynomials = [fit(x, (w / x).sum(axis=1), 3) for w in weight]
    return polynomials, (1 / 3, 2 / 3), region, x


@pytest.mark.parametrize("seed", range(5))
def test_the_solution_equals_that_of_trust_constr(seed: int) -> None:
    polynomials, weights, region, x = problem(seed)
    found, value = minimise(polynomials, weights, region, x, starts=10)

    def objective(shares: np.ndarray) -> float:
        return sum(w * f(shares) for w, f in zip(weights, polynomials, strict=True))

    solved = [
        optimize.minimize(
            objective,
            start,
            method="trust-constr",
            jac=lambda s: sum(w * f.gradient(s) for w, f in zip(weights, polynomials, strict=True)),
            hess=optimize.BFGS(),
            bounds=optimize.Bounds(x.min(axis=0), x.max(axis=0)),
            constraints=[
                optimize.LinearConstraint(np.ones((1, 3)), 1, 1),
                optimize.LinearConstraint(region.inequalities, -np.inf, 0),
            ],
            options={"gtol": 1e-9, "xtol": 1e-10, "maxiter": 600},
        )
        for start in x[np.argsort([objective(s) for s in x])[:2]]
    ]
    best = min(solved, key=lambda s: s.fun)
    assert value == pytest.approx(best.fun, rel=1e-4)
    assert value <= objective(x[0]) + 1e-12
    assert found == pytest.approx(best.x, abs=0.02)


def test_epochs_are_weighted() -> None:
    # The first of two shares is x. The functions (x − 0.2)² and (x − 0.5)² have the weights 1/3 and
    # 2/3. The derivative of their weighted sum, ⅓·2(x − 0.2) + ⅔·2(x − 0.5), is 0 at x = 0.4.
    # There, the sum is ⅓·0.04 + ⅔·0.01 = 0.02.
    free = np.array([0.1, 0.1])
    region = region_about(1000, free, free, np.array([0.5, 0.5]), Parameters().replace(band=100.0))
    x = sample(region, 40, 0)
    polynomials = [fit(x, (x[:, 0] - centre) ** 2, 2) for centre in (0.2, 0.5)]
    found, value = minimise(polynomials, (1 / 3, 2 / 3), region, x, starts=5)
    assert found == pytest.approx([0.4, 0.6], abs=1e-4)
    assert value == pytest.approx(0.02, abs=1e-5)


def test_the_band_binds_the_solution() -> None:
    # Because f falls with x1, the solution is at the edge of the band: x1/x2 = 2 · 0.3/0.7, so x1 =
    # 6/13.
    free = np.array([0.01, 0.01])
    region = region_about(1000, free, free, np.array([0.3, 0.7]), Parameters())
    x = sample(region, 400, 0)
    found, _value = minimise([fit(x, 1 - x[:, 0], 1)], (1.0,), region, x, starts=5)
    assert found[0] == pytest.approx(6 / 13, abs=0.005)
    assert found[0] <= 6 / 13 + 1e-7
    assert found.sum() == pytest.approx(1.0)


def test_the_solution_keeps_every_constraint() -> None:
    polynomials, weights, region, x = problem(7)
    found, _value = minimise(polynomials, weights, region, x, starts=10)
    assert region.holds(found, 1e-7)
    assert (found >= x.min(axis=0) - 1e-9).all()
    assert (found <= x.max(axis=0) + 1e-9).all()


def busy(count: int = 300) -> list[tuple[int, int, int, int]]:
    dice = np.random.default_rng(5)
    return [
        (int(t), int(dice.integers(600, 4 * HOUR)), int(p), 8 * HOUR)
        for t, p in zip(
            np.sort(dice.integers(0, 5 * 24 * HOUR, count)),
            dice.choice([1, 4, 10, 20, 40], count, p=[0.3, 0.3, 0.2, 0.1, 0.1]),
            strict=True,
        )
    ]


def test_the_chosen_partition_waits_no_longer_than_any_sample(history: Callable[..., Any]) -> None:
    jobs, base = history(busy())
    found = solve(jobs, base, FEW)
    assert min(found.replayed, found.best_sampled) <= found.best_sampled
    assert found.took_sampled == (found.best_sampled < found.replayed)
    assert sum(found.layout.sizes) == 100
    assert all(p.size >= p.largest for p in found.layout.partitions)
    # The mean wait computed by the program matches that of a replay.
    chosen = min(found.replayed, found.best_sampled)
    again = sw.simulate(jobs.trace, found.layout.site()).metrics()["mean_wait"]
    assert again == pytest.approx(chosen)


def test_the_same_seed_gives_the_same_partition(history: Callable[..., Any]) -> None:
    jobs, base = history(busy())
    assert solve(jobs, base, FEW).layout == solve(jobs, base, FEW).layout


def test_one_queue_alone_gets_the_machine() -> None:
    trace = sw.Trace.from_columns([0, 0], [60, 60], [80, 80], max_processors=100)
    base = Base.of(sw.Site(100, queues=[sw.Queue("all")]), trace)
    found = solve(History.of(trace, base), base, FEW)
    assert found.layout.sizes == (100,)
    assert found.replayed == 30  # the mean of 0 and 60 s
