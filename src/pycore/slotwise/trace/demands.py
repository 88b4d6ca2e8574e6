"""Demands of jobs on a machine with nodes: columns that a trace may have in addition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from slotwise.errors import SiteError, TraceError
from slotwise.trace.demand_rules import (
    TEXT_RULES,
    Exclusive,
    check_rules,
    constraint_ids,
    exclusive_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    Int64 = NDArray[np.int64]

UNITS = "units"
PREFIX = "unit_"
"""Columns of a csv or parquet file: ``units``, then ``unit_cores``, ``unit_memory``, …"""

TEXTS = tuple(PREFIX + name for name in TEXT_RULES)
"""Columns of such a file that contain strings."""

_MOST_PROCESSORS = 2**31 - 1
_MOST = 2**62 - 1


class HasResources(Protocol):
    """A machine whose nodes have named resources."""

    @property
    def resources(self) -> tuple[str, ...]:
        """Names of the resources, in the order used for demands."""


class Demands:
    """The units of every job, and the demand of each unit on its node.

    Parameters
    ----------
    units : (n_jobs,) array_like of int
        At least 1 each. Units of a job may share a node.
    per_node : int or (n_jobs,) array_like of int, default 0
        Maximum number of units of a job on one node; 0 for no maximum.
    nodes : int or (n_jobs,) array_like of int, default 0
        Number of nodes for the units, at least one unit on each; 0 for any number.
    exclusive : str or (n_jobs,) array_like of str, default "no"
        ``"job"``: every unit takes its whole node. ``"user"``: the job shares nodes only with
        jobs of the same user that also have ``"user"``.
    constraint : str or (n_jobs,) array_like of str, default ""
        Features that the nodes must have: both for ``"a100&ib"``, either for ``"a100|h100"``.
    **each : (n_jobs,) array_like of int
        Demand of a unit, by resource: ``cores``, ``memory`` (KB), ``gpus``, ``mics``, or another
        resource of the nodes; 0 for none.

    Attributes
    ----------
    units, per_node, nodes : (n_jobs,) int64
    exclusive : (n_jobs,) uint8
        0 no, 1 job, 2 user.
    constraints : tuple of str
        The different constraints; the first is empty.
    constraint_id : (n_jobs,) int32
        Position of the job's constraint in `constraints`.
    each : dict of str to (n_jobs,) int64

    Raises
    ------
    TraceError
        For columns of different lengths, no column of cores, jobs without units and negative
        demands; for 2**31 or more units, cores or processors, or 2**62 of another resource; and for
        rules that contradict each other, such as more units than `nodes` times `per_node`.

    Examples
    --------
    >>> import slotwise as sw
    >>> demands = sw.Demands([2, 1], cores=[4, 16], gpus=[1, 0])
    >>> demands.processors.tolist()
    [8, 16]
    """

    __slots__ = (
        "constraint_id", "constraints", "each", "exclusive", "nodes", "per_node", "units"
    )  # fmt: skip

    units: Int64
    per_node: Int64
    nodes: Int64
    exclusive: NDArray[np.uint8]
    constraints: tuple[str, ...]
    constraint_id: NDArray[np.int32]
    each: dict[str, Int64]

    def __init__(
        self,
        /,
        units: ArrayLike,
        per_node: ArrayLike = 0,
        nodes: ArrayLike = 0,
        exclusive: str | ArrayLike = "no",
        constraint: str | ArrayLike = "",
        **each: ArrayLike,
    ) -> None:
        n_jobs = len(np.atleast_1d(np.asarray(units)))
        self.units = _column(UNITS, units, n_jobs, 1)
        self.per_node = _column("per_node", _broadcast(per_node, n_jobs), n_jobs, 0)
        self.nodes = _column("nodes", _broadcast(nodes, n_jobs), n_jobs, 0)
        self.exclusive = exclusive_of(exclusive, n_jobs)
        self.constraints, self.constraint_id = constraint_ids(constraint, n_jobs)
        check_rules(self.units, self.per_node, self.nodes, self.exclusive)
        if "cores" not in each:
            raise TraceError(
                f"demands are given for {', '.join(each) or 'nothing'}, but every unit needs "
                "cores: also pass cores, such as cores=[1, 1]"
            )
        self.each = {name: _column(name, v, len(self.units), 0) for name, v in each.items()}
        wide = self.processors > _MOST_PROCESSORS
        if wide.any():
            job = int(np.argmax(wide))
            raise TraceError(
                f"job {job} requests {self.units[job]} units of {self.each['cores'][job]} cores; a "
                f"job may have at most {_MOST_PROCESSORS:,} cores: correct it"
            )

    def __len__(self) -> int:
        return len(self.units)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Demands):
            return NotImplemented
        return (
            np.array_equal(self.units, other.units)
            and _same(self.rule_columns(), other.rule_columns())
            and _same(self.each, other.each)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Demands.from_columns, (self.columns(),)

    @property
    def has_rules(self) -> bool:
        """True if any job has a rule for its nodes (see `demand_rules`)."""
        return bool(self.rule_columns())

    def rule_columns(self) -> dict[str, NDArray[Any]]:
        """Return the rules that at least one job has, as columns of numbers and strings."""
        words = np.array([kind.name.lower() for kind in Exclusive])
        columns: dict[str, NDArray[Any]] = {"per_node": self.per_node, "nodes": self.nodes}
        found = {name: values for name, values in columns.items() if values.any()}
        if self.exclusive.any():
            found["exclusive"] = words[self.exclusive]
        if self.constraint_id.any():
            found["constraint"] = np.array(self.constraints)[self.constraint_id]
        return found

    @property
    def processors(self) -> Int64:
        """Cores of all units of each job."""
        return self.units * self.each["cores"]

    def check_processors(self, processors: Int64) -> None:
        """Refuse a trace whose processors differ from those of the demands.

        Raises
        ------
        TraceError
            If the number of rows or the processors of a job differ.
        """
        if len(self) != len(processors):
            raise TraceError(
                f"there are demands for {len(self)} jobs, but the trace has {len(processors)} "
                "jobs; pass the demands of every job"
            )
        other = self.processors != processors
        if other.any():
            job = int(np.argmax(other))
            raise TraceError(
                f"job {job} requests {self.units[job]} units of {self.each['cores'][job]} "
                f"cores and has {processors[job]} processors; the two totals must be equal"
            )

    def of_job(self, row: int) -> tuple[int, dict[str, int]]:
        """Return the units of a job, and the demand of each unit by resource."""
        return int(self.units[row]), {name: int(v[row]) for name, v in self.each.items()}

    def rules_of(self, row: int) -> dict[str, Any]:
        """Return a job's rules for its nodes, except those without effect.

        `Nodes.what_lacks` takes them as keyword arguments.
        """
        rules = self.rule_columns()
        return {name: v[row].item() for name, v in rules.items() if v[row] not in (0, "", "no")}

    def take(self, rows: Int64) -> Demands:
        """Return the demands of some jobs, in the order of `rows`."""
        every: dict[str, Any] = self.rule_columns() | self.each
        return Demands(self.units[rows], **{name: v[rows] for name, v in every.items()})

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the columns under their names in files, without rules that no job has."""
        every: dict[str, NDArray[Any]] = self.each | self.rule_columns()
        return {UNITS: self.units} | {PREFIX + name: v for name, v in every.items()}

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any]) -> Demands | None:
        """Create demands from columns named as in files; None if there is no ``units``."""
        if UNITS not in columns:
            return None
        each = {
            name.removeprefix(PREFIX): v for name, v in columns.items() if name.startswith(PREFIX)
        }
        if UNITS in each:
            raise TraceError(
                f"the column '{PREFIX + UNITS}' names a resource '{UNITS}', but this name is "
                "reserved for the number of units; rename the column"
            )
        return cls(columns[UNITS], **each)

    def on(self, nodes: HasResources) -> Int64:
        """Return each job's demand per unit, in the order of a machine's resources.

        Returns
        -------
        (n_jobs, n_resources) int64

        Raises
        ------
        SiteError
            If a job requests a resource that no node of the machine has.
        """
        for name, column in self.each.items():
            # Memory is not counted on a machine whose nodes all have a memory of 0.
            if name not in nodes.resources and name != "memory" and column.any():
                job = int(np.argmax(column > 0))
                msg = (
                    f"row {job} of the trace, counted from 0, requests {column[job]} {name}, "
                    f"and no node has any: the nodes have {', '.join(nodes.resources)}; request "
                    f"one of those, or add {name} to a node type"
                )
                raise SiteError(msg)
        none = np.zeros(len(self), dtype=np.int64)
        return np.stack([self.each.get(name, none) for name in nodes.resources], axis=1)


