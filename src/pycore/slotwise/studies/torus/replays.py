"""Replays of a workload, each a cell, and how much better one is than another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import mean_distances
from slotwise.simulation import simulate
from slotwise.site.parts import PlacementEffect
from slotwise.site.torus import Torus
from slotwise.studies.torus.sites import torus_site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.result import Result
    from slotwise.studies.run import StudyRun
    from slotwise.studies.torus.sites import Words
    from slotwise.studies.torus.workloads import Workload

_WIDE = 0.1
"""Share of the jobs, widest first, whose wait is told apart."""


@dataclass(frozen=True)
class Asked:
    """One replay: a policy, and how contiguity changes run times.

    Attributes
    ----------
    policy : mapping
        Keywords of a `Policy`.
    alpha, beta : int, percent
        How much shorter a sensitive job runs on one interval of nodes; how many jobs are sensitive.
    seed : int
        Which these are.
    site : mapping
        What is different from the workload's torus: ``order``, ``shape``.
    smooth : bool
        Alpha is how much longer a sensitive job runs scattered at random over the machine, in
        between in proportion (`PlacementEffect.gamma`), and not the saving on one interval.
    """

    policy: Words
    alpha: int
    beta: int
    seed: int
    site: Words | None = None
    smooth: bool = False

    def cell(self) -> dict[str, Any]:
        """Return the replay as the keywords of `replay`."""
        return {
            "policy": dict(self.policy), "alpha": self.alpha, "beta": self.beta,
            "seed": self.seed, "site": dict(self.site or {}), "smooth": self.smooth,
        }  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What one replay came to.

    Attributes
    ----------
    utilisation : float, percent
        Equation 11 of the paper, in nodes: from the first submit to the last end.
    span : float, seconds
        From the first submit to the last end.
    wait, response : float, seconds
        Means over the jobs that started.
    contiguous : float, percent
        Of these jobs, those on one interval of nodes.
    wide_wait : float, seconds
        Mean wait of the widest tenth of the jobs.
    distance : float, hops
        Mean over the jobs of more than one node of the mean torus distance between their nodes;
        NaN but where run times grow with it.
    """

    utilisation: float
    span: float
    wait: float
    response: float
    contiguous: float
    wide_wait: float
    distance: float


def replay_all(run: StudyRun, workload: Workload, asked: Sequence[Asked]) -> list[Outcome]:
    """Replay a workload once for each that is asked for, at most once each."""
    found = run.map(
        f"replays of {workload.name}",
        partial(replay, workload),
        [each.cell() for each in asked],
        inputs=f"{workload.trace.content_hash} {workload.shape} {workload.processors_per_node}",
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
    """Replay a workload; the fields of `Outcome`."""
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
    """Return the mean, over some of the jobs, of the mean torus distance between their nodes."""
    machine = result.site.machine
    assert isinstance(machine, Torus)
    distances = mean_distances(result.schedule, machine._core)
    return float(distances[among].mean()) if among.any() else float("nan")


def improvement(metric: str, ours: Outcome, other: Outcome) -> float:
    """Return the relative improvement in percent, positive where ours is better.

    Utilisation is better where it is larger, wait and response where they are smaller.
    """
    here, there = getattr(ours, metric), getattr(other, metric)
    if there == 0:
        return 0.0 if here == 0 else float("nan")
    change = 100 * (here - there) / there
    return float(change if metric == "utilisation" else -change)
