"""Nodes in a ``slurm.conf``: one group per ``NodeName`` line.

Example: ``NodeName=n[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000`` describes
two nodes with 32 processors, as ``sacct`` counts them, and 64,000 MB.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slotwise.formats.slurm_site.gres import Gres, gres_of
from slotwise.formats.slurm_site.host_lists import sound_list
from slotwise.formats.slurm_site.left_out import some_of
from slotwise.formats.slurm_site.numbers import whole_number
from slotwise.formats.slurm_site.settings import Line
from slotwise.site.machine.hostlist import expanded, folded
from slotwise.site.machine.node_type import MOST_NODES
from slotwise.text import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.formats.slurm_site.left_out import LeftOut
    from slotwise.formats.slurm_site.settings import Faults

_READ = (
    "nodename", "cpus", "boards", "socketsperboard", "sockets", "corespersocket", "threadspercore",
    "corespeccount", "memspeclimit", "realmemory", "gres", "feature", "weight", "state",
)  # fmt: skip
_MOST_CPUS = 65533
_MOST_WEIGHT = 2**32 - 2
_IN_SERVICE = ("UNKNOWN", "IDLE", "CLOUD", "UP", "")


@dataclass(frozen=True)
class NodeGroup:
    """Nodes on one line, which have the same amount of every resource.

    Attributes
    ----------
    place : str
        File and line.
    hosts : str
        Names of the nodes, as a node list.
    names : tuple of str
        The same names, one by one.
    cpus : int
        Processors per node available to jobs, as ``sacct`` counts them.
    memory : int
        MB per node available to jobs.
    gres : Gres
    features : tuple of str
    weight : int
        Slurm takes the lightest nodes first.
    """

    place: str
    hosts: str
    names: tuple[str, ...]
    cpus: int
    memory: int
    gres: Gres = field(default_factory=Counter)
    features: tuple[str, ...] = ()
    weight: int = 1


@dataclass
class NodeLines:
    """Reader of the ``NodeName`` lines, in the order of the file."""

    faults: Faults
    left_out: LeftOut
    groups: list[NodeGroup] = field(default_factory=list)
    future: set[str] = field(default_factory=set)
    places: dict[str, str] = field(default_factory=dict)  # place by node name
    closed: list[str] = field(default_factory=list)
    n_named_faults: int = 0  # faults in lines with a valid node list
    _named_lines: set[str] = field(default_factory=set)
    _defaults: Line = field(default_factory=lambda: Line(""))

    def take(self, line: Line) -> None:
        """Store the defaults or the nodes of a line."""
        self.left_out.add_keys("node", line, _READ)
        if line.values["nodename"].upper() == "DEFAULT":
            self._defaults = line.over(self._defaults)
            return
        try:
            self._add(line.over(self._defaults))
        except ValueError as fault:
            wrong = _wrong_numbers(line)
            for each in wrong if str(fault) in map(str, wrong) else [fault]:
                self.faults.add_line(line.place, each)
                self.n_named_faults += line.place in self._named_lines

    def _add(self, line: Line) -> None:
        hosts = line.values["nodename"]
        names = expanded(hosts, MOST_NODES - len(self.places))
        if not names:
            raise ValueError("NodeName= contains no node name")
        own = self._named_once(names, line.place)
        if len(own) < len(names):
            # No site is built after this fault; the rest of the line is read to find other faults.
            hosts, names = folded(own), own
        state = line.values.get("state", "").upper()
        if state == "FUTURE":
            self.future.update(names)
            return
        if state not in _IN_SERVICE:
            self.closed.append(f"{hosts} ({state})")
        group = _group(line, hosts, names, self.left_out)
        if names:
            self.groups.append(group)

    def _named_once(self, names: Sequence[str], place: str) -> list[str]:
        """Record where each node is defined; report nodes defined twice, and return the rest."""
        mine: dict[str, str] = {}
        again: dict[str, str] = {}
        for name in names:
            if name in self.places or name in mine:
                again.setdefault(name, self.places.get(name, "this line"))
            else:
                mine[name] = place
        self.places |= mine
        self._named_lines.add(place)
        if again:
            first, others = next(iter(again)), plural(len(again) - 1, "other node")
            more = f", like {others} of this line" if len(again) > 1 else ""
            text = (
                f"node {first!r:.60} is already defined in {again[first]}{more}; list each node "
                "only once"
            )
            self.faults.add(place, text)
            self.n_named_faults += 1
        return [*mine]

    def remarks(self) -> None:
        """Add remarks on the nodes that are not in service."""
        if self.future:
            count = plural(len(self.future), "node")
            self.left_out.remarks.append(
                f"Left out, because they do not exist yet (State=FUTURE): {count} "
                f"({some_of(sorted(self.future))})."
            )
        if self.closed:
            self.left_out.n_that_matter += len(self.closed)
            self.left_out.remarks.append(
                "In service in this site, although slurm.conf gives them another initial state: "
                f"{some_of(self.closed)}."
            )


def _group(line: Line, hosts: str, names: Sequence[str], left_out: LeftOut) -> NodeGroup:
    cpus = _cpus_of(line)
    if cpus > _MOST_CPUS:
        raise ValueError(
            f"a node of {cpus:,} CPUs exceeds Slurm's limit of {_MOST_CPUS:,}; correct CPUs, or "
            "Sockets, CoresPerSocket and ThreadsPerCore"
        )
    reserved = _number(line, "corespeccount") * _cpus_per_core(line, cpus)
    memory = _number(line, "realmemory")
    kept = memory - _number(line, "memspeclimit")
    if reserved >= cpus:
        raise ValueError(
            f"CoreSpecCount={line.values['corespeccount']:.60} leaves none of the {cpus} CPUs for "
            "jobs"
        )
    if memory and kept <= 0:
        raise ValueError(
            f"MemSpecLimit={line.values['memspeclimit']:.60} leaves none of RealMemory={memory} "
            "for jobs"
        )
    return NodeGroup(
        line.place,
        sound_list(hosts, names),
        tuple(names),
        cpus - reserved,
        max(kept, 0),
        gres_of(line.values.get("gres", ""), left_out),
        tuple(filter(None, line.values.get("feature", "").split(","))),
        _number(line, "weight", 1),
    )


def _cpus_of(line: Line) -> int:
    """Count the CPUs of a node as Slurm does.

    If the line gives sockets as well as cores or threads, ``CPUs`` must equal the total number of
    sockets, cores or threads. If it does not, Slurm uses the total number of threads.
    """
    sockets, cores, threads = _shape(line)
    everything = sockets * cores * threads
    if not everything:
        raise ValueError("Sockets, CoresPerSocket and ThreadsPerCore must be at least 1")
    if "cpus" not in line.values:
        return everything
    cpus = whole_number("CPUs", line.values["cpus"], 1)
    if not {"corespersocket", "threadspercore"} & line.values.keys():
        return cpus
    if not {"sockets", "socketsperboard"} & line.values.keys():
        return cpus
    return cpus if cpus in (sockets, sockets * cores, everything) else everything


def _shape(line: Line) -> tuple[int, int, int]:
    sockets = _number(line, "sockets", 1)
    if "sockets" not in line.values:
        sockets = _number(line, "boards", 1) * _number(line, "socketsperboard", 1)
    return sockets, _number(line, "corespersocket", 1), _number(line, "threadspercore", 1)


def _cpus_per_core(line: Line, cpus: int) -> int:
    sockets, cores, threads = _shape(line)
    return 1 if cpus == sockets * cores else threads


_WRITTEN = {
    "sockets": "Sockets",
    "boards": "Boards",
    "socketsperboard": "SocketsPerBoard",
    "corespersocket": "CoresPerSocket",
    "threadspercore": "ThreadsPerCore",
    "corespeccount": "CoreSpecCount",
    "memspeclimit": "MemSpecLimit",
    "realmemory": "RealMemory",
    "weight": "Weight",
}


def _number(line: Line, key: str, default: int = 0) -> int:
    if key not in line.values:
        return default
    most = _MOST_WEIGHT if key == "weight" else None
    return whole_number(_WRITTEN[key], line.values[key], most=most)


def _wrong_numbers(line: Line) -> list[ValueError]:
    """Return an error for each wrong number in a line."""
    found = []
    for key in line.values:
        try:
            if key == "cpus":
                whole_number("CPUs", line.values[key], 1)
            elif key in _WRITTEN:
                _number(line, key)
        except ValueError as fault:
            found.append(fault)
    return found
