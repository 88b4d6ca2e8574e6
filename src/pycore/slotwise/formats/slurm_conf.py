"""Reads the nodes and partitions of a ``slurm.conf``, to replay events of a simulation."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slotwise.errors import SiteError
from slotwise.formats.slurm_lines import MOST_NAMED, pairs_of, placed_lines
from slotwise.formats.slurm_requests import ALONE, FIELDS, gpus_of, resource_of
from slotwise.site.machine.hostlist import expanded, number_of_hosts
from slotwise.site.machine.machine_readers import reads_machines
from slotwise.site.machine.nodes import MOST_NODES, Nodes, NodeType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_NODE_KEYS = (
    "NodeName", "CPUs", "Boards", "SocketsPerBoard", "Sockets", "CoresPerSocket", "ThreadsPerCore",
    "RealMemory", "Gres", "Feature", "Weight",
)  # fmt: skip
_PARTITION_KEYS = ("PartitionName", "Nodes")
_READ = {key.lower(): key for key in (*_NODE_KEYS, *_PARTITION_KEYS)} | {"features": "Feature"}
"""Keys that are read, by their names in lower case."""

_SCHEDULES = re.compile(
    "(scheduler|priority|preempt|select|fairshare|enforcepart|def(ault)?mem|maxmem|overtimelimit"
    "|accountingstorageenforce|licenses)",
    re.IGNORECASE,
)
"""Keys that affect when and where jobs start, except the keys of nodes and partitions."""


MOST_COUNTED = 7
"""Maximum number of resources in a node table, including partitions and features."""


@dataclass
class _NodeLine:
    """A line of the node table, and the partitions of its nodes."""

    place: str
    names: set[str]
    cores: int
    memory: int
    gpus: dict[str, int]  # GPUs by type; "" for GPUs without a type
    features: list[str]
    weight: int
    partitions: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.names)


@dataclass
class _SoFar:
    """Defaults and partitions of the lines read so far."""

    of_nodes: dict[str, str] = field(default_factory=dict)
    nodes: str = ""
    partitions: dict[str, list[str]] = field(default_factory=dict)  # partition names by node list
    named: int = 0

    def add(self, partition: str, nodes: str) -> None:
        """Add a partition with these nodes."""
        if nodes in self.partitions:
            self.partitions[nodes].append(partition)
            return
        count = number_of_hosts(nodes)
        self.named += count
        if count > MOST_NODES or self.named > MOST_NAMED:
            raise ValueError(
                f"this partition lists {count:,} nodes, and all partitions together list "
                f"{self.named:,}; at most {MOST_NODES:,} are allowed in a partition, and at most "
                f"{MOST_NAMED:,} in total"
            )
        if nodes:
            self.partitions[nodes] = [partition]


@dataclass
class SlurmConf:
    """Nodes and partitions of a ``slurm.conf``, for replaying the events of a Slurm simulation.

    Attributes
    ----------
    source : str
        The file.
    lines : list of _NodeLine
    unread : dict of str to list of str
        Keys that are ignored, without duplicates, in the groups ``nodes``, ``partitions`` and
        ``scheduler``.
    """

    source: str = ""
    lines: list[_NodeLine] = field(default_factory=list)
    unread: dict[str, list[str]] = field(
        default_factory=lambda: {"nodes": [], "partitions": [], "scheduler": []}
    )
    _names: dict[str, None] = field(default_factory=dict)  # partition names, in order

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> SlurmConf:
        """Read a file; for parameters and errors see `read_slurm_nodes`."""
        source = os.fsdecode(path)
        conf, so_far = cls(source), _SoFar()
        for place, line in placed_lines(source):
            keys = _keys_of(line)
            conf._note_unread(keys)
            try:
                conf._take(keys, place, so_far)
            except ValueError as fault:
                raise SiteError(
                    f"{place}: cannot be read ({fault}); correct the line, for example: "
                    "NodeName=n[01-16] Sockets=2 CoresPerSocket=16 RealMemory=187000"
                ) from None
        if not conf.lines:
            raise SiteError(f"{source} has no NodeName line; use the cluster's slurm.conf")
        conf._join(so_far.partitions)
        return conf

    def _take(self, keys: dict[str, str], place: str, so_far: _SoFar) -> None:
        if keys.get("NodeName", "").upper() == "DEFAULT":
            so_far.of_nodes |= keys
        elif "NodeName" in keys:
            self._add_line(so_far.of_nodes | keys, place)
        elif keys.get("PartitionName", "").upper() == "DEFAULT":
            so_far.nodes = keys.get("Nodes", so_far.nodes)
        elif "PartitionName" in keys or "Nodes" in keys:
            if "PartitionName" not in keys:
                raise ValueError("PartitionName= is missing")
            name = keys["PartitionName"]
            self._names[name] = None
            so_far.add(name, keys.get("Nodes", so_far.nodes))

    def _join(self, members: dict[str, list[str]]) -> None:
        """Set the partitions of each line's nodes."""
        of_line: list[set[str]] = [set() for _ in self.lines]
        for nodes, names in members.items():
            its = set() if nodes.upper() == "ALL" else set(expanded(nodes, MOST_NODES))
            for line, mine in zip(self.lines, of_line, strict=True):
                if nodes.upper() == "ALL" or not line.names.isdisjoint(its):
                    mine.update(names)
        for line, mine in zip(self.lines, of_line, strict=True):
            line.partitions = [name for name in self._names if name in mine]

    @property
    def partitions(self) -> list[str]:
        """Names of the partitions that have nodes."""
        return list(dict.fromkeys(name for line in self.lines for name in line.partitions))

    @property
    def features(self) -> list[str]:
        """Every feature, and every GPU type in the form ``gpu:v100``."""
        named = [name for line in self.lines for name in line.features]
        named += [f"gpu:{kind}" for line in self.lines for kind in line.gpus if kind]
        return list(dict.fromkeys(named))

    def nodes(
        self, features: Iterable[str] | None = None, partitions: Collection[str] | None = None
    ) -> Nodes:
        """Return the machine; `partitions` are the partitions to count, by default all."""
        taken = self.partitions if partitions is None else partitions
        counted = self._telling(taken) if features is None else list(features)
        self._check_names(taken, [name for name in counted if name in self.features])
        types = [
            self._type_of(line, taken, counted)
            for line in sorted(self.lines, key=lambda each: each.weight)
        ]
        try:
            return Nodes(types)
        except SiteError as fault:
            raise SiteError(f"{self.source}: {fault}") from None

    def _type_of(
        self, line: _NodeLine, partitions: Collection[str], features: Collection[str]
    ) -> NodeType:
        others: dict[str, Any] = {
            resource_of(name): ALONE for name in line.partitions if name in partitions
        }
        # The constraint a|b is satisfied by any node that has the feature a or the feature b.
        own = set(line.features)
        others |= {name: line.cores for name in features if own & {*name.split("|")}}
        others |= {
            f"gpu:{kind}": count for kind, count in line.gpus.items() if f"gpu:{kind}" in features
        }
        gpus = sum(line.gpus.values())
        try:
            return NodeType(
                line.count, line.cores, line.memory, gpus, name=min(line.names), **others
            )
        except SiteError as fault:
            raise SiteError(f"{line.place}: {fault}") from None

    def partitions_with_room(self, features: Iterable[str] | None) -> list[str]:
        """Return the partitions to count as resources, as many as the limit on resources allows.

        If there are too many, those with the most nodes are left out: they restrict jobs least.
        """
        counted = [] if features is None else [f for f in self.features if f in list(features)]
        room = max(MOST_COUNTED - self._n_plain - len(counted), 0)
        kept = sorted(self.partitions, key=self._n_nodes_in)[:room]
        return [name for name in self.partitions if name in kept]

    @property
    def _n_plain(self) -> int:
        """Return how many of the three resources cores, memory and gpus the nodes have."""
        return 1 + any(line.memory for line in self.lines) + any(line.gpus for line in self.lines)

    def _n_nodes_in(self, partition: str) -> int:
        return sum(line.count for line in self.lines if partition in line.partitions)

    def _add_line(self, keys: dict[str, str], place: str) -> None:
        names = set(expanded(keys["NodeName"], MOST_NODES - sum(line.count for line in self.lines)))
        if not names:
            raise ValueError("NodeName= contains no node name")
        gpus: dict[str, int] = {}
        for entry in keys.get("Gres", "").split(","):
            gres = entry.split(":")[0]
            if gres == "gpu":
                kind, count = gpus_of(re.sub(r"\(.*\)$", "", entry))
                gpus[kind] = gpus.get(kind, 0) + count
            elif gres:
                self._note("nodes", f"Gres={gres}")
        self.lines.append(
            _NodeLine(
                place,
                names,
                _cores_of(keys),
                _number(keys, "RealMemory", "0") << 10,
                gpus,
                [f for f in keys.get("Feature", "").split(",") if f],
                _number(keys, "Weight", "1"),
            )
        )

    def _note_unread(self, keys: dict[str, str]) -> None:
        of_nodes, of_partitions = "NodeName" in keys, "PartitionName" in keys
        for key in keys:
            if of_nodes and key not in _NODE_KEYS:
                self._note("nodes", key)
            elif of_partitions and key not in _PARTITION_KEYS:
                self._note("partitions", key)
            elif not of_nodes and not of_partitions and _SCHEDULES.match(key):
                self._note("scheduler", key)

    def _note(self, kind: str, key: str) -> None:
        if key not in self.unread[kind]:
            self.unread[kind].append(key)

    def _check_names(self, partitions: Collection[str], features: Collection[str]) -> None:
        """Refuse features whose names would be ambiguous."""
        for name in features:
            if name in (*FIELDS, *map(resource_of, partitions)):
                raise SiteError(
                    f"{self.source}: the feature {name} has the same name as another resource "
                    "of the nodes; rename the feature there and in the jobs' requests"
                )

    def _telling(self, partitions: Collection[str]) -> list[str]:
        """Return features that some nodes lack, as many as the limit on resources allows."""
        nodes_with: dict[tuple[bool, ...], tuple[int, str]] = {}
        for line in self.lines:
            for feature in line.features:
                has = tuple(feature in each.features for each in self.lines)
                # If several features occur on exactly the same nodes, one of these features is
                # enough.
                if not all(has) and feature not in (*partitions, *FIELDS):
                    count = sum(each.count for each in self.lines if feature in each.features)
                    nodes_with.setdefault(has, (count, feature))
        most = sorted(nodes_with.values(), key=lambda each: -each[0])
        room = max(MOST_COUNTED - self._n_plain - len(partitions), 0)
        return [name for _, name in most[:room]]


