"""The plain HTML of a report: what was replayed, and the metrics with what they are over."""

from __future__ import annotations

import dataclasses
from html import escape
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from slotwise import text
from slotwise.dates import dates_of, written_instant, written_period
from slotwise.nodes import Nodes
from slotwise.report import numbers
from slotwise.sites.summary import parts_of
from slotwise.summary import jobs_a_second

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slotwise.policy import Policy
    from slotwise.result import Result
    from slotwise.site import Site
    from slotwise.trace import Trace

    Metrics = Mapping[str, float]


class Section(NamedTuple):
    """Rows of the metrics table under one heading; a row is its label and the metric's name."""

    title: str
    rows: list[tuple[str, str]]


def _spread(name: str) -> list[tuple[str, str]]:
    labels = {"mean": "mean", "median": "median", "p95": "95th percentile", "max": "largest"}
    return [(label, f"{which}_{name}") for which, label in labels.items()]


_MAIN = [
    Section("Wait", [*_spread("wait"), ("mean by area", "area_weighted_wait")]),
    Section("Bounded slowdown", _spread("bounded_slowdown")),
    Section(
        "Machine",
        [
            ("utilisation", "utilisation"),
            ("utilisation of what there was", "utilisation_of_available"),
            ("loss of capacity", "loss_of_capacity"),
            ("makespan", "makespan"),
            ("jobs ended an hour", "throughput"),
        ],
    ),
    Section(
        "Jobs",
        [
            ("in the trace", "n_jobs"),
            ("started by backfill", "n_backfilled"),
            ("killed at their limit", "n_killed"),
            ("rejected", "n_rejected"),
        ],
    ),
    Section(
        "Attempts",
        [
            ("started", "n_attempts"),
            ("ended by crash or outage", "n_interrupted"),
            ("lost, processor-hours", "lost_processor_hours"),
            ("refunded, processor-hours", "refunded_processor_hours"),
        ],
    ),
]
_MORE = [
    Section("Response", [*_spread("response"), ("mean by area", "area_weighted_response")]),
    Section("Slowdown", _spread("slowdown")),
    Section("Bounded slowdown, run bounded in both places", _spread("bounded_slowdown_floor")),
    Section("Bounded slowdown per processor", _spread("per_processor_bounded_slowdown")),
    Section(
        "Queue",
        [
            ("mean length, jobs", "mean_queue_length"),
            ("longest, jobs", "max_queue_length"),
            ("mean processors waiting", "mean_queued_processors"),
            ("mean processors busy", "mean_busy_processors"),
        ],
    ),
]
# Said in the notes, not in rows.
_CONTEXT = {
    "threshold",
    "processors",
    "window_begin",
    "window_end",
    "n_started",
    "n_dropped",
    "n_trimmed",
}
_HIGHER_IS_BETTER = {
    "utilisation",
    "utilisation_of_available",
    "throughput",
    "mean_busy_processors",
}
_LOWER_IS_BETTER = {
    key for section in (*_MAIN, *_MORE) for _, key in section.rows if not key.startswith("n_")
} - _HIGHER_IS_BETTER


def metrics_html(metrics: Sequence[Metrics], names: Sequence[str]) -> str:
    """Lay the metrics out: cards for one result, one table with a column a result for several.

    Parameters
    ----------
    metrics : sequence of mappings of metric name to float
    names : sequence of str
        Of the results, plain text.
    """
    known = {key for section in (*_MAIN, *_MORE) for _, key in section.rows} | _CONTEXT
    others = [key for key in metrics[0] if key not in known]
    more = [*_MORE, Section("Others", [(key.replace("_", " "), key) for key in others])]
    main, rest = _present(_MAIN, metrics), _present(more, metrics)
    lay_out = _cards if len(metrics) == 1 else _table
    html = lay_out(main, metrics, names)
    if rest:
        html += f"<details><summary>All metrics</summary>{lay_out(rest, metrics, names)}</details>"
    return html


def _present(sections: list[Section], metrics: Sequence[Metrics]) -> list[Section]:
    kept = [
        Section(s.title, [row for row in s.rows if any(row[1] in m for m in metrics)])
        for s in sections
    ]
    return [section for section in kept if section.rows]


