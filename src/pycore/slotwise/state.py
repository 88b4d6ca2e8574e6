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
    """It never started: it asks for more than the machine has."""
    CANCELLED = 3
    """It was taken out by hand."""
    INTERRUPTED = 4
    """A crash or an outage ended it, and it was not queued again."""
    WAITING = 5
    """It had not started when the result was taken, in mid-replay."""
    RUNNING = 6
    """It had started and not ended when the result was taken, in mid-replay."""
