"""Partitions in a ``slurm.conf``: one per ``PartitionName`` line, and the node sets they name.

Example: ``PartitionName=debug Nodes=n[1-2] MaxTime=30 MaxNodes=1 PriorityTier=5`` takes jobs of up
to 30 minutes on one node, ahead of lower tiers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from slotwise.formats.slurm_lines import MOST_NAMED
from slotwise.formats.slurm_site.host_lists import parts_of
from slotwise.formats.slurm_site.numbers import ENDLESS, time_limit, truth, whole_number
from slotwise.formats.slurm_site.settings import Line
from slotwise.site.machine.hostlist import number_of_hosts
from slotwise.site.machine.node_type import MOST_NODES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from slotwise.formats.slurm_site.left_out import LeftOut
    from slotwise.formats.slurm_site.settings import Faults

_READ = (
    "partitionname", "nodes", "default", "maxtime", "defaulttime", "maxnodes", "minnodes",
    "prioritytier", "priority", "state",
)  # fmt: skip
_STATES = ("UP", "DOWN", "DRAIN", "INACTIVE")
_SHARED = re.compile(r"(FORCE|YES)(:\d{1,5})?", re.ASCII | re.IGNORECASE)
_MOST_TIER = 65533
_MOST_PER_JOB = 2**31 - 1
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Partition:
    """A partition.

    Attributes
    ----------
    place : str
        File and line.
    name : str
    nodes : str
        As written; node sets are not resolved.
    max_time, default_time : int or None
        Seconds; None for no limit.
    nodes_per_job : (int, int or None)
    tier, job_factor : int
    is_exclusive : bool
        Whether jobs take whole nodes.
    is_default : bool
        Whether jobs that name no partition go here.
    is_cut : bool
        Whether DefaultTime exceeds MaxTime and is reduced to it.
    """

    place: str
    name: str
    nodes: str
    max_time: int | None = None
    default_time: int | None = None
    nodes_per_job: tuple[int, int | None] = (1, None)
    tier: int = 1
    is_default: bool = False
    is_cut: bool = False
    job_factor: int = 1
    is_exclusive: bool = False

    @property
    def has_all(self) -> bool:
        """True if the partition contains all nodes of the cluster."""
        return self.nodes.upper() == "ALL"


@dataclass
class PartitionLines:
    """Reader of the ``PartitionName`` and ``NodeSet`` lines, in the order of the file."""

    faults: Faults
    left_out: LeftOut
    is_slurm: bool = False  # True if the queues are for the slurm preset
    partitions: list[Partition] = field(default_factory=list)
    sets: dict[str, list[str]] = field(default_factory=dict)  # selectors by name
    closed: list[str] = field(default_factory=list)
    _places: dict[str, str] = field(default_factory=dict)
    _defaults: Line = field(default_factory=lambda: Line(""))
    _named: int = 0
    n_faults: int = 0

    def take(self, line: Line) -> None:
        """Add a line, as defaults, a node set or a partition."""
        try:
            if "nodeset" in line.values:
                self._add_set(line)
                return
            self.left_out.add_keys("partition", line, self._read(line))
            if line.values["partitionname"].upper() == "DEFAULT":
                self._take_defaults(line)
            else:
                self._add(line.over(self._defaults))
        except ValueError as fault:
            self.faults.add_line(line.place, fault)
            self.n_faults += 1

    def _take_defaults(self, line: Line) -> None:
        """Store the defaults for later partitions, or report the wrong values of the line."""
        _, faults = _partition(line)
        for fault in faults:
            self.faults.add_line(line.place, fault)
        self.n_faults += len(faults)
        if not faults:
            self._defaults = line.over(self._defaults)

    def _read(self, line: Line) -> tuple[str, ...]:
        """Return the keys of a line that determine the queue."""
        shared = line.values.get("oversubscribe", "NO")
        if _SHARED.fullmatch(shared):
            self.left_out.add("partition", f"{line.written['oversubscribe']}={shared}")
            return (*_READ, "oversubscribe", *["priorityjobfactor"] * self.is_slurm)
        return (*_READ, "priorityjobfactor", "oversubscribe") if self.is_slurm else _READ

    def _add_set(self, line: Line) -> None:
        name, nodes = line.values["nodeset"], line.values.get("nodes", "")
        self.left_out.add_keys("", line, ("nodeset", "nodes", "feature"))
        if not name:
            raise ValueError("NodeSet= is empty; give the node set a name")
        if name in self.sets:
            raise ValueError(f"NodeSet={name:.60} is already defined; choose another name")
        self._count(nodes)
        feature = line.values.get("feature", "")
        self.sets[name] = [nodes] * bool(nodes) + [f"feature:{feature}"] * bool(feature)
        if not self.sets[name]:
            raise ValueError(f"NodeSet={name:.60} has neither Nodes= nor Feature=; add one of them")

    def _add(self, line: Line) -> None:
        name = line.values["partitionname"]
        if not name:
            raise ValueError("PartitionName= is empty")
        if name in self._places:
            raise ValueError(
                f"partition {name!r:.60} is already defined in {self._places[name]}; define it "
                "only once"
            )
        self._places[name] = line.place
        partition, faults = _partition(line)
        for fault in faults:
            self.faults.add_line(line.place, fault)
        self.n_faults += len(faults)
        if not partition.has_all:
            self._count(partition.nodes)
        state = line.values.get("state", "UP").upper()
        if state != "UP":
            self.closed.append(f"{name} ({state})")
        self.partitions.append(partition)

    def _count(self, nodes: str) -> None:
        """Refuse lists that name too many nodes, before expanding them."""
        count = number_of_hosts(nodes)
        self._named += count
        if count > MOST_NODES or self._named > MOST_NAMED:
            raise ValueError(
                f"this line lists {count:,} nodes, and all partitions and node sets together list "
                f"{self._named:,}; at most {MOST_NODES:,} are allowed in a line, and at most "
                f"{MOST_NAMED:,} in total"
            )

    def selectors(self, partition: Partition) -> list[str]:
        """Return the nodes of a partition as selectors of a site, with node sets resolved."""
        plain: list[str] = []
        found: list[str] = []
        for part in parts_of(partition.nodes):
            if part in self.sets:
                found += self.sets[part]
            else:
                plain.append(part)
        return [",".join(plain)] * bool(plain) + found


@dataclass
class _Values:
    """Reads the values of one line; a wrong value is a fault, and the default is used instead."""

    values: Mapping[str, str]
    faults: list[ValueError] = field(default_factory=list)

    def read(self, key: str, default: _Value, reader: Callable[[str], _Value]) -> _Value:
        """Return the value of a key, which is given in lower case, or the default."""
        if key not in self.values:
            return default
        try:
            return reader(self.values[key])
        except ValueError as fault:
            self.faults.append(fault)
            return default

    def number(self, key: str, name: str, default: int, most: int) -> int:
        return self.read(key, default, lambda text: whole_number(name, text, most=most))

    def flag(self, key: str, name: str) -> bool:
        return self.read(key, False, lambda text: truth(name, text))


def _partition(line: Line) -> tuple[Partition, list[ValueError]]:
    """Return the partition of a line, and every fault in its values."""
    given = _Values(line.values)
    longest = given.read("maxtime", None, _max_time)
    default = given.read("defaulttime", None, lambda text: time_limit("DefaultTime", text))
    is_cut = longest is not None and default is not None and default > longest
    tier = given.number("priority", "Priority", 1, _MOST_TIER)
    partition = Partition(
        line.place,
        line.values["partitionname"],
        line.values.get("nodes", ""),
        longest,
        (longest if default is None or is_cut else default) or None,
        _nodes_per_job(given),
        given.number("prioritytier", "PriorityTier", tier, _MOST_TIER),
        given.flag("default", "Default"),
        is_cut,
        given.number("priorityjobfactor", "PriorityJobFactor", 1, _MOST_TIER),
        given.read("oversubscribe", "NO", _sharing) == "EXCLUSIVE",
    )
    given.read("state", "UP", _state)
    return partition, given.faults


def _max_time(text: str) -> int | None:
    seconds = time_limit("MaxTime", text)
    if seconds == 0:
        raise ValueError("MaxTime=0 lets no job run; for no limit, remove MaxTime")
    return seconds


def _sharing(text: str) -> str:
    if text.upper() not in ("NO", "EXCLUSIVE") and not _SHARED.fullmatch(text):
        raise ValueError(
            f"OverSubscribe={text:.60} must be NO, EXCLUSIVE, or YES or FORCE with an optional "
            "number, as in FORCE:4"
        )
    return text.upper()


def _state(text: str) -> str:
    if text.upper() not in _STATES:
        raise ValueError(f"State={text:.60} must be {', '.join(_STATES[:-1])} or {_STATES[-1]}")
    return text.upper()


def _nodes_per_job(given: _Values) -> tuple[int, int | None]:
    def most_nodes(text: str) -> int | None:
        if text.lower() in ENDLESS:
            return None
        return whole_number("MaxNodes", text, most=_MOST_PER_JOB)

    fewest = max(1, given.number("minnodes", "MinNodes", 1, _MOST_PER_JOB))
    most = given.read("maxnodes", None, most_nodes)
    if most is not None and most < fewest:
        given.faults.append(
            ValueError(
                f"MaxNodes={most} is below MinNodes={fewest}, so no job can start; raise MaxNodes"
            )
        )
        return 1, None
    return fewest, most
