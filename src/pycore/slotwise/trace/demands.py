"""What jobs ask of a machine of nodes: columns beside those of a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from slotwise.errors import SiteError, TraceError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    Int64 = NDArray[np.int64]

UNITS = "units"
PREFIX = "unit_"
"""Columns of a csv or parquet file: ``units``, then ``unit_cores``, ``unit_memory``, …"""

_MOST_PROCESSORS = 2**31 - 1
_MOST = 2**62 - 1


class HasResources(Protocol):
    """A machine whose nodes have resources, by name."""

    @property
    def resources(self) -> tuple[str, ...]:
        """Names of the resources, in the order of its columns."""


class Demands:
    """The units of every job, and what each of them asks of the one node it lies on.

    Parameters
    ----------
    units : (n_jobs,) array_like of int
        At least 1 each. Units of a job may share a node.
    **each : (n_jobs,) array_like of int
        Of a unit, by resource: ``cores``, ``memory`` (KB), ``gpus``, ``mics``, or what else the
        nodes have. 0 where it asks none.

    Attributes
    ----------
    units : (n_jobs,) int64
    each : dict of str to (n_jobs,) int64

    Raises
    ------
    TraceError
        For columns of different lengths, none of cores, jobs without units and negative demands;
        from 2**31 units, cores or processors and from 2**62 of another resource.

    Examples
    --------
    >>> import slotwise as sw
    >>> demands = sw.Demands([2, 1], cores=[4, 16], gpus=[1, 0])
    >>> demands.processors.tolist()
    [8, 16]
    """

    __slots__ = ("each", "units")

    units: Int64
    each: dict[str, Int64]

    def __init__(self, /, units: ArrayLike, **each: ArrayLike) -> None:
        self.units = _column(UNITS, units, len(np.atleast_1d(np.asarray(units))), 1)
        if "cores" not in each:
            raise TraceError(
                f"demands of {', '.join(each) or 'nothing'} and not of cores, which every unit "
                "takes: give them too, as cores=[1, 1]"
            )
        self.each = {name: _column(name, v, len(self.units), 0) for name, v in each.items()}
        wide = self.processors > _MOST_PROCESSORS
        if wide.any():
            job = int(np.argmax(wide))
            raise TraceError(
                f"job {job} asks {self.units[job]} units of {self.each['cores'][job]} cores; a job "
                f"has at most {_MOST_PROCESSORS:,}: correct it"
            )

    def __len__(self) -> int:
        return len(self.units)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Demands):
            return NotImplemented
        return (
            np.array_equal(self.units, other.units)
            and self.each.keys() == other.each.keys()
            and all(np.array_equal(self.each[name], other.each[name]) for name in self.each)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Demands.from_columns, (self.columns(),)

    @property
    def processors(self) -> Int64:
        """Cores of all units of each job."""
        return self.units * self.each["cores"]

    def of_job(self, row: int) -> tuple[int, dict[str, int]]:
        """Return the units of a job, and what each of them asks by resource."""
        return int(self.units[row]), {name: int(v[row]) for name, v in self.each.items()}

    def take(self, rows: Int64) -> Demands:
        """Return the demands of the jobs `rows`, in that order."""
        return Demands(self.units[rows], **{name: v[rows] for name, v in self.each.items()})

    def columns(self) -> dict[str, Int64]:
        """Give the columns by the names they have in files."""
        return {UNITS: self.units} | {PREFIX + name: v for name, v in self.each.items()}

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any]) -> Demands | None:
        """Make demands of columns named as in files; None where there is no ``units``."""
        if UNITS not in columns:
            return None
        each = {
            name.removeprefix(PREFIX): v for name, v in columns.items() if name.startswith(PREFIX)
        }
        if UNITS in each:
            raise TraceError(
                f"has a column '{PREFIX + UNITS}', and units cannot ask for units; rename it"
            )
        return cls(columns[UNITS], **each)

    def on(self, nodes: HasResources) -> Int64:
        """Give what a unit asks in the order of the resources of a machine.

        Returns
        -------
        (n_jobs, n_resources) int64

        Raises
        ------
        SiteError
            Where a job asks a resource no node of the machine has.
        """
        for name, column in self.each.items():
            # Memory of 0 on every node is memory that is not counted.
            if name not in nodes.resources and name != "memory" and column.any():
                job = int(np.argmax(column > 0))
                msg = (
                    f"row {job} of the trace, counted from 0, asks {column[job]} of {name}, and no "
                    f"node has any: the nodes have {', '.join(nodes.resources)}; name one of "
                    f"those, or give a type of nodes {name}"
                )
                raise SiteError(msg)
        none = np.zeros(len(self), dtype=np.int64)
        return np.stack([self.each.get(name, none) for name in nodes.resources], axis=1)


def _column(name: str, values: ArrayLike, n_jobs: int, least: int) -> Int64:
    array = np.asarray(values)
    if array.ndim != 1 or len(array) != n_jobs or (n_jobs and array.dtype.kind not in "iu"):
        raise TraceError(
            f"{name} must be {n_jobs} whole numbers, one a job; it has the shape {array.shape} "
            f"and the type {array.dtype}"
        )
    if n_jobs and int(array.min()) < least:
        job = int(np.argmin(array))
        what = "a job has at least one unit" if least else "a demand is never negative"
        raise TraceError(f"{name}[{job}] is {array[job]}; {what}: correct it")
    most = _MOST_PROCESSORS if name in (UNITS, "cores") else _MOST
    if n_jobs and int(array.max()) > most:
        job = int(np.argmax(array))
        raise TraceError(f"{name}[{job}] is {array[job]}; it may be at most {most:,}: correct it")
    column = array.astype(np.int64)
    column.flags.writeable = False
    return column
