"""Tables and notes of a replay, for a terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np

from slotwise import text
from slotwise.replay.metric_format import FAMILIES, STATISTICS, best_of, format_of, label_of
from slotwise.replay.reject_reason import RejectReason
from slotwise.site.nodes import Nodes
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from slotwise.result import Result
    from slotwise.trace import Trace

Metrics = dict[str, float]

_MACHINE_ROWS = (
    "utilisation",
    "utilisation_of_available",
    "loss_of_capacity",
    "makespan",
    "mean_queue_length",
    "max_queue_length",
    "throughput",
    "area_weighted_response",
    "fragmentation",
)
_JOB_ROWS = (
    "n_started",
    "n_backfilled",
    "n_killed",
    "n_rejected",
    "n_dropped",
    "n_attempts",
    "n_interrupted",
    "lost_processor_hours",
    "share_contiguous",
    "mean_pieces",
)
_COMPARED = (
    "mean_eligible_wait",
    "max_eligible_wait",
    "mean_wait",
    "median_wait",
    "p95_wait",
    "max_wait",
    "mean_response",
    "mean_bounded_slowdown",
    "median_bounded_slowdown",
    "p95_bounded_slowdown",
    "area_weighted_response",
    "utilisation",
    "utilisation_of_available",
    "loss_of_capacity",
    "makespan",
    "mean_queue_length",
    "max_queue_length",
    "n_started",
    "n_backfilled",
    "n_killed",
    "n_rejected",
    "n_interrupted",
    "lost_processor_hours",
    "share_contiguous",
    "mean_pieces",
    "fragmentation",
)


def new_table(*columns: str, title: str | None = None) -> Table:
    """Make a table whose first column is left-aligned and the others are numbers."""
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left", title_style="bold"
    )
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", no_wrap=bool(index))
    return table


def print_metrics(console: Console, metrics: Metrics) -> None:
    """Print the metrics of one replay: a table of distributions, then machine and jobs."""
    table = new_table("", *STATISTICS)
    for family in FAMILIES:
        cells = [metrics.get(f"{statistic}_{family}") for statistic in STATISTICS]
        if None not in cells:
            write = format_of(f"mean_{family}").write
            table.add_row(label_of(family), *(write(cell) for cell in cells if cell is not None))
    console.print(table)
    pairs = new_table("machine", "", "jobs", "")
    left = [name for name in _MACHINE_ROWS if name in metrics]
    right = [name for name in _JOB_ROWS if name in metrics]
    pairs.columns[2].justify = "left"
    for index in range(max(len(left), len(right))):
        cells_of_row = [*_pair(metrics, left, index), *_pair(metrics, right, index)]
        pairs.add_row(*cells_of_row)
    console.print(pairs)


def _pair(metrics: Metrics, names: Sequence[str], index: int) -> tuple[str, str]:
    if index >= len(names):
        return "", ""
    shown = format_of(names[index])
    return shown.label, shown.write(metrics[names[index]])


def print_comparison(
    console: Console,
    columns: Mapping[str, Metrics],
    extra: Mapping[str, Sequence[str]],
    *,
    mark_best: bool,
) -> None:
    """Print one column a site, as many tables as the width asks.

    `extra` gives more rows, already written, one cell a column.
    """
    from rich.markup import escape

    names = list(columns)
    rows: list[tuple[str, list[str]]] = []
    for name in _COMPARED:
        if not all(name in metrics for metrics in columns.values()):
            continue
        values = [metrics[name] for metrics in columns.values()]
        best = best_of(name, values) if mark_best else set()
        shown = format_of(name)
        cells = [shown.write(v) + ("*" if i in best else " ") for i, v in enumerate(values)]
        rows.append((shown.label, cells))
    rows.extend((label, [cell + " " for cell in cells]) for label, cells in extra.items())
    for chosen in _pages(console.width, names, rows):
        table = new_table("", *(escape(names[i]) + " " for i in chosen))
        table.columns[0].no_wrap = True
        for label, cells in rows:
            marked = [f"[bold]{cells[i]}[/]" if "*" in cells[i] else cells[i] for i in chosen]
            table.add_row(escape(label), *marked)
        console.print(table)


def _pages(
    width: int, names: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]
) -> list[list[int]]:
    """Deal the columns into tables that fit, the first column in each of them.

    A table of `new_table` is two characters wider than its first column, and three than each other.
    """
    label = max(len(label) for label, _ in rows) + 2
    widths = [
        max(len(name) + 1, *(len(cells[i]) for _, cells in rows)) + 3
        for i, name in enumerate(names)
    ]
    pages = [[0]]
    used = label + widths[0]
    for index in range(1, len(names)):
        if used + widths[index] > width and len(pages[-1]) > 1:
            pages.append([0])
            used = label + widths[0]
        pages[-1].append(index)
        used += widths[index]
    return pages


def print_notes(console: Console, notes: Sequence[str], style: str = "dim") -> None:
    """Print sentences about the figures, such as what they rest on, wrapped."""
    width = min(console.width, 100)
    for note in notes:
        body = textwrap.fill(note, width, subsequent_indent="  ", break_long_words=False)
        console.print(body, style=style, markup=False, soft_wrap=True)


def reading_notes(trace: Trace) -> list[str]:
    """Say what was repaired, dropped and noted while the trace was read; one sentence a kind."""
    notes = []
    for kind, label in (("repaired", "Repaired"), ("dropped", "Dropped"), ("note", "Noted")):
        faults = trace.report.faults(kind)
        if faults:
            listed = "; ".join(f"{f.count:,} x {f.reason.replace('_', ' ')}" for f in faults)
            notes.append(f"{label} in the trace: {listed}.")
    return notes or ["Nothing in the trace was repaired or dropped."]


def demand_notes(results: Sequence[Result]) -> list[str]:
    """Say what the jobs ask of nodes where a machine has none to give it."""
    demands = results[0].trace.demands
    others = [] if demands is None else [name for name in demands.each if name != "cores"]
    if not others or all(isinstance(result.site.machine, Nodes) for result in results):
        return []
    return [
        f"The jobs ask {', '.join(others)} of their nodes too; a machine of processors counts "
        "cores alone. Describe the nodes in a site file, as [machine] nodes, and give that with "
        "--site."
    ]


def print_faults(console: Console, trace: Trace) -> None:
    """Print every fault of a trace with its rule and its first lines."""
    from rich.table import Table

    faults = trace.report.faults()
    if not faults:
        console.print("Nothing was repaired, dropped or rejected.")
        return
    table = Table(
        title="Found while reading", title_justify="left", title_style="bold", box=None,
        show_header=False, pad_edge=False, padding=(0, 2, 0, 0),
    )  # fmt: skip
    for justify in ("left", "right", "left"):
        table.add_column(justify=justify, no_wrap=justify == "right")
    for fault in faults:
        more = ", …" if fault.count > len(fault.lines) else ""
        lines = f" (line {', '.join(map(str, fault.lines[:3]))}{more})" if fault.lines else ""
        table.add_row(fault.kind, f"{fault.count:,}", f"{fault.rule}{lines}")
    console.print(table)


def metric_notes(results: Sequence[tuple[Result, Metrics]], trim: tuple[float, float]) -> list[str]:
    """Say threshold, denominator, trimming and what was left out, of one replay or several."""
    (_, metrics), *others = results
    cut = f"trimmed by {trim[0]:g} and {trim[1]:g}" if any(trim) else "not trimmed"
    span = metrics["window_end"] - metrics["window_begin"]
    time = f"{text.duration(span)}, first submit to last end"
    if others:
        time = "each column's own time from first submit to last end"
    machines = " or ".join(
        text.count(size) for size in sorted({result.processors for result, _ in results})
    )
    return [
        f"Bounded slowdown = max(1, (wait + run) / max(run, {metrics['threshold']:.0f} s)); "
        "p95 is the 95th percentile, linear.",
        f"Utilisation is of {machines} processors over {time}, {cut}.",
        f"Left out of the means: {_left_out(results)}.",
    ]


def _left_out(results: Sequence[tuple[Result, Metrics]]) -> str:
    """Name the jobs no mean counts; a range where the columns differ."""
    rejected = [result.rejections() for result, _ in results]
    counts = [
        (
            "job",
            f"rejected as {_why(reason, results[0][0])}",
            [found.get(reason, 0) for found in rejected],
        )
        for reason in RejectReason
        if any(reason in found for found in rejected)
    ]
    counts += [
        (one, what, [int(metrics[name]) for _, metrics in results])
        for name, one, what in (
            ("n_trimmed", "job", "submitted in the time trimmed"),
            ("n_dropped", "line", "of the trace dropped"),
        )
    ]
    parts = []
    for one, what, found in counts:
        low, high = min(found), max(found)
        if high:
            counted = text.plural(high, one)
            parts.append(f"{counted if low == high else f'{low:,} to {counted}'} {what}")
    return ", ".join(parts) or "nothing"


def _why(reason: RejectReason, result: Result) -> str:
    """Say why jobs are rejected; on nodes, what they lack for the first."""
    machine = result.site.machine
    rows = np.flatnonzero(result.reject_reason == reason)
    if not isinstance(machine, Nodes) or len(rows) == 0:
        return reason.words
    lacks = machine.what_lacks(*demands_of(result.trace).of_job(int(rows[0])))
    return f"too large for the nodes (job {result.trace.job_id[rows[0]]}: {lacks})"
