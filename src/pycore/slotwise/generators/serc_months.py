"""Figures from the paper on the queues of SERC's Cray XC40, and this model's own assumptions."""

from __future__ import annotations

from dataclasses import dataclass

MACHINE = 35_232
"""Processors: 1468 nodes of 24 each."""
NODE = 24
HOUR = 3600
QUEUES = ("idqueue", "small", "small72", "medium", "large")
"""Queues, numbered 1 to 5 in the trace; a job goes to the first queue that accepts it."""


@dataclass(frozen=True)
class Range:
    """A queue in Table I, whose jobs request more than `above` and at most `longest` seconds.

    `smallness` is not in the paper: 1 spreads the log of the sizes evenly, and smaller values make
    jobs larger.
    """

    fewest: int
    most: int
    above: int
    longest: int
    smallness: float


TABLE_I = {
    "idqueue": Range(8, 256, 0, 2 * HOUR, 1.0),
    "small": Range(24, 1032, 0, 24 * HOUR, 0.6),
    "small72": Range(24, 1032, 24 * HOUR, 72 * HOUR, 0.3),
    "medium": Range(1033, 8208, 0, 24 * HOUR, 0.8),
    "large": Range(8209, 22_800, 0, 24 * HOUR, 1.0),
}
TABLE_II = {
    (2015, 7): (3013, 1066, 238, 324, 19),
    (2015, 8): (4205, 1171, 245, 1101, 13),
    (2015, 9): (4161, 978, 207, 454, 10),
    (2015, 10): (2917, 1441, 244, 640, 19),
    (2015, 11): (2996, 1122, 290, 454, 13),
    (2015, 12): (2162, 943, 179, 332, 4),
    (2016, 1): (2938, 844, 191, 352, 2),
    (2016, 2): (5198, 1410, 233, 433, 8),
    (2016, 3): (6449, 1588, 216, 503, 3),
}
"""Jobs by month and queue."""

LOADS = {
    (2015, 7): (0.0024, 0.200, 0.160, 0.355, 0.070),
    (2015, 8): (0.0033, 0.213, 0.154, 0.472, 0.047),
    (2015, 9): (0.0033, 0.190, 0.142, 0.390, 0.035),
    (2015, 10): (0.0024, 0.260, 0.154, 0.425, 0.065),
    (2015, 11): (0.0024, 0.225, 0.190, 0.472, 0.047),
    (2015, 12): (0.0018, 0.141, 0.134, 0.364, 0.014),
    (2016, 1): (0.0024, 0.160, 0.142, 0.178, 0.007),
    (2016, 2): (0.0041, 0.272, 0.171, 0.402, 0.030),
    (2016, 3): (0.0051, 0.296, 0.154, 0.437, 0.012),
}
"""CPU time of each queue as a share of the machine's capacity in the month, at the default load.

These values are not in the paper, whose figures 4 to 6 are graphs without numbers. Its text says:
in December, medium, small and small72 have 57, 22 and 21 % of the CPU hours outside large; medium
falls sharply in January; and the totals change most from November to December and from January to
February.
"""


def month_hours(month: tuple[int, int]) -> int:
    """Return the number of hours in a month of `TABLE_II`."""
    days = {9: 30, 11: 30, 2: 29}
    return 24 * days.get(month[1], 31)


MEAN_LOAD = round(
    sum(sum(LOADS[m]) * month_hours(m) for m in LOADS) / sum(month_hours(m) for m in LOADS), 4
)
