"""Pictures of a result, written to files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.pictures.figure import save
from slotwise.pictures.moment import plot_nodes
from slotwise.pictures.node_intervals import fragmented_moment
from slotwise.pictures.occupancy import plot_occupancy

if TYPE_CHECKING:
    from pathlib import Path

    from slotwise.replay.replay_data import ReplayData

_NEAR_JOBS = 150


def write_pictures(result: ReplayData, folder: Path) -> list[Path]:
    """Write the pictures of a result on a torus, as PNG and SVG.

    ``nodes`` shows a moment with many free slots. ``occupancy`` shows the nodes over the whole
    time. ``occupancy-near`` shows them around that moment, while 150 jobs start.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    ValueError
        If the machine is not a torus, or no job ran.
    MissingExtraError
        If matplotlib is not installed.
    OSError
        If a file cannot be written.
    """
    moment = fragmented_moment(result)
    starts = np.sort(result.start[result.start >= 0])
    first = max(int(np.searchsorted(starts, moment)) - _NEAR_JOBS // 2, 0)
    last = min(first + _NEAR_JOBS, len(starts) - 1)
    near = int(starts[first]), max(int(starts[last]), int(starts[first]) + 1, moment + 1)
    folder.mkdir(parents=True, exist_ok=True)
    return [
        *save(plot_nodes(result, moment), folder, "nodes"),
        *save(plot_occupancy(result), folder, "occupancy"),
        *save(plot_occupancy(result, *near, mark=moment), folder, "occupancy-near"),
    ]
