"""The `window` backfill on a row of nodes, in the reference simulator and in the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import slotwise as sw
from reference import Job
from reference.window import WindowPolicy, simulate_window
from reference.workloads import Workload

Rows = list[tuple[int, int, int]]  # submit, run time (also the request), nodes
Placed = list[tuple[int, int | None]]  # start, first node
Replay = Callable[..., Placed]


@pytest.fixture(params=["oracle", "core"])
def placed(request: pytest.FixtureRequest) -> Replay:
    """Return a function that gives the start and first node of each job on a row of nodes."""

    def replay(rows: Rows, nodes: int, **policy: Any) -> Placed:
        jobs = tuple(Job(at, s, run, run, n) for at, (s, run, n) in enumerate(rows))
        if request.param == "oracle":
            outcomes, runs = simulate_window(jobs, nodes, 1, WindowPolicy(**policy))
            return [(o.start, runs.get(at, (None,))[0]) for at, o in enumerate(outcomes)]
        site = sw.Site(
            machine=sw.Torus((nodes,), order="row"),
            policy=sw.Policy(backfill="window", **policy),
        )
        result = sw.simulate(Workload(nodes, jobs).trace(), site)
        begins = [result.nodes(row)[0, 0].item() for row in range(len(rows))]
        return list(zip(result.start.tolist(), begins, strict=True))

    return replay


# Five jobs fill 20 nodes. At 10, three of them end; the others hold nodes 4, 5 and 12 to 14, if
# nodes are numbered from 1.
BUSY: Rows = [(0, 10, 3), (0, 99, 2), (0, 10, 6), (0, 99, 3), (0, 10, 6)]
A_TO_E: Rows = [(1, 50, 6), (1, 50, 4), (1, 50, 3), (1, 50, 1), (1, 50, 2)]


@pytest.mark.parametrize("solver", ["branch-and-bound", "greedy"])
def test_figure_4_places_a_b_c_and_e(placed: Replay, solver: str) -> None:
    # If nodes are numbered from 1, A is on 6-11, B on 15-18, C on 1-3, and E on 19-20; the test
    # numbers them from 0. D waits until these jobs end, and is then alone in the window. It takes
    # the lower of the two largest slots, which have 6 nodes.
    found = placed(BUSY + A_TO_E, 20, solver=solver)
    assert found[5:] == [(10, 5), (10, 14), (10, 0), (60, 5), (10, 18)]


def test_a_job_too_large_for_every_slot_keeps_its_place_in_the_window(placed: Replay) -> None:
    # Nodes 0-5 are busy until 10, and 6-9 are free. In a window of two, the job on 8 nodes occupies
    # one place. The four jobs on 1 node use the other place, one after another, and all start at 1.
    rows = [(0, 10, 6), (1, 5, 8), (1, 5, 1), (1, 5, 1), (1, 5, 1), (1, 5, 1)]
    found = placed(rows, 10, window=2)
    assert found[1:] == [(10, 0), (1, 6), (1, 7), (1, 8), (1, 9)]
    assert placed(rows, 10, window=1)[1:] == [(10, 0), (10, 8), (10, 9), (15, 0), (15, 1)]


def test_without_refill_a_pass_solves_one_window(placed: Replay) -> None:
    # Six one-node jobs arrive at 0. Every 30 s, one pass solves a window of two jobs.
    rows = [(0, 500, 1)] * 6
    starts = [start for start, _ in placed(rows, 10, window=2, passes="30s")]
    assert starts == [0, 0, 30, 30, 60, 60]
    refilled = [start for start, _ in placed(rows, 10, window=2, passes="30s", refill=True)]
    assert refilled == [0] * 6


def test_as_many_slots_take_part_as_there_are_jobs_the_largest(placed: Replay) -> None:
    # At 10, nodes 0-1, 4-6 and 9-13 are free. One job on 2 nodes waits, so only the largest slot is
    # filled.
    rows = [(0, 10, 2), (0, 99, 2), (0, 10, 3), (0, 99, 2), (0, 10, 5), (1, 5, 2)]
    assert placed(rows, 14, slots="largest")[-1] == (10, 9)
    assert placed(rows, 14, slots="all")[-1] == (10, 0)


def test_narrow_jobs_starve_a_wide_one_until_it_is_of_age(placed: Replay) -> None:
    # The jobs on 5 nodes overlap, so the second job does not find 10 free nodes in a row until 48.
    # With an age limit of 20 s, it is of age at 21. Running jobs end at 24 and 30, so all nodes are
    # reserved for it from 30 onwards. At 24, the job of 24 s could not end by 30, but the job of
    # 6 s can.
    rows = [(0, 8, 5), (1, 5, 10), (2, 12, 5), (8, 16, 5), (14, 16, 5), (22, 24, 5), (23, 6, 5)]
    assert [start for start, _ in placed(rows, 10)] == [0, 48, 2, 8, 14, 24, 30]
    aged = placed(rows, 10, age_limit=20)
    assert [start for start, _ in aged] == [0, 30, 2, 8, 14, 35, 24]


def test_the_age_limit_is_an_instant_of_its_own(placed: Replay) -> None:
    # Each pass solves one window of two jobs. From 1 to 99 no job ends or arrives, but at 5 the two
    # jobs in the window reach the age limit.
    rows = [(0, 100, 1)] * 6
    policy = {"window": 2, "refill": False}
    assert [start for start, _ in placed(rows, 10, **policy)] == [0, 0, 100, 100, 200, 200]
    aged = placed(rows, 10, age_limit=5, **policy)
    assert [start for start, _ in aged] == [0, 0, 5, 5, 100, 100]


def test_jobs_behind_the_window_start_where_they_fit_if_asked(placed: Replay) -> None:
    # 4 nodes are free beside a job of 6. The window holds one job of 8 nodes, which starts at 10;
    # jobs of 5, 3 and 1 wait behind it.
    rows = [(0, 10, 6), (1, 5, 8), (1, 5, 5), (1, 5, 3), (1, 5, 1)]
    assert placed(rows, 10, window=1)[2:] == [(15, 0), (15, 5), (15, 8)]
    assert placed(rows, 10, window=1, beyond_window=True)[2:] == [(15, 0), (1, 6), (1, 9)]
