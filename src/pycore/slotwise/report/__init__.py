"""Reports: one self-contained page about one or several results of a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise._files import written_whole
from slotwise.replay.replay_data import ReplayData
from slotwise.report.page import page_of

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

__all__ = ["write_report"]


def write_report(
    results: ReplayData | Sequence[ReplayData],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    names: Sequence[str] | None = None,
    threshold: int = 10,
    trim: tuple[float, float] = (0, 0),
    command: str | None = None,
) -> None:
    """Write a report page: metrics, queue and machine over time, distributions, and a Gantt chart.

    The page holds its data, style and code, asks no server for anything, and needs a browser of
    2023 or later.

    Parameters
    ----------
    results : Result or sequence of Results
        Of one trace. The first is what the others are compared with.
    path : str or path
        Of the page. It is written beside and renamed, so that no partial page is left.
    title : str, optional
        Default: the trace's name.
    names : sequence of str, optional
        Of the results, one each, all different. Default: what tells their policies apart.
    threshold : int, default 10, seconds
        Of the bounded slowdown.
    trim : (float, float), default (0, 0)
        Of the metrics, as `Result.metrics` takes it; the charts show all.
    command : str, optional
        What to print as the command that made the page. Default: that of this process.

    Raises
    ------
    ValueError
        Where there is no result, where they are of different traces, or where `names` do not fit.
    OSError
        Where the page cannot be written.
    """
    chosen = [results] if isinstance(results, ReplayData) else list(results)
    with written_whole(path) as file:
        text = page_of(
            chosen, title=title, names=names, threshold=threshold, trim=trim, command=command
        )
        # A file name may hold bytes that are no text.
        file.write(text.encode("utf-8", "backslashreplace"))
