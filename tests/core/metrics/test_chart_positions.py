"""The placement of jobs on the processors of a pool."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

from slotwise import _core

Int64 = NDArray[np.int64]
Pieces = list[list[tuple[int, int]]]


def pieces_of(placement: _core.Placement) -> Pieces:
    """Return (first, count) for each interval of each job."""
    runs = list(zip(placement.first.tolist(), placement.count.tolist(), strict=True))
    ends = placement.offset.tolist()
    return [runs[a:b] for a, b in itertools.pairwise(ends)]


def test_places_jobs_in_the_smallest_run_that_holds_them() -> None:
    # The example in chart_positions.hpp: job B returns its processor at 5, before job C starts.
    placement = _core.chart_positions([0, 0, 5], [9, 5, 7], [2, 1, 2], 4)
    assert pieces_of(placement) == [[(0, 2)], [(2, 1)], [(2, 2)]]
    assert placement.extent == 4


def test_splits_a_job_over_free_runs_when_none_holds_it() -> None:
    # Four jobs of one processor fill a machine of 4. Two jobs end at 5, and leave processors 0 and
    # 2 free.
    placement = _core.chart_positions([0, 0, 0, 0, 5], [5, 9, 5, 9, 7], [1, 1, 1, 1, 2], 4)
    assert pieces_of(placement)[4] == [(0, 1), (2, 1)]


def test_jobs_that_never_started_have_no_place() -> None:
    placement = _core.chart_positions([-1, 0], [-1, 5], [9, 1], 4)
    assert pieces_of(placement) == [[], [(0, 1)]]


def test_a_job_of_no_length_gives_its_processors_back_at_once() -> None:
    # The first job holds both processors until 4. At 4, the second, of length 0, takes both and
    # returns them at once, and then the third takes them.
    placement = _core.chart_positions([0, 4, 4], [4, 4, 8], [2, 2, 2], 2)
    assert pieces_of(placement) == [[(0, 2)]] * 3


def test_an_overbooked_schedule_lies_above_the_machine() -> None:
    placement = _core.chart_positions([0, 0, 6], [5, 5, 9], [2, 2, 3], 3)
    assert pieces_of(placement) == [[(0, 2)], [(2, 1), (3, 1)], [(0, 3)]]
    assert placement.extent == 4


def test_no_jobs_need_no_place() -> None:
    placement = _core.chart_positions([], [], [], 8)
    assert placement.offset.tolist() == [0]
    assert placement.extent == 0


@pytest.mark.parametrize(
    ("start", "end", "processors", "rule"),
    [
        ([0, 1], [1], [1], "one value per job"),
        ([0], [1], [0], "between 1 and"),
        ([5], [4], [1], "not end before it starts"),
        ([0], [1], [1 << 31], "between 1 and"),
    ],
)
def test_columns_that_are_no_schedule_are_refused(
    start: list[int], end: list[int], processors: list[int], rule: str
) -> None:
    with pytest.raises(ValueError, match=rule):
        _core.chart_positions(start, end, processors, 4)


def test_a_machine_beyond_the_range_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 processors"):
        _core.chart_positions([0], [1], [1], -1)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 8), st.integers(1, 6)), max_size=25),
    st.integers(0, 20),
)
def test_no_two_jobs_share_a_processor_at_one_time(
    jobs: list[tuple[int, int, int]], machine: int
) -> None:
    """Check that every job gets its own processors in any schedule, overbooked or not."""
    start = np.array([job[0] for job in jobs], dtype=np.int64)
    end = start + np.array([job[1] for job in jobs], dtype=np.int64)
    needs = np.array([job[2] for job in jobs], dtype=np.int64)
    pieces = pieces_of(_core.chart_positions(start, end, needs, machine))
    held = [{p for first, size in runs for p in range(first, first + size)} for runs in pieces]
    assert [len(processors) for processors in held] == needs.tolist()
    for instant in range(30):
        running = [held[i] for i in range(len(jobs)) if start[i] <= instant < end[i]]
        in_use = set().union(*running) if running else set()
        assert sum(map(len, running)) == len(in_use)
        if sum(map(len, running)) <= machine and not overbooked(start, end, needs, machine):
            assert all(p < machine for p in in_use)


def overbooked(start: Int64, end: Int64, needs: Int64, machine: int) -> bool:
    """Return whether jobs ever exceed the machine; jobs of length 0 count one at a time."""
    for i in range(len(start)):
        running = (start <= start[i]) & (start[i] < end)
        if needs[running].sum() > machine or needs[i] > machine:
            return True
        before = (start < start[i]) & (start[i] < end)
        if start[i] == end[i] and needs[before].sum() + needs[i] > machine:
            return True
    return False


def placed_one_by_one(start: Int64, end: Int64, needs: Int64, machine: int) -> tuple[Pieces, int]:
    """Place jobs by the rule in chart_positions.hpp; also return the peak number of free gaps."""
    free, most = [(0, machine)], 1
    pieces: Pieces = [[] for _ in start]
    events = sorted(
        [(t, 1, i) for i, t in enumerate(start)] + [(t, 0, i) for i, t in enumerate(end)]
    )
    for _, starts, job in events:
        if not starts:
            merged: list[tuple[int, int]] = []
            for first, size in sorted(free + pieces[job]):
                if merged and sum(merged[-1]) == first:
                    merged[-1] = (merged[-1][0], merged[-1][1] + size)
                else:
                    merged.append((first, size))
            free, most = merged, max(most, len(merged))
            continue
        need = int(needs[job])
        while need > 0:
            holds = [run for run in free if run[1] >= need]
            best = min(holds or free, key=lambda r: (r[1] if holds else -r[1], r[0]))
            free.remove(best)
            used = min(need, best[1])
            if used < best[1]:
                free.append((best[0] + used, best[1] - used))
            pieces[job].append((best[0], used))
            need -= used
        pieces[job].sort()
    return pieces, most


def test_many_free_runs_are_chosen_by_the_same_rule_as_few() -> None:
    # 2,000 jobs fill the machine, and a random half of them end one after another. Wide jobs then
    # take several free gaps each, which are split and joined again.
    draw = np.random.default_rng(7)
    first = draw.integers(1, 9, 2000)
    wide = draw.integers(1, 60, 400)
    needs = np.concatenate((first, wide))
    start = np.concatenate((np.zeros(2000, np.int64), 2000 + np.arange(400)))
    short = draw.random(2000) < 0.5
    ends = np.where(short, draw.permutation(2000) // 2 + 1, 10_000)
    end = np.concatenate((ends, 2000 + np.arange(400) + draw.integers(1, 60, 400)))
    machine = int(first.sum())
    expected, runs = placed_one_by_one(start, end, needs, machine)
    assert runs > 400
    placement = _core.chart_positions(start, end, needs, machine)
    assert pieces_of(placement) == expected
    assert placement.extent == machine
