"""The jobs of a result as a table any dataframe library takes without copying."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import _core
from slotwise.errors import MissingExtraError
from slotwise.state import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from numpy.typing import NDArray


class Jobs:
    """One row a job of the trace, in trace order, read-only.

    It speaks the Arrow PyCapsule interface: ``polars.DataFrame(jobs)``, ``pyarrow.table(jobs)``,
    and DuckDB (``select * from jobs``) take it without a copy: the integer columns are then the
    memory of trace and schedule themselves; -1 ("never", "unknown") is null there.
    ``pandas.DataFrame.from_arrow(jobs)`` works too, and copies.

    Columns
    -------
    job_id : int64
        As the log numbers it.
    submit, start, end : int64, seconds on the trace's clock
        Null where the job never started.
    wait : int64, seconds
        start - submit.
    run_time, requested_time : int64, seconds
        Of the trace; a killed job ran end - start, which is less.
    processors : int64
    state : dictionary of uint8 to text
        ``completed``, ``killed`` or ``rejected``; ``jobs["state"]`` holds the codes of `State`.
    backfilled : bool
        Whether it started past a waiting job that precedes it in the order of the queue.
    user, group, executable, queue, partition : int32
        As logged; null where unknown.

    Examples
    --------
    >>> jobs = result.jobs                      # doctest: +SKIP
    >>> polars.DataFrame(jobs).group_by("user").agg(polars.col("wait").mean())  # doctest: +SKIP
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self._columns = {name: np.ascontiguousarray(c).view() for name, c in columns.items()}
        for column in self._columns.values():
            column.flags.writeable = False
        labels = [("state", [state.name.lower() for state in State])]
        self._arrow = _core.ArrowColumns(list(self._columns.items()), labels)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
        return list(self._columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return one column as a read-only NumPy array; there -1 is -1.

        Raises
        ------
        KeyError
            For a name that is no column.
        """
        if name not in self._columns:
            known = ", ".join(self._columns)
            raise KeyError(f"unknown column {name!r}; known are: {known}")
        return self._columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns["submit"])

    def __repr__(self) -> str:
        return f"<Jobs: {len(self):,} rows; {', '.join(self._columns)}>"

    def __arrow_c_schema__(self) -> object:
        """Export the schema (Arrow PyCapsule interface)."""
        return self._arrow.schema()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the rows as one batch (Arrow PyCapsule interface).

        A requested schema is not followed, as the interface allows: casting is left to the taker.
        """
        return self._arrow.stream()

    def to_arrow(self) -> pa.Table:
        """Return a ``pyarrow.Table`` over the same memory.

        Raises
        ------
        MissingExtraError
            Without pyarrow (``pip install slotwise[parquet]``).
        """
        table: pa.Table = _library("pyarrow", "slotwise[parquet]").table(self)
        return table

    def to_pandas(self) -> pd.DataFrame:
        """Return a ``pandas.DataFrame``; pandas copies.

        Raises
        ------
        MissingExtraError
            Without pandas and pyarrow.
        """
        _library("pandas", "pandas slotwise[parquet]")
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def to_polars(self) -> pl.DataFrame:
        """Return a ``polars.DataFrame`` over the same memory.

        Raises
        ------
        MissingExtraError
            Without polars.
        """
        frame: pl.DataFrame = _library("polars", "polars").DataFrame(self)
        return frame


def _library(name: str, package: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtraError(
            f"{name} is not installed; install it with: pip install {package}"
        ) from error
