"""``comparison.plot``: charts of two schedules of one trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.pictures.plots.distribution import (
    plot_slowdowns,
    plot_waits,
    slowdowns_of,
    waits_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from slotwise.replay.replay_data import ReplayData


class ComparisonPlots:
    """Charts of the first and the second schedule; each method returns matplotlib Axes.

    Parameters
    ----------
    replays : pair of Results
        The two compared results.
    """

    def __init__(self, replays: tuple[ReplayData, ReplayData]) -> None:
        self._replays = dict(zip(("first", "second"), replays, strict=True))

    def waits(self, ax: Axes | None = None) -> Axes:
        """Draw the share of jobs that wait at most a given time, for both schedules."""
        return plot_waits({name: waits_of(each) for name, each in self._replays.items()}, ax)

    def slowdowns(self, ax: Axes | None = None, *, threshold: int = 10) -> Axes:
        """Draw the share of jobs with at most a given bounded slowdown, for both schedules.

        Parameters
        ----------
        threshold : int, seconds, default 10
            The minimum run time in bounded slowdowns.
        """
        found = {name: slowdowns_of(each, threshold) for name, each in self._replays.items()}
        return plot_slowdowns(found, ax, threshold=threshold)
