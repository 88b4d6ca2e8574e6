"""Facts about a log: size, load, distributions, classes of jobs, quality of the requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.trace.trace import Trace

_SIZES = (1, 8, 64, 512, 4096)
_LENGTHS = (60, 3600, 8 * 3600, 86400)
_SIZE_NAMES = ("1", "2 to 8", "9 to 64", "65 to 512", "513 to 4096", "over 4096")
_LENGTH_NAMES = ("to 1 min", "to 1 h", "to 8 h", "to 1 day", "longer")


def facts_of(trace: Trace) -> dict[str, Any]:
    """Summarise a trace.

    Returns
    -------
    dict
        ``jobs``, ``processors`` (of the machine; None if unknown), ``first_submit`` and
        ``last_submit`` (seconds), ``load`` (work of all jobs divided by the machine's capacity
        from first to last submission; None if the machine is unknown or this time is 0), ``users``,
        ``groups``, ``executables``, ``queues``, ``partitions`` (number of each in the log), and the
        distributions of ``job_processors``, ``run_time``, ``requested_time`` and ``logged_wait``
        (None if the log has no waits) as mean, median, p95 and max; ``zero_length``: number of jobs
        with a run time of 0; ``demands``: number of jobs that request each node resource (None for
        a trace without demands).
    """
    submit = trace.submit
    span = int(submit[-1]) - int(submit[0])
    machine = trace.max_processors
    work = float(np.dot(trace.run_time.astype(float), trace.processors.astype(float)))
    waited = trace.wait[trace.wait >= 0]
    return {
        "jobs": len(trace),
        "processors": machine,
        "first_submit": int(submit[0]),
        "last_submit": int(submit[-1]),
        "load": work / (machine * span) if machine and span else None,
        "users": _different(trace.user),
        "groups": _different(trace.group),
        "executables": _different(trace.executable),
        "queues": _different(trace.queue),
        "partitions": _different(trace.partition),
        "job_processors": _distribution(trace.processors),
        "run_time": _distribution(trace.run_time),
        "requested_time": _distribution(trace.requested_time),
        "logged_wait": _distribution(waited) if len(waited) else None,
        "zero_length": int((trace.run_time == 0).sum()),
        "demands": None
        if trace.demands is None
        else {name: int((asked > 0).sum()) for name, asked in trace.demands.each.items()},
    }


def estimate_facts(trace: Trace) -> dict[str, float]:
    """Measure how well requested times predict run times.

    Returns
    -------
    dict
        ``share_given``: share of jobs that request a time (for others, the run time is filled in).
        Over jobs with a request: ``mean_used`` and ``median_used`` = run_time / requested_time, at
        most 1; ``share_under_tenth`` and ``share_overrun``: shares of jobs that run for less than
        a tenth of the request, or longer than the request. ``distinct``: number of different
        requests. ``share_ten_commonest``: share of jobs with one of the ten most common. If no job
        requests a time, ``share_given`` and ``distinct`` are 0, and the others are NaN.
    """
    has_request = trace.has_request != 0
    given = int(np.count_nonzero(has_request))
    if given == 0:
        nan = float("nan")
        return dict.fromkeys(
            ("mean_used", "median_used", "share_under_tenth", "share_overrun"), nan
        ) | {"share_given": 0.0, "distinct": 0, "share_ten_commonest": nan}
    requested = trace.requested_time[has_request]
    used = trace.run_time[has_request] / np.maximum(requested, 1)
    _, counts = np.unique(requested, return_counts=True)
    return {
        "share_given": given / len(trace),
        "mean_used": float(np.minimum(used, 1).mean()),
        "median_used": float(np.median(np.minimum(used, 1))),
        "share_under_tenth": float((used < 0.1).mean()),
        "share_overrun": float((used > 1).mean()),
        "distinct": len(counts),
        "share_ten_commonest": float(np.sort(counts)[-10:].sum() / given),
    }


def class_shares(trace: Trace) -> list[dict[str, Any]]:
    """Return the share of jobs and of work (run_time · processors) in each class.

    Returns
    -------
    list of dict
        One per size class that occurs: ``processors`` names the class; ``jobs`` and ``work`` map
        the classes of run time to shares of the whole trace.
    """
    size = np.searchsorted(_SIZES, trace.processors)
    length = np.searchsorted(_LENGTHS, trace.run_time)
    cell = size * len(_LENGTH_NAMES) + length
    work = trace.run_time.astype(float) * trace.processors
    cells = len(_SIZE_NAMES) * len(_LENGTH_NAMES)
    shape = (len(_SIZE_NAMES), len(_LENGTH_NAMES))
    jobs = np.bincount(cell, minlength=cells).reshape(shape) / len(trace)
    works = np.bincount(cell, weights=work, minlength=cells).reshape(shape) / max(work.sum(), 1)
    return [
        {
            "processors": name,
            "jobs": dict(zip(_LENGTH_NAMES, jobs[i].tolist(), strict=True)),
            "work": dict(zip(_LENGTH_NAMES, works[i].tolist(), strict=True)),
        }
        for i, name in enumerate(_SIZE_NAMES)
        if jobs[i].any()
    ]


def _different(column: NDArray[Any]) -> int:
    return len(np.unique(column[column >= 0]))


def _distribution(column: NDArray[np.int64]) -> dict[str, float]:
    median, p95 = np.percentile(column, [50, 95])
    return {
        "mean": float(column.mean()),
        "median": float(median),
        "p95": float(p95),
        "max": float(column.max()),
    }
