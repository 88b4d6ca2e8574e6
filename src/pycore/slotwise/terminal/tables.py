"""Tables and notes of a replay, for a terminal."""

from __future__ import annotations

import textwrap
from math import nan
from typing import TYPE_CHECKING, cast

import numpy as np

from slotwise import text
from slotwise.replay.metric_format import STATISTICS, best_of, format_of, label_of
from slotwise.replay.metric_sections import counted_from, notes_of, sections_of
from slotwise.replay.part_limits import exceeded_part_limits, limit_in_words
from slotwise.replay.reject_reason import RejectReason
from slotwise.replay.rejections import rejection_of
from slotwise.replay.state import State
from slotwise.site.machine.nodes import Nodes
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from slotwise.replay.metric_sections import Section
    from slotwise.result import Result
    from slotwise.trace import Trace

Metrics = dict[str, float]

_WIDEST = 10_000
"""Width of the widest table, in characters."""
_RIGHT = {"Jobs", "Attempts", "Nodes"}
"""Sections of metrics that are printed on the right, beside the figures of the machine."""


def new_table(*columns: str, title: str | None = None) -> Table:
    """Create a table with a left-aligned first column; the other columns hold numbers."""
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left", title_style="bold"
    )
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", no_wrap=bool(index))
    return table


def fitting_table(
    console: Console, headings: Sequence[str], rows: Sequence[Sequence[str]]
) -> Table:
    """Create a table of numbers; for a narrow console, break its headings and narrow its gaps."""

    def filled(headings: Sequence[str]) -> Table:
        table = new_table(*headings)
        table.columns[0].no_wrap = True
        for row in rows:
            table.add_row(*row)
        return table

    unbounded = console.options.update(max_width=_WIDEST)
    table = filled(headings)
    if console.measure(table, options=unbounded).maximum > console.width:
        table = filled([heading.replace(" ", "\n") for heading in headings])
    if console.measure(table, options=unbounded).maximum > console.width:
        table.padding = (0, 1, 0, 0)
    return table


def new_table_of_words(title: str | None = None) -> Table:
    """Create a table of names, which are never cut, and descriptions, which may wrap."""
    from rich.table import Table

    table = Table(
        title=title, title_justify="left", title_style="bold", box=None, show_header=False,
        pad_edge=False, padding=(0, 2, 0, 0),
    )  # fmt: skip
    table.add_column(no_wrap=True)
    table.add_column()
    return table


def print_metrics(
    console: Console, metrics: Metrics, *, wide: bool = False, wait_from: str | None = None
) -> None:
    """Print the metrics of one replay: waits, machine and jobs, then slowdowns.

    With `wide`, the table of machine and jobs has every metric. `wait_from` selects the time from
    which waits are measured.
    """
    sections = sections_of(counted_from(metrics, wait_from))
    families = [section for section in sections if section.family]
    _print_families(console, metrics, [s for s in families if "slowdown" not in s.family])
    _print_pairs(console, metrics, [s for s in sections if not s.family and (wide or s.is_main)])
    slowdowns = [section for section in families if "slowdown" in section.family]
    _print_families(console, metrics, slowdowns)
    shown = [key for section in families for key in section.keys]
    print_notes(console, notes_of(shown, metrics["threshold"]))


def _print_families(console: Console, metrics: Metrics, families: Sequence[Section]) -> None:
    """Print one row per family of metrics, with one column per statistic."""
    table = new_table("", *STATISTICS)
    for section in families:
        shown = {key: format_of(key).write(metrics[key]) for key in section.keys}
        cells = (shown.get(f"{statistic}_{section.family}", "") for statistic in STATISTICS)
        table.add_row(label_of(section.family), *cells)
    if table.row_count:
        console.print(table)


def _print_pairs(console: Console, metrics: Metrics, sections: Sequence[Section]) -> None:
    """Print the machine's figures next to the jobs' figures."""
    pairs = new_table("machine", "", "jobs", "")
    pairs.columns[2].justify = "left"
    right = [key for section in sections if section.title in _RIGHT for key in section.keys]
    left = [key for section in sections if section.title not in _RIGHT for key in section.keys]
    for index in range(max(len(left), len(right))):
        pairs.add_row(*_pair(metrics, left, index), *_pair(metrics, right, index))
    console.print(pairs)


