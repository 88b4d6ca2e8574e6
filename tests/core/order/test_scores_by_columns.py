"""Scores computed for four jobs at a time equal, bit for bit, those computed job by job."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import slotwise as sw

N_JOBS = 1_003
RNG = np.random.default_rng(11)
NAMES = [order.name for order in sw.orders() if order.name not in {"expression", "fairshare"}]


def trace_from(first_submit: int, spread: int) -> sw.Trace:
    return sw.Trace.from_columns(
        np.sort(first_submit + RNG.integers(0, spread, N_JOBS)),
        np.full(N_JOBS, 10),
        RNG.integers(1, 5_000, N_JOBS),
        RNG.integers(1, 1_000_000, N_JOBS),
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("first_submit", [0, 2**40 - 20_000, 2**52])
def test_a_pass_among_many_scores_as_one_alone(name: str, first_submit: int) -> None:
    # At times from 2^40 s onwards, the formula is computed job by job. The trace with the second
    # value of `first_submit` crosses that bound.
    trace = trace_from(first_submit, 10_000)
    rows = RNG.permutation(N_JOBS)[:998]  # not a multiple of four
    queue_priority = RNG.integers(-3, 4, N_JOBS).astype(float)
    given: dict[str, Any] = {"jobs": rows, "queue_priority": queue_priority}
    times = first_submit + RNG.integers(0, 50_000, 7)
    together = sw.scores(trace, name, times, **given)
    for line, now in zip(together, times, strict=True):
        assert np.array_equal(line, sw.scores(trace, name, int(now), **given))


def test_minutes_are_the_wait_divided_by_60() -> None:
    # The score is the wait in minutes, computed from products and a sum. The waits have every
    # remainder modulo 60, and go up to 2^40 s.
    waits = np.unique(
        np.concatenate(
            [np.arange(5_000), *(RNG.integers(0, 2**bits, 4_000) for bits in range(13, 41))]
        )
    )
    now = 2**40 - 1
    trace = sw.Trace.from_columns(now - waits[::-1], *np.ones((3, len(waits)), dtype=np.int64))
    order = {"name": "priority", "queue_time": 1, "expansion": 0, "cores": 0}
    first, second = sw.scores(trace, order, [now, now - 2**20])
    assert np.array_equal(first, waits[::-1] / 60)
    assert np.array_equal(second, (waits[::-1] - 2**20) / 60)


def test_weights_that_overflow_are_an_error_that_names_the_job() -> None:
    trace = trace_from(0, 100)
    order = {"name": "priority", "queue_time": 1e308, "expansion": -1e308}
    with pytest.raises(sw.ReplayError, match=r"order priority gives job 1 .* the key NaN"):
        sw.scores(trace, order, np.full(3, 10**9))


def test_scores_are_written_into_the_array_of_the_caller() -> None:
    trace, out = trace_from(0, 100), np.zeros((2, N_JOBS))
    found = sw.scores(trace, "wfp3", [500, 600], out=out)
    assert found is out
    assert np.array_equal(out, sw.scores(trace, "wfp3", [500, 600]))
    line = np.zeros(N_JOBS)
    assert np.array_equal(sw.scores(trace, "wfp3", 600, out=line), out[1])
    assert np.array_equal(line, out[1])


@pytest.mark.parametrize(
    "out",
    [np.zeros((1, N_JOBS)), np.zeros((N_JOBS, 2)).T, np.zeros((2, N_JOBS), np.float32), [0.0]],
    ids=["shape", "order", "kind", "list"],
)
def test_an_array_that_cannot_hold_them_is_refused(out: Any) -> None:
    with pytest.raises(ValueError, match=r"out must be a writeable float64 array of shape \(2, "):
        sw.scores(trace_from(0, 100), "wfp3", [500, 600], out=out)
