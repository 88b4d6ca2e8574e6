"""The report page: the template filled with tables, packed columns, style and code."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections import Counter
from datetime import datetime
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._version import __version__
from slotwise.replay.metric_format import are_comparable
from slotwise.replay.metrics import metrics_of
from slotwise.report import tables
from slotwise.report.columns import Packed, pack
from slotwise.report.differences import decision_html, group_differences
from slotwise.report.group_tables import group_tables_html
from slotwise.report.places import node_facts, places_of, torus_cells, torus_facts
from slotwise.site.dates import dates_of
from slotwise.site.policy.backfill_facts import name_of
from slotwise.site.summary import policy_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.text_table import TextTable
    from slotwise.trace import Trace

    Int64 = NDArray[np.int64]

# Scripts, in order of execution.
_SCRIPTS = (
    "columns.js",
    "format.js",
    "colours.js",
    "run.js",
    "view.js",
    "heat.js",
    "gantt.js",
    "torus.js",
    "lanes.js",
    "words.js",
    "legend.js",
    "picture.js",
    "distributions.js",
    "differences.js",
    "groups.js",
    "job_filter.js",
    "jobs.js",
    "link.js",
    "app.js",
)
_CATEGORIES = ("user", "group", "queue", "partition")


def page_of(
    results: Sequence[ReplayData],
    *,
    title: str | None,
    names: Sequence[str] | None,
    threshold: int,
    trim: tuple[float, float],
    command: str | None,
    groups: Sequence[TextTable] = (),
) -> str:
    """Build the whole page; parameters and errors are those of `slotwise.report.write_report`."""
    named = _names(results, names)
    trace = results[0].trace
    title = title if title is not None else Path(trace.source).name or "Replay"
    metrics = [metrics_of(result, threshold=threshold, trim=trim) for result in results]
    written = f"{datetime.now().astimezone():%Y-%m-%d %H:%M %Z} by Slotwise {__version__}"
    origin = {
        "Content of the trace": results[0].trace.content_hash,
        "Command": command if command is not None else _command(),
    }
    parts = {
        "title": escape(title),
        "facts": tables.facts_html(results, named, {"Written": written}),
        "origin": tables.pairs_html(origin),
        "decision": decision_html(results, named),
        "metrics": tables.metrics_html(metrics, named, mark_best=are_comparable(results)),
        "groups": group_tables_html(groups),
        "notes": tables.notes_html(results, metrics, threshold),
        "style": "\n".join(_asset(name) for name in ("page.css", "tables.css")),
        "data": _data_html(results, named, threshold),
        "code": "\n".join(_asset(name) for name in _SCRIPTS),
    }
    # All placeholders are replaced in a single pass, so text from a trace is never mistaken for a
    # placeholder.
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _asset("page.html"))


def _names(results: Sequence[ReplayData], names: Sequence[str] | None) -> list[str]:
    if not results:
        raise ValueError(
            "results is empty, but a report needs at least one result; pass the result of "
            "sw.simulate"
        )
    first = results[0].trace
    for number, result in enumerate(results[1:], start=2):
        if not _same_jobs(first, result.trace):
            raise ValueError(
                f"result {number} comes from a different trace than result 1, but a report "
                "compares results of one trace; write one report per trace"
            )
    if names is None:
        return _distinct_names(results)
    if len(names) != len(results) or len(set(names)) != len(names):
        raise ValueError(
            f"names are {list(names)!r} for {len(results)} result(s); pass one unique name per "
            "result"
        )
    return list(names)


def _same_jobs(a: Trace, b: Trace) -> bool:
    return a is b or (
        len(a) == len(b)
        and bool(np.array_equal(a.submit, b.submit))
        and bool(np.array_equal(a.run_time, b.run_time))
        and bool(np.array_equal(a.processors, b.processors))
        and bool(np.array_equal(a.requested_time, b.requested_time))
    )


def _distinct_names(results: Sequence[ReplayData]) -> list[str]:
    """Return short names that distinguish the policies; identical names are numbered."""
    policies = [result.site.policy for result in results]
    short = [name_of(policy.backfill) for policy in policies]
    middle = [f"{policy.order} {policy.backfill}" for policy in policies]
    for names in (short, middle, [policy_text(policy) for policy in policies]):
        if len(set(names)) == len(names):
            return names
    seen: Counter[str] = Counter()
    numbered = []
    for name in middle:
        seen[name] += 1
        numbered.append(f"{name} ({seen[name]})")
    return numbered


def _command() -> str:
    program, *arguments = sys.argv or [""]
    return shlex.join([Path(program).name, *arguments]) if program else "an interactive session"


def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _data_html(results: Sequence[ReplayData], names: Sequence[str], threshold: int) -> str:
    trace = results[0].trace
    origin = int(trace.submit[0]) if len(trace) else 0
    clock = dates_of(trace, results[0].site.clock)
    page: dict[str, Any] = {
        "origin": origin,
        "clock": None
        if clock is None
        else {"epoch": clock.epoch + origin, "offset": clock.offset, "zone": clock.zone},
        "threshold": threshold,
        "labels": {
            "queue": _labels(trace.header.get("Queue", "")),
            "partition": _labels(trace.header.get("Partition", "")),
            **{
                name: {str(code): word for code, word in trace.labels[name].items()}
                for name in _CATEGORIES
                if name in trace.labels
            },
        },
        "runs": [],
        "site_queues": list(results[0].queue_names) if results[0].site.queues else None,
        "differences": group_differences(results),
    }
    elements = []
    shared = _trace_columns(results[0], origin)
    page["trace"] = shared["columns"]
    elements.append(_data_element("trace", shared["data"]))
    for number, (name, result) in enumerate(zip(names, results, strict=True)):
        packed, extent = _run_columns(result, origin)
        page["runs"].append(
            {
                "name": name,
                "processors": result.processors,
                "extent": max(result.processors, extent),
                "torus": torus_facts(result),
                "nodes": node_facts(result),
                "columns": packed["columns"],
            }
        )
        elements.append(_data_element(f"run-{number}", packed["data"]))
    # The character "<" could end the HTML element. JSON allows it to be escaped anywhere.
    text = json.dumps(page, separators=(",", ":")).replace("<", "\\u003c")
    elements.insert(0, f'<script type="application/json" id="page">{text}</script>')
    return "\n".join(elements)


def _data_element(name: str, data: str) -> str:
    return f'<script type="text/plain" id="data-{name}">{data}</script>'


def _trace_columns(result: ReplayData, origin: int) -> Packed:
    trace = result.trace
    return pack(
        {
            "submit": trace.submit - origin,
            "job_id": trace.job_id,
            "processors": trace.processors,
            "run_time": trace.run_time,
            "requested_time": trace.requested_time,
            **{name: getattr(trace, name) for name in _CATEGORIES},
            **({"site_queue": result.queue} if result.site.queues else {}),
        },
        delta=frozenset({"submit", "job_id"}),
    )


def _run_columns(result: ReplayData, origin: int) -> tuple[Packed, int]:
    """Pack the columns of one result, such as waits, states, attempts and places.

    `spent` is the time of a job's earlier attempts, which `attempt_job`, `attempt_start` and
    `attempt_end` list. `cut` is the run time minus the length of the last attempt. Places are
    listed first for the jobs, then for their earlier attempts. `pieces` is the number of intervals
    of each job or attempt, and `first` the first processor of every interval. `count` is the length
    of every interval, except the last one of each job or attempt: its length follows from the job's
    processors. The second return value is the number of the highest processor used, plus one.
    """
    started = result.start >= 0
    job, start, end = _earlier_attempts(result)
    places = places_of(result, job, start, end)
    is_last = np.zeros(len(places.first), dtype=bool)
    is_last[np.cumsum(places.pieces)[places.pieces > 0] - 1] = True
    packed = pack(
        {
            "wait": result.wait,
            "spent": np.where(started, result.start - result.trace.submit - result.wait, 0),
            "cut": np.where(started, result.trace.run_time - (result.end - result.start), 0),
            "state": result.state,
            "backfilled": result.backfilled,
            "pieces": places.pieces,
            "first": places.first,
            "count": places.length[~is_last],
            "cell": torus_cells(result),
            "attempt_job": job,
            "attempt_start": start - origin,
            "attempt_end": end - origin,
        }
    )
    return packed, places.extent


def _earlier_attempts(result: ReplayData) -> tuple[Int64, Int64, Int64]:
    """Return the job, start and end of every attempt except the last one of each job."""
    if not result.schedule.has_interruptions:
        return (np.empty(0, np.int64),) * 3
    job, start, end = (result.attempts[name] for name in ("job", "start", "end"))
    is_last = np.append(job[1:] != job[:-1], np.True_)[: len(job)] & (result.start[job] >= 0)
    return job[~is_last], start[~is_last], end[~is_last]


def _labels(header: str) -> dict[str, str]:
    """Read the names of numbered queues or partitions from header lines such as `3  batch`."""
    matches = (re.match(r"\s*(\d+)\s+(\S.*?)\s*$", line) for line in header.splitlines())
    return {match[1]: match[2] for match in matches if match}
