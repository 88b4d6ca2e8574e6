"""HTML tables of a report: facts of the replay, metrics, and notes on them."""

from __future__ import annotations

from html import escape
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING

from slotwise import text
from slotwise.replay.metric_format import (
    are_comparable,
    best_of,
    format_of,
    note_of_best,
)
from slotwise.replay.metric_sections import Section, notes_of, sections_of
from slotwise.replay.metrics import reject_counts_of
from slotwise.site.dates import dates_of, written_instant, written_period
from slotwise.site.machine.nodes import Nodes
from slotwise.site.summary import describe
from slotwise.text import jobs_a_second

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slotwise.replay.replay_data import ReplayData
    from slotwise.trace import Trace

    Metrics = Mapping[str, float]


def metrics_html(
    metrics: Sequence[Metrics], names: Sequence[str], *, mark_best: bool = True
) -> str:
    """Lay out the metrics: cards for one result, a table with one column per result for several.

    Parameters
    ----------
    metrics : sequence of mappings of metric name to float
    names : sequence of str
        Names of the results, plain text.
    mark_best : bool, default True
        Mark the best value in each row; meaningful only if the same jobs started in all results.
    """
    names_of_all = [key for each in metrics for key in each]
    main = sections_of(names_of_all, is_main=True)
    rest = sections_of(names_of_all, is_main=False)

    def laid_out(sections: list[Section]) -> str:
        if len(metrics) == 1:
            return _cards(sections, metrics[0])
        return _table(sections, metrics, names, mark_best=mark_best)

    html = laid_out(main)
    if rest:
        explained = escape(" ".join(_explained(rest, metrics)))
        html += (
            f"<details><summary>All metrics</summary>{laid_out(rest)}"
            f'<p class="notes">{explained}</p></details>'
        )
    return html


def _explained(sections: list[Section], metrics: Sequence[Metrics]) -> list[str]:
    shown = [key for section in sections for key in section.keys]
    return notes_of(shown, metrics[0].get("threshold", 10))


def _label(section: Section, key: str) -> str:
    """Return a metric's label under its section heading: ``mean`` for ``mean_wait``."""
    return key.removesuffix(f"_{section.family}") if section.family else format_of(key).label


def _cards(sections: list[Section], metrics: Metrics) -> str:
    cards = []
    for section in sections:
        rows = "".join(
            f'<tr><th scope="row">{escape(_label(section, key))}</th>'
            f"{_cell(key, metrics.get(key, nan))}</tr>"
            for key in section.keys
        )
        cards.append(f"<table><caption>{escape(section.title)}</caption>{rows}</table>")
    return f'<div class="cards">{"".join(cards)}</div>'


def _table(
    sections: list[Section], metrics: Sequence[Metrics], names: Sequence[str], *, mark_best: bool
) -> str:
    first, *others = (escape(name) for name in names)
    head = f'<th scope="col">{first}</th>'
    head += "".join(f'<th scope="col">{name} <small></small></th>' for name in others)
    bodies = []
    for section in sections:
        title = (
            f'<tr><th scope="rowgroup" colspan="{len(names) + 1}">{escape(section.title)}</th></tr>'
        )
        rows = "".join(
            _compared_row(_label(section, key), key, metrics, mark_best=mark_best)
            for key in section.keys
        )
        bodies.append(f"<tbody>{title}{rows}</tbody>")
    return (
        '<div class="scroll"><table class="compared"><thead><tr><td></td>'
        f"{head}</tr></thead>{''.join(bodies)}</table></div>"
    )


def _compared_row(label: str, key: str, metrics: Sequence[Metrics], *, mark_best: bool) -> str:
    values = [m.get(key, nan) for m in metrics]
    best = best_of(key, values) if mark_best else None
    cells = [_cell(key, values[0], best=best == 0)]
    for number, value in enumerate(values[1:], start=1):
        change = f" <small>{_change(value, values[0])}</small>"
        cells.append(_cell(key, value, change, best=best == number))
    return f'<tr><th scope="row">{escape(label)}</th>{"".join(cells)}</tr>'


def _cell(key: str, value: float, after: str = "", *, best: bool = False) -> str:
    """Build a cell with a readable value, and the value with 10 digits as its tooltip."""
    write = format_of(key).write
    unit = " s" if write is text.clock else ""
    full = escape(f"{value:.10g}{unit}", quote=True)
    opened = f'<td class="best" title="{full}">' if best else f'<td title="{full}">'
    mark = "<i>*</i>" if best else ""
    return f"{opened}{escape(write(value))}{mark}{after}</td>"


def _change(value: float, base: float) -> str:
    """Write the difference from the first result in percent; "" if it is zero or unknown."""
    if not base or isnan(base) or isnan(value) or value == base:
        return ""
    percent = 100 * (value / base - 1)
    if percent > -100 and round(percent) == -100:
        return f"−{min(-percent, 99.9):.1f} %"
    sign = "±" if round(percent) == 0 else "+" if percent > 0 else "−"
    return f"{sign}{abs(percent):,.0f} %"


