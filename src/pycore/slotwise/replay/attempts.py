"""Table of all job attempts in a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.replay.state import EndReason
from slotwise.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


class Attempts(Table):
    """One read-only row per start of a job, in order of job and attempt number.

    A job has several attempts if a crash or an outage ended one and the site requeues the job.
    ``result.start`` and ``result.end`` are those of the last attempt.

    Columns
    -------
    job : int64
        Row of the job in the trace, from 0.
    number : int64
        Number of this attempt of the job, from 1.
    pool : int32
        Position in ``result.pool_names``; null if the attempt ran in several pools.
    start, end : int64, seconds on the trace's clock
    reason : dictionary of uint8 to text
        Reason for the end: ``completed``, ``killed`` (at its time limit), ``crash``, ``outage`` or
        ``cancelled``; ``attempts["reason"]`` holds the codes of `EndReason`.
    lost : int64, processor-seconds
        Work lost: processors × (end - start - work saved by checkpoints). 0 for an attempt that
        completed or was killed at its limit.
    refunded : int64, processor-seconds
        Refund to the user: processors × min(end - start, ``interruption.refund``) if a crash or an
        outage ended the attempt [1]_.

    References
    ----------
    .. [1] M. D. Vanderlan: Analyzing supercomputer utilization under queuing with a priority
       formula and a strict backfill policy. Thesis, University of Tennessee, 2011, chapter III
       (on Kraken, six hours were refunded).
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        super().__init__(columns, {"reason": [reason.name.lower() for reason in EndReason]})
