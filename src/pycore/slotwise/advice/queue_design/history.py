"""The log on which a configuration is based: jobs by base queue, calendar months, epochs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slotwise.advice.queue_design.base import above_of, longest_of, most_of
from slotwise.advice.queue_design.parameters import DAY
from slotwise.errors import TraceError
from slotwise.simulation import simulate
from slotwise.site.dates import dates_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.advice.queue_design.base import Base
    from slotwise.advice.queue_design.parameters import Parameters
    from slotwise.site.parts import Queue
    from slotwise.trace import Trace


class Month(NamedTuple):
    """A calendar month of a trace, from `begin` up to `end`, in seconds on the trace's clock."""

    name: str
    begin: int
    end: int

    def of(self, trace: Trace) -> Trace:
        """Return the jobs submitted in the month."""
        low, high = np.searchsorted(trace.submit, [self.begin, self.end])
        return trace[int(low) : int(high)]


def months_of(trace: Trace) -> list[Month]:
    """Return the months that a trace covers, oldest first.

    Up to a day may be missing at either end of a month. Months follow the machine's clock. A trace
    without a date is divided into periods of 30 days.

    Raises
    ------
    TraceError
        For a trace without jobs.
    """
    if len(trace) == 0:
        raise TraceError(
            "the trace has no jobs; use a log of at least one month", path=trace.source
        )
    first, last = int(trace.submit[0]), int(trace.submit[-1])
    dates = dates_of(trace)
    months = (
        [
            Month(f"days {30 * k + 1}-{30 * k + 30}", begin, begin + 30 * DAY)
            for k, begin in enumerate(range(first, last + DAY, 30 * DAY))
        ]
        if dates is None
        else _calendar_months(first, last, dates.epoch + dates.offset)
    )
    return [m for m in months if m.begin >= first - DAY and m.end <= last + DAY]


def _calendar_months(first: int, last: int, shift: int) -> list[Month]:
    """Return the months from `first` to `last`, given as times on the trace's clock.

    The machine's clock is `shift` seconds ahead of the trace's.
    """
    months = []
    moment = datetime.fromtimestamp(first + shift, UTC)
    begin = moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    while int(begin.timestamp()) - shift <= last:
        after = (begin + timedelta(days=32)).replace(day=1)
        edges = (int(moment.timestamp()) - shift for moment in (begin, after))
        months.append(Month(f"{begin:%Y-%m}", *edges))
        begin = after
    return months


@dataclass(frozen=True)
class History:
    """Past jobs, each assigned to one base queue.

    Attributes
    ----------
    trace : Trace
    queue : (n_jobs,) int32
        Position of the job's queue in `Base.queues`.
    begin, end : int
        The time covered, in seconds on the trace's clock.
    n_left_out : int
        Number of jobs that no queue of the base accepts.
    """

    trace: Trace
    queue: NDArray[np.int32]
    begin: int
    end: int
    n_left_out: int = 0

    @classmethod
    def of(
        cls, trace: Trace, base: Base, begin: int | None = None, end: int | None = None
    ) -> History:
        """Route the jobs of a trace to the queues of the base, as the engine does.

        Raises
        ------
        TraceError
            If the trace has no jobs, or if the queues accept none of its jobs.
        """
        if len(trace) == 0:
            raise TraceError(
                "the history has no jobs; use a log of at least one month", path=trace.source
            )
        if not any(_takes(queue, trace) for queue in base.queues):
            raise TraceError(
                f"the site's queues accept none of the {len(trace)} jobs in the history; use "
                "queues that fit this log, such as derive_queues(trace)",
                path=trace.source,
            )
        queue = simulate(trace, base.shared()).queue
        taken = queue >= 0
        return cls(
            trace if taken.all() else trace[taken],
            queue[taken],
            int(trace.submit[0]) if begin is None else begin,
            int(trace.submit[-1]) + 1 if end is None else end,
            int(len(trace) - taken.sum()),
        )

    def __len__(self) -> int:
        return len(self.trace)

    def between(self, begin: int, end: int) -> History:
        """Return the jobs submitted from `begin` up to `end`."""
        low, high = (int(i) for i in np.searchsorted(self.trace.submit, [begin, end]))
        return History(self.trace[low:high], self.queue[low:high], begin, end)

    def epochs(self, parameters: Parameters) -> list[tuple[float, History]]:
        """Return the epochs with their weights, oldest first; the last epoch ends with the history.

        Epochs without jobs are left out. A history shorter than one epoch forms a single epoch.
        """
        days = parameters.epoch_days * DAY
        found = []
        for back, weight in enumerate(reversed(parameters.weights)):
            end = self.end - back * days
            part = self.between(max(end - days, self.begin), end)
            if end > self.begin and len(part) > 0:
                found.append((weight, part))
        return found[::-1] or [(1.0, self)]


def _takes(queue: Queue, trace: Trace) -> bool:
    requested = np.maximum(trace.requested_time, 1)
    return bool(
        (
            (trace.processors >= queue.processors[0])
            & (trace.processors <= most_of(queue))
            & (requested > above_of(queue))
            & (requested <= longest_of(queue))
        ).any()
    )
