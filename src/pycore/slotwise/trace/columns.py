"""Columns of a trace from the user's data: arrays, lists, NumPy scalars."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from slotwise.errors import TraceError
from slotwise.trace.report import ReadingFault, make_fault
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

PRIMARY = ("submit", "run_time", "requested_time", "processors")
REQUIRED = ("submit", "run_time", "processors")
COLUMNS: dict[str, type[np.signedinteger[Any]]] = dict.fromkeys(
    (
        *PRIMARY,
        "job_id",
        "line",
        "wait",
        "cpu_time",
        "used_memory",
        "requested_memory",
        "preceding_job",
        "think_time",
        "allocated_processors",
        "requested_processors",
    ),
    np.int64,
) | dict.fromkeys(("status", "user", "group", "executable", "queue", "partition"), np.int32)
FURTHER: dict[str, type[np.signedinteger[Any]]] = dict.fromkeys(
    (
        "eligible", "gpus", "soft_walltime", "node_count", "power", "energy", "array_id",
        "array_task", "array_limit", "nice", "site_factor", "requested_nodes",
    ),
    np.int64,
) | dict.fromkeys(
    ("account", "qos", "state", "node_list", "has_request", "dependency", "constraint"), np.int32
)  # fmt: skip
"""Columns that SWF does not have; other formats contain them if their values are known."""

COLUMNS |= FURTHER

OF_ABSENT = {"line": 0, "has_request": 1, "nice": 0, "site_factor": 0}
"""Values of missing columns; -1 for a missing column that is not listed."""

OF_EMPTY_CELLS = {"nice": 0, "site_factor": 0}
"""Values of empty cells by column; -1 in columns that are not listed."""

_BOUNDS = {
    "submit": (0, 2**53, "it must lie between 0 and 2^53 seconds"),
    "run_time": (0, 2**32 - 2, "it must lie between 0 and 2^32 - 2 seconds"),
    "requested_time": (
        -(2**63),
        2**32 - 2,
        "it must be at most 2^32 - 2 seconds (0 or less: no requested time)",
    ),
    "processors": (1, 2**31 - 1, "it must lie between 1 and 2^31 - 1"),
}


def columns_from(
    given: Mapping[str, ArrayLike],
) -> tuple[dict[str, NDArray[np.signedinteger[Any]]], list[ReadingFault]]:
    """Check, round and sort columns.

    Parameters
    ----------
    given : mapping
        Columns by name, (n_jobs,) numbers each, including ``submit``, ``run_time`` and
        ``processors``.

    Returns
    -------
    columns : dict
        Whole numbers; the rows are sorted by submit time.
    faults : list of ReadingFault
        The repairs made.

    Raises
    ------
    TraceError
        For columns of different lengths, and values that are not numbers or are out of range.
    """
    columns: dict[str, NDArray[Any]] = {}
    faults = []
    rounded = np.zeros(0, dtype=np.bool_)
    for name, values in given.items():
        columns[name], decimals = _integers(name, values)
        if len(columns[name]) != len(columns["submit"]):
            raise TraceError(
                f"{name} has {len(columns[name])} values and submit has {len(columns['submit'])}; "
                "give every column one value per job"
            )
        if decimals is not None:
            rounded = rounded | decimals if len(rounded) else decimals
    if rounded.any():
        faults.append(make_fault("decimals_rounded", int(np.count_nonzero(rounded))))
    n_jobs = len(columns["submit"])
    faults += _fill_requests(columns)
    _check_processors(columns)
    columns.setdefault("job_id", np.arange(1, n_jobs + 1, dtype=np.int64))
    submit = columns["submit"]
    early = submit < np.maximum.accumulate(submit)
    if early.any():
        faults.append(make_fault("submit_unsorted", int(np.count_nonzero(early))))
        rows = np.argsort(submit, kind="stable")
        columns = {name: column[rows] for name, column in columns.items()}
    return columns, faults


def _fill_requests(columns: dict[str, NDArray[Any]]) -> list[ReadingFault]:
    """Replace missing requests by the run time, and mark those jobs in ``has_request``.

    A request is missing if it is not positive, or if ``has_request`` is 0.
    """
    run_time = columns["run_time"]
    is_given = "requested_time" in columns
    requested = columns.setdefault("requested_time", np.zeros_like(run_time))
    absent = unknown = requested <= 0
    if "has_request" in columns:
        absent = unknown | (columns["has_request"] == 0)
    if not absent.any():
        return []
    columns["requested_time"] = np.where(absent, run_time, requested)
    columns["has_request"] = np.where(absent, 0, 1).astype(np.int32)
    repaired = int(np.count_nonzero(unknown & (requested != run_time))) if is_given else 0
    return [make_fault("requested_time_from_run_time", repaired)] if repaired else []


def _integers(name: str, values: ArrayLike) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Return a checked integer column, and a mask of values that were not whole numbers."""
    if values is None:
        raise TraceError(f"{name} is None; a column has one value per job: pass an array")
    try:
        array = np.asarray(values)
    except ValueError:
        raise TraceError(
            f"{name} contains lists of different lengths; a column has one value per job: pass a "
            "flat array"
        ) from None
    if array.ndim != 1:
        raise TraceError(
            f"{name} has the shape {array.shape}; a column has one value per job: pass a flat array"
        )
    decimals = None
    if array.size == 0:
        array = np.empty(0, dtype=np.int64)
    elif array.dtype.kind == "f":
        array = array.astype(np.float64) if array.dtype.itemsize < 4 else array
        _require(np.isfinite(array), name, array, "it must be a finite number")
        _require(np.abs(array) < 2.0**63, name, array, "it does not fit into 64 bits")
        below = np.floor(array)
        decimals = below != array
        array = (below + (array - below >= 0.5)).astype(np.int64)
    elif array.dtype.kind not in "iu":
        _refuse_kind(name, array)
    low, high, rule = _BOUNDS.get(name, _type_bounds(name))
    _require((array >= low) & (array <= high), name, array, rule)
    return array.astype(COLUMNS[name], copy=False), decimals


