"""Peak numbers of jobs and processors in use, for a whole log and for each owner.

Example: two jobs of user 3 on 4 processors each, from 0 to 10 and from 10 to 20. The peaks are one
job and 4 processors: at 10, the first job frees its processors before the second one starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]


def peaks_of(
    owner: NDArray[np.int32], start: Int64, end: Int64, weights: Sequence[Int64]
) -> list[Int64]:
    """Return, for each set of weights, the peak total weight of each owner's running jobs.

    Parameters
    ----------
    owner : (n_jobs,) int32
        Owners, numbered from 0; jobs with a negative owner are ignored.
    start, end : (n_jobs,) int64, seconds
        Times of the jobs; a job without a start has -1.
    weights : sequence of (n_jobs,) int64
        Weights of the jobs; with a weight of 1 for each job, the peak is a number of jobs.

    Returns
    -------
    list of (n_owners,) int64
    """
    ran = np.flatnonzero((start >= 0) & (end > start) & (owner >= 0))
    found = [np.zeros(int(owner.max(initial=-1)) + 1, dtype=np.int64) for _ in weights]
    if len(ran) == 0:
        return found
    who = np.concatenate([owner[ran], owner[ran]]).astype(np.int64)
    time = np.concatenate([start[ran], end[ran]])
    begins = np.repeat([1, 0], len(ran))
    span = int(time.max()) + 1
    # Within the same second, jobs end before other jobs start.
    if int(who.max()) < 2**62 // (2 * span):
        order = np.argsort((who * span + time) * 2 + begins)
    else:
        order = np.lexsort((begins, time, who))
    who = who[order]
    first = np.flatnonzero(np.diff(who, prepend=-1))
    # For each owner, the sum begins and ends at 0. A single running sum over all owners therefore
    # needs no reset.
    for peaks, weight in zip(found, weights, strict=True):
        change = np.concatenate([weight[ran], -weight[ran]])[order]
        peaks[who[first]] = np.maximum.reduceat(np.cumsum(change), first)
    return found
