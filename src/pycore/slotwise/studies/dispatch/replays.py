"""One cell of the study: a batch under one dispatcher."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

import slotwise as sw
from slotwise.studies.dispatch import eurora
from slotwise.studies.dispatch.dispatchers import PBS, MultiStart, Proactive
from slotwise.studies.dispatch.models import MODELS, Planner
from slotwise.studies.dispatch.objectives import MAKESPAN, TARDINESS
from slotwise.studies.dispatch.rolling import RollingHorizon, Workload
from slotwise.studies.dispatch.solver import Limits

if TYPE_CHECKING:
    from slotwise.studies.dispatch.rolling import Dispatcher
    from slotwise.trace import Trace

BACKFILLS = ("easy", "conservative")
LISTS = {"lists MKS": MAKESPAN, "lists WT": TARDINESS}
"""Multi-start list schedules, by the objective that chooses among them."""
OURS = (*BACKFILLS, *LISTS)
"""Dispatchers the paper does not have."""

NOON = 12 * 3600
"""Time of day at which a batch begins."""


def machine_for(n_jobs: int | None) -> sw.Nodes:
    """Return the machine of a whole batch, or that of a part of one."""
    return eurora.MACHINE if n_jobs is None else eurora.SMALL_MACHINE


def batch(number: int, seed: int, n_jobs: int | None) -> Trace:
    """Draw a batch, or so many of its jobs that have room on the small machine."""
    whole = sw.generate("eurora", batch=number, seed=seed)
    if n_jobs is None:
        return whole
    machine = machine_for(n_jobs)
    demands = whole.demands
    assert demands is not None
    fits = [
        machine._core.can_ever_hold(int(units), row)
        for units, row in zip(demands.units, demands.on(machine).tolist(), strict=True)
    ]
    chosen = np.random.default_rng(seed).permutation(np.flatnonzero(fits))[:n_jobs]
    return whole[np.sort(chosen)]


def replay(
    number: int, dispatcher: str, seed: int, n_jobs: int | None, work: float
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
        So many of its jobs; None: all.
    work : float
        Deterministic time of each solve.

    Returns
    -------
    dict
        ``start`` of every job, CPU ``seconds``, ``activations``, ``events`` (see `models.Counts`).
    """
    trace = batch(number, seed, n_jobs)
    machine = machine_for(n_jobs)
    planner = Planner(dispatcher, Limits(work)) if dispatcher in MODELS else None
    begun = time.process_time()
    if dispatcher in BACKFILLS:
        site = sw.Site(machine=machine, policy=sw.Policy(backfill=dispatcher))
        start = sw.simulate(trace, site).start
        return _told(start, begun, 0, {})
    workload = Workload(trace, machine, eurora.expected_waits(trace))
    chosen: Dispatcher
    if planner is not None:
        chosen = Proactive(planner)
    elif dispatcher in LISTS:
        chosen = MultiStart(LISTS[dispatcher])
    else:
        chosen = PBS(trace.queue, NOON, eurora.debug_nodes(machine))
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
