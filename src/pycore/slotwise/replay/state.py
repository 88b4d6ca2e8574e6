"""The states of jobs, and the reasons why attempts end."""

from __future__ import annotations

from enum import IntEnum


class State(IntEnum):
    """The state of a job, as in the ``Result.state`` column."""

    COMPLETED = 0
    """The job ran to its end."""
    KILLED = 1
    """The job was killed at its time limit."""
    REJECTED = 2
    """The job could never start; `RejectReason` gives the reason."""
    CANCELLED = 3
    """The user removed the job from the queue or ended it."""
    INTERRUPTED = 4
    """A crash or an outage ended the job, and the site does not requeue it."""
    WAITING = 5
    """The job waits forever, or it is still waiting in a simulation that has not ended."""
    RUNNING = 6
    """The job is still running in a simulation that has not ended."""


class EndReason(IntEnum):
    """Reason for the end of an attempt, as in ``Result.attempts["reason"]``."""

    COMPLETED = 0
    """The job ran to its end."""
    KILLED = 1
    """The job was killed at its time limit."""
    CRASH = 2
    """The machine failed."""
    OUTAGE = 3
    """An outage made the job's processors unavailable."""
    CANCELLED = 4
    """The user ended the job."""
