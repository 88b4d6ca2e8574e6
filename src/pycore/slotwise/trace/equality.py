"""Equality and hash of traces; the codes that stand for names do not matter."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from slotwise.trace.columns import COLUMNS, PRIMARY
from slotwise.trace.labels import LABELLED, names_of

if TYPE_CHECKING:
    from slotwise.trace.trace import Trace


def same_jobs(a: Trace, b: Trace) -> bool:
    """Return whether two traces hold the same jobs, machine size and start time."""
    return (
        len(a) == len(b)
        and a.max_processors == b.max_processors
        and a.unix_start_time == b.unix_start_time
        and a.demands == b.demands
        and all(_same_column(a, b, name) for name in COLUMNS if name != "line")
    )


def _same_column(a: Trace, b: Trace, name: str) -> bool:
    mine, other = getattr(a, name), getattr(b, name)
    words, others_words = a.labels.get(name), b.labels.get(name)
    if name not in LABELLED or words == others_words:
        return bool(np.array_equal(mine, other))
    return names_of(mine, words) == names_of(other, others_words)


def hash_of(trace: Trace) -> str:
    """Hash the columns that a replay needs, in little-endian order."""
    digest = hashlib.sha256()
    names = [*PRIMARY, *(["eligible"] if trace._jobs.column("eligible") is not None else [])]
    for name in names:
        digest.update(getattr(trace, name).astype("<i8", copy=False).data)
    return digest.hexdigest()
