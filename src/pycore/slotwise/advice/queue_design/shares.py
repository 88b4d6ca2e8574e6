"""CPU hours of the queues, and partitions in proportion to them: equations 5 and 7."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.advice.queue_design.base import most_of
from slotwise.errors import SiteError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.advice.queue_design.base import Base
    from slotwise.advice.queue_design.history import History


def cpu_hours(history: History, base: Base) -> NDArray[np.float64]:
    """Return the CPU hours of each queue of the base, equation 5; (n_queues,) float64."""
    work = history.trace.processors * history.trace.run_time
    return np.bincount(history.queue, weights=work, minlength=len(base.queues)) / 3600


def apportion(shares: Sequence[float] | NDArray[np.float64], total: int) -> list[int]:
    """Divide `total` into integers in proportion to `shares`, by the largest-remainder method.

    If remainders are equal, the first share gets the remaining unit.
    """
    exact = np.asarray(shares, dtype=np.float64)
    exact = exact * (total / exact.sum())
    whole = np.floor(exact).astype(np.int64)
    rest = total - int(whole.sum())
    for k in np.argsort(-(exact - whole), kind="stable")[:rest]:
        whole[k] += 1
    return [int(n) for n in whole]


def at_least(
    shares: Sequence[float] | NDArray[np.float64], least: Sequence[int], total: int
) -> list[int]:
    """Divide `total` into integers in proportion to `shares`, subject to the minima in `least`.

    If a part is raised to its minimum, the others shrink in proportion. With shares of 1, 1 and 98,
    a total of 100 and minima of 10, 0 and 0, the first part is 10, and the others divide 90 in the
    ratio 1 to 98.

    Raises
    ------
    SiteError
        If the minima together exceed the total.
    """
    floor = np.asarray(least, dtype=np.int64)
    if int(floor.sum()) > total:
        raise SiteError(
            f"the largest jobs of the queues need {int(floor.sum())} processors in total, but "
            f"the machine has {total}: no partition sizes suit them all; let the queue of the "
            "largest jobs span partitions (spanning = true in its [[queue]] table)"
        )
    weight = np.asarray(shares, dtype=np.float64)
    if weight.sum() <= 0:
        weight = np.ones(len(floor))
    fixed = np.zeros(len(floor), dtype=bool)
    while True:
        free = total - int(floor[fixed].sum())
        loose = weight[~fixed]
        if len(loose) == 0 or loose.sum() <= 0:
            fixed[:] = True
            sizes = floor.copy()
            sizes[int(np.argmax(weight))] += total - int(floor.sum())
            return [int(n) for n in sizes]
        exact = np.where(fixed, floor, 0).astype(np.float64)
        exact[~fixed] = loose * (free / loose.sum())
        short = ~fixed & (exact < floor)
        if not short.any():
            break
        fixed |= short
    sizes = floor.copy()
    sizes[~fixed] = np.maximum(apportion(exact[~fixed], free), floor[~fixed])
    surplus = int(sizes.sum()) - total
    while surplus > 0:  # sizes raised to their minima may exceed the total
        k = int(np.argmax(np.where(fixed, -1, sizes - floor)))
        sizes[k] -= 1
        surplus -= 1
    return [int(n) for n in sizes]


def largest_jobs(base: Base) -> list[int]:
    """Return the size of the largest job in each queue with a partition."""
    return [most_of(base.queues[k]) for k in base.owners]


def proportional_sizes(history: History, base: Base) -> list[int]:
    """Return partition sizes by equation 7; each has room for its queue's largest job.

    Queues that span partitions are left out.
    """
    hours = cpu_hours(history, base)[list(base.owners)]
    return at_least(hours, largest_jobs(base), base.machine)
