"""The replayed site: a machine with nodes, queues, and the configuration of PBS."""

from __future__ import annotations

import dataclasses
import os
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._numbers import whole
from slotwise.errors import SiteError
from slotwise.site.build import build
from slotwise.site.faults import Fault, dotted, faults_at
from slotwise.site.machine.nodes import Nodes, NodeType
from slotwise.site.machine.room_on_nodes import without_room
from slotwise.site.names import unknown_name
from slotwise.site.parts.readers import flag
from slotwise.site.parts.times import day_times, hours_of, seconds_of, time_of_day
from slotwise.site.toml import reader as toml_reader
from slotwise.trace.node_demands import demands_of
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from slotwise.site.faults import Key
    from slotwise.trace import Trace
    from slotwise.trace.demands import Demands

QUEUES = ("debug", "parallel", "longpar", "other")
"""Queues of Table 1, by their number in a batch, from 1; then the minor ones in footnote 2."""

TENTH = 10
"""Factor by which quick runs reduce the number of nodes."""


@dataclass(frozen=True)
class PBSRules:
    """Configuration of PBS.

    Attributes
    ----------
    begin : int, seconds
        Time of day at which a batch begins.
    night : tuple of int, seconds of the day
        Hours in which jobs of night-only queues may start.
    cycle : int, seconds
        Time between two passes.
    debug_nodes : int
        Number of nodes per type that accept only debug jobs; they are the first of the type.
    strict : bool
        True if a job without free nodes blocks the jobs behind it in its queue.
    """

    begin: int
    night: tuple[int, int]
    cycle: int
    debug_nodes: int
    strict: bool = False


@dataclass(frozen=True)
class QueueRules:
    """Service rules of a queue.

    Attributes
    ----------
    expected_wait : int, seconds
        Wait beyond which a job is late.
    priority : int
        Priority in PBS; queues with a higher priority are tried earlier.
    night_only : bool
        True if PBS starts the queue's jobs only at night.
    """

    expected_wait: int
    priority: int
    night_only: bool


