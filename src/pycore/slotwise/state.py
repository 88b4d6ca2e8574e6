"""What became of a job."""

from __future__ import annotations

from enum import IntEnum


class State(IntEnum):
    """The final state of a job, as the column ``Result.state`` holds it."""

    COMPLETED = 0
    """It ran to its end."""
    KILLED = 1
    """It was cut at its requested time."""
    REJECTED = 2
    """It never started: it asks for more than the machine has."""
