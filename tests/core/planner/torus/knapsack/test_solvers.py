"""Solvers of the `window` backfill: examples from the paper, and comparisons with exact solvers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

import slotwise as sw
from reference import knapsack as reference
from slotwise import _core

FIGURE_4 = ([6, 4, 3, 1, 2], [3, 6, 6])  # jobs A to E; slots 1-3, 6-11 and 15-20 of 20 nodes

SIZES = st.lists(st.integers(1, 12), min_size=1, max_size=6)
CAPACITIES = st.lists(st.integers(1, 15), max_size=5)


def filled(sizes: list[int], slot_of: list[int]) -> int:
    return sum(size for size, slot in zip(sizes, slot_of, strict=True) if slot >= 0)


def obeys(sizes: list[int], capacities: list[int], slot_of: list[int]) -> bool:
    used = np.zeros(len(capacities), dtype=int)
    for size, slot in zip(sizes, slot_of, strict=True):
        if slot >= 0:
            used[slot] += size
    return bool((used <= capacities).all())


def most_by_highs(sizes: list[int], capacities: list[int]) -> int:
    """Solve the 0-1 multiple knapsack of section III.A, equations 1 to 4, with HiGHS."""
    n, m = len(sizes), len(capacities)
    weights = np.tile(sizes, m)  # x[slot * n + job]
    in_slot = np.kron(np.eye(m), np.array(sizes))
    of_job = np.tile(np.eye(n), m)
    found = milp(
        -weights,
        integrality=np.ones(n * m),
        bounds=Bounds(0, 1),
        constraints=[LinearConstraint(in_slot, ub=capacities), LinearConstraint(of_job, ub=1)],
    )
    most: float = -found.fun
    return round(most)


def test_branch_and_bound_gives_the_allocation_of_figure_4() -> None:
    a, b, c, d, e = sw.fill_slots(*FIGURE_4, solver="branch-and-bound")
    assert (a, b, c, d, e) == (1, 2, 0, -1, 2)  # slots from 1: A in 2, B and E in 3, C in 1


def test_greedy_fills_14_14_then_15_nodes_of_figure_4() -> None:
    # C goes into slot 0, A into 1, B and D into 2. Swapping two jobs never makes room for E (size
    # 2), because a swap frees at most one node in a slot. If E replaces D, it fills the last node.
    sizes, capacities = (np.array(values, dtype=np.int32) for values in FIGURE_4)
    assert _core.greedy_totals(sizes, capacities) == [14, 14, 15]
    assert sw.fill_slots(*FIGURE_4, solver="greedy").tolist() == [1, 2, 0, -1, 2]


def test_the_decision_tree_ends_where_all_jobs_have_a_place_and_no_room_is_idle() -> None:
    # Figure 3 has two slots and three jobs; the text gives only the sizes j1 = 2 and k1 = 5. With
    # j1 in k1, two candidates are found. In the second, all jobs are placed and no node is idle, so
    # neither placing j1 in k2 nor leaving out j2 is tried. The sizes j = (2, 2, 3) and k = (5, 2)
    # are consistent with this. With j2 in k1, j3 does not fit. With j2 in k2, 3 nodes are left for
    # j3.
    sizes, capacities = [2, 2, 3], [5, 2]
    search = reference.DepthFirst(sizes, list(capacities))
    assert search.run() == [0, 1, 0]
    assert search.candidates == [[0, 0, -1], [0, 1, 0]]
    assert sw.fill_slots(sizes, capacities).tolist() == [0, 1, 0]


@settings(max_examples=400)
@given(SIZES, CAPACITIES)
def test_branch_and_bound_finds_the_first_optimum_of_the_search(
    sizes: list[int], capacities: list[int]
) -> None:
    expected = reference.branch_and_bound(sizes, capacities)
    assert sw.fill_slots(sizes, capacities, slots="all").tolist() == expected


@settings(max_examples=400)
@given(st.lists(st.integers(1, 12), max_size=10), CAPACITIES)
def test_greedy_fills_and_sweeps_as_the_words_say(sizes: list[int], capacities: list[int]) -> None:
    words = reference.Greedy(sizes, list(capacities))
    assert sw.fill_slots(sizes, capacities, solver="greedy", slots="all").tolist() == words.run()
    columns = [np.array(values, dtype=np.int32) for values in (sizes, capacities)]
    assert _core.greedy_totals(*columns) == words.totals


@settings(max_examples=200)
@given(SIZES, st.lists(st.integers(1, 15), max_size=12))
def test_of_the_slots_the_largest_take_part_as_many_as_there_are_jobs(
    sizes: list[int], capacities: list[int]
) -> None:
    kept = reference.largest(capacities, len(sizes))
    for solver, solve in reference.SOLVERS.items():
        among = solve(sizes, [capacities[slot] for slot in kept])
        expected = [kept[slot] if slot >= 0 else -1 for slot in among]
        assert sw.fill_slots(sizes, capacities, solver=solver).tolist() == expected


@pytest.mark.parametrize(("n", "times"), [(8, 40), (12, 20)])
@pytest.mark.parametrize("widest", [9, 60])
def test_no_solver_fills_more_than_branch_and_bound(n: int, times: int, widest: int) -> None:
    random = np.random.default_rng(n * widest)
    for _ in range(times):
        sizes = random.integers(1, widest, n).tolist()
        capacities = random.integers(1, 2 * widest, random.integers(1, n)).tolist()
        exact = sw.fill_slots(sizes, capacities, slots="all").tolist()
        quick = sw.fill_slots(sizes, capacities, solver="greedy", slots="all").tolist()
        assert obeys(sizes, capacities, exact)
        assert obeys(sizes, capacities, quick)
        most = most_by_highs(sizes, capacities)
        assert filled(sizes, exact) == most
        assert filled(sizes, quick) <= most


def test_a_window_of_20_jobs_is_solved_exactly() -> None:
    # Jobs of any size on 6 slots: the solution is as good as that of HiGHS.
    random = np.random.default_rng(20)
    for _ in range(5):
        sizes = np.exp2(random.uniform(0, 9, 20)).astype(int).tolist()
        capacities = np.exp2(random.uniform(3, 9, 6)).astype(int).tolist()
        exact = sw.fill_slots(sizes, capacities, slots="all").tolist()
        assert obeys(sizes, capacities, exact)
        assert filled(sizes, exact) == most_by_highs(sizes, capacities)


def test_the_first_optimum_among_slots_that_are_not_the_largest() -> None:
    # There are three jobs of 2 nodes, and slots of 2, 9, 2, 2 and 2 nodes. The first two slots can
    # hold all jobs.
    assert sw.fill_slots([2, 2, 2], [2, 9, 2, 2, 2], slots="all").tolist() == [0, 1, 1]


@pytest.mark.parametrize("solver", ["branch-and-bound", "greedy"])
@pytest.mark.parametrize(
    ("sizes", "capacities", "expected"),
    [
        ([], [], []),
        ([3], [], [-1]),
        ([], [3], []),
        ([7, 2], [3], [-1, 0]),  # a job too large for every slot waits
        ([2**31 - 1, 2**31 - 1], [2**31 - 1], [0, -1]),
    ],
)
def test_a_job_without_a_slot_waits(
    solver: str, sizes: list[int], capacities: list[int], expected: list[int]
) -> None:
    assert sw.fill_slots(sizes, capacities, solver=solver).tolist() == expected


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"solver": "best"}, "unknown solver 'best'; choose one of branch-and-bound, greedy"),
        ({"slots": "some"}, "unknown slots 'some'; choose one of largest, all"),
        ({"sizes": [2, 0]}, r"sizes \[2, 0\]: .* between 1 and"),
        ({"capacities": [1.5]}, r"capacities \[1.5\]: .* whole number"),
        ({"capacities": [[1]]}, "capacities has 2 dimensions"),
    ],
)
def test_an_invalid_instance_is_refused(change: dict[str, object], message: str) -> None:
    given_all: dict[str, object] = {"sizes": [1], "capacities": [1], **change}
    with pytest.raises(ValueError, match=message):
        sw.fill_slots(**given_all)  # type: ignore[arg-type]
