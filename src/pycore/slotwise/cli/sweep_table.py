"""The table of a sweep: printed, as JSON, or written to a file."""

from __future__ import annotations

import json
import re
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise.formats.job_files import write_columns
from slotwise.replay.metric_format import format_of
from slotwise.replay.metric_sections import sections_of
from slotwise.terminal import screen, tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from slotwise.sweeps.rows import Row

TABLE_SUFFIXES = (".csv", ".parquet")
_SHOWN = ("mean_wait", "p95_wait", "utilisation", "mean_bounded_slowdown", "n_rejected")
_MOST_ROWS = 40
_HEADING = 12
"""Width in characters that a heading may use even if its column's cells are narrower."""


class Shown(NamedTuple):
    """Metrics and points to print, as selected with ``--columns`` and ``--wide``."""

    chosen: Sequence[str] = ()
    wide: bool = False

    def metrics_of(self, rows: Sequence[Row]) -> list[str]:
        """List the metrics to print, with rejections only if there are any."""
        if self.chosen:
            return list(self.chosen)
        if self.wide:
            names = (name for row in rows for name in row.metrics)
            return [key for section in sections_of(names) for key in section.keys]
        rejected = any(row.metrics["n_rejected"] for row in rows)
        return [key for key in _SHOWN if key != "n_rejected" or rejected]


def give(
    out: Path | None,
    as_json: bool,
    points: Sequence[Mapping[str, Any]],
    rows: Sequence[Row],
    shown: Shown,
) -> None:
    """Write the rows of all points to a file if the user names one, and print them."""
    if out is not None:
        _write(out, points, rows)
    if as_json:
        screen.print_json({"rows": [_record(*pair) for pair in zip(points, rows, strict=True)]})
        return
    _show(points, rows, shown)
    if out is not None:
        screen.stdout().print(f"Table written to {out}", markup=False, soft_wrap=True)


def _record(point: Mapping[str, Any], row: Row) -> dict[str, Any]:
    return {"set": dict(point), "seconds": row.seconds, "metrics": row.metrics}


def _write(out: Path, points: Sequence[Mapping[str, Any]], rows: Sequence[Row]) -> None:
    metrics = list(dict.fromkeys(name for row in rows for name in row.metrics))
    keys = list(points[0]) if points else []
    columns: dict[str, list[Any]] = {key: [_cell(point[key]) for point in points] for key in keys}
    columns["seconds"] = [row.seconds for row in rows]
    for name in metrics:
        columns[name] = [row.metrics.get(name) for row in rows]
    write_columns({name: np.array(c, dtype=object) for name, c in columns.items()}, out)


def _cell(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, bool)) else json.dumps(value, default=str)


def _show(points: Sequence[Mapping[str, Any]], rows: Sequence[Row], shown: Shown) -> None:
    """Print one row per point; if there are too many, keep those with the shortest mean wait."""
    console = screen.stdout()
    order = list(range(len(rows)))
    if len(order) > _MOST_ROWS and not shown.wide:
        order = sorted(order, key=lambda i: rows[i].metrics["mean_wait"])[:_MOST_ROWS]
        console.print(f"The {_MOST_ROWS} of {len(rows)} points with the shortest mean wait:\n")
    keys = list(points[0]) if points else []
    columns = {
        name: [str(_cell(points[i][key])) for i in order]
        for key, name in zip(keys, short_names(keys), strict=True)
    }
    for key in shown.metrics_of(rows):
        metric = format_of(key)
        columns[metric.label] = [metric.write(rows[i].metrics.get(key, nan)) for i in order]
    table = tables.new_table(*(_heading(name, cells) for name, cells in columns.items()))
    for column, key in zip(table.columns, keys, strict=False):
        if any(isinstance(points[i][key], str) for i in order):
            column.justify = "left"
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    # In a narrower table, keys would be cut off, and different rows could look the same.
    tables.widen(console, table)
    console.print(table)


def short_names(keys: Sequence[str]) -> list[str]:
    """Shorten each key to the fewest trailing parts that make it unique."""
    parts = [key.split(".") for key in keys]
    names = []
    for own in parts:
        size = 1
        while size < len(own) and sum(other[-size:] == own[-size:] for other in parts) > 1:
            size += 1
        names.append(".".join(own[-size:]))
    return names


def _heading(name: str, cells: Sequence[str]) -> str:
    """Break a name between words, into lines no wider than its column."""
    width = max(_HEADING, *map(len, cells))
    lines = [""]
    for word in re.findall(r"[^ ._]+[ ._]*", name):
        if lines[-1] and len(lines[-1] + word.rstrip()) > width:
            lines.append("")
        lines[-1] += word
    return "\n".join(line.rstrip() for line in lines)
