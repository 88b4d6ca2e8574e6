"""Reasons for the rejection of a job."""

from __future__ import annotations

from enum import IntEnum


class RejectReason(IntEnum):
    """Reason why a job never starts, as the column ``Result.reject_reason`` holds it."""

    NONE = 0
    """It is not rejected."""
    TOO_LARGE = 1
    """It asks for more than the machine, its empty nodes, or any pool of its queue can hold."""
    NO_QUEUE = 2
    """No queue takes it."""
    LIMIT = 3
    """It exceeds a limit on processors on its own."""
    MAINTENANCE = 4
    """It asks for more time than there is between two maintenances."""
    OVER_SUBMITTED = 5
    """A limit on submitted jobs was reached at its submit time."""

    @property
    def words(self) -> str:
        """Description of the jobs that follows the words "rejected as"."""
        return _WORDS[self]


_WORDS = {
    RejectReason.NONE: "not at all",
    RejectReason.TOO_LARGE: "wider than the machine, its nodes or the pools of their queue",
    RejectReason.NO_QUEUE: "taken by no queue",
    RejectReason.LIMIT: "above a limit on their own",
    RejectReason.MAINTENANCE: "longer than the time between two maintenances",
    RejectReason.OVER_SUBMITTED: "above a limit on submitted jobs",
}