def _cards(sections: list[Section], metrics: Sequence[Metrics], _: Sequence[str]) -> str:
    cards = []
    for section in sections:
        rows = "".join(
            f'<tr><th scope="row">{escape(label)}</th>{_cell(key, metrics[0].get(key, nan))}</tr>'
            for label, key in section.rows
        )
        cards.append(f"<table><caption>{escape(section.title)}</caption>{rows}</table>")
    return f'<div class="cards">{"".join(cards)}</div>'


def _table(sections: list[Section], metrics: Sequence[Metrics], names: Sequence[str]) -> str:
    first, *others = (escape(name) for name in names)
    head = f'<th scope="col">{first}</th>'
    head += "".join(f'<th scope="col">{name} <small></small></th>' for name in others)
    bodies = []
    for section in sections:
        title = (
            f'<tr><th scope="rowgroup" colspan="{len(names) + 1}">{escape(section.title)}</th></tr>'
        )
        rows = "".join(_compared_row(label, key, metrics) for label, key in section.rows)
        bodies.append(f"<tbody>{title}{rows}</tbody>")
    return (
        '<div class="scroll"><table class="compared"><thead><tr><td></td>'
        f"{head}</tr></thead>{''.join(bodies)}</table></div>"
    )


def _compared_row(label: str, key: str, metrics: Sequence[Metrics]) -> str:
    """A row with a column a result; the best are marked unless all read the same."""
    shown = {
        numbers.metric(key, m[key]): m[key] for m in metrics if m.get(key, nan) == m.get(key, nan)
    }
    best = None
    if len(shown) > 1 and key in _HIGHER_IS_BETTER:
        best = max(shown, key=shown.__getitem__)
    elif len(shown) > 1 and key in _LOWER_IS_BETTER:
        best = min(shown, key=shown.__getitem__)
    base = metrics[0].get(key, nan)
    cells = [_cell(key, metrics[0].get(key, nan), best)]
    for m in metrics[1:]:
        value = m.get(key, nan)
        cells.append(_cell(key, value, best, f" <small>{_change(value, base)}</small>"))
    return f'<tr><th scope="row">{escape(label)}</th>{"".join(cells)}</tr>'


def _cell(key: str, value: float, best: str | None = None, after: str = "") -> str:
    shown = numbers.metric(key, value)
    mark = ' class="best"' if shown == best else ""
    full = escape(numbers.exact(key, value), quote=True)
    return f'<td{mark} title="{full}">{escape(shown)}{after}</td>'


def _change(value: float, base: float) -> str:
    """How a value differs from the first result's, in percent; empty where that says nothing."""
    if not base or isnan(base) or isnan(value) or value == base:
        return ""
    percent = 100 * (value / base - 1)
    if percent > -100 and round(percent) == -100:
        return f"−{min(-percent, 99.9):.1f} %"
    sign = "±" if round(percent) == 0 else "+" if percent > 0 else "−"
    return f"{sign}{abs(percent):,.0f} %"


def notes_html(results: Sequence[Result], metrics: Sequence[Metrics], threshold: float) -> str:
    """Say what the metrics are taken over: threshold, denominators, trimming, what was left out."""
    notes = (
        f"Bounded slowdown is max(1, (wait + run) / max(run, {threshold:g} s)). "
        "Percentiles are linear.",
        _capacity_note(results[0], metrics),
        _left_out_note(results, metrics),
    )
    return escape(" ".join(note for note in notes if note))


def _capacity_note(result: Result, metrics: Sequence[Metrics]) -> str:
    first = metrics[0]
    if not {"processors", "window_begin", "window_end"} <= first.keys():
        return ""
    dates = dates_of(result.trace, result.site.clock)
    begin, end = first["window_begin"], first["window_end"]
    period = f"{written_period(begin, end, dates)} ({text.duration(end - begin)})"
    if any(m["window_end"] != end for m in metrics):
        period = f"{written_instant(begin, dates)} to the last end of each schedule"
    sizes = " / ".join(sorted({text.count(m["processors"]) for m in metrics}))
    trimmed = first.get("n_trimmed", 0)
    return f"Utilisation and loss of capacity are shares of {sizes} processors from {period}; " + (
        f"{text.count(trimmed)} jobs are trimmed." if trimmed else "nothing is trimmed."
    )


