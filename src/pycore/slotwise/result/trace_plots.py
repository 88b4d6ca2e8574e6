"""``trace.plot``: the charts of the schedule recorded in a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.errors import TraceError
from slotwise.replay.replay_data import ReplayData
from slotwise.result.baseline import schedule_in
from slotwise.result.plots import SchedulePlots
from slotwise.site import Site
from slotwise.trace.peaks import peaks_of

if TYPE_CHECKING:
    from slotwise.trace import Trace


class TracePlots(SchedulePlots):
    """Charts of the log's own schedule: its starts and ends, not those of a replay.

    The size of the machine is taken from the log's header. If the header has none, it is the
    largest number of processors in use at once.

    Raises
    ------
    TraceError
        For a log without waits, such as a generated workload.
    """

    def __init__(self, trace: Trace) -> None:
        schedule = schedule_in(trace)
        if schedule is None:
            raise TraceError(
                "the log has no start times, so there is no schedule to draw; replay the log and "
                "draw the result: sw.simulate(trace).plot",
                path=trace.source,
            )
        processors = trace.max_processors
        if processors is None:
            everyone = np.zeros(len(trace), np.int32)
            (peak,) = peaks_of(everyone, schedule.start, schedule.end, [trace.processors])
            processors = int(peak[0])
        super().__init__(ReplayData(trace, Site(), schedule, processors, 0.0))
