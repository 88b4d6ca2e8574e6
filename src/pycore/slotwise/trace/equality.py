"""Compares traces by the names of users, queues and so on, not by the codes for these names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from slotwise.trace.columns import COLUMNS
from slotwise.trace.labels import LABELLED, names_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.trace.demands import Demands


class HasJobs(Protocol):
    """The parts of a trace that are compared: columns of jobs, names, and the machine."""

    demands: Demands | None
    labels: dict[str, dict[int, str]]

    def __len__(self) -> int: ...
    def _column(self, name: str) -> NDArray[Any]: ...

    @property
    def max_processors(self) -> int | None:
        """Size of the machine."""

    @property
    def unix_start_time(self) -> int | None:
        """Date of time 0."""


def same_jobs(a: HasJobs, b: HasJobs) -> bool:
    """Return whether two traces have the same jobs, machine size and start time."""
    return (
        len(a) == len(b)
        and a.max_processors == b.max_processors
        and a.unix_start_time == b.unix_start_time
        and a.demands == b.demands
        and all(_same_column(a, b, name) for name in COLUMNS if name != "line")
    )


def _same_column(a: HasJobs, b: HasJobs, name: str) -> bool:
    mine, other = a._column(name), b._column(name)
    words, others_words = a.labels.get(name), b.labels.get(name)
    if name not in LABELLED or words == others_words:
        return bool(np.array_equal(mine, other))
    return names_of(mine, words) == names_of(other, others_words)