def _same(one: Mapping[str, NDArray[Any]], other: Mapping[str, NDArray[Any]]) -> bool:
    return one.keys() == other.keys() and all(
        np.array_equal(values, other[name]) for name, values in one.items()
    )


def _broadcast(value: ArrayLike, n_jobs: int) -> ArrayLike:
    """Repeat a single value for every job."""
    array = np.asarray(value)
    return np.broadcast_to(array, (n_jobs,)) if array.ndim == 0 else value


def _column(name: str, values: ArrayLike, n_jobs: int, least: int) -> Int64:
    array = np.asarray(values)
    if array.ndim != 1 or len(array) != n_jobs or (n_jobs and array.dtype.kind not in "iu"):
        raise TraceError(
            f"{name} must be {n_jobs} whole numbers, one per job; it has the shape {array.shape} "
            f"and the type {array.dtype}"
        )
    if n_jobs and int(array.min()) < least:
        job = int(np.argmin(array))
        what = "a job must have at least one unit" if least else "a demand must not be negative"
        raise TraceError(f"{name}[{job}] is {array[job]}; {what}: correct it")
    most = _MOST_PROCESSORS if name in (UNITS, "cores") else _MOST
    if n_jobs and int(array.max()) > most:
        job = int(np.argmax(array))
        raise TraceError(f"{name}[{job}] is {array[job]}; it must be at most {most:,}: correct it")
    column = array.astype(np.int64)
    column.flags.writeable = False
    return column
