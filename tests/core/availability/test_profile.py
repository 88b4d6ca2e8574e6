"""The availability profile, tested against a list with one number per second."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given, settings, strategies as st

from slotwise import _core

PROCESSORS = 8
END = 700  # all spans end by then


class Step(NamedTuple):
    """One step: mark the profile if `mark` is set, advance its origin, then change a span."""

    start: int
    length: int
    change: int
    advance: int
    mark: bool


STEPS = st.lists(
    st.builds(
        Step,
        start=st.integers(0, 400),
        length=st.integers(0, 150),
        change=st.integers(-4, 4).filter(bool),
        advance=st.sampled_from([0, 0, 0, 1, 7]),
        mark=st.booleans(),
    ),
    max_size=150,
)


class Seconds:
    """An availability profile with exact minima, stored as lists with one element per second."""

    def __init__(self) -> None:
        self.origin = 0
        self.value = [PROCESSORS] * END
        self.low = list(self.value)
        self.next_low = list(self.value)

    def add(self, start: int, end: int, change: int) -> None:
        for t in range(start, end):
            self.value[t] += change
            self.low[t] = min(self.low[t], self.value[t])
            self.next_low[t] = min(self.next_low[t], self.value[t])

    def mark(self) -> None:
        self.low = self.next_low
        self.next_low = list(self.value)

    def fits(self, processors: int, start: int, end: int) -> bool:
        return all(v >= processors for v in self.value[start:end])

    def earliest(self, processors: int, duration: int, start: int, period: int) -> int:
        return next(
            t
            for t in range(start, END)
            if t % period == 0 and self.fits(processors, t, t + duration)
        )

    def earlier(self, processors: int, duration: int, before: int) -> int | None:
        """Find the first start that uses a freed span and precedes `before`, the promised start."""
        for t in range(self.origin, before):
            if not self.fits(processors, t, min(t + duration, before)):
                continue
            end = next((x for x in range(t, END) if self.value[x] < processors), END)
            if any(self.low[x] < processors for x in range(t, min(end, before))):
                return t
        return None


def replay(steps: list[Step]) -> tuple[_core.Profile, Seconds]:
    profile, seconds = _core.Profile(PROCESSORS, 0), Seconds()
    for step in steps:
        if step.mark:
            profile.mark()
            seconds.mark()
        seconds.origin += step.advance
        profile.advance(seconds.origin)
        start = max(step.start, seconds.origin)
        profile.add(start, start + step.length, step.change)
        seconds.add(start, start + step.length, step.change)
    return profile, seconds


@given(STEPS)
def test_points_are_the_changes_of_value_from_the_origin_on(steps: list[Step]) -> None:
    profile, seconds = replay(steps)
    changes = [
        (t, seconds.value[t])
        for t in range(seconds.origin, END)
        if t == seconds.origin or seconds.value[t] != seconds.value[t - 1]
    ]
    assert profile.points == changes


@given(
    STEPS, st.integers(1, PROCESSORS), st.integers(1, 120), st.integers(0, 300), st.integers(1, 9)
)
def test_earliest_is_the_first_window_on_the_grid(
    steps: list[Step], processors: int, duration: int, start: int, period: int
) -> None:
    profile, seconds = replay(steps)
    start = max(start, seconds.origin)
    expected = seconds.earliest(processors, duration, start, period)
    assert profile.earliest(processors, duration, start, period=period) == expected


@given(STEPS, st.integers(0, 500), st.integers(1, 150))
def test_least_is_the_smallest_value_of_a_span(steps: list[Step], start: int, length: int) -> None:
    profile, seconds = replay(steps)
    start = max(start, seconds.origin)
    assert profile.least(start, start + length) == min(seconds.value[start : start + length])


@settings(max_examples=300)
@given(STEPS, st.integers(1, PROCESSORS), st.integers(1, 120), st.integers(0, 400))
def test_earlier_misses_no_window_that_opened_and_gives_only_open_ones(
    steps: list[Step], processors: int, duration: int, before: int
) -> None:
    # Neighbouring stretches of a profile merge when their values become equal. The merged stretch
    # keeps the lower of their two recorded minima. A search may then find a window in which nothing
    # was freed, but it never misses a window in which something was freed.
    profile, seconds = replay(steps)
    before = max(before, seconds.origin + 1)
    found = profile.earlier(processors, duration, before)
    opened = seconds.earlier(processors, duration, before)
    if opened is not None:
        assert found is not None
        assert found <= opened
    if found is not None:
        assert seconds.origin <= found < before
        assert seconds.fits(processors, found, min(found + duration, before))


def test_hundreds_of_points_lie_in_blocks_and_join_again() -> None:
    # 150 spans of 1 s, 1 s apart, have 300 points: more than four blocks of 64. Removing the spans
    # leaves one point.
    profile = _core.Profile(PROCESSORS, 0)
    for i in range(150):
        profile.add(1 + 2 * i, 2 + 2 * i, -(1 + i % 3))
    assert len(profile.points) == 301
    assert profile.n_blocks > 4
    assert profile.earliest(PROCESSORS, 2, 0) == 300
    for i in range(150):
        profile.add(1 + 2 * i, 2 + 2 * i, 1 + i % 3)
    assert profile.points == [(0, PROCESSORS)]
    assert profile.n_blocks == 1
