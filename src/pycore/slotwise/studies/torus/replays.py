"""Replays of a workload, and the improvement of one replay over another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import mean_distances
from slotwise.simulation import simulate
from slotwise.site.machine.torus import Torus
from slotwise.site.parts import PlacementEffect
from slotwise.studies.torus.sites import torus_site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.result import Result
    from slotwise.studies.run import StudyRun
    from slotwise.studies.torus.sites import Words
    from slotwise.studies.torus.workloads import Workload

_WIDE = 0.1
"""Share of the jobs, widest first, whose wait is reported separately."""


@dataclass(frozen=True)
class Asked:
    """One replay: a policy, and how contiguity changes run times.

    Attributes
    ----------
    policy : mapping
        Keywords of a `Policy`.
    alpha, beta : int, percent
        Reduction of a sensitive job's run time on contiguous nodes, and share of sensitive jobs.
    seed : int
        Seed that selects the sensitive jobs.
    site : mapping
        Changes to the workload's torus: ``order``, ``shape``.
    smooth : bool
        If True, alpha is instead the increase of a sensitive job's run time on randomly scattered
        nodes; on closer nodes, the increase is proportionally smaller (`PlacementEffect.gamma`).
    """

    policy: Words
    alpha: int
    beta: int
    seed: int
    site: Words | None = None
    smooth: bool = False

    def cell(self) -> dict[str, Any]:
        """Return the keywords of `replay`."""
        return {
            "policy": dict(self.policy), "alpha": self.alpha, "beta": self.beta,
            "seed": self.seed, "site": dict(self.site or {}), "smooth": self.smooth,
        }  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """Figures of one replay.

    Attributes
    ----------
    utilisation : float, percent
        Equation 11 of the paper, in nodes, from the first submit time to the last end.
    span : float, seconds
        From the first submit time to the last end.
    wait, response : float, seconds
        Means over the jobs that started.
    contiguous : float, percent
        Share of the started jobs that ran on contiguous nodes.
    wide_wait : float, seconds
        Mean wait of the widest tenth of the started jobs.
    distance : float, hops
        Mean torus distance between the nodes of a job, averaged over the jobs of more than one
        node; NaN unless run times grow with distance.
    """

    utilisation: float
    span: float
    wait: float
    response: float
    contiguous: float
    wide_wait: float
    distance: float


def replay_all(run: StudyRun, workload: Workload, asked: Sequence[Asked]) -> list[Outcome]:
    """Run each replay in `asked` on a workload; equal ones run only once."""
    found = run.map(
        f"replays of {workload.name}",
        partial(replay, workload),
        [each.cell() for each in asked],
        inputs=f"{workload.trace.replay_hash} {workload.shape} {workload.processors_per_node}",
    )
    return [Outcome(**values) for values in found]


def replay(
    workload: Workload,
    policy: Words,
    alpha: int,
    beta: int,
    seed: int,
    site: Words,
    smooth: bool,
) -> dict[str, float]:
    """Replay a workload; return the fields of `Outcome`."""
    effect = PlacementEffect()
    if alpha:
        strength = {"gamma" if smooth else "alpha": alpha / 100}
        effect = PlacementEffect(**strength, beta=beta / 100, seed=seed)
    result = simulate(workload.trace, torus_site(workload, policy, site, effect))
    pieces = result.schedule.node_columns()[0]
    started = result.start >= 0
    nodes = workload.nodes[started]
    run_time = (result.end - result.start)[started]
    wait = result.wait[started]
    span = int(result.end.max()) - int(workload.trace.submit[0])
    widest = np.argsort(-nodes, kind="stable")[: max(1, int(_WIDE * len(nodes)))]
    return {
        "utilisation": float(100 * (run_time * nodes).sum() / (workload.n_nodes * span)),
        "span": float(span),
        "wait": float(wait.mean()),
        "response": float((wait + run_time).mean()),
        "contiguous": float(100 * (pieces[started] == 1).mean()),
        "wide_wait": float(wait[widest].mean()),
        "distance": mean_distance(result, started & (workload.nodes > 1)) if smooth else np.nan,
    }


def mean_distance(result: Result, among: NDArray[np.bool_]) -> float:
    """Return the mean torus distance between a job's nodes, averaged over the jobs in `among`."""
    machine = result.site.machine
    assert isinstance(machine, Torus)
    distances = mean_distances(result.schedule, machine._core)
    return float(distances[among].mean()) if among.any() else float("nan")


def improvement(metric: str, ours: Outcome, other: Outcome) -> float:
    """Return the relative improvement in percent, positive if ours is better.

    Utilisation is better if larger, wait and response if smaller.
    """
    here, there = getattr(ours, metric), getattr(other, metric)
    if there == 0:
        return 0.0 if here == 0 else float("nan")
    change = 100 * (here - there) / there
    return float(change if metric == "utilisation" else -change)
