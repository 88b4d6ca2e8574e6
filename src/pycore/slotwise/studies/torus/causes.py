"""Causes of the differences from the paper's figures: one change at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.studies.row import Keys, Row, mean_of
from slotwise.studies.torus.comparison import Contest, Pair, compare, rows_of
from slotwise.studies.torus.replays import Asked, replay_all
from slotwise.studies.torus.sites import DEFAULT, window

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slotwise.studies.run import StudyRun
    from slotwise.studies.torus.workloads import Workload

CORNERS = [(0, 0), (10, 10), (50, 50)]
SOLVER = "greedy"
"""The solver of every comparison here; the other solver gives almost the same figures."""

_PLAIN: Mapping[str, object] = {"passes": DEFAULT["passes"], "allocation": "first"}

READINGS: Mapping[str, Contest] = {
    "as in Tables I to VI": Contest(window(SOLVER), DEFAULT),
    "window slides until nothing starts": Contest(window(SOLVER, refill=True), DEFAULT),
    "all slots take part": Contest(window(SOLVER, slots="all"), DEFAULT),
    "passes at each event": Contest(
        window(SOLVER, refill=True, passes="per-instant"), {**DEFAULT, "passes": "per-instant"}
    ),
    "jobs behind the window start": Contest(window(SOLVER, beyond_window=True), DEFAULT),
    "nodes reserved after an hour": Contest(window(SOLVER, age_limit=3600), DEFAULT),
    'both, as under "with backfilling"': Contest(window(SOLVER, backfilling=True), DEFAULT),
    "window of 20 jobs": Contest(window(SOLVER, window=20), DEFAULT),
    "against FCFS without backfilling": Contest(window(SOLVER), {**_PLAIN, "backfill": "none"}),
    "against contiguous EASY": Contest(window(SOLVER), {**DEFAULT, "allocation": "contiguous"}),
}
"""One interpretation for each point that the paper leaves open."""


def reading_rows(run: StudyRun, workloads: Sequence[Workload]) -> list[Row]:
    """Compare the policies under every reading of the paper, at three pairs of alpha and beta.

    In the last two readings, no run time is shortened under the default scheduler, even if the
    nodes of a job are contiguous.
    """
    rows = []
    for workload in workloads:
        pairs = compare(run, workload, READINGS, CORNERS)
        plain = replay_all(run, workload, [Asked(DEFAULT, 0, 0, seed) for seed in run.seeds])
        for alpha, beta in CORNERS:
            found = {name: pairs[name, alpha, beta] for name in READINGS}
            for name in ("as in Tables I to VI", 'both, as under "with backfilling"'):
                title = f"{name}, FCFS + EASY never contiguous"
                found[title] = Pair(found[name].ours, plain)
            for name, pair in found.items():
                keys: Keys = {"trace": workload.name, "reading": name, "beta": beta, "alpha": alpha}
                rows += rows_of("readings", keys, pair)
    return rows


def load_rows(run: StudyRun, workloads: Sequence[Workload], loads: Sequence[float]) -> list[Row]:
    """Compare the policies with arrivals scaled to other loads."""
    contests = {
        "no": Contest(window(SOLVER), DEFAULT),
        "yes": Contest(window(SOLVER, backfilling=True), DEFAULT),
    }
    rows = []
    for workload in workloads:
        for load in loads:
            pairs = compare(run, workload.at_load(load), contests, CORNERS)
            for (behind, alpha, beta), pair in pairs.items():
                keys: Keys = {
                    "trace": workload.name, "backfilling": behind, "beta": beta, "alpha": alpha,
                    "load": load,
                }  # fmt: skip
                rows += rows_of("loads", keys, pair)
    return rows


def width_rows(run: StudyRun, workloads: Sequence[Workload]) -> list[Row]:
    """Return by what percentage the widest tenth of the jobs waits longer than under FCFS + EASY.

    The paper says that holding back jobs too large for any slot prolongs their waits by less
    than 10 %.
    """
    contests = {
        "no": Contest(window(SOLVER), DEFAULT),
        "yes": Contest(window(SOLVER, backfilling=True), DEFAULT),
    }
    rows = []
    for workload in workloads:
        for (behind, alpha, beta), pair in compare(run, workload, contests, CORNERS).items():
            longer = [
                100 * (ours.wide_wait / other.wide_wait - 1)
                for ours, other in zip(pair.ours, pair.other, strict=True)
            ]
            keys: Keys = {
                "metric": "wait", "trace": workload.name, "backfilling": behind,
                "beta": beta, "alpha": alpha,
            }  # fmt: skip
            contiguous = {
                "contiguous": mean_of([outcome.contiguous for outcome in pair.ours]),
                "contiguous_default": mean_of([outcome.contiguous for outcome in pair.other]),
            }
            rows.append(Row.of_seeds("widest jobs", keys, longer, **contiguous))
    return rows