def notes_html(results: Sequence[ReplayData], metrics: Sequence[Metrics], threshold: float) -> str:
    """Explain the metrics: threshold, denominators, trimming, and jobs left out."""
    compared = note_of_best(comparable=are_comparable(results)) if len(results) > 1 else ""
    notes = (
        compared,
        *notes_of(["mean_bounded_slowdown"], threshold),
        "p95 is the 95th percentile, interpolated linearly.",
        _capacity_note(results[0], metrics),
        _left_out_note(results, metrics),
    )
    return escape(" ".join(note for note in notes if note))


def _capacity_note(result: ReplayData, metrics: Sequence[Metrics]) -> str:
    first = metrics[0]
    if not {"processors", "window_begin", "window_end"} <= first.keys():
        return ""
    dates = dates_of(result.trace, result.site.clock)
    begin, end = first["window_begin"], first["window_end"]
    period = f"{written_period(begin, end, dates)} ({text.duration(end - begin)})"
    if any(m["window_end"] != end for m in metrics):
        since = written_instant(begin, None) if dates is None else dates.date(begin)
        period = f"{since} to the end of the last job in each schedule"
    sizes = " / ".join(sorted({text.count(m["processors"]) for m in metrics}))
    trimmed = first.get("n_trimmed", 0)
    return f"Utilisation and loss of capacity refer to {sizes} processors from {period}; " + (
        f"{_several(trimmed, 'job')} {text.are(trimmed)} trimmed."
        if trimmed
        else "nothing is trimmed."
    )


def _left_out_note(results: Sequence[ReplayData], metrics: Sequence[Metrics]) -> str:
    """State how many jobs started and which were left out, in the result with the fewest starts."""
    fewest = min(range(len(metrics)), key=lambda i: metrics[i].get("n_started", 0))
    result, m = results[fewest], metrics[fewest]
    left_out = [
        f"{_several(count, 'job')} rejected as {reason.words}"
        for reason, count in reject_counts_of(result).items()
    ]
    if dropped := m.get("n_dropped", 0):
        left_out.append(f"{_several(dropped, 'line')} dropped when the log was read")
    started = m.get("n_started", m.get("n_jobs", 0) - m.get("n_rejected", 0))
    return (
        f"Waits and slowdowns cover the {_several(started, 'job')} that started; "
        f"left out: {' and '.join(left_out) or 'none'}."
    )


def _several(number: float, noun: str) -> str:
    return f"{text.count(number)} {noun}{'' if number == 1 else 's'}"


def facts_html(
    results: Sequence[ReplayData], names: Sequence[str], facts: Mapping[str, str]
) -> str:
    """Lay out facts about trace, machine, policies and replays as a description list.

    Parameters
    ----------
    facts : mapping of str to str
        Further pairs, as plain text, which are appended to the list.
    """
    trace = results[0].trace
    pairs = {
        "Trace": _trace_text(trace),
        **_span_text(results[0]),
        "Machine": _machine_text(results),
    }
    if len(results) == 1:
        pairs["Policy"] = describe(results[0].site)
        pairs["Replay"] = _speed_text(results[0])
    else:
        for name, result in zip(names, results, strict=True):
            pairs[f"Schedule “{name}”"] = f"{describe(result.site)} — {_speed_text(result)}"
    pairs |= {
        key: " ".join(trace.header[key].split())
        for key in ("Installation", "Acknowledge")
        if trace.header.get(key)
    }
    return pairs_html(pairs | dict(facts))


def pairs_html(pairs: Mapping[str, str]) -> str:
    """Lay out pairs of plain text as entries of a description list."""
    return "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in pairs.items())


def _trace_text(trace: Trace) -> str:
    name = Path(trace.source).name if trace.source else "a trace in memory"
    computer = " ".join(trace.header.get("Computer", "").split())
    return f"{name} ({computer})" if computer else name


def _span_text(result: ReplayData) -> dict[str, str]:
    trace = result.trace
    if len(trace) == 0:
        return {"Jobs": "none"}
    first, last = int(trace.submit[0]), int(trace.submit[-1])
    period = written_period(first, last, dates_of(trace, result.site.clock))
    length = text.duration(last - first)
    return {"Jobs": f"{text.count(len(trace))} submitted over {length}, {period}"}


def _machine_text(results: Sequence[ReplayData]) -> str:
    sizes = sorted({result.processors for result in results})
    said = " / ".join(text.count(size) for size in sizes) + " processors"
    machines = {result.site.machine for result in results}
    if len(machines) == 1 and isinstance(machine := machines.pop(), Nodes):
        return f"{text.count(machine.n_nodes)} nodes, {said}"
    return said


def _speed_text(result: ReplayData) -> str:
    if not result.seconds > 0:
        return "–"
    took = f"{result.seconds * 1000:.3g} ms" if result.seconds < 1 else f"{result.seconds:.3g} s"
    return f"replayed in {took} ({jobs_a_second(len(result.trace), result.seconds)})"
