"""One cell of the study: a batch under one dispatcher."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

import slotwise as sw
from slotwise.studies.dispatch.dispatchers import PBS, MultiStart, Proactive
from slotwise.studies.dispatch.models import MODELS, Planner
from slotwise.studies.dispatch.objectives import MAKESPAN, TARDINESS
from slotwise.studies.dispatch.rolling import RollingHorizon, Workload
from slotwise.studies.dispatch.site import lacks_room, read_site, site_of
from slotwise.studies.dispatch.solver import Limits
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slotwise.studies.dispatch.rolling import Dispatcher
    from slotwise.studies.dispatch.site import DispatchSite
    from slotwise.trace import Trace

BACKFILLS = ("easy", "conservative")
LISTS = {"lists MKS": MAKESPAN, "lists WT": TARDINESS}
"""Multi-start list schedules, by the objective that chooses among them."""
OURS = (*BACKFILLS, *LISTS)
"""Dispatchers the paper does not have."""


def of_run(site: DispatchSite, n_jobs: int | None) -> DispatchSite:
    """Return the site for a whole batch, or a tenth of it for a part of one."""
    return site if n_jobs is None else site.a_tenth()


def batch(number: int, seed: int, n_jobs: int | None, machine: sw.Nodes) -> Trace:
    """Draw a batch, or so many of its jobs that have room on the machine."""
    whole = sw.generate("eurora", batch=number, seed=seed)
    if n_jobs is None:
        return whole
    fits = np.flatnonzero(~lacks_room(demands_of(whole), machine))
    if len(fits) == 0:
        raise sw.SiteError(
            f"machine: no job of BATCH{number} of seed {seed} has room on the empty nodes; give it "
            "more of them, or larger ones"
        )
    chosen = np.random.default_rng(seed).permutation(fits)[:n_jobs]
    return whole[np.sort(chosen)]


def replay(
    number: int,
    dispatcher: str,
    seed: int,
    n_jobs: int | None,
    work: float,
    site: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Replay a batch; importable, so that processes can.

    Parameters
    ----------
    number : {1, 2, 3}
        The batch.
    dispatcher : str
        One of `MODELS`, of `OURS`, or ``PBS``.
    seed : int
        Of the batch.
    n_jobs : int or None
        So many of its jobs, on a tenth of the site; None: all.
    work : float
        Deterministic time of each solve.
    site : mapping, optional
        As `DispatchSite.to_dict` gives it. Default: `read_site()`.

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
        policy = sw.Policy(backfill=dispatcher)
        start = sw.simulate(trace, sw.Site(machine=rules.machine, policy=policy)).start
        return _told(start, begun, 0, {})
    workload = Workload(trace, rules.machine, rules.expected_waits(trace))
    chosen: Dispatcher
    if planner is not None:
        chosen = Proactive(planner)
    elif dispatcher in LISTS:
        chosen = MultiStart(LISTS[dispatcher])
    else:
        chosen = PBS(trace.queue, rules)
    done = RollingHorizon(workload, chosen).run()
    events = dict(planner.counts.events) if planner is not None else {}
    return _told(done.start, begun, done.activations, events)


def _told(
    start: np.ndarray, begun: float, activations: int, events: dict[str, int]
) -> dict[str, Any]:
    return {
        "start": [int(s) for s in start],
        "seconds": time.process_time() - begun,
        "activations": activations,
        "events": events,
    }