def _pair(metrics: Metrics, names: Sequence[str], index: int) -> tuple[str, str]:
    if index >= len(names):
        return "", ""
    shown = format_of(names[index])
    return shown.label, shown.write(metrics[names[index]])


def print_chosen(console: Console, metrics: Metrics, names: Sequence[str]) -> None:
    """Print some metrics of one replay, one row each, in the order given."""
    table = new_table("metric", "value")
    for name in names:
        shown = format_of(name)
        table.add_row(shown.label, shown.write(metrics.get(name, nan)))
    console.print(table)
    print_notes(console, notes_of(names, metrics["threshold"]))


def compared_names(
    columns: Iterable[Metrics], *, wide: bool = False, wait_from: str | None = None
) -> list[str]:
    """Return the names of metrics found in every column; without `wide`, of the main ones only."""
    every = [set(metrics) for metrics in columns]
    common = set.intersection(*every)
    sections = sections_of(counted_from(common, wait_from), is_main=None if wide else True)
    return [key for section in sections for key in section.keys]


def print_comparison(
    console: Console,
    columns: Mapping[str, Metrics],
    extra: Mapping[str, Sequence[str]],
    *,
    mark_best: bool,
    names: Sequence[str] | None = None,
    wide: bool = False,
) -> None:
    """Print one column per site, in as many tables as the width of the console requires.

    A star follows each figure marked as best; a space follows every other figure.

    Parameters
    ----------
    extra : mapping of label to sequence of str
        Rows that come first, already formatted, one cell per column.
    mark_best : bool
        Mark the best value of each row.
    names : sequence of str, optional
        Metrics to show. Default: `compared_names`.
    wide : bool, default False
        Print one table, wider than the console if necessary.
    """
    from rich.markup import escape

    rows = [(label, [cell + " " for cell in cells]) for label, cells in extra.items()]
    for name in compared_names(columns.values()) if names is None else names:
        values = [metrics.get(name, nan) for metrics in columns.values()]
        best = best_of(name, values) if mark_best else None
        shown = format_of(name)
        cells = [shown.write(v) + ("*" if i == best else " ") for i, v in enumerate(values)]
        rows.append((shown.label, cells))
    sites = list(columns)
    pages = [list(range(len(sites)))] if wide else _pages(console.width, sites, rows)
    for chosen in pages:
        table = new_table("", *(escape(sites[i]) + " " for i in chosen))
        table.columns[0].no_wrap = True
        for number, (label, cells) in enumerate(rows, 1):
            marked = [f"[bold]{cells[i]}[/]" if "*" in cells[i] else cells[i] for i in chosen]
            table.add_row(escape(label), *marked, end_section=number == len(extra))
        if wide:
            widen(console, table)
        console.print(table)


def widen(console: Console, table: Table) -> None:
    """Make the console as wide as a table, so that no figure is cut; the terminal wraps lines."""
    unbounded = console.options.update(max_width=_WIDEST)
    console.width = max(console.width, console.measure(table, options=unbounded).maximum)


