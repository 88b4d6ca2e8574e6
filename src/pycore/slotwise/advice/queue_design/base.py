"""The queues on which a configuration is based."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slotwise.errors import SiteError
from slotwise.site import Site
from slotwise.site.machine import Processors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.site.parts import Queue
    from slotwise.site.policy import Policy
    from slotwise.trace import Trace


@dataclass(frozen=True)
class Base:
    """Machine and queues on which every strategy is based.

    Attributes
    ----------
    machine : int, processors
    queues : tuple of Queue
        In routing order, with bounds and priorities but without pools.
    owners : tuple of int
        Positions of the queues that get a partition. The others span partitions.
    policy : Policy
    """

    machine: int
    queues: tuple[Queue, ...]
    owners: tuple[int, ...]
    policy: Policy

    @classmethod
    def of(cls, site: Site, trace: Trace, priorities: Sequence[float] | None = None) -> Base:
        """Read the base of a site; missing bounds are taken from the jobs in `trace`.

        A queue spans partitions if it is marked as spanning, or if its largest job exceeds half of
        the machine. If all priorities are equal, they become 1, 2, …, from the queue with the
        smallest jobs to the queue with the largest.

        Parameters
        ----------
        site : Site
        trace : Trace
        priorities : sequence of float, optional
            Priorities in the order of the queues, replacing those of the site.

        Raises
        ------
        SiteError
            For a site without queues, a queue defined by trace_queues, and a site whose queues all
            span partitions.
        ValueError
            If the number of priorities is not the number of queues.
        """
        machine = site.machine_for(trace).count
        if not site.queues:
            raise SiteError(
                "the site has no queues to configure; add [[queue]] tables, or derive queues with "
                "derive_queues(trace)"
            )
        for queue in site.queues:
            if queue.trace_queues:
                raise SiteError(
                    f"queue '{queue.name}' accepts jobs by trace_queues, but splitting and merging "
                    "need ranges: set the queue's processors and walltime, and remove trace_queues"
                )
        queues = [_bounded(queue, trace, machine) for queue in site.queues]
        spans = [q.spanning or most_of(q) > machine / 2 for q in queues]
        if len(queues) == 1:
            spans = [False]
        if all(spans):
            raise SiteError(
                "every queue accepts jobs larger than half the machine, so none can have a "
                "partition of its own; split the queues by size first"
            )
        if priorities is None:
            priorities = [q.priority for q in queues]
        elif len(priorities) != len(queues):
            raise ValueError(
                f"{len(priorities)} priorities for {len(queues)} queues; pass one per queue, in "
                "the order of the queues"
            )
        if len(set(priorities)) == 1 and (len(queues) > 1 or priorities[0] <= 0):
            by_size = sorted(range(len(queues)), key=lambda k: (most_of(queues[k]), k))
            priorities = [1.0 + by_size.index(k) for k in range(len(queues))]
        made = tuple(
            q.replace(priority=p, spanning=s)
            for q, p, s in zip(queues, priorities, spans, strict=True)
        )
        owners = tuple(k for k, spanning in enumerate(spans) if not spanning)
        return cls(machine, made, owners, site.policy)

    def shared(self) -> Site:
        """Return the site with one pool that all queues share."""
        return Site(
            Processors(self.machine),
            self.policy,
            queues=[q.replace(spanning=False, pools=()) for q in self.queues],
        )

    @property
    def largest_spanning(self) -> int:
        """Size of the largest spanning job; the partitions together must be at least this large."""
        return max((most_of(q) for q in self.queues if q.spanning), default=0)

    @property
    def threshold_priority(self) -> float:
        """Highest priority among the queues with a partition (`medium` in the paper)."""
        return max(self.queues[k].priority for k in self.owners)


def most_of(queue: Queue) -> int:
    """Return the largest job size that a queue accepts; the queue must have this bound."""
    most = queue.processors[1]
    assert most is not None
    return most


def longest_of(queue: Queue) -> int:
    """Return the longest request, in seconds, that a queue accepts; it must have this bound."""
    longest = queue.walltime[1]
    assert isinstance(longest, int)
    return longest


def above_of(queue: Queue) -> int:
    """Return a queue's exclusive lower bound on requested times, in seconds."""
    above = queue.walltime[0]
    assert isinstance(above, int)
    return above


def _bounded(queue: Queue, trace: Trace, machine: int) -> Queue:
    fewest, most = queue.processors
    above, longest = above_of(queue), queue.walltime[1]
    if most is None:
        most = max(fewest, min(machine, int(trace.processors.max()) if len(trace) else machine))
    if longest is None:
        longest = max(above + 1, int(trace.requested_time.max()) if len(trace) else 0)
    return queue.replace(
        processors=(fewest, min(most, machine)),
        walltime=(above, longest),
        trace_queues=(),
        hours=(),
        pools=(),
    )
