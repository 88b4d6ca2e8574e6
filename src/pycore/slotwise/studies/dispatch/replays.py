"""One cell of the study: a batch under one dispatcher."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import slotwise as sw
from slotwise.studies.dispatch.dispatchers import MultiStart, Proactive
from slotwise.studies.dispatch.models import MODELS, Planner
from slotwise.studies.dispatch.objectives import MAKESPAN, TARDINESS
from slotwise.studies.dispatch.pbs import replay_pbs
from slotwise.studies.dispatch.rolling import RollingHorizon
from slotwise.studies.dispatch.sites import read_site, site_of
from slotwise.studies.dispatch.solver import Limits
from slotwise.studies.dispatch.workloads import Workload, batch

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from slotwise.studies.dispatch.rolling import Dispatcher
    from slotwise.studies.dispatch.sites import DispatchSite

BACKFILLS = ("easy", "conservative")
LISTS = {"lists MKS": MAKESPAN, "lists WT": TARDINESS}
"""Dispatchers that take the best of many list schedules, with the objective that they minimise."""
OURS = (*BACKFILLS, *LISTS)
"""Dispatchers that are not in the paper."""
BY_ENGINE = (*BACKFILLS, "PBS")
"""Dispatchers that are policies of a site; their passes are not counted."""


def of_run(site: DispatchSite, n_jobs: int | None) -> DispatchSite:
    """Return the full site for a whole batch (`n_jobs` None), otherwise a tenth of the site."""
    return site if n_jobs is None else site.a_tenth()


def replay(
    number: int,
    dispatcher: str,
    seed: int,
    n_jobs: int | None,
    work: float,
    site: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Replay a batch; a module-level function, so that worker processes can import it.

    Parameters
    ----------
    number : {1, 2, 3}
        The batch.
    dispatcher : str
        A name from `MODELS` or `OURS`, or ``PBS``.
    seed : int
        Seed of the batch.
    n_jobs : int or None
        Number of jobs to replay, on a tenth of the site; None for all jobs, on the whole site.
    work : float
        Deterministic time per solve.
    site : mapping, optional
        The result of `DispatchSite.to_dict`. Default: `read_site()`.

    Returns
    -------
    dict
        ``start`` of every job, CPU ``seconds``, ``activations``, ``events`` (see `models.Counts`).
    """
    rules = of_run(read_site() if site is None else site_of(site), n_jobs)
    trace = batch(number, seed, n_jobs, rules.machine)
    planner = Planner(dispatcher, Limits(work)) if dispatcher in MODELS else None
    begun = time.process_time()
    if dispatcher in BACKFILLS:
        policy = sw.Policy(backfill=dispatcher, reserve="nodes")
        start = sw.simulate(trace, sw.Site(machine=rules.machine, policy=policy)).start
        return _values(start, begun, 0, {})
    if dispatcher == "PBS":
        return _values(replay_pbs(trace, rules).start, begun, 0, {})
    chosen: Dispatcher
    chosen = MultiStart(LISTS[dispatcher]) if planner is None else Proactive(planner)
    horizon = RollingHorizon(Workload(trace, rules.machine, rules.expected_waits(trace)), chosen)
    start = horizon.run().start
    events = dict(planner.counts.events) if planner is not None else {}
    return _values(start, begun, horizon.activations, events)


def _values(
    start: np.ndarray, begun: float, activations: int, events: dict[str, int]
) -> dict[str, Any]:
    return {
        "start": [int(s) for s in start],
        "seconds": time.process_time() - begun,
        "activations": activations,
        "events": events,
    }
