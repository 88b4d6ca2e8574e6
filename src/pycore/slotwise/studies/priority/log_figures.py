"""Data of Figures 2, 4, 5, 12 and 13 of the thesis for any log, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slotwise.simulation import simulate
from slotwise.site import Site
from slotwise.site.policy import Policy
from slotwise.studies.priority.log_classes import HOUR, Class, Usage
from slotwise.studies.priority.sites import study_site

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from slotwise.result import Result
    from slotwise.trace import Trace

SHOWN_DAYS = 14
"""Days shown in Figures 12 and 13: the thesis's 336 hours."""
REQUESTS = (0.25, 0.5, 1, 2, 4, 8, 12, 24)
"""Upper bounds of the classes of requested time, in hours."""
RUN_TIMES = (1 / 60, 1 / 6, 0.5, 1, 2, 4, 8, 24)
"""Upper bounds of the classes of run time, in hours."""


def classes(
    by: NDArray[np.float64],
    values: NDArray[np.float64],
    bounds: Sequence[float],
    *,
    in_hours: bool = False,
) -> list[Class]:
    """Return a figure's classes of jobs, each with the mean and median of its values.

    Jobs whose `by` is above the last bound form one more class.
    """
    upper = [float(bound) for bound in bounds]
    if len(by) and float(by.max()) > upper[-1]:
        upper.append(float(by.max()))
    found = []
    for low, high in zip([0.0, *upper], upper, strict=False):
        # A value of 0 is counted in the first class.
        inside = values[((by > low) | (low == 0)) & (by <= high)]
        mean, median = (
            (float(inside.mean()), float(np.median(inside))) if len(inside) else (np.nan, np.nan)
        )
        found.append(Class(low, high, len(inside), mean, median, in_hours))
    return found


def core_bounds(machine: int) -> list[float]:
    """Return the upper bounds of the classes: 24, 48, 96, … cores, and the machine's size.

    The thesis's text mentions a class of 24 to 48 cores in Figure 2.
    """
    bounds = [24.0]
    while 2 * bounds[-1] < 0.75 * machine:
        bounds.append(2 * bounds[-1])
    return [bound for bound in bounds if bound < machine] + [float(machine)]


def waits_by_cores(result: Result) -> list[Class]:
    """Return the waits in hours, by requested cores (Figure 2)."""
    ran = result.start >= 0
    cores = result.trace.processors[ran].astype(np.float64)
    bounds = core_bounds(result.processors)
    return classes(cores, result.wait[ran] / HOUR, bounds)


def waits_by_request(result: Result) -> list[Class]:
    """Return the waits in hours, by requested hours (Figure 4)."""
    ran = result.start >= 0
    asked = result.trace.requested_time[ran] / HOUR
    return classes(asked, result.wait[ran] / HOUR, REQUESTS, in_hours=True)


def errors_by_run_time(trace: Trace) -> list[Class]:
    """Return 100 · (1 − run time / request), percent, by run time in hours (Figure 5).

    The value is 100 for a job that ends immediately, and 0 for a job that runs until its time
    limit.
    """
    asked = np.maximum(trace.requested_time, 1)
    run = np.minimum(trace.run_time, asked)
    return classes(run / HOUR, 100 * (1 - run / asked), RUN_TIMES, in_hours=True)


def usage_of(result: Result) -> Usage:
    """Return the cores in use over a replay (Figures 12 and 13)."""
    series = result.series()
    first = int(result.trace.submit[0])
    return Usage((series["time"] - first) / HOUR, series["busy_processors"], result.processors)


def has_logged_schedule(trace: Trace) -> bool:
    """Return True if most jobs of a log have a start time, so that its schedule can be drawn."""
    return bool(len(trace) and (trace.wait >= 0).mean() > 0.5)


@dataclass(frozen=True)
class LogFigures:
    """Data of the figures of a log.

    Attributes
    ----------
    logged : bool
        True if Figures 2, 4 and 12 show the log's own schedule; otherwise they show a replay under
        the ``kraken`` site.
    by_cores, by_request, errors : list of Class
        Figures 2, 4 and 5.
    real, simulated : Usage
        Figure 12, and Figure 13 under the ``thesis`` site.
    days : int
        Number of days shown in Figures 12 and 13: 14, as in the thesis, or fewer for a short log.
    """

    logged: bool
    by_cores: list[Class]
    by_request: list[Class]
    errors: list[Class]
    real: Usage
    simulated: Usage
    days: int

    def pictures(self) -> dict[str, Callable[[], Figure]]:
        """Return the function that draws each figure, by file name."""
        from slotwise.studies.priority import figures

        title = f"Figure 12: {'as logged' if self.logged else 'the kraken site'}"
        panels = {title: self.real, "Figure 13: the thesis site": self.simulated}
        return {
            "figure-2": lambda: figures.wait_bars(self.by_cores, "cores requested"),
            "figure-4": lambda: figures.wait_bars(self.by_request, "requested time"),
            "figure-5": lambda: figures.error_bars(self.errors),
            "figures-12-and-13": lambda: figures.usage_panels(panels, 24.0 * self.days),
        }


def figures_of(trace: Trace) -> LogFigures:
    """Replay a log for the figures."""
    logged = has_logged_schedule(trace)
    site = Site(policy=Policy.preset("as-logged")) if logged else study_site("kraken", trace)
    real = simulate(trace, site)
    days = (int(trace.submit[-1]) - int(trace.submit[0])) // 86_400
    return LogFigures(
        logged,
        waits_by_cores(real),
        waits_by_request(real),
        errors_by_run_time(trace),
        usage_of(real),
        usage_of(simulate(trace, study_site("thesis", trace))),
        min(max(days, 1), SHOWN_DAYS),
    )
