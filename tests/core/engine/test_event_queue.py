"""Jobs leave the event queue in order of their ends; ties are broken by the order of starts."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from slotwise import _core

# Jobs end within one slot of the timing wheel, in other slots, or far beyond the wheel's range.
# With a horizon of 1 s, the wheel covers 4,096 s.
LENGTHS = st.one_of(st.integers(0, 3), st.integers(0, 5_000), st.integers(0, 10**9))
HORIZONS = st.sampled_from([1, 40_000, 10**7])


@given(
    st.lists(st.tuples(st.sampled_from(["push", "push", "pop"]), LENGTHS), max_size=120),
    HORIZONS,
    st.integers(-(2**53), 2**53),
)
def test_jobs_come_by_end_and_by_start(
    steps: list[tuple[str, int]], horizon: int, origin: int
) -> None:
    queue = _core.EventQueue(len(steps), origin, horizon)
    to_come: list[tuple[int, int]] = []
    now = origin
    for job, (step, length) in enumerate(steps):
        if step == "push":
            queue.push(now + length, job, now)
            to_come.append((now + length, job))
        elif to_come:
            now, expected = min(to_come)
            to_come.remove((now, expected))
            assert queue.next == now
            assert queue.pop() == expected
        assert queue.empty == (not to_come)
        assert queue.next == min(to_come, default=(_core.NEVER, 0))[0]


@given(st.lists(LENGTHS, min_size=1, max_size=60), st.data(), HORIZONS)
def test_what_is_removed_does_not_come_and_may_come_again(
    ends: list[int], data: st.DataObject, horizon: int
) -> None:
    queue = _core.EventQueue(len(ends), 0, horizon)
    for job, end in enumerate(ends):
        queue.push(end, job, 0)
    leaving = data.draw(st.lists(st.sampled_from(range(len(ends))), unique=True))
    queue.remove(leaving)
    for job in leaving:
        queue.push(ends[job], job, 0)
    staying = [job for job in range(len(ends)) if job not in leaving]
    # The sort is stable: of the jobs with the same end, those pushed again come last.
    expected = sorted(staying + leaving, key=lambda job: ends[job])
    assert [queue.pop() for _ in ends] == expected


def test_a_wheel_that_has_stood_still_for_a_century_goes_on() -> None:
    queue = _core.EventQueue(3, 0, 1)
    queue.push(10**10, 0, 0)
    queue.push(10**10 + 5_000, 1, 0)
    assert (queue.pop(), queue.next) == (0, 10**10 + 5_000)
    queue.push(10**10 + 1, 2, 10**10)
    assert [queue.pop(), queue.pop()] == [2, 1]


@pytest.mark.parametrize("horizon", [1, 100_000])
def test_ten_thousand_jobs_may_end_at_once(horizon: int) -> None:
    queue = _core.EventQueue(10_000, 0, horizon)
    for job in range(10_000):
        queue.push(3_600, job, 0)
    assert [queue.pop() for _ in range(10_000)] == list(range(10_000))
