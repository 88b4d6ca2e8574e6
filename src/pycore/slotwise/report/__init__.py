"""Reports: one self-contained page on one or several results of a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise._files import written_whole
from slotwise.replay.replay_data import ReplayData
from slotwise.report.page import page_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from slotwise.text_table import TextTable

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
    groups: Sequence[TextTable] = (),
    before_writing: Callable[[], object] | None = None,
) -> None:
    """Write a report page: metrics, queue and machine over time, distributions, and a Gantt chart.

    The page contains its data, style and code, and loads nothing from a server. It needs a browser
    from 2023 or later.

    Parameters
    ----------
    results : Result or sequence of Results
        Results of one trace. The first is the baseline of the comparison.
    path : str or path
        File of the page. It is written under another name and then renamed, so it is never
        incomplete.
    title : str, optional
        Default: the trace's name.
    names : sequence of str, optional
        Names of the results, all different. Default: the differences between their policies.
    threshold : int, default 10, seconds
        Threshold of bounded slowdowns.
    trim : (float, float), default (0, 0)
        Trim of the metrics, as in `Result.metrics`; the charts show the whole replay.
    command : str, optional
        Command shown as the origin of the page. Default: the command of this process.
    groups : sequence of TextTable, optional
        Tables of waits by group of jobs, which follow the metrics.
    before_writing : callable, optional
        Called once the page is ready; if it raises, no file is written.

    Raises
    ------
    ValueError
        For no result, results of different traces, or unsuitable `names`.
    OSError
        If the page cannot be written.
    """
    chosen = [results] if isinstance(results, ReplayData) else list(results)
    with written_whole(path) as file:
        text = page_of(
            chosen, title=title, names=names, threshold=threshold, trim=trim, command=command,
            groups=groups,
        )  # fmt: skip

        # A file name may contain bytes that are not valid text.
        page = text.encode("utf-8", "backslashreplace")
        if before_writing is not None:
            before_writing()
        file.write(page)
