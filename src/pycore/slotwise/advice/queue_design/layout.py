"""A configuration: partitions, their queues, and a common pool."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from slotwise.advice.queue_design.base import Base, above_of, longest_of, most_of
from slotwise.site import Site
from slotwise.site.machine import Processors
from slotwise.site.parts import Pool, Queue
from slotwise.site.parts.limits import LIMIT_READERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from slotwise.advice.queue_design.history import History

COMMON = "common"
LIMITS_REPLACED = ("running", "processors_in_use")
"""Queue limits that are replaced by the size of the queue's partition."""
LIMITS_KEPT = tuple(name for name in LIMIT_READERS if name not in LIMITS_REPLACED)


@dataclass(frozen=True, slots=True)
class Part:
    """Jobs in one base queue within ranges of size and requested time.

    Attributes
    ----------
    base : int
        Position of the queue in `Base.queues`.
    fewest, most : int, processors
        Inclusive bounds.
    above, longest : int, seconds
        Exclusive lower and inclusive upper bound of the requested time.
    """

    base: int
    fewest: int
    most: int
    above: int
    longest: int

    @classmethod
    def whole(cls, base: Base, position: int) -> Part:
        """Return all jobs of a base queue."""
        queue = base.queues[position]
        return cls(
            position, queue.processors[0], most_of(queue), above_of(queue), longest_of(queue)
        )

    def takes(self, history: History) -> NDArray[np.bool_]:
        """(n_jobs,) bool: the jobs of a history that belong to the part."""
        jobs = history.trace
        requested = np.maximum(jobs.requested_time, 1)
        taken: NDArray[np.bool_] = (
            (history.queue == self.base)
            & (jobs.processors >= self.fewest)
            & (jobs.processors <= self.most)
            & (requested > self.above)
            & (requested <= self.longest)
        )
        return taken


@dataclass(frozen=True, slots=True)
class Partition:
    """Processors reserved for one queue, which consists of one or more parts.

    Attributes
    ----------
    name : str
    parts : tuple of Part
        One part, or the parts of the merged queues in the order of the base.
    size : int, processors
    parents : frozenset of str
        The queues from which the partition's queue was split; for a merged queue, the parents of
        both queues.
    """

    name: str
    parts: tuple[Part, ...]
    size: int
    parents: frozenset[str] = frozenset()

    @property
    def largest(self) -> int:
        """Size of the largest job accepted."""
        return max(part.most for part in self.parts)

    def resized(self, size: int) -> Partition:
        """Return the partition with a different size."""
        return replace(self, size=size)

    def takes(self, history: History) -> NDArray[np.bool_]:
        """(n_jobs,) bool: the jobs of a history that belong to the partition."""
        taken: NDArray[np.bool_] = np.any([part.takes(history) for part in self.parts], axis=0)
        return taken


@dataclass(frozen=True, slots=True)
class Layout:
    """Partitions of a machine; the remaining processors are a common pool or stay idle.

    Attributes
    ----------
    base : Base
    partitions : tuple of Partition
    hybrid : bool
        True if the remaining processors are the common pool; otherwise they stay idle.
    threshold : float
        Threshold of the common pool.
    """

    base: Base
    partitions: tuple[Partition, ...]
    hybrid: bool = False
    threshold: float = 0.0
    _queues: dict[bool, list[Queue]] = field(default_factory=dict, compare=False, repr=False)
    # Cached queues of the site without a common pool (key False) and with one (key True). Layouts
    # that differ only in partition sizes share this dict.

    @classmethod
    def of_base(cls, base: Base, sizes: Iterable[int]) -> Layout:
        """Return a layout with one partition for each queue in `base.owners`."""
        return cls(
            base,
            tuple(
                Partition(base.queues[k].name, (Part.whole(base, k),), int(size))
                for k, size in zip(base.owners, sizes, strict=True)
            ),
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """Processors of each partition."""
        return tuple(p.size for p in self.partitions)

    @property
    def common(self) -> int:
        """Processors that belong to no partition."""
        return self.base.machine - sum(self.sizes)

    def resized(self, sizes: Iterable[int]) -> Layout:
        """Return the layout with different partition sizes."""
        made = (p.resized(int(s)) for p, s in zip(self.partitions, sizes, strict=True))
        return replace(self, partitions=tuple(made))

    def with_partitions(self, partitions: Iterable[Partition]) -> Layout:
        """Return the layout with different partitions."""
        return replace(self, partitions=tuple(partitions), _queues={})

    def site(self) -> Site:
        """Return the layout as a site.

        Each part is a queue. The parts of a merged queue have the same pool and the same priority,
        and so act as one queue. Queues are in the order of the base, so a job is routed to a part
        of its base queue. Spanning queues use processors of all partitions.
        """
        pools = [Pool(p.name, p.size) for p in self.partitions]
        with_common = self.hybrid and self.common > 0
        if with_common:
            pools.append(Pool(COMMON, self.common, self.threshold))
        if with_common not in self._queues:
            self._queues[with_common] = self._queues_of([COMMON] if with_common else [])
        return Site(
            Processors(self.base.machine),
            self.base.policy,
            pools=pools,
            queues=self._queues[with_common],
        )

    def _queues_of(self, common: list[str]) -> list[Queue]:
        queues: list[tuple[int, int, Queue]] = []
        for number, partition in enumerate(self.partitions):
            own = [partition.name, *common]
            queues += [(part.base, number, self._queue(partition, part, own))
                       for part in partition.parts]  # fmt: skip
        own = [p.name for p in self.partitions]
        queues += [
            (k, 0, replace(q, pools=tuple(own)))
            for k, q in enumerate(self.base.queues)
            if q.spanning
        ]
        queues.sort(key=lambda entry: entry[:2])
        return [queue for _base, _number, queue in queues]

    def _queue(self, partition: Partition, part: Part, pools: list[str]) -> Queue:
        base = self.base.queues[part.base]
        several = len(partition.parts) > 1
        return base.replace(
            name=f"{partition.name}/{base.name}" if several else partition.name,
            processors=(part.fewest, part.most),
            walltime=(part.above, part.longest),
            priority=self.priority_of(partition),
            pools=tuple(pools),
            **dict.fromkeys(LIMITS_REPLACED),
        )

    def priority_of(self, partition: Partition) -> float:
        """Return the highest priority among the base queues that a partition serves."""
        return max(self.base.queues[part.base].priority for part in partition.parts)