def _refuse_kind(name: str, array: NDArray[Any]) -> NoReturn:
    """Refuse an array that contains anything but numbers, and name the first such value."""
    if array.dtype.kind in "mM":
        raise TraceError(
            f"{name}[0] is {array[0]} ({array.dtype}); a column must contain numbers (times in "
            "seconds): convert it"
        )
    for row, value in enumerate(array.flat):
        if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
            raise TraceError(
                f"{name}[{row}] is {shown(value)}; a column must contain numbers (-1 if unknown): "
                "convert it"
            )
        number: Any = value
        if number >= 2**63 or number <= -(2**63):
            raise TraceError(
                f"{name}[{row}] is {shown(value)}; it does not fit into 64 bits: correct it"
            )
    raise TraceError(
        f"{name} is an array of {array.dtype}; a column must contain numbers: convert it"
    )


def _type_bounds(name: str) -> tuple[int, int, str]:
    info = np.iinfo(COLUMNS[name])
    return int(info.min), int(info.max), f"it does not fit into {info.bits} bits"


def _require(holds: NDArray[np.bool_], name: str, array: NDArray[Any], rule: str) -> None:
    if holds.all():
        return
    row = int(np.argmin(holds))
    raise TraceError(f"{name}[{row}] is {array[row]}; {rule}: correct it or leave the job out")


def _check_processors(columns: Mapping[str, NDArray[Any]]) -> None:
    """Refuse logged processors that contradict the ``processors`` column."""
    requested = columns.get("requested_processors")
    if requested is None:
        return
    processors = columns["processors"]
    meant = requested
    if "allocated_processors" in columns:
        meant = np.where(requested > 0, requested, columns["allocated_processors"])
    _require(
        (meant == processors) | (meant <= 0),
        "processors",
        processors,
        "it must equal requested_processors if that is positive, otherwise allocated_processors",
    )
