"""Replays of the study: each month under decisions based on the previous month.

The names of `slotwise.advice.queue_design.replays`, which were once defined here, still work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.advice.queue_design.history import Month
from slotwise.advice.queue_design.multiple_queue import LEAST_RUN, adapt, multiple_queue_site
from slotwise.advice.queue_design.replays import Replays as Replays, Waits as Waits
from slotwise.advice.queue_design.strategies import Decision
from slotwise.result import Result
from slotwise.simulation import simulate
from slotwise.site import Site
from slotwise.studies.queues.carry import replay_carrying
from slotwise.studies.queues.sites import ADAPTIVE, DECIDED, sites_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slotwise.advice.queue_design.parameters import Parameters
    from slotwise.studies.queues.workloads import Workload
    from slotwise.trace import Trace


def decide(workload: Workload, month: int, parameters: Parameters) -> dict[str, Any]:
    """Decide the sites for `months[month]` from the previous month.

    Returns
    -------
    dict
        For each strategy in `DECIDED`, the ``site``, as `Site.to_dict`, and the sizes of its
        ``partitions`` by name. ``program`` gives the fit and the predictions of the nonlinear
        program; ``notes`` lists the splits and merges.
    """
    before = workload.months[month - 1]
    decision = Decision.of(
        workload.base, before.of(workload.trace), parameters, begin=before.begin, end=before.end
    )
    found: dict[str, Any] = {}
    for strategy in DECIDED:
        layout = decision.layout(strategy)
        found[strategy] = {
            "site": layout.site().to_dict(),
            "partitions": {p.name: p.size for p in layout.partitions},
            "common": layout.common,
        }
    program = decision.program
    found["program"] = {
        "r2": [p.r2 for p in program.polynomials],
        "r2_left_out": [p.r2_left_out for p in program.polynomials],
        "predicted": program.predicted,
        "replayed": program.replayed,
        "best_sampled": program.best_sampled,
        "took_sampled": program.took_sampled,
    }
    found["notes"] = decision.notes
    return found


def _sites(
    workload: Workload, decided: Mapping[str, Any], parameters: Parameters
) -> dict[str, Site]:
    first = workload.months[0].of(workload.trace)
    return sites_of(workload.base, first, decided, parameters)


def evaluate(
    workload: Workload, month: int, decided: Mapping[str, Any], parameters: Parameters
) -> dict[str, dict[str, Any]]:
    """Replay a month from an empty machine under every strategy; return the figures by name."""
    trace = workload.months[month].of(workload.trace)
    sites = _sites(workload, decided, parameters)
    queue = simulate(trace, _shared(workload)).queue
    names = [q.name for q in workload.base.queues]
    found = {name: figures_of(simulate(trace, site), queue, names) for name, site in sites.items()}
    found[ADAPTIVE] = _adaptive_figures(trace, workload, queue, names, parameters)
    return found


def figures_of(result: Result, queue: NDArray[np.int32], names: Sequence[str]) -> dict[str, Any]:
    """Return the figures of a replay: waits in seconds (also by queue), utilisation from 0 to 1."""
    metrics = result.metrics()
    wait = result.wait
    started = result.start >= 0
    return {
        "wait": metrics["mean_wait"],
        "slowdown": metrics["mean_bounded_slowdown_floor"],
        "utilisation": metrics["utilisation"],
        "rejected": int(metrics["n_rejected"]),
        "by_queue": {
            name: float(wait[here].mean())
            for k, name in enumerate(names)
            if (here := (queue == k) & started).any()
        },
    }


def evaluate_carrying(
    workload: Workload, decided: Sequence[Mapping[str, Any]], parameters: Parameters, strategy: str
) -> list[dict[str, Any]]:
    """Replay the months one after the other, with jobs carried over from month to month.

    A month's waits are those of the jobs submitted in it, whenever they start. Its utilisation
    includes jobs from other months that run in it.
    """
    months = workload.months[1:]
    trace = Month("all", months[0].begin, months[-1].end).of(workload.trace)
    if strategy == ADAPTIVE:  # it adapts by itself, so one replay covers all months
        base = Decision.of(workload.base, trace, parameters).base
        start = adapt(trace, base, parameters).start
        end = start + np.minimum(trace.run_time, trace.requested_time)
    else:
        sites = [_sites(workload, each, parameters)[strategy] for each in decided]
        start, end = replay_carrying(trace, months, sites)
    machine = workload.base.machine_for(workload.trace).count
    found = []
    for month in months:
        began, ended = (np.clip(times, month.begin, month.end) for times in (start, end))
        work = float(np.dot(np.where(start >= 0, ended - began, 0), trace.processors))
        used = work / (machine * (month.end - month.begin))
        found.append({**_figures_in(month, trace, start, workload), "utilisation": used})
    return found


def _figures_in(
    month: Month, jobs: Trace, start: NDArray[np.int64], workload: Workload
) -> dict[str, Any]:
    """Return the figures of the jobs submitted in a month, except the utilisation."""
    own = (jobs.submit >= month.begin) & (jobs.submit < month.end)
    started = own & (start >= 0)
    wait = (start - jobs.submit)[started]
    run = np.maximum(jobs.run_time[started], LEAST_RUN)
    queue = simulate(jobs, _shared(workload)).queue[started]
    return {
        "wait": float(wait.mean()),
        "slowdown": float(((wait + run) / run).mean()),
        "rejected": int((own & (start < 0)).sum()),
        "by_queue": {
            q.name: float(wait[queue == k].mean())
            for k, q in enumerate(workload.base.queues)
            if (queue == k).any()
        },
    }


def _shared(workload: Workload) -> Site:
    queues = [q.replace(spanning=False, pools=()) for q in workload.base.queues]
    return Site(workload.base.machine, queues=queues)


def _adaptive_figures(
    trace: Trace,
    workload: Workload,
    queue: NDArray[np.int32],
    names: Sequence[str],
    parameters: Parameters,
) -> dict[str, Any]:
    from slotwise._core import Schedule

    base = Decision.of(workload.base, trace, parameters).base
    adapted = adapt(trace, base, parameters)
    length = np.minimum(trace.run_time, trace.requested_time)
    started = adapted.start >= 0
    end = np.where(started, adapted.start + length, -1)
    state = np.where(started, 0, 2).astype(np.uint8)
    schedule = Schedule(adapted.start, end, state, np.zeros(len(trace), dtype=np.uint8))
    site = multiple_queue_site(base, parameters.partitions, parameters.classes)
    return figures_of(Result(trace, site, schedule, base.machine, 0.0), queue, names) | {
        "changes": [[int(t), n] for t, n in adapted.changes]
    }
