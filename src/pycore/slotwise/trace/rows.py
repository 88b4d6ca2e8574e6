"""Rows of a trace, chosen by a slice, a mask or row numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Int64 = NDArray[np.int64]


def chosen_rows(rows: slice | ArrayLike, n_jobs: int) -> Int64:
    """Return the numbers of the chosen rows, counted from 0.

    Raises
    ------
    IndexError, TypeError
        As for `Trace.__getitem__`.
    """
    if isinstance(rows, slice):
        return np.arange(n_jobs, dtype=np.int64)[rows]
    chosen = np.asarray(rows)
    if chosen.ndim != 1:
        raise TypeError(
            f"{rows!r} does not select rows of a trace; pass a slice, a mask or an array of "
            "numbers (one job is trace[i : i + 1])"
        )
    if chosen.dtype == np.bool_:
        if len(chosen) != n_jobs:
            raise IndexError(
                f"the mask has {len(chosen)} values, but the trace has {n_jobs} jobs; pass one "
                "value per job"
            )
        return np.flatnonzero(chosen)
    if len(chosen) == 0:
        return np.empty(0, dtype=np.int64)
    if chosen.dtype.kind not in "iu":
        raise TypeError(f"row numbers must be whole numbers, not {chosen.dtype}; convert them")
    outside = (chosen < -n_jobs) | (chosen >= n_jobs)
    if outside.any():
        raise IndexError(f"row {chosen[outside][0]} is not in a trace of {n_jobs} jobs")
    chosen = chosen.astype(np.int64)
    return np.where(chosen < 0, chosen + n_jobs, chosen)
