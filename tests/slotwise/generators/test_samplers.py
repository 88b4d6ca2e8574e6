"""Compiled samplers, compared with the distributions from which they draw."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.random import PCG64

from slotwise.generators import _lublin
from slotwise.generators.cycle import gamma_cdf

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

N = 200_000
LIMIT = 2.2  # sqrt(n) · the Kolmogorov-Smirnov distance exceeds this with probability 1.3e-4


def apart(n: int = N) -> NDArray[np.uint8]:
    """Make each job the first of its session."""
    return np.ones(n, np.uint8)


def distance(sample: NDArray[np.float64], cdf: Callable[[float], float]) -> float:
    """Return the Kolmogorov-Smirnov distance, computed at about 2,000 values of the sample."""
    ordered = np.sort(sample)
    at = np.arange(0, len(ordered), max(1, len(ordered) // 2000))
    expected = np.array([cdf(x) for x in ordered[at]])
    return float(np.abs(at / len(ordered) - expected).max())


def chi_square_bound(freedom: int) -> float:
    """Return the chi-square value exceeded with probability 3e-5 (Wilson-Hilferty)."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + 4 * math.sqrt(spread)) ** 3)


@pytest.mark.parametrize(
    ("x", "shape", "expected"),
    [
        (1.0, 1.0, 1 - math.exp(-1)),  # the exponential distribution
        (2.0, 3.0, 1 - math.exp(-2) * (1 + 2 + 2)),  # the Erlang distribution
        (0.5, 0.5, math.erf(math.sqrt(0.5))),
        (40.0, 2.0, 1 - 41 * math.exp(-40)),
    ],
)
def test_the_gamma_distribution_function_has_its_closed_forms(
    x: float, shape: float, expected: float
) -> None:
    assert gamma_cdf(x, shape) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("machine", [6, 100, 128])
def test_sizes_follow_the_two_stages_and_the_powers_of_two(machine: int) -> None:
    serial, two, small, low, high = 0.3, 0.4, 0.8, 0.8, math.log2(machine)
    medium = high - 1.5
    processors = np.empty(N, np.int64)
    _lublin.draw_sizes(PCG64(1), apart(), serial, two, low, medium, high, small, processors)

    def stages(x: float) -> float:
        first = min(max((x - low) / (medium - low), 0), 1)
        second = min(max((x - medium) / (high - medium), 0), 1)
        return small * first + (1 - small) * second

    expected = np.zeros(machine + 1)
    expected[1] = serial
    last = math.floor(high)
    for k in range(last + 1):
        upper = 99 if k == last else k + 0.5
        expected[2**k] += two * (stages(upper) - stages(k - 0.5))
    for size in range(1, machine + 1):
        upper = 99 if size == machine else math.log2(size + 0.5)
        expected[size] += (1 - serial - two) * (stages(upper) - stages(math.log2(size - 0.5)))
    assert expected.sum() == pytest.approx(1)
    seen = np.bincount(processors, minlength=machine + 1)
    assert len(seen) == machine + 1
    likely = expected * N > 5
    assert seen[~likely].sum() <= 5 * (~likely).sum() + 20
    chi_square = float((np.square(seen - expected * N)[likely] / (expected * N)[likely]).sum())
    assert chi_square < chi_square_bound(int(likely.sum()) - 1)


@pytest.mark.parametrize(
    ("shape", "scale"), [(6.57, 0.823), (639.1, 0.0156), (3.8351, 0.6605), (0.7, 2.0)]
)
def test_log_run_times_are_gamma_variates_cut_at_the_longest(shape: float, scale: float) -> None:
    run_time = np.empty(N)
    _lublin.draw_run_times(
        PCG64(2), apart(), np.ones(N, np.int64), shape, scale, 1, 1, 0, 1, 12, run_time
    )
    logs = np.log(run_time)
    assert logs.max() <= 12
    whole = gamma_cdf(12 / scale, shape)
    assert math.sqrt(N) * distance(logs, lambda x: gamma_cdf(x / scale, shape) / whole) < LIMIT


