"""Ways to present a trace: tables for other libraries, names, notebook summaries and charts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from slotwise.accessor import Accessor
from slotwise.table import Table
from slotwise.trace.column import TraceColumns
from slotwise.trace.labels import LABELLED, names_of, words_in_order

if TYPE_CHECKING:
    from slotwise._core import JobTable
    from slotwise.trace.report import TraceReport


class TraceViews(TraceColumns):
    """Methods of a trace that export it, name its codes, summarise it and plot it."""

    __slots__ = ()

    _jobs: JobTable
    labels: dict[str, dict[int, str]]
    report: TraceReport
    source: str

    plot = Accessor("slotwise.result.trace_plots", "TracePlots")
    """Charts of the schedule that the log states: `slotwise.result.trace_plots.TracePlots`."""

    def to_table(self) -> Table:
        """Return a `Table` of the columns that the log has, without copying them.

        The trace itself supports the Arrow PyCapsule interface too: ``polars.DataFrame(trace)``
        and ``pyarrow.table(trace)`` read it directly, and `Trace.from_table` reads it back.
        """
        columns = dict(self._jobs.columns())
        words = {name: words_in_order(self.labels[name]) for name in self.labels if name in columns}
        return Table(columns, {name: each for name, each in words.items() if each})

    def __arrow_c_schema__(self) -> object:
        """Export the schema (Arrow PyCapsule interface)."""
        return self.to_table().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the columns that the log has, as one batch (Arrow PyCapsule interface)."""
        return self.to_table().__arrow_c_stream__(requested_schema)

    def names(self, column: str) -> list[str]:
        """Return the name of each job's code in a column; an unknown code gives an empty string.

        Raises KeyError for a column without codes.

        Examples
        --------
        >>> import slotwise as sw
        >>> sw.Trace.from_columns([0, 1], [5, 5], [1, 1], user=["ann", "bob"]).names("user")
        ['ann', 'bob']
        """
        if column not in LABELLED:
            raise KeyError(
                f"{column!r} has no names; only these columns can have them: {', '.join(LABELLED)}"
            )
        return names_of(self._column(column), self.labels.get(column))

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td>{escape(value)}</td></tr>"
            for name, value in _summary(self).items()
        )
        return f"<table>{rows}</table>"


def _summary(trace: Any) -> dict[str, str]:
    rows = {"jobs": f"{len(trace):,}"}
    if len(trace):
        days = (int(trace.submit[-1]) - int(trace.submit[0])) / 86400
        rows["submitted over"] = f"{days:,.1f} days"
        rows["widest job"] = f"{int(trace.processors.max()):,} processors"
    users = set(trace.user[trace.user >= 0].tolist())
    if users:
        rows["users"] = f"{len(users):,}"
    machine = trace.max_processors
    rows["machine"] = "unknown" if machine is None else f"{machine:,} processors"
    report = trace.report
    for name, count in (("repaired", report.total_repaired), ("dropped", report.total_dropped)):
        if count:
            rows[f"lines {name}"] = f"{count:,}"
    return rows | ({"source": trace.source} if trace.source else {})
