"""Additions to the paper: whole logs, other windows, orders, shapes and allocations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.studies.row import Keys, Row
from slotwise.studies.torus.comparison import Contest, Pair, compare, rows_of
from slotwise.studies.torus.paper import SOLVERS
from slotwise.studies.torus.replays import Asked, replay_all
from slotwise.studies.torus.sites import DEFAULT, window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.studies.run import StudyRun
    from slotwise.studies.torus.workloads import Workload

MIDDLE = (30, 30)
"""Alpha and beta, in percent, for comparisons that replay only one pair."""

STRONG = (50, 50)
"""Increase of run time on scattered nodes, and share of sensitive jobs, both in percent."""

ALLOCATIONS = ("contiguous", "contiguous-best", "contiguous-worst", "least-spread")
ORDERS = ("hilbert", "snake", "row")


def window_size_rows(
    run: StudyRun, workloads: Sequence[Workload], sizes: Sequence[int]
) -> list[Row]:
    """Compare windows of other sizes with FCFS + EASY."""
    contests = {
        (solver, behind, size): Contest(
            window(solver, backfilling=behind == "yes", window=size), DEFAULT
        )
        for solver in SOLVERS
        for behind in ("no", "yes")
        for size in sizes
    }
    rows = []
    for workload in workloads:
        named = {" ".join(map(str, name)): contest for name, contest in contests.items()}
        pairs = compare(run, workload, named, [MIDDLE])
        for solver, behind, size in contests:
            pair = pairs[f"{solver} {behind} {size}", *MIDDLE]
            keys: Keys = {
                "trace": workload.name, "solver": solver, "backfilling": behind, "window": size,
            }  # fmt: skip
            rows += rows_of("window sizes", keys, pair)
    return rows


def whole_log_rows(run: StudyRun, workloads: Sequence[Workload]) -> list[Row]:
    """Compare the window with FCFS + EASY on whole logs."""
    rows = []
    for workload in workloads:
        contests = {
            f"{solver} {behind}": Contest(window(solver, backfilling=behind == "yes"), DEFAULT)
            for solver in SOLVERS
            for behind in ("no", "yes")
        }
        for (contest, alpha, beta), pair in compare(run, workload, contests, [MIDDLE]).items():
            solver, behind = contest.rsplit(" ", 1)
            keys: Keys = {
                "trace": workload.name, "solver": solver, "backfilling": behind,
                "beta": beta, "alpha": alpha,
            }  # fmt: skip
            rows += rows_of("whole logs", keys, pair)
    return rows


def allocation_rows(run: StudyRun, workloads: Sequence[Workload]) -> list[Row]:
    """Compare four allocation rules with `first`, under FCFS + EASY."""
    rows = []
    for workload in workloads:
        contests = {name: Contest({**DEFAULT, "allocation": name}, DEFAULT) for name in ALLOCATIONS}
        for (allocation, alpha, beta), pair in compare(run, workload, contests, [MIDDLE]).items():
            keys: Keys = {
                "trace": workload.name, "allocation": allocation, "beta": beta, "alpha": alpha,
            }  # fmt: skip
            rows += rows_of("allocations", keys, pair)
    return rows


def order_rows(run: StudyRun, workload: Workload, shapes: Sequence[tuple[int, ...]]) -> list[Row]:
    """Compare node orders and shapes of the torus when run times grow with distance.

    Contiguity is defined by the order, so Tables I to VI are the same for every order and shape.
    Orders differ in how close together the nodes of an interval are, and therefore in run times
    that depend on distance. Rows contain the mean distance in hops, and the improvement in response
    in percent over FCFS + EASY on the first free nodes under the same order. No job can run longer
    than its estimate. The improvement is therefore omitted if all jobs use their whole estimates,
    because then no run time can grow.
    """
    can_grow = bool((workload.trace.requested_time > workload.trace.run_time).any())
    policies = {
        "FCFS + EASY": DEFAULT,
        "FCFS + EASY, least spread": {**DEFAULT, "allocation": "least-spread"},
        **{f"window, {solver}": window(solver, backfilling=True) for solver in SOLVERS},
    }
    places = [(shape, order) for shape in shapes for order in ORDERS]
    asked = {
        (name, *place): [
            Asked(
                policy,
                *STRONG,
                seed,
                {"order": place[1], "shape": list(place[0])},
                smooth=True,
            )
            for seed in run.seeds
        ]
        for name, policy in policies.items()
        for place in places
    }
    outcomes = iter(replay_all(run, workload, [each for seeds in asked.values() for each in seeds]))
    found = {key: [next(outcomes) for _ in seeds] for key, seeds in asked.items()}
    rows = []
    for (name, shape, order), ours in found.items():
        keys: Keys = {
            "trace": workload.name, "policy": name, "shape": "×".join(map(str, shape)),
            "order": order,
        }  # fmt: skip
        distance = [outcome.distance for outcome in ours]
        rows.append(Row.of_seeds("orders and shapes", {"metric": "distance", **keys}, distance))
        if can_grow and name != "FCFS + EASY":
            pair = Pair(ours, found["FCFS + EASY", shape, order])
            rows += rows_of("orders and shapes", keys, pair, ["response"])
    return rows
