"""Partitions in a ``slurm.conf``: one per ``PartitionName`` line, and the node sets they name.

Example: ``PartitionName=debug Nodes=n[1-2] MaxTime=30 MaxNodes=1 PriorityTier=5`` takes jobs of up
to 30 minutes on one node, ahead of lower tiers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slotwise.formats.slurm_lines import MOST_NAMED
from slotwise.formats.slurm_site.host_lists import parts_of
from slotwise.formats.slurm_site.numbers import ENDLESS, time_limit, whole_number
from slotwise.formats.slurm_site.settings import Line
from slotwise.site.machine.hostlist import number_of_hosts
from slotwise.site.machine.node_type import MOST_NODES

if TYPE_CHECKING:
    from slotwise.formats.slurm_site.left_out import LeftOut
    from slotwise.formats.slurm_site.settings import Faults

_READ = (
    "partitionname", "nodes", "default", "maxtime", "defaulttime", "maxnodes", "minnodes",
    "prioritytier", "priority", "state",
)  # fmt: skip
_SHARES = ("NO", "EXCLUSIVE")


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
        Whether jobs take their nodes whole.
    is_default : bool
        Whether jobs that name no partition go here.
    is_cut : bool
        Whether DefaultTime exceeds MaxTime, which then replaces it.
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
        """True if the partition has every node."""
        return self.nodes.upper() == "ALL"


@dataclass
class PartitionLines:
    """Reader of ``PartitionName`` and ``NodeSet`` lines, in their order."""

    faults: Faults
    left_out: LeftOut
    is_slurm: bool = False  # True if the queues are for the preset slurm
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
                self._defaults = line.over(self._defaults)
            else:
                self._add(line.over(self._defaults))
        except ValueError as fault:
            self.faults.add_line(line.place, fault)
            self.n_faults += 1

    def _read(self, line: Line) -> tuple[str, ...]:
        """Return the keys of a line that determine the queue."""
        if not self.is_slurm:
            return _READ
        shares = line.values.get("oversubscribe", "NO").upper() in _SHARES
        return (*_READ, "priorityjobfactor", *["oversubscribe"] * shares)

    def _add_set(self, line: Line) -> None:
        name, nodes = line.values["nodeset"], line.values.get("nodes", "")
        self.left_out.add_keys("", line, ("nodeset", "nodes", "feature"))
        if not name or name in self.sets:
            raise ValueError(f"NodeSet={name:.60} is empty or named twice; give another name")
        self._count(nodes)
        feature = line.values.get("feature", "")
        self.sets[name] = [nodes] * bool(nodes) + [f"feature:{feature}"] * bool(feature)
        if not self.sets[name]:
            raise ValueError(f"NodeSet={name:.60} has neither Nodes= nor Feature=")

    def _add(self, line: Line) -> None:
        name = line.values["partitionname"]
        if not name:
            raise ValueError("PartitionName= is empty")
        if name in self._places:
            raise ValueError(
                f"partition {name!r:.60} is also in {self._places[name]}; name every partition once"
            )
        self._places[name] = line.place
        partition = _partition(line)
        if not partition.has_all:
            self._count(partition.nodes)
        state = line.values.get("state", "UP").upper()
        if state != "UP":
            self.closed.append(f"{name} ({state})")
        self.partitions.append(partition)

    def _count(self, nodes: str) -> None:
        """Refuse lists that name too many nodes before they are expanded."""
        count = number_of_hosts(nodes)
        self._named += count
        if count > MOST_NODES or self._named > MOST_NAMED:
            raise ValueError(
                f"it names {count:,} nodes, and all partitions {self._named:,}; one may name at "
                f"most {MOST_NODES:,}, all at most {MOST_NAMED:,}"
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


def _partition(line: Line) -> Partition:
    values = line.values
    longest = time_limit("MaxTime", values.get("maxtime", "UNLIMITED"))
    if longest == 0:
        raise ValueError("MaxTime=0 lets no job run; leave it out for no limit")
    cut = False
    default = time_limit("DefaultTime", values["defaulttime"]) if "defaulttime" in values else None
    if default is None:
        default = longest
    elif longest is not None and default > longest:
        cut, default = True, longest
    tier = values.get("prioritytier", values.get("priority", "1"))
    return Partition(
        line.place,
        values["partitionname"],
        values.get("nodes", ""),
        longest,
        default or None,
        _nodes_per_job(line),
        whole_number("PriorityTier", tier),
        values.get("default", "").upper() in ("YES", "TRUE", "1", "UP"),
        cut,
        whole_number("PriorityJobFactor", values.get("priorityjobfactor", "1")),
        values.get("oversubscribe", "").upper() == "EXCLUSIVE",
    )


def _nodes_per_job(line: Line) -> tuple[int, int | None]:
    fewest = max(1, whole_number("MinNodes", line.values.get("minnodes", "1")))
    text = line.values.get("maxnodes", "UNLIMITED")
    if text.lower() in ENDLESS:
        return fewest, None
    most = whole_number("MaxNodes", text)
    if most < fewest:
        raise ValueError(f"MaxNodes={most} lets no job of MinNodes={fewest} start; raise it")
    return fewest, most
