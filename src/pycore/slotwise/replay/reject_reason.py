"""Reasons for the rejection of a job."""

from __future__ import annotations

from enum import IntEnum


class RejectReason(IntEnum):
    """Reason why a job is rejected, as in the ``Result.reject_reason`` column."""

    NONE = 0
    """The job is not rejected."""
    TOO_LARGE = 1
    """The job is too large for the machine, or for the nodes or pools of its queue."""
    NO_QUEUE = 2
    """No queue accepts the job."""
    LIMIT = 3
    """The job alone exceeds a limit of the site or of its queue."""
    MAINTENANCE = 4
    """The job requests more time than there is between two maintenance windows."""
    OVER_SUBMITTED = 5
    """A limit on submitted jobs had been reached when the job was submitted."""

    @property
    def words(self) -> str:
        """The reason in words, such as "not accepted by any queue"."""
        return _WORDS[self]


_WORDS = {
    RejectReason.NONE: "not at all",
    RejectReason.TOO_LARGE: "too large for the machine, or for the nodes or pools of the queue",
    RejectReason.NO_QUEUE: "not accepted by any queue",
    RejectReason.LIMIT: "beyond a limit on single jobs",
    RejectReason.MAINTENANCE: "longer than the time between two maintenance windows",
    RejectReason.OVER_SUBMITTED: "beyond a limit on submitted jobs",
}
