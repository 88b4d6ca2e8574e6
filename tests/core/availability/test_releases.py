"""The record of future releases of processors, compared with a plain sorted list."""

from __future__ import annotations

import itertools

from hypothesis import given, strategies as st

from slotwise import _core

LENGTHS = st.one_of(st.integers(0, 3), st.integers(0, 5_000), st.integers(0, 10**9))


def reaching(releases: list[tuple[int, int]], processors: int) -> tuple[int, int]:
    released = 0
    for time, together in itertools.groupby(sorted(releases), key=lambda release: release[0]):
        released += sum(count for _, count in together)
        if released >= processors:
            return time, released
    return _core.NEVER, released


@given(
    st.lists(
        st.tuples(st.sampled_from(["add", "add", "remove", "wait"]), LENGTHS, st.integers(1, 50)),
        max_size=100,
    ),
    st.sampled_from([1, 40_000, 10**7]),
    st.data(),
)
def test_every_sum_is_that_of_a_sorted_list(
    steps: list[tuple[str, int, int]], horizon: int, data: st.DataObject
) -> None:
    releases = _core.Releases(0, horizon)
    plain: list[tuple[int, int]] = []
    now = 0
    for step, length, processors in steps:
        if step == "add":
            releases.add(now + length, processors, now)
            plain.append((now + length, processors))
        elif step == "remove" and plain:
            gone = plain.pop(processors % len(plain))
            releases.remove(*gone)
        else:
            now += length  # jobs that should have ended by now are overdue
        need = data.draw(st.integers(1, 1 + sum(count for _, count in plain)))
        assert releases.reaching(need) == reaching(plain, need)
        by = data.draw(st.sampled_from([now, now + length, *(end for end, _ in plain)]))
        assert releases.released_by(by) == sum(count for end, count in plain if end <= by)
