"""Findings from Tables I to VI next to the paper's, in a few sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from slotwise.studies.torus.paper import SOLVERS
from slotwise.studies.torus.table_names import TABLES, WITH_BACKFILLING, table_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from slotwise.studies.row import Row

_SPREADS = 2
"""Two figures agree if they differ by at most this many of our standard deviations."""


def findings(rows: Sequence[Row]) -> Iterator[str]:
    """Yield, for each table, how often the window is better and how often the paper agrees."""
    tables: dict[str, list[Row]] = {}
    for row in rows:
        tables.setdefault(row.table, []).append(row)
    for number, (trace, metric) in TABLES.items():
        if number in tables:
            yield f"Table {number}, {metric} of {trace}: {_beside_the_paper(number, tables)}."
    waits = [
        row
        for number, (_, metric) in TABLES.items()
        if metric != "utilisation"
        for row in tables.get(number, ())
    ]
    yield from _solvers(waits)
    yield "See docs/studies/torus.md for where and why our results differ from the paper's."


def _beside_the_paper(number: str, tables: Mapping[str, Sequence[Row]]) -> str:
    rows = tables[number]
    words = f"better than FCFS + EASY in {_better(rows)} of {len(rows)} cells (paper: "
    words += f"{sum((row.paper or 0) > 0 for row in rows)})"
    behind = tables.get(table_name(number, WITH_BACKFILLING))
    if behind:
        words += f", with backfilling in {_better(behind)}"
    with_spread = [row for row in rows if row.spread is not None]
    if with_spread:
        near = sum(_agrees(row.ours, row.paper, row.spread) for row in with_spread)
        words += (
            f"; the paper's figure is within {_SPREADS} standard deviations of our figure in {near}"
        )
    return words


def _solvers(rows: Sequence[Row]) -> Iterator[str]:
    """Compare the two solvers cell by cell; the paper calls them comparable."""
    by_cell: dict[tuple[object, ...], dict[str, Row]] = {}
    for row in rows:
        cell = (row.table, row.keys["alpha"], row.keys["beta"])
        by_cell.setdefault(cell, {})[str(row.keys["solver"])] = row
    pairs = [tuple(cell[solver] for solver in SOLVERS) for cell in by_cell.values()]
    pairs = [pair for pair in pairs if all(row.spread is not None for row in pair)]
    if pairs:
        near = sum(
            _agrees(one.ours, other.ours, math.hypot(one.spread or 0, other.spread or 0))
            for one, other in pairs
        )
        yield (
            f"Branch-and-bound and greedy differ by at most {_SPREADS} standard deviations in "
            f"{near} of {len(pairs)} cells for wait and response; the paper also finds them "
            "comparable."
            if near >= 0.9 * len(pairs)
            else f"Branch-and-bound and greedy differ by at most {_SPREADS} standard deviations in "
            f"only {near} of {len(pairs)} cells for wait and response, but the paper finds them "
            "comparable."
        )


def _better(rows: Sequence[Row]) -> int:
    return sum((row.ours or 0) > 0 for row in rows)


def _agrees(ours: float | None, other: float | None, spread: float | None) -> bool:
    if ours is None or other is None or spread is None:
        return False
    return abs(ours - other) <= _SPREADS * spread