def _left_out_note(results: Sequence[Result], metrics: Sequence[Metrics]) -> str:
    """Over how many jobs the waits are; the fewest where schedules differ."""
    fewest = min(range(len(metrics)), key=lambda i: metrics[i].get("n_started", 0))
    result, m = results[fewest], metrics[fewest]
    left_out = [
        f"{_several(count, 'job')} rejected as {reason.words}"
        for reason, count in result.rejections().items()
    ]
    if dropped := m.get("n_dropped", 0):
        left_out.append(f"{_several(dropped, 'line')} of the log that the reader dropped")
    started = m.get("n_started", m.get("n_jobs", 0) - m.get("n_rejected", 0))
    return (
        f"Waits and slowdowns are over the {_several(started, 'job')} that started; "
        f"left out: {' and '.join(left_out) or 'none'}."
    )


def _several(number: float, noun: str) -> str:
    return f"{text.count(number)} {noun}{'' if number == 1 else 's'}"


def facts_html(results: Sequence[Result], names: Sequence[str], facts: Mapping[str, str]) -> str:
    """Lay out what was replayed, on what, how, and by what, as a description list.

    Parameters
    ----------
    facts : mapping of str to str
        Further pairs to end with, plain text.
    """
    trace = results[0].trace
    pairs = {
        "Trace": _trace_text(trace),
        **_span_text(results[0]),
        "Machine": _machine_text(results),
    }
    if len(results) == 1:
        pairs["Policy"] = _site_text(results[0].site)
        pairs["Replay"] = _speed_text(results[0])
    else:
        for name, result in zip(names, results, strict=True):
            pairs[f"Schedule “{name}”"] = f"{_site_text(result.site)} — {_speed_text(result)}"
    pairs |= {
        key: " ".join(trace.header[key].split())
        for key in ("Installation", "Acknowledge")
        if trace.header.get(key)
    }
    pairs |= facts
    return "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in pairs.items())


def _site_text(site: Site) -> str:
    parts = ", ".join(parts_of(site))
    return policy_text(site.policy) + (f"; {parts}" if parts else "")


def policy_text(policy: Policy) -> str:
    """Describe a policy: its order, its backfill, and each switch that is not at its default."""
    said = f"{policy.order} order, {policy.backfill} backfilling"
    if policy.backfill == "as-logged":
        said = "the log's own schedule (as-logged)"
    elif policy.backfill == "none":
        said = f"{policy.order} order, no backfilling"
    for field in dataclasses.fields(policy):
        value = getattr(policy, field.name)
        if field.name not in ("order", "backfill") and value != field.default:
            said += f", {field.name} = {value}"
    return said


def _trace_text(trace: Trace) -> str:
    name = Path(trace.source).name if trace.source else "a trace in memory"
    computer = " ".join(trace.header.get("Computer", "").split())
    return f"{name} ({computer})" if computer else name


def _span_text(result: Result) -> dict[str, str]:
    trace = result.trace
    if len(trace) == 0:
        return {"Jobs": "none"}
    first, last = int(trace.submit[0]), int(trace.submit[-1])
    period = written_period(first, last, dates_of(trace, result.site.clock))
    length = text.duration(last - first)
    return {"Jobs": f"{text.count(len(trace))} submitted over {length}, {period}"}


def _machine_text(results: Sequence[Result]) -> str:
    sizes = sorted({result.processors for result in results})
    said = " / ".join(text.count(size) for size in sizes) + " processors"
    machines = {result.site.machine for result in results}
    if len(machines) == 1 and isinstance(machine := machines.pop(), Nodes):
        return f"{text.count(machine.n_nodes)} nodes, {said}"
    return said


def _speed_text(result: Result) -> str:
    if not result.seconds > 0:
        return "–"
    took = f"{result.seconds * 1000:.3g} ms" if result.seconds < 1 else f"{result.seconds:.3g} s"
    return f"replayed in {took} ({jobs_a_second(len(result.trace), result.seconds)})"
