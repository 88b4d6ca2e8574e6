"""Replays of a workload, each a cell, and how much better one is than another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import mean_distances
from slotwise.simulation import simulate
from slotwise.site import Site
from slotwise.site.parts import PlacementEffect
from slotwise.site.policy import Policy
from slotwise.site.torus import Torus
from slotwise.studies.torus.paper import PERIOD, WINDOW

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.result import Result
    from slotwise.studies.run import StudyRun
    from slotwise.studies.torus.workloads import Workload

Words = Mapping[str, Any]
"""Keywords of a `Policy`, as JSON holds them."""

DEFAULT: Words = {"backfill": "easy", "allocation": "first", "passes": PERIOD}
"""The paper's default scheduler: FCFS + EASY on the first free nodes of the list."""

BACKFILLING: Words = {"beyond_window": True, "age_limit": 3600}
"""What a window needs to be compared with EASY on equal terms: the paper names neither."""

_WIDE = 0.1
"""Share of the jobs, widest first, whose wait is told apart."""


def window(solver: str, *, backfilling: bool = False, **changes: Any) -> Words:
    """Return the words of the paper's window policy: periodic, five jobs, once a pass.

    With `backfilling`, jobs behind the window start where they fit, and a job of the window that
    has waited for an hour has nodes reserved.
    """
    paper = {"backfill": "window", "window": WINDOW, "solver": solver, "refill": False}
    return {**paper, "passes": PERIOD, **(BACKFILLING if backfilling else {}), **changes}


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
    machine = Torus(
        site.get("shape", workload.shape),
        order=site.get("order", "hilbert"),
        processors_per_node=workload.processors_per_node,
    )
    effect = PlacementEffect()
    if alpha:
        strength = {"gamma" if smooth else "alpha": alpha / 100}
        effect = PlacementEffect(**strength, beta=beta / 100, seed=seed)
    asked = Site(machine=machine, policy=Policy(**policy), placement=effect)
    result = simulate(workload.trace, asked)
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