@dataclass(frozen=True)
class DispatchSite:
    """The site of a replay.

    Attributes
    ----------
    machine : Nodes
    pbs : PBSRules
    queues : tuple of QueueRules
        In the order of `QUEUES`.
    """

    machine: Nodes
    pbs: PBSRules
    queues: tuple[QueueRules, ...]

    def queue(self, number: int) -> QueueRules:
        """Return the queue with the given number; for an unknown number, the last (minor) queue."""
        return self.queues[number - 1 if 0 < number < len(QUEUES) else -1]

    def expected_waits(self, trace: Trace) -> NDArray[np.int64]:
        """Return the expected wait of every job of a batch, by its queue."""
        return np.array([self.queue(int(q)).expected_wait for q in trace.queue], dtype=np.int64)

    def with_first(self, name: str) -> DispatchSite:
        """Return the site with one node type listed first, so that this type wins ties.

        Raises
        ------
        ValueError
            If no type has this name.
        """
        types = self.machine.types
        names = [kind.name for kind in types]
        if name not in names:
            known = ", ".join(n for n in names if n)
            remedy = f"choose one of: {known}" if known else 'add names, such as name = "gpu"'
            raise ValueError(f"nodes_first={name!r}: no node type has this name; {remedy}")
        order = sorted(types, key=lambda kind: kind.name != name)
        return dataclasses.replace(self, machine=Nodes(order, self.machine.placement))

    def a_tenth(self) -> DispatchSite:
        """Return the site with a tenth of the nodes, so that few jobs are enough to fill them.

        Every type keeps at least one node that is not reserved for debug jobs.
        """
        small = [
            NodeType(**kind.to_dict() | {"count": max(round(kind.count / TENTH), 1)})
            for kind in self.machine.types
        ]
        kept = max(round(self.pbs.debug_nodes / TENTH), min(self.pbs.debug_nodes, 1))
        kept = min(kept, min(kind.count for kind in small) - 1)
        return dataclasses.replace(
            self,
            machine=Nodes(small, self.machine.placement),
            pbs=dataclasses.replace(self.pbs, debug_nodes=kept),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all values in the form that `site_of` expects, with times in seconds."""
        pbs = dataclasses.asdict(self.pbs)
        pbs["night"] = list(self.pbs.night)
        queues = dict(zip(QUEUES, map(dataclasses.asdict, self.queues), strict=True))
        return {"machine": self.machine.to_dict(), "pbs": pbs, "queue": queues}


def default_text() -> str:
    """Return the text of the default site file."""
    return resources.files(__package__).joinpath("eurora.toml").read_text(encoding="utf-8")


def read_site(path: str | os.PathLike[str] | None = None) -> DispatchSite:
    """Read a site file; missing values are taken from `default_text`.

    Raises
    ------
    SiteError
        If the file has faults; the message names the file and lists them, one per line.
    """
    document = tomllib.loads(default_text())
    if path is None:
        return site_of(document, "eurora.toml")
    faults = list(_put_over(document, toml_reader.read_document(path)))
    return _checked(document, os.fsdecode(path), faults)


def _put_over(document: dict[str, Any], given: Mapping[str, Any]) -> Iterator[Fault]:
    """Override the default tables: the machine table as a whole, the other tables key by key.

    If a value is given where a table is expected, it is reported, and the default is kept.
    """
    for key, table in given.items():
        if key not in document:
            yield Fault((key,), unknown_name("table", key, list(document)))
        elif not isinstance(table, dict):
            yield Fault((key,), f"{shown(table)} must be a table, written [{key}]")
        elif key == "queue":
            for name, values in table.items():
                if name not in QUEUES:
                    yield Fault((key, name), unknown_name("queue", name, QUEUES))
                elif not isinstance(values, dict):
                    rule = f"{shown(values)} must be a table, written [queue.{name}]"
                    yield Fault((key, name), rule)
                else:
                    document[key][name].update(values)
        else:
            document[key] = table if key == "machine" else document[key] | table


def site_of(document: Mapping[str, Any], place: str = "site") -> DispatchSite:
    """Build a site from the tables of a TOML file or of `DispatchSite.to_dict`.

    Raises
    ------
    SiteError
        If there are faults; the message lists them, one per line.
    """
    return _checked(document, place, [])


def _checked(document: Mapping[str, Any], place: str, found: list[Fault]) -> DispatchSite:
    """Build a site, and report earlier faults together with all those found here."""
    faults = [str(fault) for fault in found]
    machine = None
    try:
        machine = build({"machine": document["machine"]}, default_place=place).machine
    except SiteError as fault:
        faults += [line.removeprefix(f"{place}: ") for line in str(fault).splitlines()]
    else:
        faults += [str(fault) for fault in _machine_faults(machine)]
    later: list[Fault] = []
    pbs = _read(("pbs",), document["pbs"], _PBS, later)
    queues = [_read(("queue", name), document["queue"][name], _QUEUE, later) for name in QUEUES]
    if isinstance(machine, Nodes):
        later += _debug_faults(machine, pbs.get("debug_nodes", 0))
    faults += [str(fault) for fault in later]
    if faults:
        raise SiteError("\n".join(f"{place}: {fault}" for fault in faults))
    assert isinstance(machine, Nodes)
    return DispatchSite(machine, PBSRules(**pbs), tuple(QueueRules(**q) for q in queues))


def _machine_faults(machine: object) -> Iterator[Fault]:
    if not isinstance(machine, Nodes):
        text = (
            "this study needs nodes; describe the machine with "
            "[machine] nodes = [{ count = 32, cores = 16 }]"
        )
        yield Fault(("machine",), text)
    elif machine.placement != "least-scarce":
        yield Fault(
            ("machine", "placement"),
            f"{machine.placement!r} cannot be used in this study: models and lists use "
            "'least-scarce', PBS uses node numbers; remove it",
        )


def _debug_faults(machine: Nodes, debug_nodes: int) -> Iterator[Fault]:
    fewest = min(kind.count for kind in machine.types)
    if debug_nodes >= fewest:
        yield Fault(
            ("pbs", "debug_nodes"),
            f"{debug_nodes} would leave other jobs no node of a type that has only {fewest}; use "
            f"at most {fewest - 1}",
        )


def _read(
    table: Key,
    given: Mapping[str, Any],
    readers: Mapping[str, Callable[[Any], Any]],
    faults: list[Fault],
) -> dict[str, Any]:
    found = {}
    for key, value in given.items():
        if key not in readers:
            what = f"[{dotted(table)}] key"
            faults.append(Fault((*table, key), unknown_name(what, key, list(readers))))
            continue
        try:
            found[key] = readers[key](value)
        except ValueError as fault:
            faults += faults_at((*table, key), fault)
    return found


def _time(value: object) -> int:
    return time_of_day(value) if whole(value) is None else _between(0, 86399)(value)


def _night(value: object) -> tuple[int, int]:
    if isinstance(value, list) and len(value) == 2 and None not in map(whole, value):
        return _between(0, 86399)(value[0]), _between(1, 86400)(value[1])  # from `to_dict`
    intervals = hours_of(value)
    if len(intervals) != 1:
        raise ValueError(f'{shown(value)} must be one interval, such as "20:00-08:00"')
    return day_times(intervals[0])


def _positive_duration(value: object) -> int:
    seconds = seconds_of(value)
    if seconds < 1:
        raise ValueError(f"{shown(value)} must be at least one second")
    return seconds


def _between(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        number = whole(value)
        if number is None or not least <= number <= most:
            raise ValueError(f"{shown(value)} must be a whole number from {least:,} to {most:,}")
        return number

    return read


_PBS: Mapping[str, Callable[[Any], Any]] = {
    "begin": _time,
    "night": _night,
    "cycle": _positive_duration,
    "debug_nodes": _between(0, 1_000_000),
    "strict": flag,
}
_QUEUE: Mapping[str, Callable[[Any], Any]] = {
    "expected_wait": _positive_duration,
    "priority": _between(-1_000_000, 1_000_000),
    "night_only": flag,
}


def lacks_room(demands: Demands, machine: Nodes) -> NDArray[np.bool_]:
    """Return a mask of the jobs that do not fit on the empty machine, (n_jobs,)."""
    lacks = np.zeros(len(demands), dtype=bool)
    for name, column in demands.each.items():
        if name not in machine.resources and name != "memory":
            lacks |= column > 0
    rest = np.flatnonzero(~lacks)
    lacks[rest] = without_room(demands.take(rest), machine)
    return lacks


def check_room(site: DispatchSite, trace: Trace, what: str, place: str) -> None:
    """Refuse a machine on which a job of a batch does not fit.

    Raises
    ------
    SiteError
        If there is such a job; the message names `place` (the source of the site), the first job
        and the resources it lacks.
    """
    demands = demands_of(trace, site.machine)
    rejected = lacks_room(demands, site.machine)
    if rejected.any():
        job = int(np.argmax(rejected))
        lacks = site.machine.what_lacks(*demands.of_job(job), **demands.rules_of(job))
        raise SiteError(
            f"{place}: machine: job {trace.job_id[job]} of {what} does not fit even on empty nodes "
            f"({lacks}); number of such jobs: {int(rejected.sum()):,}; add nodes with room for them"
        )
