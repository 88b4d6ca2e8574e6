"""Peak numbers of running jobs, and of processors in use, for each owner."""

from __future__ import annotations

import numpy as np

from slotwise.trace.peaks import peaks_of


def test_a_job_that_ends_makes_room_before_one_that_starts() -> None:
    # Owner 1: jobs from 0 to 10 and from 10 to 20. Owner 0: two jobs that overlap from 5 to 10.
    owner = np.array([1, 1, 0, 0, -1], dtype=np.int32)
    start, end = np.array([0, 10, 0, 5, 0]), np.array([10, 20, 10, 15, 99])
    one, processors = np.ones(5, dtype=np.int64), np.array([4, 4, 2, 3, 50])
    jobs, most = peaks_of(owner, start, end, (one, processors))
    assert jobs.tolist() == [2, 1]
    assert most.tolist() == [5, 4]


def test_jobs_that_never_started_and_jobs_of_length_0_do_not_count() -> None:
    owner = np.array([0, 0], dtype=np.int32)
    (jobs,) = peaks_of(owner, np.array([-1, 5]), np.array([-1, 5]), (np.array([1, 1]),))
    assert jobs.tolist() == [0]


def test_peaks_equal_a_count_at_every_start() -> None:
    draw = np.random.default_rng(1)
    owner = draw.integers(0, 5, 300).astype(np.int32)
    start = draw.integers(0, 1000, 300)
    end = start + draw.integers(1, 90, 300)
    weight = draw.integers(1, 9, 300)
    (peaks,) = peaks_of(owner, start, end, (weight,))
    expected = [
        max(
            int(weight[(owner == who) & (start <= at) & (end > at)].sum())
            for at in start[owner == who]
        )
        for who in range(5)
    ]
    assert peaks.tolist() == expected
