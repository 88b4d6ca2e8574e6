"""Parameters of the `centre` model: machine, partitions and requests. We chose them ourselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Shares = tuple[tuple[int, float], ...]
"""Values with their probabilities, which add up to 1."""

HOUR = 3600
DAY = 24 * HOUR

NODE_CORES = ((900, 128), (150, 128), (250, 48), (150, 64), (50, 96))
"""Number of nodes, and cores per node, of each type: thin, fat, old, a100, h100."""

CPU_NODES = 1300
GPUS = 150 * 4 + 50 * 8

DAYTIME = np.array([
    0.5, 0.4, 0.3, 0.3, 0.3, 0.3, 0.4, 0.5, 0.8, 1.2, 1.5, 1.6,
    1.5, 1.5, 1.6, 1.7, 1.7, 1.6, 1.4, 1.1, 1.0, 0.9, 0.8, 0.6,
])  # fmt: skip
"""Relative arrivals by hour of the day."""

WEEKEND = 0.5
"""Arrivals on a Saturday or Sunday, relative to a working day."""

REPEATS = 0.5
"""Probability that a job has the same user and the same request as the previous job."""

AT_LIMIT = 0.1
"""Share of jobs whose run time, before scaling, equals their requested time."""

SHARED_CPU, SHARED_GPU = 1.0, 3.5
"""Relative probabilities that a job shares nodes: for jobs without GPUs, and with GPUs."""

CONSTRAINTS = (("", 0.7), ("a100", 0.15), ("a100|h100", 0.1), ("h100", 0.05))
"""Features requested by jobs with GPUs, with their probabilities."""


@dataclass(frozen=True)
class Partition:
    """A partition and the requests of its jobs.

    Attributes
    ----------
    share : float
        Share of all GPU jobs if the partition has GPUs, otherwise share of all other jobs.
    requests : Shares
        Requested times in seconds.
    nodes : Shares
        Number of nodes of a job that uses whole nodes.
    node_cores, node_gpus : int
        Cores and GPUs that a job with whole nodes requests per node: all those of the partition's
        smallest node.
    node_memory : Shares
        Memory that a job with whole nodes requests per node, in GB.
    """

    name: str
    share: float
    requests: Shares
    nodes: Shares
    node_cores: int
    node_memory: Shares
    node_gpus: int = 0

    @property
    def has_gpus(self) -> bool:
        """Return True if the partition's nodes have GPUs."""
        return self.node_gpus > 0


PARTITIONS = (
    Partition(
        "debug", 0.1, ((600, 0.4), (1800, 0.6)), ((1, 0.7), (2, 0.2), (4, 0.1)),
        128, ((64, 0.8), (128, 0.2)),
    ),
    Partition(
        "cpu", 0.7,
        ((HOUR, 0.15), (4 * HOUR, 0.2), (12 * HOUR, 0.25), (DAY, 0.3), (2 * DAY, 0.1)),
        ((1, 0.42), (2, 0.18), (4, 0.15), (8, 0.11), (16, 0.08), (32, 0.04), (64, 0.02)),
        48, ((48, 0.6), (96, 0.3), (160, 0.1)),
    ),
    Partition(
        "long", 0.1, ((2 * DAY, 0.3), (3 * DAY, 0.4), (5 * DAY, 0.3)),
        ((1, 0.6), (2, 0.25), (4, 0.15)), 48, ((48, 0.7), (160, 0.3)),
    ),
    Partition(
        "highmem", 0.1, ((4 * HOUR, 0.3), (12 * HOUR, 0.4), (DAY, 0.3)),
        ((1, 0.8), (2, 0.15), (4, 0.05)), 128, ((512, 0.6), (900, 0.4)),
    ),
    Partition(
        "gpu", 0.65, ((4 * HOUR, 0.2), (12 * HOUR, 0.3), (DAY, 0.3), (2 * DAY, 0.2)),
        ((1, 0.5), (2, 0.25), (4, 0.15), (8, 0.1)), 64, ((256, 0.7), (480, 0.3)), 4,
    ),
    Partition(
        "gpu-short", 0.35, ((1800, 0.3), (HOUR, 0.3), (4 * HOUR, 0.4)),
        ((1, 0.8), (2, 0.2)), 64, ((256, 1.0),), 4,
    ),
)  # fmt: skip
"""The partitions, in the order of their numbers in the trace, from 1."""
