"""Selection of the columns in a csv or parquet file that belong to a trace."""

from __future__ import annotations

import difflib
import warnings
from typing import TYPE_CHECKING

from slotwise.errors import TraceError, TraceWarning
from slotwise.formats.job_files import MACHINE_COLUMNS, TRACE_COLUMNS
from slotwise.trace.columns import FURTHER
from slotwise.trace.demands import PREFIX, TEXTS, UNITS
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

NEEDED = ("submit", "run_time", "processors")
"""Columns that every trace has."""

TRACE_NAMES = tuple(name for name in (*TRACE_COLUMNS, *FURTHER) if name != "line")
"""Optional columns of a trace."""

WRITTEN_FROM_RESULTS = (
    "line", "start", "end", "backfilled", "site_queue", "pool", "reject_reason", "pieces",
    "mean_distance", "max_distance", "logged_start", "logged_end", "logged_state",
)  # fmt: skip
"""Columns of a result's jobs, which a reader ignores."""

_DEMANDS = (UNITS, *(PREFIX + name for name in ("cores", "memory", "gpus", "mics")), *TEXTS,
            PREFIX + "per_node", PREFIX + "nodes")  # fmt: skip
_LONGEST = 100
_MOST = 10


def known_names(names: Iterable[str]) -> list[str]:
    """Choose the columns that belong to a trace.

    Raises
    ------
    TraceError
        If a required column is missing, or if there are columns of requests per unit but no
        `units` column.
    """
    present = list(names)
    missing = [name for name in NEEDED if name not in present]
    if missing:
        raise TraceError(
            f"the file has no column '{missing[0]}'; a trace needs {', '.join(NEEDED)}, "
            f"and this file has {', '.join(present) or 'no columns'}"
        )
    known = [name for name in (*TRACE_NAMES, *MACHINE_COLUMNS) if name in present]
    of_units = [name for name in present if name.startswith(PREFIX)]
    if UNITS in present:
        return known + [name for name in present if name == UNITS or name in of_units]
    if of_units:
        near = difflib.get_close_matches(UNITS, [name for name in present if name not in known])
        renamed = f"rename '{near[0]}', or add" if near and near[0] not in of_units else "add"
        raise TraceError(
            f"the file has a column {shown(of_units[0])} but no column '{UNITS}', the number of "
            f"units of each job: {renamed} the column, for example with 1 in every row"
        )
    return known


def warn_of_unread(names: Iterable[str], source: str) -> None:
    """Issue a `TraceWarning` for columns that do not belong to a trace."""
    present = list(names)
    read = {*known_names(present), *WRITTEN_FROM_RESULTS}
    unread = [name for name in dict.fromkeys(present) if name and name not in read]
    if not unread:
        return
    written = [_with_nearest(name[:_LONGEST], present) for name in unread[:_MOST]]
    more = f" and {len(unread) - _MOST:,} more" if len(unread) > _MOST else ""
    one = len(unread) == 1
    warnings.warn(
        f"{source}: {'column' if one else 'columns'} {', '.join(written)}{more} "
        f"{'is' if one else 'are'} not read, because traces have no such "
        f"{'column' if one else 'columns'}: rename or remove {'it' if one else 'them'}",
        TraceWarning,
        stacklevel=4,
    )


def _with_nearest(name: str, present: list[str]) -> str:
    """Return an unknown name, followed by the most similar known name that is not in the file."""
    known = [each for each in (*TRACE_NAMES, *MACHINE_COLUMNS, *_DEMANDS) if each not in present]
    near = difflib.get_close_matches(name, known, n=1)
    return f"{shown(name)} (nearest known name: '{near[0]}')" if near else shown(name)