@reads_machines("slurm.conf")
def read_slurm_nodes(path: str | os.PathLike[str], features: Iterable[str] | None = None) -> Nodes:
    """Read the node table of a ``slurm.conf``.

    Parameters
    ----------
    path : path-like
        A file with ``NodeName=`` and ``PartitionName=`` lines, or ``Include`` lines that name such
        files, by absolute path or in the same folder; all other lines are ignored.
    features : iterable of str, optional
        Features to count, as `asked_features` returns them: names from ``Feature=``, and GPU types
        as ``gpu:v100``. Features that no node has are ignored. Default: features that some nodes
        lack, up to seven resources in total. The features that the most nodes have come first; of
        several features that the same nodes have, only one is counted.

    Returns
    -------
    Nodes
        A type for each ``NodeName`` line, ordered by ``Weight`` (Slurm takes the lightest nodes
        first). The resources are cores, memory, gpus, and one for each partition, feature and GPU
        type. A partition has 1000 shares per node; an exclusive job takes all of them. A feature
        has as many shares as the node has cores, and a GPU type as many as the node has GPUs of
        that type.

    Raises
    ------
    SiteError
        For a file that cannot be read or describes no node, or an invalid line, with its number.
    """
    return SlurmConf.read(path).nodes(None if features is None else list(features))


def _keys_of(line: str) -> dict[str, str]:
    """Return the keys of a line; the spelling of known keys is standardised."""
    return {_READ.get(key.lower(), key): value for key, value in pairs_of(line)[0]}


def _cores_of(keys: dict[str, str]) -> int:
    """Count the cores of a node; a missing number of sockets is derived from ``CPUs``."""

    def number(key: str) -> int:
        return _number(keys, key, "1")

    each, threads = number("CoresPerSocket"), number("ThreadsPerCore")
    if "Sockets" in keys:
        return number("Sockets") * each
    if "SocketsPerBoard" in keys or "CPUs" not in keys or each * threads == 0:
        return number("Boards") * number("SocketsPerBoard") * each
    return number("CPUs") // (each * threads) * each


def _number(keys: dict[str, str], key: str, default: str) -> int:
    text = keys.get(key, default)
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise ValueError(f"{key}={text:.60} must be a whole number of at most 18 digits")
    return int(text)
