"""A site file inferred from a log, with the evidence for its machine, queues and limits.

Example: ``describe_log(trace)`` returns the text that ``slotwise site from-log`` prints.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from slotwise import text
from slotwise.advice.logged_site.lines import Line, written
from slotwise.advice.logged_site.machine import machine_lines, nodes_of_log
from slotwise.advice.logged_site.queues import limit_lines, queue_lines
from slotwise.advice.logged_site.runs import runs_of
from slotwise.site.dates import dates_of
from slotwise.site.parts import Clock

if TYPE_CHECKING:
    from slotwise.site.dates import Dates
    from slotwise.trace import Trace


def describe_log(trace: Trace) -> str:
    """Return the text of a site file, in which a comment gives the evidence for each line.

    Raises
    ------
    TraceError
        For a log without start times.
    """
    runs = runs_of(trace)
    nodes = nodes_of_log(trace, runs)
    dates = dates_of(trace, Clock())
    first, last = (_written_date(int(trace.submit[row]), dates) for row in (0, -1))
    source = Path(trace.source).name or "a log"
    lines = [
        Line(
            "",
            f"The machine inferred from {source}: {int(np.count_nonzero(runs.started)):,} of "
            f"{text.plural(len(trace), 'job')} have a start time; submit times range from "
            f"{first} to {last}. The comment on a line gives the figure in the log that supports "
            "it. Lines that begin with # have no effect. A log shows only what ran, not what "
            "could have run: correct every value that you know to be wrong.",
        ),
        Line(),
        *machine_lines(trace, runs, nodes),
        *queue_lines(trace, runs, nodes),
        Line(),
        Line("[limits]"),
        *limit_lines(trace, runs, runs.started),
    ]
    return written(lines)


def _written_date(seconds: int, dates: Dates | None) -> str:
    return f"{seconds:,} s" if dates is None else dates.date(seconds)