def test_the_longer_kind_of_run_time_is_drawn_more_often_by_wide_jobs() -> None:
    processors = np.repeat(np.array([1, 40, 80], np.int64), N // 4)
    run_time = np.empty(len(processors))
    # Short jobs have log seconds near 1, long jobs near 9; p = 0.9 - 0.01 · processors.
    _lublin.draw_run_times(
        PCG64(3), apart(len(processors)), processors, 100, 0.01, 900, 0.01, -0.01, 0.9, 12, run_time
    )
    short = (run_time < math.exp(4)).reshape(3, -1).mean(axis=1)
    error = 4 * math.sqrt(0.25 / (N // 4))
    assert short == pytest.approx([0.89, 0.5, 0.1], abs=error)


def test_log_gaps_are_gamma_variates_and_ticks_are_their_sums_rounded() -> None:
    shape, scale = 6.0415 * 1.0519, 0.8531
    ticks = np.empty(N, np.int64)
    _lublin.draw_arrivals(PCG64(4), shape, scale, 13, ticks)
    assert ticks[0] == 0
    logs = np.log(np.diff(ticks) / 1024)
    whole = gamma_cdf(13 / scale, shape)
    assert logs.max() <= 13.0001
    assert math.sqrt(N) * distance(logs, lambda x: gamma_cdf(x / scale, shape) / whole) < LIMIT


def test_busy_hours_pass_working_time_faster() -> None:
    # A cycle of one hour: half hours at rates 0.5 and 1.5 have 900 s and 2700 s of working time.
    passed = np.array([0.0, 900.0, 3600.0])
    working = [0, 450, 900, 2250, 3600, 4050, 36_000]
    seconds = [0, 900, 1800, 2700, 3600, 4500, 36_000]
    ticks = np.array(working, np.int64) * 1024
    _lublin.follow_cycle(ticks, 1.0, passed, 1800, 0, 0)
    assert ticks.tolist() == seconds
    # A stretch of 0.5 halves the working time, so twice as many ticks give the same seconds.
    ticks = np.array(working, np.int64) * 2048
    _lublin.follow_cycle(ticks, 0.5, passed, 1800, 0, 0)
    assert ticks.tolist() == seconds
    # From 1800 s onwards, when 900 s of working time have passed, a quarter of an hour has 1350 s
    # of working time.
    ticks = np.array([0, 1350, 2700, 3150], np.int64) * 1024
    _lublin.follow_cycle(ticks, 1.0, passed, 1800, 1800, 900)
    assert ticks.tolist() == [0, 900, 1800, 2700]


@pytest.mark.parametrize("continues", [0.0, 0.5, 0.9])
def test_sessions_have_the_given_length_and_users_the_given_activity(continues: float) -> None:
    opens, user, executable = np.empty(N, np.uint8), np.empty(N, np.int32), np.empty(N, np.int32)
    _lublin.draw_sessions(PCG64(5), continues, 30, 4, opens, user, executable)
    share = 1 - continues
    assert opens.mean() == pytest.approx(share, abs=4 * math.sqrt(0.25 / N) + 1 / N)
    same = opens[1:] == 0
    assert (user[1:] == user[:-1])[same].all()
    assert (executable[1:] == executable[:-1])[same].all()
    assert ((executable - 1) // 4 + 1 == user).all()
    first = np.bincount(user[opens == 1], minlength=31)[1:]
    expected = np.log1p(1 / np.arange(1, 31)) / math.log(31) * first.sum()
    assert float((np.square(first - expected) / expected).sum()) < chi_square_bound(29)


def test_jobs_of_a_session_share_size_and_kind_of_run_time() -> None:
    opens = (np.arange(N) % 5 == 0).astype(np.uint8)
    processors, run_time = np.empty(N, np.int64), np.empty(N)
    _lublin.draw_sizes(PCG64(6), opens, 0.2, 0.5, 1, 4, 7, 0.8, processors)
    assert (processors.reshape(-1, 5) == processors[::5, None]).all()
    _lublin.draw_run_times(PCG64(7), opens, processors, 100, 0.01, 900, 0.01, 0, 0.5, 12, run_time)
    short = (run_time < math.exp(4)).reshape(-1, 5)
    assert (short == short[:, :1]).all()
    assert len(np.unique(run_time)) == N
