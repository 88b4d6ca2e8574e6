"""Facts about Kraken's log from the thesis on its priority formula, and this model's assumptions.

The thesis gives no distributions, only text about its Figures 2, 4 and 5. The values here are
chosen to agree with that text; docs/studies/priority.md lists both.
"""

from __future__ import annotations

from dataclasses import dataclass

CORES, CORES_A_NODE = 98_976, 12
HOUR = 3600
LONGEST_REQUEST = 24 * HOUR
LOAD = 0.88


@dataclass(frozen=True)
class Period:
    """A period studied in the thesis: number of jobs, length and start."""

    n_jobs: int
    seconds: int
    start: str


PERIODS = {
    "47.5d": Period(100_000, round(47.5 * 86400), "2010-10-13T00:00:00-04:00"),
    "13mo": Period(573_000, 423 * 86400, "2009-10-03T00:00:00-04:00"),
}

# Each row: smallest and largest number of nodes, share of the sessions, and median run time in
# hours.
SIZES = (
    (1, 1, 0.20, 0.6),
    (2, 4, 0.17, 0.7),
    (5, 10, 0.17, 0.9),
    (11, 21, 0.15, 1.1),
    (22, 43, 0.12, 1.3),
    (44, 86, 0.085, 1.5),
    (87, 172, 0.055, 1.7),
    (173, 341, 0.03, 1.9),
    (342, 683, 0.014, 2.1),
    (684, 1366, 0.005, 2.3),
    (1367, 4128, 0.001, 2.5),
)
RUN_SPREAD = 1.5  # standard deviation of the log of a session's run time

# SHORTEST_RUN is in seconds; LONG_RUN and LONGEST_RUN are in hours. Run times above LONG_RUN are
# compressed into the range between LONG_RUN and LONGEST_RUN. Requests are limited to 24 hours, so a
# job that requests twice the time that it needs can run for at most 12 hours.
SHORTEST_RUN = 5.0
LONG_RUN, LONGEST_RUN = 9.0, 13.5

# Bursts of small jobs by one user, with 24 to 48 cores each. The values are: share of all jobs,
# mean number of jobs per burst, median run time in hours, and seconds between two submissions.
BURST_SHARE, BURST_JOBS, BURST_HOURS, BURST_GAP = 0.35, 30, 0.25, 5.0
BURST_NODES = (2, 4)

# BURST_USERS is the fraction of users who submit bursts. WITHIN_SPREAD is the standard deviation of
# the log of the run times in a burst.
BURST_USERS = 0.1
WITHIN_SPREAD = 0.3

# Full-machine jobs are submitted in the last FULL_LEAD hours of a maintenance window, which begins
# on Wednesdays at 8:00.
MAINTENANCE_HOURS = (8, 12)
FULL_A_WEEK, FULL_FROM, FULL_HOURS, FULL_LEAD = 2, 0.92, 1.5, 1.0

# Mean error of requests in percent, for run times up to the given number of hours, for comparison
# with Figure 5. The thesis says "near 100 percent" for the shortest run times, and "almost twice
# the time needed" for the longest.
ERROR_CLASSES = (
    (1 / 60, 95.0),
    (1 / 6, 92.0),
    (1 / 2, 86.0),
    (1.0, 80.0),
    (2.0, 73.0),
    (4.0, 66.0),
    (8.0, 58.0),
    (24.0, 48.0),
)
# Run times in hours, each with the median error of requests; the error is logit-normal. Between
# these run times, the median's logit is interpolated linearly in the logarithm of the run time.
# Rounding requests up increases the error; the limit of 24 hours reduces it.
DRAWN_ERROR = ((0.005, 0.99), (0.05, 0.97), (0.3, 0.91), (0.75, 0.85), (1.5, 0.77), (3.0, 0.70),
               (6.0, 0.62), (11.0, 0.72))  # fmt: skip
ERROR_SPREAD = 0.9
KILLED = 0.03  # share of the sessions whose request does not exceed the run time

# Requests up to the first value are rounded up to multiples of the second, both in seconds.
ROUND_UP = ((HOUR, 300), (6 * HOUR, 1800), (LONGEST_REQUEST, HOUR))
