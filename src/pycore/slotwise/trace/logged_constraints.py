"""A log's constraints on node features, and those that a machine cannot apply.

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


class IgnoredConstraint(NamedTuple):
    """Jobs whose constraint is ignored, with the constraint of the first one."""

    rows: Int64
    constraint: str
    missing: str
    """A feature that no node has; empty if the constraint is malformed or not supported."""


def constraints_on(trace: Trace, features: Collection[str]) -> str | NDArray[np.object_]:
    """Return each job's constraint on a machine with these features; empty if it is ignored.

    If no constraint can be applied, the result is a single empty string.
    """
    found = _by_code(trace, features)
    applied = {code: each.applied for code, each in found.items() if each.missing is None}
    if not applied:
        return ""
    made = np.full(len(trace), "", dtype=object)
    for code, word in applied.items():
        made[trace.constraint == code] = word
    return made


def ignored_constraints(trace: Trace, features: Collection[str]) -> IgnoredConstraint | None:
    """Return the jobs whose constraint is ignored; None if there are none."""
    found = _by_code(trace, features)
    codes = [code for code, each in found.items() if each.missing is not None]
    rows = np.flatnonzero(np.isin(trace.constraint, codes))
    if len(rows) == 0:
        return None
    first = found[int(trace.constraint[rows[0]])]
    return IgnoredConstraint(rows, first.word, first.missing or "")


class _Constraint(NamedTuple):
    word: str
    applied: str
    """The alternatives whose features all exist."""
    missing: str | None
    """If no alternative is left, a missing feature; empty if the constraint is unsupported."""


def _by_code(trace: Trace, features: Collection[str]) -> Mapping[int, _Constraint]:
    """Return the constraints of the trace, by code."""
    words = trace.labels.get("constraint", {})
    codes = np.unique(trace.constraint)
    named = {code: words.get(code, str(code)) for code in codes[codes >= 0].tolist()}
    known = set(features)
    return {code: _read(word, known) for code, word in named.items()}


def _read(word: str, features: set[str]) -> _Constraint:
    try:
        parts = alternatives(word)
    except ValueError:
        return _Constraint(word, "", "")
    kept = ["&".join(part) for part in parts if features >= set(part)]
    missing = next((name for part in parts for name in part if name not in features), None)
    return _Constraint(word, "|".join(kept), None if kept else missing)
