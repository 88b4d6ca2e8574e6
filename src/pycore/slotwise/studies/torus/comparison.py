"""Comparison of two policies on the grid of alpha and beta, seed by seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from slotwise.studies.row import Keys, Row, mean_of
from slotwise.studies.torus.paper import METRICS
from slotwise.studies.torus.replays import Asked, Outcome, improvement, replay_all

if TYPE_CHECKING:
    from slotwise.studies.run import StudyRun
    from slotwise.studies.torus.sites import Words
    from slotwise.studies.torus.workloads import Workload

Grid = Sequence[tuple[int, int]]
"""Pairs of alpha and beta, percent."""


class Pair(NamedTuple):
    """Outcomes of one cell for every seed, under each of the two policies."""

    ours: Sequence[Outcome]
    other: Sequence[Outcome]

    def improvements(self, metric: str) -> list[float]:
        """Return the improvement for each seed, in percent."""
        return [improvement(metric, *both) for both in zip(self.ours, self.other, strict=True)]

    def of_utilisation(self) -> dict[str, float]:
        """Return further comparisons of utilisation, averaged over the seeds.

        ``points`` is the improvement in percentage points. ``work_as_logged`` is the relative
        improvement if utilisation counts every job's work as logged. It then depends only on the
        time from the first submit time to the last end.
        """
        both = list(zip(self.ours, self.other, strict=True))
        return {
            "points": mean_of([ours.utilisation - other.utilisation for ours, other in both]),
            "work_as_logged": mean_of([100 * (other.span / ours.span - 1) for ours, other in both]),
        }


class Contest(NamedTuple):
    """Two ways to replay a workload: each has the keywords of a policy, and may change the site."""

    ours: Words
    other: Words
    our_site: Words | None = None
    other_site: Words | None = None


def compare(
    run: StudyRun, workload: Workload, contests: Mapping[str, Contest], grid: Grid
) -> dict[tuple[str, int, int], Pair]:
    """Replay both policies of every contest in one batch, for all grid points and seeds.

    Returns
    -------
    dict of (contest, alpha, beta) to Pair
    """
    asked: list[Asked] = []
    for contest in contests.values():
        for alpha, beta in grid:
            for seed in run.seeds:
                asked.append(Asked(contest.ours, alpha, beta, seed, contest.our_site))
                asked.append(Asked(contest.other, alpha, beta, seed, contest.other_site))
    outcomes = iter(replay_all(run, workload, asked))
    pairs = {}
    for name in contests:
        for alpha, beta in grid:
            both = [(next(outcomes), next(outcomes)) for _ in run.seeds]
            pairs[name, alpha, beta] = Pair([o for o, _ in both], [o for _, o in both])
    return pairs


def rows_of(
    table: str,
    keys: Keys,
    pair: Pair,
    metrics: Iterable[str] = METRICS,
    paper: float | None = None,
) -> list[Row]:
    """Return one row per metric for the improvements in one cell.

    The row of the utilisation also has the figures of `Pair.of_utilisation`.
    """
    rows = []
    for metric in metrics:
        more = pair.of_utilisation() if metric == "utilisation" else {}
        named = {"metric": metric, **keys}
        rows.append(Row.of_seeds(table, named, pair.improvements(metric), paper, **more))
    return rows
