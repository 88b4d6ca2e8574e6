"""Reads the traces of a command; before the replay, refuses those in which no job can run."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import text
from slotwise._core import route
from slotwise.errors import SiteError, TraceError
from slotwise.formats.registry import format_named, read_trace
from slotwise.replay.reject_reason import RejectReason
from slotwise.replay.to_core import core_site
from slotwise.site.machine.nodes import Nodes
from slotwise.site.machine.room_on_nodes import without_room
from slotwise.terminal.exits import UsageError
from slotwise.terminal.standard_input import name_of_source
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from slotwise.site import Site
    from slotwise.trace import Trace

_READING: ContextVar[tuple[str | None, str | None]] = ContextVar("reading", default=(None, None))
"""Format and time zone in which traces are read."""


@contextmanager
def reading_as(format: str | None, zone: str | None) -> Iterator[None]:
    """Inside the block, read traces in a given format and time zone.

    Raises
    ------
    UsageError
        For an unknown format or zone.
    """
    try:
        if format is not None:
            format_named(format)
        if zone is not None:
            from slotwise.formats.text.zones import zone_named

            zone_named(zone)
    except TraceError as fault:
        raise UsageError(f"--zone: {fault.message}") from None
    except ValueError as fault:
        raise UsageError(f"--format: {fault}") from None
    token = _READING.set((format, zone))
    try:
        yield
    finally:
        _READING.reset(token)


def reading_options() -> dict[str, str]:
    """Return the ``--format`` and ``--zone`` options that the user gave to this command."""
    given = zip(("--format", "--zone"), _READING.get(), strict=True)
    return {option: value for option, value in given if value is not None}


def open_trace(path: Path, *, strict: bool = False, nodes: Nodes | None = None) -> Trace:
    """Read a trace; without ``--format``, its first lines and its suffix show its format.

    Raises
    ------
    TraceError
        If the trace cannot be read or is empty; under `strict`, also if anything in it is
        repaired, dropped or rejected.
    """
    format, zone = _READING.get()
    trace = read_trace(path, format, zone, strict=strict, nodes=nodes)
    trace.source = name_of_source(path)
    faults = [fault for fault in trace.report.faults() if fault.kind != "note"]
    if strict and faults:
        raise TraceError(
            f"{faults[0].count:,} x {faults[0].rule} ({faults[0].reason}); --strict accepts no "
            "faults: correct the file or leave --strict out",
            path=trace.source,
        )
    return trace


def nodes_of(table: Path | None, trace: Path) -> Nodes | None:
    """Read the node table given by ``--nodes``, including the features that the jobs request."""
    if table is None:
        return None
    from slotwise.formats.slurm_conf import read_slurm_nodes
    from slotwise.formats.slurm_events import asked_features, is_slurm_events

    return read_slurm_nodes(table, asked_features(trace) if is_slurm_events(trace) else None)


def nodes_of_sites(sites: Mapping[str, Site], trace: Path) -> Nodes | None:
    """Return the nodes for reading a trace that several sites replay; None if no site has nodes.

    Raises
    ------
    SiteError
        For Slurm-simulator events, if a site has no machine, or if the nodes of two sites have
        different resources.
    """
    machines = {name: site.machine for name, site in sites.items()}
    found = {name: each for name, each in machines.items() if isinstance(each, Nodes)}
    if not found:
        return None
    from slotwise.formats.slurm_events import is_slurm_events

    first, nodes = next(iter(found.items()))
    if not is_slurm_events(trace):
        return nodes
    for name, machine in machines.items():
        if machine is None:
            raise SiteError(
                f"{name} has no machine, but the log contains submit_batch_job events, which need "
                "a node table; pass --nodes slurm.conf, which defines the nodes of all sites"
            )
        if name in found and set(found[name].resources) != set(nodes.resources):
            raise SiteError(
                f"{name}: its nodes have {', '.join(found[name].resources)}, but those of {first} "
                f"have {', '.join(nodes.resources)}; the events are read only once, so give the "
                "nodes of all sites the same resources"
            )
    return nodes


def check_runnable(trace: Trace, site: Site, *, strict: bool = False) -> None:
    """Refuse a trace in which no job can run; under `strict`, also one in which some job cannot.

    Raises
    ------
    TraceError, SiteError
        If the trace is refused, or the size of the machine is unknown.
    """
    machine = site.machine_for(trace).count
    wide = trace.processors > machine
    if len(trace) == 0 or wide.all():
        raise TraceError(
            f"none of its {len(trace):,} jobs can run on {text.plural(machine, 'processor')}; "
            "check --processors, or the log",
            path=trace.source,
        )
    if strict and wide.any():
        first = int(np.argmax(wide))
        why = f"needs {trace.processors[first]:,} processors, but the machine has {machine:,}"
        raise _rejected(trace, first, why, f"jobs larger than the machine: {int(wide.sum()):,}")
    if strict and isinstance(site.machine, Nodes):
        _check_room(trace, site.machine)
    if not site.is_plain:
        _check_queues(trace, site, machine, strict=strict)


def _check_room(trace: Trace, nodes: Nodes) -> None:
    """Refuse a trace with a job that does not fit on the empty nodes."""
    demands = demands_of(trace, nodes)
    rejected = without_room(demands, nodes)
    if not rejected.any():
        return
    first = int(np.argmax(rejected))
    lacks = nodes.what_lacks(*demands.of_job(first), **demands.rules_of(first))
    why = f"does not fit even on empty nodes: {lacks}"
    raise _rejected(trace, first, why, f"jobs that do not fit: {int(rejected.sum()):,}")


def _check_queues(trace: Trace, site: Site, machine: int, *, strict: bool) -> None:
    """Refuse a trace if the queues reject all jobs; under `strict`, if they reject any."""
    _, reasons = route(trace._jobs, core_site(site, trace, machine))
    rejected = reasons != RejectReason.NONE
    first = int(np.argmax(rejected))
    if not rejected.any() or not (strict or rejected.all()):
        return
    why = f"is rejected as {RejectReason(reasons[first]).words}"
    if not rejected.all():
        raise _rejected(trace, first, why, f"rejected jobs: {int(rejected.sum()):,}")
    raise TraceError(
        f"none of its {len(trace):,} jobs can run under this site: job {trace.job_id[first]} "
        f"{why}; slotwise site check shows which queue accepts which jobs",
        path=trace.source,
        line=_line(trace, first),
    )


def _rejected(trace: Trace, row: int, why: str, others: str) -> TraceError:
    """Return an error that names the first rejected job."""
    return TraceError(
        f"job {trace.job_id[row]} {why} ({others}); leave --strict out to reject and count them",
        path=trace.source,
        line=_line(trace, row),
    )


def _line(trace: Trace, row: int) -> int | None:
    line = int(trace.line[row])
    return line if line > 0 else None


def trace_facts(trace: Trace) -> dict[str, Any]:
    """Return the facts that identify a trace in the JSON output of a replay."""
    return {
        "source": trace.source,
        "jobs": len(trace),
        "processors": trace.max_processors,
        "first_submit": int(trace.submit[0]),
        "last_submit": int(trace.submit[-1]),
        "content_hash": trace.content_hash,
        "report": trace.report.to_dict(),
    }
