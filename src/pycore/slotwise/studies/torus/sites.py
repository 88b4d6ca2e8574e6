"""Sites of the study: a torus under FCFS + EASY, or under a window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from slotwise.site import Site
from slotwise.site.machine.torus import Torus
from slotwise.site.policy import Policy
from slotwise.studies.torus.paper import PERIOD, WINDOW

if TYPE_CHECKING:
    from slotwise.site.parts import PlacementEffect
    from slotwise.studies.torus.workloads import Workload

Words = Mapping[str, Any]
"""Keywords of a `Policy`, as values that JSON can represent."""

DEFAULT: Words = {"backfill": "easy", "allocation": "first", "passes": PERIOD}
"""The paper's default scheduler: FCFS + EASY on the first free nodes of the list."""

BACKFILLING: Words = {"beyond_window": True, "age_limit": 3600}
"""Additions that make a window comparable with EASY; the paper mentions neither."""


def window(solver: str, *, backfilling: bool = False, **changes: Any) -> Words:
    """Return the keywords of the paper's policy: each periodic pass packs one window of five jobs.

    With `backfilling`, jobs behind the window start if they fit, and nodes are reserved for a
    window job that has waited for an hour.
    """
    paper = {"backfill": "window", "window": WINDOW, "solver": solver, "refill": False}
    return {**paper, "passes": PERIOD, **(BACKFILLING if backfilling else {}), **changes}


def torus_site(workload: Workload, policy: Words, site: Words, effect: PlacementEffect) -> Site:
    """Return a workload's torus under a policy.

    Parameters
    ----------
    workload : Workload
    policy : mapping
        Keywords of a `Policy`.
    site : mapping
        Differences from the workload's torus: ``order``, ``shape``.
    effect : PlacementEffect
        Effect of a job's nodes on its run time.
    """
    machine = Torus(
        site.get("shape", workload.shape),
        order=site.get("order", "hilbert"),
        processors_per_node=workload.processors_per_node,
    )
    return Site(machine=machine, policy=Policy(**policy), placement=effect)
