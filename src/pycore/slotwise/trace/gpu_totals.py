"""Units of jobs in logs that give only the total number of GPUs of each job.

The ``gpus`` column, which is filled from sacct's TRES, contains such totals.

A job of 64 processors and 8 GPUs on 2 nodes becomes 2 units of 32 cores and 4 GPUs.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]

MOST = 2**62 - 1
"""Largest amount of a resource."""

_MOST_CORES = 2**31 - 1


class Totals(NamedTuple):
    """Requests of jobs, each summed over all nodes of the job.

    Attributes
    ----------
    processors, gpus, memory : (n_jobs,) int64
        At least 1 GPU; memory in KB, 0 if unknown.
    node_count : (n_jobs,) int64
        At most the number of processors or of GPUs, whichever is larger; below 1 if unknown.
    """

    processors: Int64
    gpus: Int64
    memory: Int64
    node_count: Int64


class Units(NamedTuple):
    """Identical units of jobs, and the amounts that each unit requests.

    Attributes
    ----------
    units, cores, gpus, memory : (n_jobs,) int64
    is_rounded : (n_jobs,) bool
        Jobs whose units together have more cores or GPUs than the log states.
    """

    units: Int64
    cores: Int64
    gpus: Int64
    memory: Int64
    is_rounded: NDArray[np.bool_]


def units_of(totals: Totals, resources: tuple[str, ...], capacities: Int64) -> Units:
    """Divide the requests of jobs into identical units.

    A job has one unit per node. If its processors and GPUs are not both divisible by the number of
    nodes, the number of units is the next larger number that divides both. If there is none,
    the job has one unit per node, with processors and GPUs rounded up. Jobs with an unknown node
    count take as few nodes as possible.
    """
    processors, gpus = totals.processors, totals.gpus
    fewest = fewest_nodes(totals, resources, capacities)
    nodes = np.where(totals.node_count > 0, totals.node_count, fewest)
    pairs = np.stack([np.gcd(processors, gpus), nodes], axis=1)
    kinds, kind_of = np.unique(pairs, axis=0, return_inverse=True)
    found = [_least_divisor(common, least) for common, least in kinds.tolist()]
    units = np.array(found, dtype=np.int64)[kind_of.reshape(-1)]
    units = np.where(units > _MOST_CORES // -(-processors // units), 1, units)
    cores, cards = -(-processors // units), -(-gpus // units)
    is_rounded = (units * cores != processors) | (units * cards != gpus)
    return Units(units, cores, cards, -(-totals.memory // units), is_rounded)


def fewest_nodes(totals: Totals, resources: tuple[str, ...], capacities: Int64) -> Int64:
    """Return the fewest nodes, of a single type, that hold each job; 1 if no type has GPUs.

    Only types with GPUs count.
    """
    asked = {"cores": totals.processors, "gpus": totals.gpus, "memory": totals.memory}
    fewest = np.full(len(totals.gpus), MOST, dtype=np.int64)
    for capacity in capacities:
        has = dict(zip(resources, capacity.tolist(), strict=True))
        if has["gpus"] == 0:
            continue
        counts = [-(-asked[name] // has[name]) for name in asked if has.get(name, 0) > 0]
        fewest = np.minimum(fewest, np.max(counts, axis=0))
    return np.where(fewest == MOST, 1, np.maximum(fewest, 1))


def _least_divisor(number: int, least: int) -> int:
    """Return a number's smallest divisor that is at least `least`; `least` if there is none."""
    if least <= 1 or least > number:
        return least
    small = [k for k in range(1, isqrt(number) + 1) if number % k == 0]
    return min(k for k in (*small, *(number // k for k in small)) if k >= least)