def _pages(
    width: int, names: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]
) -> list[list[int]]:
    """Divide the sites among tables that fit; the first site is in each of them.

    `new_table` adds two characters to its first column and three to every other.
    """
    label = max(len(label) for label, _ in rows) + 2
    widths = [
        max(*(len(line) + 1 for line in name.split("\n")), *(len(cells[i]) for _, cells in rows))
        + 3
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
    """Print wrapped sentences that explain the figures."""
    width = min(console.width, 100)
    for note in notes:
        body = textwrap.fill(note, width, subsequent_indent="  ", break_long_words=False)
        console.print(body, style=style, markup=False, soft_wrap=True)


_EXPECTED = ("zone_assumed",)
"""Notes that only `info` prints: replays expect UTC anyway, as ``TZ=UTC sacct`` writes it."""


def reading_notes(trace: Trace) -> list[str]:
    """Summarise what was repaired, dropped or noted when a trace was read, one sentence each."""
    notes = []
    for kind, label in (("repaired", "Repaired"), ("dropped", "Dropped"), ("note", "Noted")):
        faults = [f for f in trace.report.faults(kind) if f.reason not in _EXPECTED]
        if faults:
            listed = "; ".join(f"{f.count:,} x {f.reason.replace('_', ' ')}" for f in faults)
            notes.append(f"{label} in the trace: {listed}.")
    return notes or ["Nothing in the trace was repaired or dropped."]


def demand_notes(results: Sequence[Result]) -> list[str]:
    """Name the node resources that jobs request but a machine without nodes ignores."""
    demands = results[0].trace.demands
    others = [] if demands is None else [name for name in demands.each if name != "cores"]
    if not others or all(isinstance(result.site.machine, Nodes) for result in results):
        return []
    return [
        f"The jobs also request {', '.join(others)}; a machine without nodes counts only cores. "
        "Describe the nodes in a site file, in [machine] nodes."
    ]


def print_faults(console: Console, trace: Trace) -> None:
    """Print each kind of fault in a trace: its count, its rule and the first lines that have it."""
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
    """State what the utilisation refers to, and count the jobs left out of the means."""
    (_, metrics), *others = results
    cut = "not trimmed"
    if any(trim):
        cut = f"trimmed by {trim[0]:g} at its beginning and {trim[1]:g} at its end"
    span = metrics["window_end"] - metrics["window_begin"]
    time = f"{text.duration(span)}, first submission to last end"
    if others:
        time = "each column's own span from first submission to last end"
    machines = " or ".join(
        text.count(size) for size in sorted({result.processors for result, _ in results})
    )
    return [
        "p95 is the 95th percentile, interpolated linearly.",
        f"Utilisation refers to {machines} processors over {time}, {cut}.",
        f"Left out of the means: {_left_out(results)}.",
    ]


def _left_out(results: Sequence[tuple[Result, Metrics]]) -> str:
    """Count the jobs left out of the means; give a range if the counts differ between results."""
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
    counts += _never_started(results)
    counts += [
        (one, what, [int(metrics[name]) for _, metrics in results])
        for name, one, what in (
            ("n_trimmed", "job", "submitted in the trimmed time"),
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


def _never_started(
    results: Sequence[tuple[Result, Metrics]],
) -> list[tuple[str, str, list[int]]]:
    """Count the jobs still waiting at the end; name the first job over a partition limit."""
    waiting = [result.state == State.WAITING for result, _ in results]
    found = [int(np.count_nonzero(rows)) for rows in waiting]
    if not any(found):
        return []
    result = results[int(np.argmax(found))][0]
    exceeded = exceeded_part_limits(result.trace, result.site, result.processors)
    limits = np.where(result.state == State.WAITING, exceeded, 0)
    if not limits.any():
        return [("job", "that never started", found)]
    row = int(np.argmax(limits > 0))
    why = limit_in_words(result.trace, result.site, row, int(limits[row]), int(result.queue[row]))
    first = f"first job {result.trace.job_id[row]}: {why}"
    return [("job", f"left pending forever by a partition limit ({first})", found)]


def _why(reason: RejectReason, result: Result) -> str:
    """Describe a reason; for limits and jobs too large for the nodes, name the first such job."""
    rows = np.flatnonzero(result.reject_reason == reason)
    on_nodes = isinstance(result.site.machine, Nodes) and reason == RejectReason.TOO_LARGE
    if len(rows) == 0 or not (on_nodes or reason == RejectReason.LIMIT):
        return reason.words
    row = int(rows[0])
    first = f"job {result.trace.job_id[row]}"
    if reason == RejectReason.LIMIT:
        why = rejection_of(result.trace, result.site, row, reason, int(result.queue[row]))
        return f"{reason.words} (first {first}: {why})"
    machine = cast("Nodes", result.site.machine)
    demands = demands_of(result.trace, machine)
    lacks = machine.what_lacks(*demands.of_job(row), **demands.rules_of(row))
    if not lacks:  # the job would fit if it could use all nodes of the machine
        return f"too large for the nodes of their queue (the first is {first})"
    return f"too large for the nodes ({first}: {lacks})"
