"""Explains in words why a job was rejected: its request, and the limit that it exceeds.

Example: under ``[limits.per_user] gpus = 8``, "it requests 16 gpus, but limits.per_user allows 8".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise.replay.part_limits import exceeded_part_limits, limit_in_words
from slotwise.replay.reject_reason import RejectReason
from slotwise.replay.site_names import SiteNames
from slotwise.site.machine.node_type import written_amount
from slotwise.site.machine.nodes import Nodes
from slotwise.site.parts.limits import RESOURCE_LIMITS
from slotwise.site.parts.owners import OWNER_COLUMNS, owners_of
from slotwise.site.parts.times import written_duration
from slotwise.trace.node_demands import amount_asked, demands_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site import Site
    from slotwise.trace import Trace


def rejection_of(trace: Trace, site: Site, row: int, reason: RejectReason, queue: int) -> str:
    """Explain why a job is rejected.

    Parameters
    ----------
    trace : Trace
    site : Site
    row : int
        Position of the job in the trace.
    reason : RejectReason
    queue : int
        Position of its queue in the site; negative for none.
    """
    size = text.plural(int(trace.processors[row]), "processor")
    length = written_duration(int(trace.requested_time[row]))
    if reason == RejectReason.LIMIT:
        return _above_part_limit(trace, site, row, queue) or next(
            _exceeded(trace, site, row, queue), "the job alone exceeds a limit"
        )
    if reason == RejectReason.TOO_LARGE:
        return _too_large(trace, site, row, queue, size)
    if reason == RejectReason.NO_QUEUE:
        return f"no queue accepts a job of {size} for {length}"
    if reason == RejectReason.MAINTENANCE:
        return f"it requests {length}, more time than there is between two maintenance windows"
    return "it was submitted when a limit on submitted jobs had been reached"


def _above_part_limit(trace: Trace, site: Site, row: int, queue: int) -> str:
    """Explain how a job exceeds a limit of its Slurm partition; return "" if it does not."""
    limit = int(exceeded_part_limits(trace, site, site.machine_for(trace).count)[row])
    return limit_in_words(trace, site, row, limit, queue) if limit else ""


def _too_large(trace: Trace, site: Site, row: int, queue: int, size: str) -> str:
    name = site.queues[queue].name if 0 <= queue < len(site.queues) else ""
    if isinstance(site.machine, Nodes):
        demands = demands_of(trace, site.machine)
        lacks = site.machine.what_lacks(*demands.of_job(row), **demands.rules_of(row))
        return lacks or f"it does not fit on the nodes of queue {name}"
    where = f"any pool of queue {name}" if site.pools and name else "the machine"
    return f"it requests {size}, more than {where} has"


def _exceeded(trace: Trace, site: Site, row: int, queue: int) -> Iterator[str]:
    """Yield an explanation for each limit of a queue, site or owner that the job alone exceeds."""
    spans = False
    if 0 <= queue < len(site.queues):
        spans = site.queues[queue].spanning
        yield from _above(trace, site, row, site.queues[queue], f"queue.{site.queues[queue].name}")
    lifted = site.limits.lifted_when_idle and not spans
    yield from _above(trace, site, row, site.limits, "limits", lifted=lifted)
    names = SiteNames(trace)
    for index, part in enumerate(site.named_limits):
        if any(
            int(getattr(trace, column)[row]) in names.codes(column, written)
            for column, written in owners_of(part).items()
        ):
            yield from _above(trace, site, row, part, f"named_limit[{index}]")


def _above(
    trace: Trace, site: Site, row: int, limits: Any, place: str, *, lifted: bool = False
) -> Iterator[str]:
    """Yield an explanation for each of `limits` that the job's request exceeds.

    If `lifted`, the limits per owner are skipped.
    """
    processors = int(trace.processors[row])
    owners = [] if lifted else [c for c in OWNER_COLUMNS.values() if getattr(trace, c)[row] >= 0]
    for field in ("processors_in_use", *(f"processors_per_{column}" for column in owners)):
        most = getattr(limits, field)
        if most is not None and processors > most:
            size = text.plural(processors, "processor")
            yield f"it requests {size}, but {place}.{field} allows {most:,}"
    if not isinstance(site.machine, Nodes):
        return
    demands = demands_of(trace, site.machine)
    for field in RESOURCE_LIMITS:
        if field != "total" and field.removeprefix("per_") not in owners:
            continue
        for resource, most in getattr(limits, field).items():
            asked = amount_asked(demands, row, resource)
            if asked > most:
                requested, allowed = written_amount(resource, asked), written_amount(resource, most)
                yield f"it requests {requested}, but {place}.{field} allows {allowed}"
