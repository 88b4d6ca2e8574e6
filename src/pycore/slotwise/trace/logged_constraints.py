"""Constraints of a log on the features of nodes, and those that a machine cannot apply.

The column ``constraint`` of a trace contains them. They apply to jobs without demands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slotwise.trace.constraints import alternatives

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from slotwise.trace.trace import Trace

    Int64 = NDArray[np.int64]


class Ignored(NamedTuple):
    """Jobs whose constraint is ignored, with the constraint of the first one."""

    rows: Int64
    constraint: str
    missing: str
    """A feature that no node has; empty if the constraint is malformed or not supported."""


def constraints_on(trace: Trace, features: Collection[str]) -> str | NDArray[np.object_]:
    """Return each job's constraint on a machine with these features; empty if it is ignored.

    The result is one empty string if no job has a constraint.
    """
    found = _missing_by_code(trace, features)
    applied = {code: word for code, (word, missing) in found.items() if missing is None}
    if not applied:
        return ""
    made = np.full(len(trace), "", dtype=object)
    for code, word in applied.items():
        made[trace.constraint == code] = word
    return made


def ignored_constraints(trace: Trace, features: Collection[str]) -> Ignored | None:
    """Return the jobs whose constraint is ignored; None if there are none."""
    found = _missing_by_code(trace, features)
    codes = [code for code, (_, missing) in found.items() if missing is not None]
    rows = np.flatnonzero(np.isin(trace.constraint, codes))
    if len(rows) == 0:
        return None
    word, missing = found[int(trace.constraint[rows[0]])]
    return Ignored(rows, word, missing or "")


def _missing_by_code(
    trace: Trace, features: Collection[str]
) -> Mapping[int, tuple[str, str | None]]:
    """Return each constraint, by code, with the first of its features that no node has.

    The feature is None if the constraint applies, and empty if it is malformed or not supported.
    """
    words = trace.labels.get("constraint", {})
    codes = np.unique(trace.constraint)
    named = {code: words.get(code, str(code)) for code in codes[codes >= 0].tolist()}
    known = set(features)
    return {code: (word, _missing(word, known)) for code, word in named.items()}


def _missing(constraint: str, features: Collection[str]) -> str | None:
    try:
        parts = alternatives(constraint)
    except ValueError:
        return ""
    return next((name for part in parts for name in part if name not in features), None)
