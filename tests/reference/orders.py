"""The orders of the queue: a score for each job, highest first.

f1 to f4: Carastan-Santos and de Camargo, "Obtaining dynamic scheduling policies with simulation
and machine learning", SC'17. wfp3 and unicef: Tang, Lan, Desai and Buettner, "Fault-aware,
utility-based job scheduling on Blue Gene/P systems", Cluster 2009.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reference.expressions import evaluate
from reference.logarithms import log2, log10

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from reference.jobs import Job
    from reference.usage import Usage


def _wfp3(wait: int, request: int, job: Job) -> float:
    ratio = wait / request
    return (ratio * ratio * ratio) * job.processors


def _unicef(wait: int, request: int, job: Job) -> float:
    return wait / (log2(max(job.processors, 2)) * request)


def _f1(since_first: int, request: int, job: Job) -> float:
    return -(log10(request) * job.processors + 870.0 * log10(since_first))


def _f2(since_first: int, request: int, job: Job) -> float:
    return -(math.sqrt(request) * job.processors + 25600.0 * log10(since_first))


def _f3(since_first: int, request: int, job: Job) -> float:
    return -(float(request) * job.processors + 6860000.0 * log10(since_first))


def _f4(since_first: int, request: int, job: Job) -> float:
    return -(request * math.sqrt(job.processors) + 530000.0 * log10(since_first))


KRAKEN: dict[str, float] = {
    "queue_time": 5, "expansion": 100, "cores": 1, "service": 1, "resource": 1, "qos": 100,
}  # fmt: skip


def priority(
    weights: Mapping[str, float], wait: int, requested_time: int, processors: int, z: float = 0
) -> float:
    """S·(Q·q + X·(1 + q/r)) + R·C·c + Z·z, with wait q and request r (at least 1) in minutes.

    Vanderlan, "Analyzing supercomputer utilization under queuing with a priority formula and a
    strict backfill policy", University of Tennessee 2011, formula 1. c is the number of processors,
    and z the priority of the queue. Weights that are not given default to Kraken's.
    """
    Q, X, C, S, R, Z = (KRAKEN | dict(weights)).values()  # noqa: N806 # the thesis's letters
    q = wait / 60
    r = max(requested_time / 60, 1)
    return S * (Q * q + X * (1 + q / r)) + R * C * processors + Z * z


SIMPLE: dict[str, Callable[[int, Job], float]] = {
    "fcfs": lambda request, job: -job.submit,
    "lifo": lambda request, job: job.submit,
    "sjf": lambda request, job: -request,
    "ljf": lambda request, job: request,
    "smallest": lambda request, job: -job.processors,
    "largest": lambda request, job: job.processors,
    "saf": lambda request, job: -request * job.processors,
}
OF_THE_WAIT = {"wfp3": _wfp3, "unicef": _unicef}
OF_THE_SUBMIT = {"f1": _f1, "f2": _f2, "f3": _f3, "f4": _f4}
ORDERS = (*SIMPLE, *OF_THE_WAIT, *OF_THE_SUBMIT, "priority", "fairshare", "expression")
STATIC_ORDERS = (*SIMPLE, *OF_THE_SUBMIT)


Order = str | Mapping[str, Any]
"""The name of an order, or its name and parameters as in a site file."""


def score(order: Order, job: Job, now: int, first_submit: int, usage: Usage | None = None) -> float:
    """Score one job at an instant; the job with the highest score comes first."""
    parameters = {} if isinstance(order, str) else {k: v for k, v in order.items() if k != "name"}
    order = order if isinstance(order, str) else order["name"]
    request = max(job.requested_time, 1)
    if order == "priority":
        wait, z = now - job.submit, job.queue_priority
        return priority(parameters, wait, job.requested_time, job.processors, z)
    if order == "fairshare":
        return -usage.at(job.user, now, parameters.get("half_life", 604800.0)) if usage else 0.0
    if order == "expression":
        return evaluate(parameters.get("key", "-submit"), columns(job, now))
    if order in SIMPLE:
        return SIMPLE[order](request, job)
    if order in OF_THE_WAIT:
        return OF_THE_WAIT[order](now - job.submit, request, job)
    return OF_THE_SUBMIT[order](max(job.submit - first_submit, 1), request, job)


def columns(job: Job, now: int) -> dict[str, float]:
    """Return the values of a job that an expression may read."""
    request = max(job.requested_time, 1)
    values = {
        "submit": job.submit, "wait": now - job.submit, "now": now, "requested_time": request,
        "processors": job.processors, "area": request * job.processors, "user": job.user,
        "group": getattr(job, "group", -1), "queue_priority": job.queue_priority,
        "job_id": job.position + 1,
    }  # fmt: skip
    return {name: float(value) for name, value in values.items()}


def ranked(
    order: Order, jobs: Iterable[Job], now: int, first_submit: int, usage: Usage | None = None
) -> list[Job]:
    """Sort jobs best first; in a tie, by submit time, then by position in the trace."""
    return sorted(
        jobs,
        key=lambda job: (-score(order, job, now, first_submit, usage), job.submit, job.position),
    )
