"""Queues: the jobs that they accept, and where and when those jobs may run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from slotwise.site.faults import Check, Fault, FaultsError
from slotwise.site.machine.node_selection import selector
from slotwise.site.parts import readers
from slotwise.site.parts.limits import LIMIT_READERS, CountedLimits
from slotwise.site.parts.times import Length, hours_of, written_duration
from slotwise.site.policy.order_spec import Order, order_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def _order(value: Any) -> Any:
    try:
        return None if value is None else order_of("order", value)
    except FaultsError as wrong:  # drop the field name from each fault's key; the caller adds it
        raise FaultsError(Fault(fault.key[1:], fault.text) for fault in wrong.faults) from None


def _reversed(queue: Any) -> Iterator[Fault]:
    fewest, most = queue.processors
    if most is not None and most < fewest:
        yield Fault(("processors",), f"[{fewest}, {most}] is reversed; write [{most}, {fewest}]")


def _reversed_nodes(queue: Any) -> Iterator[Fault]:
    fewest, most = queue.nodes_per_job
    if most is not None and most < fewest:
        yield Fault(("nodes_per_job",), f"[{fewest}, {most}] is reversed; write [{most}, {fewest}]")


def _no_time(queue: Any) -> Iterator[Fault]:
    above, longest = queue.walltime
    if longest is not None and longest <= above:
        remedy = "swap them" if longest < above else "raise the second"
        yield Fault(
            ("walltime",),
            f'["{written_duration(above)}", "{written_duration(longest)}"] contains no time: '
            "requested times are above the first value and at most the second; "
            f"{remedy}, or omit the second value for no upper bound",
        )


def _too_low_a_limit(queue: Any) -> Iterator[Fault]:
    fewest, in_use = queue.processors[0], queue.processors_in_use
    if in_use is not None and in_use < fewest and queue.has_ranges:
        yield Fault(
            ("processors_in_use",),
            f"{in_use} lets no job start, because each job requests at least {fewest} processors; "
            "use a larger number, or omit the limit",
        )


@dataclass(frozen=True, slots=True)
class Queue(CountedLimits):
    """A queue of a site.

    A job goes to the queue whose `trace_queues` contain the job's queue in the trace. If there is
    no such queue, the job goes to the first queue whose ranges it fits. A job that no queue accepts
    is rejected.

    Parameters
    ----------
    name : str
    processors : (int, int or None), default (1, None)
        The fewest and the most processors that a job may request, inclusive. None: no bound.
    walltime : (duration, duration or None), default (0, None)
        Requested times that the queue accepts: above the first value, up to the second. A duration
        is seconds, a timedelta, or a string such as ``"24:00:00"``, ``"90s"``, ``"7d"``.
    trace_queues : sequence of str or int, optional
        Queues of the trace whose jobs go to this queue, regardless of their request: names, or the
        trace's numbers. If the trace's queues have no names, a name means the partition of that
        name. A queue with `trace_queues` but without ranges accepts no other jobs.
    priority : float, default 0
        Jobs of a queue with a higher priority go first in every pool, unless the order itself uses
        the priority (``priority``, or an expression with ``queue_priority``).
    order : str or mapping, optional
        Order within the queue. Default: the order of the policy.
    starvation : duration, optional
        Waiting time after which a job is starving, and goes ahead of all jobs that are not
        starving. Default: jobs never starve.
    hours : str or sequence of str, optional
        Times of day at which its jobs may start, such as ``"20:00-08:00"``. Default: any time of
        day.
    pools : sequence of str, optional
        Pools in which its jobs may run, in order of preference. Default: every pool, in the
        site's order.
    spanning : bool, default False
        True: its jobs may run in several pools at once. An advance reservation keeps processors of
        these pools free for the queue's next job.
    nodes : str or sequence of str, optional
        On a machine with node types, the nodes on which its jobs may run: the union of lists such
        as ``"gpu[001-016]"``, ``"type:fat"`` and ``"feature:ib"``. Default: all nodes. The nodes of
        several queues may overlap.
    nodes_per_job : (int, int or None), default (1, None)
        The fewest and the most nodes that a job may request. Requires a machine with node types.
    tier : int, default 1
        Under the ``slurm`` backfill, jobs in a higher tier precede those of lower tiers
        (PriorityTier), and `priority` is the PriorityJobFactor.
    exclusive : bool, default False
        Under the ``slurm`` backfill, jobs use whole nodes (OverSubscribe=EXCLUSIVE).
    default_walltime : duration, optional
        Requested time of jobs that have none in the log, or their run time if that is longer.
        Default: always their run time.
    running, processors_in_use, queued_per_user, running_per_user, processors_per_user, \
submitted_per_user, per_user, ... : optional
        Limits on the jobs of this queue; `Limits` has the same limits for all jobs.

    Raises
    ------
    SiteError
        For invalid fields; the message names all of them.
    """

    name: str
    processors: tuple[int, int | None] | Sequence[int] = (1, None)
    walltime: tuple[Length, Length | None] | Sequence[Length] = (0, None)
    trace_queues: str | Sequence[int | str] = ()
    priority: float = 0.0
    order: Order | Mapping[str, Any] | None = None
    starvation: Length | None = None
    hours: str | Sequence[str] = ()
    pools: str | Sequence[str] = ()
    spanning: bool = False
    nodes: str | Sequence[str] = ()
    nodes_per_job: tuple[int, int | None] | Sequence[int] = (1, None)
    default_walltime: Length | None = None
    tier: int = 1
    exclusive: bool = False

    DURATIONS: ClassVar = frozenset({"walltime", "starvation", "default_walltime"})
    READERS: ClassVar = {
        "name": readers.name,
        "processors": readers.span(readers.processors, "processors"),
        "walltime": readers.span(readers.duration, "durations"),
        "trace_queues": readers.many(
            readers.named("that identifies a queue of the trace"), "queues"
        ),
        "priority": readers.number,
        "order": _order,
        **LIMIT_READERS,
        "starvation": readers.optional(readers.lasting),
        "hours": hours_of,
        "pools": readers.many(readers.name, "pools"),
        "spanning": readers.flag,
        "nodes": readers.many(selector, "nodes"),
        "nodes_per_job": readers.span(readers.nodes, "nodes"),
        "default_walltime": readers.optional(readers.lasting),
        "tier": readers.tier,
        "exclusive": readers.flag,
    }
    CHECKS: ClassVar = (
        Check(frozenset({"processors"}), _reversed),
        Check(frozenset({"nodes_per_job"}), _reversed_nodes),
        Check(frozenset({"walltime"}), _no_time),
        Check(
            frozenset({"processors", "walltime", "trace_queues", "processors_in_use"}),
            _too_low_a_limit,
        ),
    )

    @property
    def has_ranges(self) -> bool:
        """True if the queue accepts jobs by its ranges, not only by `trace_queues`."""
        bounds = (self.processors, self.walltime, self.nodes_per_job)
        return bounds != ((1, None), (0, None), (1, None)) or not self.trace_queues
