"""``result.plot``: the charts of one schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.pictures.plots.distribution import (
    plot_slowdowns,
    plot_waits,
    slowdowns_of,
    waits_of,
)
from slotwise.pictures.plots.gantt import plot_gantt
from slotwise.pictures.plots.groups import plot_groups
from slotwise.pictures.plots.queue import plot_queue
from slotwise.replay.groups import CLASS_LENGTHS, CLASS_SIZES, groups_of_result
from slotwise.replay.metrics import group_metrics_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from slotwise.replay.replay_data import ReplayData


class SchedulePlots:
    """Charts of a schedule; each method returns the matplotlib Axes it draws on.

    Every method takes ``ax``, the Axes to draw on; by default it creates new Axes, which a notebook
    shows. ``ax.figure.savefig("waits.png")`` saves the chart. All methods need matplotlib
    (``pip install 'slotwise[plot]'``), and raise ValueError if no job started.

    Parameters
    ----------
    replay : Result
    """

    def __init__(self, replay: ReplayData) -> None:
        self._replay = replay

    def queue(self, ax: Axes | None = None) -> Axes:
        """Draw the processors in use, and those requested by queued jobs, over time."""
        return plot_queue(self._replay, ax)

    def gantt(
        self, ax: Axes | None = None, *, begin: int | None = None, end: int | None = None
    ) -> Axes:
        """Draw jobs on processors over time, coloured by their waits.

        Parameters
        ----------
        begin, end : int, optional
            Seconds on the trace's clock. Default: the first start and the last end.
        """
        return plot_gantt(self._replay, ax, begin, end)

    def waits(self, ax: Axes | None = None) -> Axes:
        """Draw the share of jobs that wait at most a given time."""
        return plot_waits({"jobs": waits_of(self._replay)}, ax)

    def slowdowns(self, ax: Axes | None = None, *, threshold: int = 10) -> Axes:
        """Draw the share of jobs with at most a given bounded slowdown.

        Parameters
        ----------
        threshold : int, seconds, default 10
            The minimum run time in bounded slowdowns.
        """
        found = {"jobs": slowdowns_of(self._replay, threshold)}
        return plot_slowdowns(found, ax, threshold=threshold)

    def by(self, name: str, ax: Axes | None = None) -> Axes:
        """Draw the mean and the 95th percentile of the waits of each group of jobs.

        Parameters
        ----------
        name : str
            ``"user"``, ``"queue"``, ``"class"`` or another name that `Result.metrics_by` accepts.
        """
        labels, codes = groups_of_result(self._replay, name, CLASS_SIZES, CLASS_LENGTHS)
        rows = group_metrics_of(self._replay, codes, len(labels), threshold=10, trim=(0, 0))
        return plot_groups(name, dict(zip(labels, rows, strict=True)), ax)
