"""Measure one workload under one policy in a fresh process: ``python -m yardstick.measure``.

The task is JSON in the first argument; the figures are JSON on stdout.
"""

from __future__ import annotations

import ctypes
import gzip
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import slotwise as sw
from slotwise import _core
from yardstick import site_costs, six_queues, solvers, study_tasks, windows
from yardstick.rounds import clocked, digest, parse
from yardstick.rows import Row

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST_ROUNDS, MOST_ROUNDS = 3, 101


class OverLimitError(Exception):
    """A replay exceeded its time limit."""


def resident(field: str) -> int:
    """Return VmRSS (now) or VmHWM (peak) of this process in bytes, or 0 if it is not available."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return 0
    for line in status.read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    return 0


def forget_peak() -> int:
    """Give freed memory back to the system, and reset the peak to the bytes now in use.

    Returns these bytes, or 0 if the system cannot do this; memory is then not measured.
    """
    try:
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    except (OSError, AttributeError):
        return 0
    return resident("VmRSS")


def replay(trace: sw.Trace, site: sw.Site, limit: float) -> sw.Result:
    """Run one replay as a user would, but stop it after `limit` wall seconds."""
    ends = time.perf_counter() + limit

    def progress(_done: float) -> None:
        if time.perf_counter() > ends:
            raise OverLimitError

    return sw.simulate(trace, site, progress=progress)


def answer_of(result: sw.Result) -> dict[str, Any]:
    """Collect what must be the same in every run: the input, and the start of every job."""
    started = result.start >= 0
    return {
        "trace": result.trace.content_hash[:16],
        "jobs": len(result),
        "started": int(np.count_nonzero(started)),
        "starts": digest(result),
        "mean_wait": round(float(result.wait[started].mean()), 6),
    }


def queue_figures(result: sw.Result) -> dict[str, float]:
    """Return the maximum queue length, and the mean queue length over time."""
    series = result.series()
    times, queued = series["time"], series["queued_jobs"]
    span = max(int(times[-1] - times[0]), 1)
    area = float(np.dot(np.diff(times).astype(float), queued[:-1]))
    return {"queue_max": int(queued.max()), "queue_mean": round(area / span, 2)}


def interleaved(
    trace: sw.Trace, site: sw.Site, limit: float, seconds: float, expected: str
) -> dict[str, Any]:
    """Run the bare loop and the replay in turn for `seconds` of CPU time; return the medians."""
    rounds: list[tuple[float, ...]] = []
    ends_sum, spent = None, 0.0
    while len(rounds) < LEAST_ROUNDS or (spent < seconds and len(rounds) < MOST_ROUNDS):
        ends, bare, bare_wall = clocked(lambda: _core.run_bare_loop(trace._jobs))
        result, cpu, wall = clocked(lambda: replay(trace, site, limit))
        if ends_sum not in (None, ends):
            raise AssertionError(f"the bare loop gave {ends_sum}, then {ends}")
        ends_sum = ends
        if digest(result) != expected:
            raise AssertionError("two replays of one trace and site gave different starts")
        rounds.append((bare, cpu, cpu / bare, bare_wall, wall))
        spent += bare + cpu
        if cpu > seconds:
            break
    middle = [statistics.median(column) for column in zip(*rounds, strict=True)]
    return {
        "rounds": len(rounds),
        "ratio": middle[2],
        "ratios": [round(r[2], 4) for r in rounds],
        "bare_seconds": middle[0],
        "replay_seconds": middle[1],
        "bare_wall_seconds": middle[3],
        "replay_wall_seconds": middle[4],
    }


def measure_replay(task: dict[str, Any]) -> dict[str, Any]:
    """Measure every figure of one row: memory in the first replay, time in the others."""
    row = Row(**task["row"])
    trace = row.trace()
    machine = row.machine(trace)
    site = sw.Site(sw.Processors(machine), sw.Policy(**task["policy"]))
    figures: dict[str, Any] = {"jobs": len(trace), "processors": machine}
    # Incur the one-time costs of the process before measuring: loading its code, and hashing the
    # columns of the trace.
    assert trace.content_hash
    replay(trace[: len(trace) // 1000 + 10], site, task["limit"])
    held = forget_peak()
    try:
        result = replay(trace, site, task["limit"])
        peak = resident("VmHWM")
        if held:
            figures["peak_bytes"] = peak
            figures["bytes_a_job"] = max(peak - held, 0) / len(trace)
        figures["answer"] = answer_of(result)
        figures |= queue_figures(result)
        del result
        figures |= interleaved(
            trace, site, task["limit"], task["seconds"], figures["answer"]["starts"]
        )
    except OverLimitError:
        figures["over_limit"] = task["limit"]
        return figures
    figures["jobs_a_second"] = len(trace) / figures["replay_seconds"]
    return figures


def measure_reading(task: dict[str, Any]) -> dict[str, Any]:
    """Measure MB of text per CPU second: parsing alone, and reading a plain and a gzipped file."""
    path = Path(task["row"]["path"])
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    packed = sw.read_swf(path)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.swf"
        plain.write_bytes(text)
        if sw.read_swf(plain) != packed or parse(text) != len(packed):
            raise AssertionError(f"{path}: packed and plain text give different traces")
        works: dict[str, Callable[[], object]] = {
            "parse": lambda: parse(text),
            "plain": lambda: sw.read_swf(plain),
            "packed": lambda: sw.read_swf(path),
        }
        spent: dict[str, list[float]] = {name: [] for name in works}
        while sum(map(sum, spent.values())) < task["seconds"] or len(spent["parse"]) < 5:
            for name, work in works.items():
                spent[name].append(clocked(work)[1])
    speeds = {name: len(text) / 1e6 / statistics.median(s) for name, s in spent.items()}
    return {"jobs": len(packed), "text_bytes": len(text), "rounds": len(spent["parse"]), **speeds}


def measure_queues(task: dict[str, Any]) -> dict[str, Any]:
    """Measure the cost of six queues and pools, relative to one queue."""
    row = Row(**task["row"])
    trace = row.trace()
    return six_queues.measure(trace, row.machine(trace), task["seconds"], clocked)


def measure_site(task: dict[str, Any]) -> dict[str, Any]:
    """Measure the cost of a site's rules, relative to the plain replay."""
    return site_costs.measure(task["cell"], task["seconds"], clocked, answer_of)


def measure_window(task: dict[str, Any]) -> dict[str, Any]:
    """Measure the cost of one solver on a torus, relative to the bare loop."""
    cell = task["cell"]
    site = windows.site_of(cell)
    assert site.machine is not None
    trace = Row("", "", site.machine.count, cell["jobs"], cell["load"]).trace()
    result = replay(trace, site, task["limit"])
    figures = {"jobs": len(trace), "answer": answer_of(result), **queue_figures(result)}
    starts = figures["answer"]["starts"]
    return figures | interleaved(trace, site, task["limit"], task["seconds"], starts)


def measure_solver(task: dict[str, Any]) -> dict[str, Any]:
    return solvers.measure(task["cell"])


def measure_study(task: dict[str, Any]) -> dict[str, Any]:
    """Measure how many seconds a study task takes."""
    return study_tasks.measure(task["name"])


MEASURES = {
    "replay": measure_replay,
    "reading": measure_reading,
    "queues": measure_queues,
    "site": measure_site,
    "window": measure_window,
    "solver": measure_solver,
    "study": measure_study,
}

if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    print(json.dumps(MEASURES[given["kind"]](given)))
