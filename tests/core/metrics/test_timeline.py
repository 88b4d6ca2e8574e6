"""The timeline of a replay: queue length and processors in use at each change point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings, strategies as st

from reference import metrics as reference
from reference.replays import core_arguments, replay_of, replays
from slotwise import _core

if TYPE_CHECKING:
    from reference.metrics import Replay


def rows(replay: Replay) -> list[tuple[int, int, int, int]]:
    columns = _core.series(*core_arguments(replay))
    return list(zip(*(column.tolist() for column in columns.values()), strict=True))


def test_change_points_are_starts_and_ends_of_jobs() -> None:
    # At 0, job 0 starts and job 1 (4 processors) waits. At 20, job 0 ends and job 1 starts. At 60,
    # job 1 ends.
    replay = replay_of([(0, 3, 0, 20), (0, 4, 20, 60)], machine=4)
    assert rows(replay) == [(0, 1, 4, 3), (20, 0, 0, 4), (60, 0, 0, 0)]


def test_the_first_row_is_at_the_first_submit_even_of_a_job_that_never_starts() -> None:
    replay = replay_of([(3, 9, -1, -1), (10, 1, 10, 20)], machine=4)
    assert rows(replay) == [(3, 0, 0, 0), (10, 0, 0, 1), (20, 0, 0, 0)]


def test_an_instant_that_changes_nothing_makes_no_row() -> None:
    # At 10, job 0 ends and job 1, of the same width, starts. At 12, a job of length 0 starts and
    # ends.
    replay = replay_of([(0, 2, 0, 10), (10, 2, 10, 15), (12, 1, 12, 12)], machine=4)
    assert rows(replay) == [(0, 0, 0, 2), (15, 0, 0, 0)]


def test_a_trace_without_jobs_has_no_change_points() -> None:
    assert rows(replay_of([], machine=4)) == []


@given(replays())
def test_change_points_equal_the_reference(replay: Replay) -> None:
    assert rows(replay) == reference.series(replay)


@settings(max_examples=20)
@given(st.integers(1, 3000), st.sampled_from([10, 2**11, 2**25, 2**40]), st.integers(0, 2**32))
def test_long_spans_are_sorted_as_numpy_sorts_them(count: int, span: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    submit = np.sort(generator.integers(0, span, count))
    start = submit + generator.integers(0, span, count)
    end = start + generator.integers(1, span, count)
    n = generator.integers(1, 9, count)
    columns = _core.series(
        *core_arguments(replay_of(np.array([submit, n, start, end]).T.tolist(), 9))
    )
    times = np.concatenate([start, end])
    order = np.argsort(times, kind="stable")
    busy = np.cumsum(np.concatenate([n, -n])[order])
    last = np.flatnonzero(np.diff(times[order], append=-1))
    at = np.searchsorted(times[order][last], columns["time"], side="right") - 1
    assert np.array_equal(columns["busy_processors"], np.where(at < 0, 0, busy[last][at]))
    assert columns["queued_jobs"].min() >= 0
    assert columns["time"][-1] == end.max()


def test_columns_are_read_only() -> None:
    columns = _core.series(*core_arguments(replay_of([(0, 1, 0, 1)], machine=1)))
    assert not any(column.flags.writeable for column in columns.values())
