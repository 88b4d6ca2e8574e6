"""Preview of a site on a log, without a replay: routing, calendar, and parts without effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise import text
from slotwise._core import Calendar, Site as CoreSite, route, windows
from slotwise.cli.commands.site_nodes import Lacking, lacking_of, node_notes
from slotwise.replay.part_limits import REASONS, exceeded_part_limits, rejects_at_limits
from slotwise.replay.reject_reason import RejectReason
from slotwise.replay.site_names import SiteNames
from slotwise.replay.to_core import core_site
from slotwise.replay.warnings.log import log_warnings
from slotwise.site.dates import dates_of, written_instant
from slotwise.site.faults import dotted
from slotwise.site.machine.hostlist import folded
from slotwise.site.machine.node_checks import named_in_several
from slotwise.site.machine.nodes import Nodes
from slotwise.site.parts.owners import OWNER_COLUMNS, owners_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from slotwise.site import Site
    from slotwise.site.parts.part import SitePart
    from slotwise.trace import Trace


class Routes(NamedTuple):
    """Outcome of routing the jobs in a log on arrival.

    Attributes
    ----------
    queues, rejected : dict of str to int
        Jobs per queue, and rejected jobs per reason.
    lacking : list of Lacking
        Resources that rejected jobs lack, on a machine with nodes.
    others : dict of str to (int, int, int)
        Rejected jobs that would fit on the empty machine, per reason: their number, the first row,
        and the position of its queue (negative for none).
    pending : dict of str to (n,) int64
        Rows of the jobs that would stay pending forever in Slurm, per limit of the partition.
    queue_of : (n_jobs,) int32
        Position of each job's queue (negative for none).
    """

    queues: dict[str, int]
    rejected: dict[str, int]
    lacking: list[Lacking]
    others: dict[str, tuple[int, int, int]]
    pending: dict[str, NDArray[np.int64]]
    queue_of: NDArray[np.int32]


def routes_of(site: Site, trace: Trace) -> Routes:
    """Count the jobs that each queue accepts, and those rejected on arrival, by reason.

    A job that a queue accepts and a later check rejects is counted in both. Only a replay finds
    jobs that never fit between two maintenance windows.
    """
    lacking = lacking_of(site.machine, trace) if isinstance(site.machine, Nodes) else []
    if _is_refused(site, trace) and not site.queues:
        return _lacking_on_nodes(lacking, len(trace))
    queues, reasons = route(trace._jobs, core_site(site, trace, site.machine_for(trace).count))
    limits = exceeded_part_limits(trace, site, site.machine_for(trace).count)
    if rejects_at_limits(site):
        above = (limits > 0) & (reasons == RejectReason.NONE)
        reasons = np.where(above, RejectReason.LIMIT, reasons)
        limits = np.zeros_like(limits)
    names = [queue.name for queue in site.queues] or ["default"]
    taken = np.bincount(queues[queues >= 0], minlength=len(names))
    rejected = np.bincount(reasons, minlength=len(RejectReason))
    found = [reason for reason in RejectReason if reason and rejected[reason]]
    return Routes(
        {name: int(count) for name, count in zip(names, taken, strict=True)},
        {reason.name.lower(): int(rejected[reason]) for reason in found},
        lacking,
        _others(lacking, queues, reasons),
        _pending(limits),
        queues,
    )


def _pending(limits: NDArray[np.uint8]) -> dict[str, NDArray[np.int64]]:
    """Find the jobs that exceed a limit of their partition, grouped by limit."""
    return {
        name: np.flatnonzero(limits == number)
        for number, name in enumerate(REASONS)
        if number and (limits == number).any()
    }


def _others(
    lacking: list[Lacking], queues: NDArray[Any], reasons: NDArray[Any]
) -> dict[str, tuple[int, int, int]]:
    """Count rejected jobs per reason, excluding those that would not fit even on empty nodes."""
    left = reasons.copy()
    for each in lacking:
        left[each.rows] = RejectReason.NONE
    found = {}
    for reason in RejectReason:
        rows = np.flatnonzero(left == reason)
        if reason and len(rows):
            first = int(rows[0])
            found[reason.name.lower()] = (len(rows), first, int(queues[first]))
    return found


def _lacking_on_nodes(lacking: list[Lacking], n_jobs: int) -> Routes:
    """Count the jobs that never fit on the nodes, for a log that a replay refuses as a whole."""
    total = sum(each.jobs for each in lacking)
    rejected = {RejectReason.TOO_LARGE.name.lower(): total} if total else {}
    nobody = np.full(n_jobs, -1, dtype=np.int32)
    return Routes({"default": n_jobs}, rejected, lacking, {}, {}, nobody)


def _is_refused(site: Site, trace: Trace) -> bool:
    """Return True if a replay refuses the log because jobs request a resource that no node has."""
    return isinstance(site.machine, Nodes) and bool(node_notes(site.machine, trace))


def span_of(trace: Trace) -> tuple[int, int]:
    """Return the first submit time and the last end in the log; an unknown wait counts as 0."""
    ends = trace.submit + np.maximum(trace.wait, 0) + trace.run_time
    return int(trace.submit[0]), int(ends.max())


def calendar_of(site: Site, trace: Trace) -> dict[str, int]:
    """Count the occurrences of each part of the calendar within the span of the log."""
    if _is_refused(site, trace):
        return {}
    core = core_site(site, trace, site.machine_for(trace).count)
    first, last = span_of(trace)
    names = [dotted(("maintenance", i)) for i in range(len(site.maintenance))]
    names += [dotted(("outage", i)) for i in range(len(site.outages))]
    found = {
        name: len(windows(part, first, last + 1))
        for name, part in zip(names, core.outages, strict=True)
    }
    for index, reservation in enumerate(core.reservations):
        found[dotted(("reservation", index))] = len(windows(reservation, first, last + 1))
    if site.crashes.times or site.crashes.law:
        found["crashes"] = _crashes_within(core, first, last)
    return found


def _crashes_within(core: CoreSite, first: int, last: int) -> int:
    calendar, count = Calendar(core, first), 0
    while calendar.next() <= last:
        time, kind, _ = calendar.pop()
        count += kind == "crash" and first <= time
    return count


def notes_of(site: Site, trace: Trace, calendar: Mapping[str, int]) -> list[str]:
    """List the parts of a site that have no effect on this log, and faults that stop a replay."""
    of_nodes = node_notes(site.machine, trace) if isinstance(site.machine, Nodes) else []
    by_log = [*_never(site, trace, calendar), *_absent(site, trace), *of_nodes]
    return [*notes_of_site(site), *by_log]


def notes_of_site(site: Site) -> list[str]:
    """List the notes that do not depend on the log: nodes that are part of several outages."""
    by_outages: dict[tuple[str, ...], list[str]] = {}
    for name, tables in named_in_several(site).items():
        by_outages.setdefault(tuple(tables), []).append(name)
    return [
        f"{', '.join(tables)}: all include {folded(names)}; these nodes are unavailable while "
        "any of these entries lasts"
        for tables, names in by_outages.items()
    ]


def _never(site: Site, trace: Trace, calendar: Mapping[str, int]) -> Iterator[str]:
    never = [name for name, times in calendar.items() if times == 0]
    if not never:
        return
    dates = dates_of(trace, site.clock)
    first, last = (written_instant(at, dates) for at in span_of(trace))
    yield (
        f"{', '.join(never)}: never in effect during the log, which lasts from {first} to {last}; "
        "check the dates, or remove the entry"
    )


def _absent(site: Site, trace: Trace) -> Iterator[str]:
    """List limits, reservations and queues that refer to owners or queues absent from the log."""
    columns = ("user", "group", "account", "qos")
    known = {name: set(np.unique(getattr(trace, name)).tolist()) for name in columns}
    for column, numbers in known.items():
        holders: list[tuple[str, SitePart]] = [("limits", site.limits)]
        holders += [(dotted(("queue", i)), queue) for i, queue in enumerate(site.queues)]
        holders += [(dotted(("named_limit", i)), each) for i, each in enumerate(site.named_limits)]
        by = [
            f"{name}.{key}"
            for name, holder in holders
            for key in holder.to_dict()
            if key.endswith(f"per_{column}")
        ]
        if by and not any(number >= 0 for number in numbers):
            yield f"{', '.join(by)}: no effect, because no job in the log has a {column}"
    yield from log_warnings(site, trace)
    names = SiteNames(trace)
    for index, reservation in enumerate(site.reservations):
        owners = {
            column: set(names.codes(column, each))
            for column, each in owners_of(reservation).items()
        }
        if not any(codes & known[column] for column, codes in owners.items()):
            yield f"{dotted(('reservation', index))}: none of its {_listed(owners)} is in the log"
    present = set(np.unique(trace.queue).tolist())
    for index, queue in enumerate(site.queues):
        coded = [each for each in queue.trace_queues if not isinstance(each, str)]
        if missing := [number for number in coded if number not in present]:
            named = ", ".join(map(str, missing))
            yield (
                f"{dotted(('queue', index, 'trace_queues'))}: no job in the log is in queue {named}"
            )
    later = (trace.dependency >= 0) | (trace.array_limit > 0)
    if site.dependencies and not (later | (trace.preceding_job >= 0)).any():
        yield "dependencies: no job in the log has a preceding job, a condition or an array limit"
    n_later = int(np.count_nonzero(later))
    if not site.dependencies and n_later:
        yield (
            f"dependencies: the log has {text.plural(n_later, 'job')} with conditions or array "
            "limits; set dependencies = true to apply them"
        )


def _listed(columns: Iterable[str]) -> str:
    """Join the names of owner columns: ``users or groups``."""
    fields = {column: field for field, column in OWNER_COLUMNS.items()}
    return " or ".join(fields[column] for column in columns)
