"""State of an environment at a decision, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slotwise.trace import Trace


@dataclass(frozen=True, slots=True)
class JobColumns:
    """Jobs as int64 columns of equal length; only running jobs have `start`."""

    row: NDArray[np.int64]
    job_id: NDArray[np.int64]
    submit: NDArray[np.int64]
    requested_time: NDArray[np.int64]
    processors: NDArray[np.int64]
    user: NDArray[np.int64]
    start: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, rows: slice) -> JobColumns:
        """Return the jobs in a slice of the columns, without their starts."""
        names = ("row", "job_id", "submit", "requested_time", "processors", "user")
        return JobColumns(**{name: getattr(self, name)[rows] for name in names})


@dataclass(frozen=True, slots=True)
class QueueState:
    """The machine and its jobs at a decision.

    Attributes
    ----------
    now : int
        Seconds on the trace's clock.
    processors, free : int
        Number of processors, and number of free processors.
    queue : JobColumns
        Waiting jobs in the policy's order; the first `window` of them form the window.
    running : JobColumns
        Running jobs.
    trace : Trace
        The trace to which the `row` columns refer.
    window : int
        Number of waiting jobs from which the agent chooses.
    free_on_nodes : dict of str to (n_nodes,) int64, or None
        Free amounts by resource, per node, under ``actions="nodes"``.
    room : (n_jobs, n_nodes) int64, or None
        Number of units that each node can take now, for each job in the window, under
        ``actions="nodes"``.
    """

    now: int
    processors: int
    free: int
    queue: JobColumns
    running: JobColumns
    trace: Trace
    window: int
    free_on_nodes: dict[str, NDArray[np.int64]] | None = None
    room: NDArray[np.int64] | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals since the beginning of an episode.

    Attributes
    ----------
    waited : int
        Total wait of all jobs, in seconds.
    waited_area : int
        Sum of wait · processors over all jobs, in processor-seconds.
    busy_area : int
        Processor-seconds used by jobs.
    presence : float
        Time in the system divided by the run time, summed over all jobs.
    bounded_slowdown : float
        Sum of the bounded slowdowns (threshold 10 s) of the jobs that have started.
    n_started : int
        Number of jobs that have started.
    seconds : int
        Length of the episode so far, in seconds.
    n_jobs : int
        Number of jobs of the episode that fit the machine.
    """

    waited: int = 0
    waited_area: int = 0
    busy_area: int = 0
    presence: float = 0.0
    bounded_slowdown: float = 0.0
    n_started: int = 0
    seconds: int = 0
    n_jobs: int = 0


def state_of(replay: Any, trace: Trace, processors: int, window: int) -> QueueState:
    """Return the state of `replay` at the current decision."""
    queue, running = JobColumns(**replay.queue()), JobColumns(**replay.running())
    nodes = (getattr(replay, "free_on_nodes", None), getattr(replay, "room", None))
    return QueueState(replay.now, processors, replay.free, queue, running, trace, window, *nodes)
