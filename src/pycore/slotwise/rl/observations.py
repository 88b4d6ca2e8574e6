"""Observations: named presets, and their formulas in NumPy.

The fast core computes the presets itself; these functions compute the same presets for sites that
it cannot replay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from slotwise.rl.grid_shape import GridShape
    from slotwise.rl.state import JobColumns, QueueState

PRESETS = ("flat", "rlscheduler", "grid")
HALF_DAY = 12 * 3600
ALMOST_ONE = 1 - 1e-5


def observer(preset: str, grid: GridShape) -> Callable[[QueueState], NDArray[np.float32]]:
    """Return the function that computes a preset."""
    if preset == "grid":
        return lambda state: grid_of(state, grid)
    return flat if preset == "flat" else rlscheduler


def flat(state: QueueState) -> NDArray[np.float32]:
    """Return five features of each job in the window, then three of the machine and queue."""
    jobs = state.queue[: state.window]
    wait = state.now - jobs.submit
    shown = np.zeros((state.window, 5))
    shown[: len(jobs)] = np.stack(
        [
            wait / (wait + HALF_DAY),
            jobs.requested_time / _largest(state.trace.requested_time),
            jobs.processors / state.processors,
            jobs.processors <= state.free,
            np.ones(len(jobs)),
        ],
        axis=1,
    )
    n, asked = len(state.queue), int(state.queue.processors.sum())
    machine = [
        state.free / state.processors,
        n / (n + state.window),
        asked / (asked + state.processors),
    ]
    return np.concatenate([shown.ravel(), machine]).astype(np.float32)


def rlscheduler(state: QueueState) -> NDArray[np.float32]:
    """Return eight features of each job in the window, as in RLScheduler."""
    jobs, trace = state.queue[: state.window], state.trace
    fits = jobs.processors <= state.free
    shown = np.ones((state.window, 8))
    shown[:, [0, 7]] = 0
    shown[: len(jobs)] = np.stack(
        [
            np.minimum((state.now - jobs.submit) / HALF_DAY, ALMOST_ONE),
            np.minimum(jobs.requested_time / _largest(trace.run_time), ALMOST_ONE),
            np.minimum(jobs.processors / state.processors, ALMOST_ONE),
            _related(trace.requested_memory, jobs),
            _related(trace.user, jobs),
            _related(trace.group, jobs),
            _related(trace.executable, jobs),
            np.where(fits, ALMOST_ONE, 1e-5),
        ],
        axis=1,
    )
    return shown.ravel().astype(np.float32)


def grid_of(state: QueueState, grid: GridShape) -> NDArray[np.float32]:
    """Return images of processors over time: machine, jobs in the window, and backlog."""
    rows, columns, seconds = grid
    shown = np.zeros((state.window + 2, rows, columns))
    cell = columns / state.processors
    begins = state.now + seconds * np.arange(rows)
    running, start = state.running, state.running.start
    assert start is not None
    ends = np.maximum(start + running.requested_time, state.now + 1)
    busy = ((ends[:, None] > begins) * running.processors[:, None]).sum(axis=0)
    shown[0] = _filled(busy * cell, columns)
    jobs = state.queue[: state.window]
    steps = -(-np.maximum(jobs.requested_time, 1) // seconds)
    amounts = (np.arange(rows) < steps[:, None]) * (jobs.processors * cell)[:, None]
    shown[1 : len(jobs) + 1] = _filled(amounts, columns)
    shown[-1].flat[: len(state.queue) - len(jobs)] = 1
    return shown.ravel().astype(np.float32)


def _filled(amounts: NDArray[np.float64], columns: int) -> NDArray[np.float64]:
    """Spread each amount over a row of cells, which are filled from the left."""
    return np.clip(amounts[..., None] - np.arange(columns), 0, 1)


def _largest(column: NDArray[Any]) -> float:
    return max(1.0, float(column.max()))


def _related(column: NDArray[Any], jobs: JobColumns) -> NDArray[np.float64]:
    """Divide the jobs' values in a column by its largest value; unknown values become 1."""
    values = column[jobs.row]
    return np.where(values < 0, 1.0, np.minimum(values / _largest(column), ALMOST_ONE))
