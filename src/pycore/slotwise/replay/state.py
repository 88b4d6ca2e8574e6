"""What became of a job."""

from __future__ import annotations

from enum import IntEnum


class State(IntEnum):
    """The state of a job, as the column ``Result.state`` holds it."""

    COMPLETED = 0
    """It ran to its end."""
    KILLED = 1
    """It was cut at its requested time."""
    REJECTED = 2
    """It never could start; `RejectReason` says why."""
    CANCELLED = 3
    """It was taken out of the queue, or ended, by hand."""
    INTERRUPTED = 4
    """A crash or an outage ended it, and the site does not queue it again."""
    WAITING = 5
    """It waits: in a look at a replay that goes on, or for ever."""
    RUNNING = 6
    """It runs, in a look at a replay that goes on."""


class EndReason(IntEnum):
    """Why an attempt ended, as ``Result.attempts["reason"]`` holds it."""

    COMPLETED = 0
    """The job ran to its end."""
    KILLED = 1
    """It was cut at its requested time."""
    CRASH = 2
    """The machine failed."""
    OUTAGE = 3
    """Its processors were taken away."""
    CANCELLED = 4
    """It was ended by hand."""
