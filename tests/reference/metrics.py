"""Every metric in plain NumPy and Python, based on docs/metrics.md rather than on the core."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Column = NDArray[np.int64]


@dataclass
class Replay:
    """The columns of a finished replay; start and end are -1 for a job that never started."""

    submit: Column
    processors: Column
    start: Column
    end: Column
    state: NDArray[np.uint8]
    backfilled: NDArray[np.uint8]
    machine: int


def levels(replay: Replay, t: int) -> tuple[int, int, int]:
    """Return the number of queued jobs, their processors, and the busy processors at t."""
    ran = replay.start >= 0
    queued = ran & (replay.submit <= t) & (t < replay.start)
    busy = ran & (replay.start <= t) & (t < replay.end)
    return (
        int(np.count_nonzero(queued)),
        int(replay.processors[queued].sum()),
        int(replay.processors[busy].sum()),
    )


def series(replay: Replay) -> list[tuple[int, int, int, int]]:
    """Return (time, queued jobs, queued processors, busy processors) after each change."""
    if len(replay.submit) == 0:
        return []
    ran = replay.start >= 0
    times = {int(replay.submit[0])}
    for column in (replay.submit, replay.start, replay.end):
        times |= set(column[ran].tolist())
    rows: list[tuple[int, int, int, int]] = []
    for t in sorted(times):
        level = levels(replay, t)
        if not rows or rows[-1][1:] != level:
            rows.append((t, *level))
    return rows


def window(replay: Replay, trim: tuple[float, float]) -> tuple[int, int]:
    """Return the beginning and the end of the measured span."""
    if len(replay.submit) == 0:
        return 0, 0
    first = int(replay.submit[0])
    last = max(first, int(replay.end.max()))
    begin, end = (int(x * (last - first)) if x < 1 else int(x) for x in trim)
    return first + begin, last - end


def in_window(replay: Replay, trim: tuple[float, float]) -> NDArray[np.bool_]:
    """Return a mask of the jobs submitted within the window.

    If `trim` is 0 at one end, the window has no bound there.
    """
    begin, end = window(replay, trim)
    inside = np.ones(len(replay.submit), dtype=bool)
    if trim[0]:
        inside &= replay.submit >= begin
    if trim[1]:
        inside &= replay.submit <= end
    return inside


def job_metrics(
    replay: Replay, inside: NDArray[np.bool_], trimmed: int, threshold: int
) -> dict[str, float]:
    """Return counts, distributions and area-weighted means for the jobs `inside`."""
    ran = inside & (replay.start >= 0)
    submit, start, end = (c[ran] for c in (replay.submit, replay.start, replay.end))
    n = replay.processors[ran]
    wait, response, run = start - submit, end - submit, end - start
    least = np.maximum(run, threshold)
    out: dict[str, float] = {
        "n_jobs": int(inside.sum()),
        "n_started": int(ran.sum()),
        "n_rejected": int((replay.state[inside] == 2).sum()),
        "n_killed": int((replay.state[inside] == 1).sum()),
        "n_backfilled": int(replay.backfilled[ran].sum()),
        "n_trimmed": trimmed,
    }
    for name, values in (
        ("wait", wait),
        ("response", response),
        ("slowdown", np.maximum(1, response / np.maximum(run, 1))),
        ("bounded_slowdown", np.maximum(1, response / least)),
        ("bounded_slowdown_floor", (wait + least) / least),
        ("per_processor_bounded_slowdown", np.maximum(1, response / (n * least))),
    ):
        some = len(values) > 0
        out[f"mean_{name}"] = float(np.mean(values)) if some else np.nan
        out[f"median_{name}"] = float(np.median(values)) if some else np.nan
        out[f"p95_{name}"] = float(np.percentile(values, 95)) if some else np.nan
        out[f"max_{name}"] = float(np.max(values)) if some else np.nan
    area = n * run
    for name, values in (("response", response), ("wait", wait)):
        whole = int(area.sum())
        out[f"area_weighted_{name}"] = int((area * values).sum()) / whole if whole else np.nan
    return out


def stretches(replay: Replay, begin: int, end: int) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Yield (length, levels) for each period without changes; together, they fill the window."""
    ran = replay.start >= 0
    times = {begin, end}
    for column in (replay.submit, replay.start, replay.end):
        times |= {t for t in column[ran].tolist() if begin <= t <= end}
    ordered = sorted(times)
    for since, until in pairwise(ordered):
        yield until - since, levels(replay, since)


def metrics(
    replay: Replay, threshold: int = 10, trim: tuple[float, float] = (0, 0), dropped: int = 0
) -> dict[str, float]:
    begin, end = window(replay, trim)
    inside = in_window(replay, trim)
    out = job_metrics(replay, inside, int((~inside).sum()), threshold)
    span = end - begin
    busy = queued = asked = lost = longest = 0
    for length, (jobs, processors, used) in stretches(replay, begin, end):
        queued += length * jobs
        asked += length * processors
        busy += length * used
        lost += length * min(max(0, replay.machine - used), processors)
        longest = max(longest, jobs)
    ended = int(((replay.start >= 0) & (replay.end >= begin) & (replay.end <= end)).sum())
    first, last = window(replay, (0, 0))

    def per(amount: int, whole: int) -> float:
        return amount / whole if whole else np.nan

    return out | {
        "n_dropped": dropped,
        "utilisation": per(busy, span * replay.machine),
        "loss_of_capacity": per(lost, span * replay.machine),
        "makespan": last - first,
        "mean_queue_length": per(queued, span),
        "max_queue_length": longest,
        "mean_queued_processors": per(asked, span),
        "mean_busy_processors": per(busy, span),
        "throughput": per(ended * 3600, span),
        "processors": replay.machine,
        "threshold": threshold,
        "window_begin": begin,
        "window_end": end,
    }
