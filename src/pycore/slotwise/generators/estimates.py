"""Requested times as people choose them: round values, queue limits, habits, mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from ._estimates import draw_requests

if TYPE_CHECKING:
    from numpy.random import BitGenerator
    from numpy.typing import NDArray

MINUTE, HOUR, DAY = 60, 3600, 86400

# Requested times in seconds, each with its weight. The values and their popularity come from four
# logs that the tests read (KTH, SDSC-BLUE, RICC and Curie). The most popular are 15 and 30 minutes,
# and 1, 2, 4, 12 and 24 hours.
ROUND_VALUES = {
    1 * MINUTE: 2,
    5 * MINUTE: 5,
    10 * MINUTE: 6,
    15 * MINUTE: 7,
    20 * MINUTE: 3,
    30 * MINUTE: 10,
    1 * HOUR: 10,
    90 * MINUTE: 2,
    2 * HOUR: 10,
    3 * HOUR: 4,
    4 * HOUR: 7,
    5 * HOUR: 2,
    6 * HOUR: 5,
    8 * HOUR: 5,
    10 * HOUR: 3,
    12 * HOUR: 8,
    16 * HOUR: 2,
    18 * HOUR: 2,
    20 * HOUR: 1,
    24 * HOUR: 10,
    36 * HOUR: 2,
    48 * HOUR: 4,
}
QUEUE_LIMITS = {1 * HOUR: 3, 12 * HOUR: 3}  # each limit with its weight
LONGEST_WEIGHT = 4  # weight of the longest limit
HABIT, ODD = 0.4, 0.1
ALWAYS_LIMIT, SOMETIMES_LIMIT, SHARE_ALWAYS = 0.8, 0.08, 0.2


@dataclass(frozen=True)
class Requests:
    """Requested times of a workload, and the queues that follow from them.

    Attributes
    ----------
    requested_time : (n_jobs,) int64, seconds
    limits : tuple of int, seconds
        Longest request of each queue, ascending.
    """

    requested_time: NDArray[np.int64]
    limits: tuple[int, ...]

    def queues(self) -> NDArray[np.int32]:
        """Return each job's queue, from 1: the first one whose limit covers the requested time."""
        return (np.searchsorted(self.limits, self.requested_time) + 1).astype(np.int32)


def longest_limit(longest_run: int) -> int:
    """Return the limit of the last queue: two days, or more if the longest job needs more."""
    return max(2, -(-longest_run // DAY)) * DAY


def request(
    bit_generator: BitGenerator,
    run_time: NDArray[np.int64],
    user: NDArray[np.int32],
    opens: NDArray[np.uint8],
    users: int,
    killed: float,
) -> Requests:
    """Sample requested times as people choose them.

    The request of a job is the first of these that applies:

    - with probability `killed`, the largest round value below its run time, if there is one;
    - the request of the previous job of its session, if that is long enough;
    - a queue's limit (a fifth of the users request it for most jobs, the others rarely);
    - the user's favourite round value (two jobs in five);
    - a value that is not round (one job in ten);
    - a round value by popularity, among those not below the run time.

    Parameters
    ----------
    bit_generator : numpy.random.BitGenerator
    run_time : (n_jobs,) int64, seconds
    user : (n_jobs,) int32
        From 1 to `users`.
    opens : (n_jobs,) uint8
        1 for a job that opens a session.
    users : int
    killed : float
        Share of requests below the run time, among jobs that run for more than a minute.

    References
    ----------
    D. Tsafrir, Y. Etsion, D. G. Feitelson, "Modeling User Runtime Estimates", JSSPP 2005, LNCS
    3834. They find that about 20 round values, always including the limit, cover about 90 % of the
    jobs. A request limits the run time, but otherwise says little about it.
    """
    limit = longest_limit(int(run_time.max()))
    values = ROUND_VALUES | {limit: ROUND_VALUES.get(limit, LONGEST_WEIGHT)}
    limits = QUEUE_LIMITS | {limit: LONGEST_WEIGHT}
    people = np.random.Generator(bit_generator)
    below = running_sum(values)
    round_values = np.array(list(values), np.int64)
    favourite = round_values[
        np.searchsorted(below, people.random(users + 1) * below[-1], side="right") - 1
    ]
    asks_limit = np.where(people.random(users + 1) < SHARE_ALWAYS, ALWAYS_LIMIT, SOMETIMES_LIMIT)
    requested_time = np.empty_like(run_time)
    draw_requests(
        bit_generator, run_time, user, opens, round_values, below,
        np.array(list(limits), np.int64), running_sum(limits), favourite, asks_limit,
        killed, HABIT, ODD, requested_time,
    )  # fmt: skip
    return Requests(requested_time, tuple(limits))


def running_sum(weights: dict[int, int]) -> NDArray[np.float64]:
    """Return the cumulative sums of the weights, starting with 0."""
    return np.array([0, *accumulate(weights.values())], np.float64)
