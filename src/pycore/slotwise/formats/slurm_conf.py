"""Nodes and partitions of a ``slurm.conf``."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from slotwise.errors import SiteError
from slotwise.formats.slurm_requests import ALONE, gpus_of
from slotwise.site.machine_readers import reads_machines
from slotwise.site.nodes import MOST_RESOURCES, Nodes, NodeType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_NODE_KEYS = (
    "NodeName", "CPUs", "Boards", "SocketsPerBoard", "Sockets", "CoresPerSocket", "ThreadsPerCore",
    "RealMemory", "Gres", "Feature", "Weight",
)  # fmt: skip
_PARTITION_KEYS = ("PartitionName", "Nodes")
_READ = {key.lower(): key for key in (*_NODE_KEYS, *_PARTITION_KEYS)} | {"features": "Feature"}
_FIELDS = ("count", "cores", "memory", "gpus", "mics", "name")
"""What a type of nodes says beside the resources that are named here."""

_SCHEDULES = re.compile(
    "(scheduler|priority|preempt|select|fairshare|enforcepart|def(ault)?mem|maxmem|overtimelimit"
    "|accountingstorageenforce|licenses)",
    re.IGNORECASE,
)
"""Keys beside those of nodes and partitions that say who starts, when and where."""


@dataclass
class _NodeLine:
    """A line of the node table, and the partitions its nodes are in."""

    count: int
    names: set[str]
    cores: int
    memory: int
    gpus: dict[str, int]  # by type; "" where none is told
    features: list[str]
    weight: int
    partitions: list[str] = field(default_factory=list)


@dataclass
class SlurmConf:
    """What a ``slurm.conf`` says of nodes and partitions.

    Attributes
    ----------
    lines : list of _NodeLine
    unread : dict of str to list of str
        Keys with no effect here, each once: those of ``nodes``, of ``partitions`` and of the
        ``scheduler``.
    """

    lines: list[_NodeLine] = field(default_factory=list)
    unread: dict[str, list[str]] = field(
        default_factory=lambda: {"nodes": [], "partitions": [], "scheduler": []}
    )

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> SlurmConf:
        """Read it; for parameters and errors see `read_slurm_nodes`."""
        source, conf = os.fsdecode(path), cls()
        partitions: list[tuple[str, str]] = []
        node_defaults: dict[str, str] = {}
        default_nodes = ""
        for number, line in _lines(source):
            keys = _keys_of(line)
            conf._note_unread(keys)
            try:
                if keys.get("NodeName", "").upper() == "DEFAULT":
                    node_defaults |= keys
                elif "NodeName" in keys:
                    conf._add_line(node_defaults | keys)
                elif keys.get("PartitionName", "").upper() == "DEFAULT":
                    default_nodes = keys.get("Nodes", default_nodes)
                elif "PartitionName" in keys or "Nodes" in keys:
                    name, nodes = keys["PartitionName"], keys.get("Nodes", default_nodes)
                    expanded(nodes)
                    partitions += [(name, nodes)] if nodes else []
            except (KeyError, ValueError) as fault:
                raise SiteError(
                    f"{source}:{number}: cannot be read ({fault}): correct the line, as "
                    "NodeName=n[01-16] Sockets=2 CoresPerSocket=16 RealMemory=187000"
                ) from None
        if not conf.lines:
            raise SiteError(f"{source}: has no NodeName line; give the slurm.conf")
        for partition, nodes in partitions:
            its = expanded(nodes)
            for each in conf.lines:
                if nodes.upper() == "ALL" or each.names & its:
                    each.partitions.append(partition)
        return conf

    @property
    def partitions(self) -> list[str]:
        """Names of the partitions that have nodes."""
        return list(dict.fromkeys(name for line in self.lines for name in line.partitions))

    @property
    def features(self) -> list[str]:
        """Every feature, and every type of GPUs as ``gpu:v100``."""
        named = [name for line in self.lines for name in line.features]
        named += [f"gpu:{kind}" for line in self.lines for kind in line.gpus if kind]
        return list(dict.fromkeys(named))

    def nodes(
        self, features: Iterable[str] | None = None, partitions: Collection[str] | None = None
    ) -> Nodes:
        """Give the machine; `partitions` are those to count, by default all."""
        taken = self.partitions if partitions is None else partitions
        counted = self._telling(taken) if features is None else list(features)
        _check_names(taken, [name for name in counted if name in self.features])
        types = []
        for line in sorted(self.lines, key=lambda each: each.weight):
            others = {name: ALONE for name in line.partitions if name in taken}
            others |= {name: line.cores for name in counted if name in line.features}
            others |= {
                f"gpu:{kind}": count
                for kind, count in line.gpus.items()
                if f"gpu:{kind}" in counted
            }
            types.append(
                NodeType(
                    line.count, line.cores, line.memory, sum(line.gpus.values()),
                    name=min(line.names), **others,
                )
            )  # fmt: skip
        return Nodes(types)

    def partitions_with_room(self, features: Iterable[str] | None) -> list[str]:
        """Give the partitions that a machine of seven resources has room for.

        Where there are too many, those of most nodes, which say least, are left out.
        """
        counted = [] if features is None else [f for f in self.features if f in list(features)]
        room = max(MOST_RESOURCES - self._n_plain - len(counted), 0)
        kept = sorted(self.partitions, key=self._n_nodes_in)[:room]
        return [name for name in self.partitions if name in kept]

    @property
    def _n_plain(self) -> int:
        """How many of cores, memory and gpus the nodes have."""
        return 1 + any(line.memory for line in self.lines) + any(line.gpus for line in self.lines)

    def _n_nodes_in(self, partition: str) -> int:
        return sum(line.count for line in self.lines if partition in line.partitions)

    def _add_line(self, keys: dict[str, str]) -> None:
        names = expanded(keys["NodeName"])
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
                len(names),
                names,
                _cores_of(keys),
                int(keys.get("RealMemory", "0")) << 10,
                gpus,
                [f for f in keys.get("Feature", "").split(",") if f],
                int(keys.get("Weight", "1")),
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

    def _telling(self, partitions: Collection[str]) -> list[str]:
        """Give the features that tell nodes apart, as many as there is room for."""
        nodes_with: dict[tuple[bool, ...], tuple[int, str]] = {}
        for line in self.lines:
            for feature in line.features:
                has = tuple(feature in each.features for each in self.lines)
                # One feature is enough where a node has it exactly where it has others.
                if not all(has) and feature not in (*partitions, *_FIELDS):
                    count = sum(each.count for each in self.lines if feature in each.features)
                    nodes_with.setdefault(has, (count, feature))
        most = sorted(nodes_with.values(), key=lambda each: -each[0])
        room = max(MOST_RESOURCES - self._n_plain - len(partitions), 0)
        return [name for _, name in most[:room]]


@reads_machines("slurm.conf")
def read_slurm_nodes(path: str | os.PathLike[str], features: Iterable[str] | None = None) -> Nodes:
    """Read the node table of a ``slurm.conf``.

    Parameters
    ----------
    path : path-like
        With ``NodeName=`` and ``PartitionName=`` lines; all else is passed over.
    features : iterable of str, optional
        Those to count, as `asked_features` gives them: of ``Feature=``, and types of GPUs as
        ``gpu:v100``. What no node has is passed over. Default: features that some nodes lack, those
        of most nodes first, one of several that the same nodes have, as far as seven resources go.

    Returns
    -------
    Nodes
        A type for each ``NodeName`` line, by ``Weight`` (Slurm takes the lightest first). Besides
        cores, memory and gpus, a partition is a resource of 1000 shares a node, so that a job that
        wants a node alone takes them all; a feature is a resource of as many as the node has
        cores, a type of GPUs one of as many as it has of them.

    Raises
    ------
    SiteError
        For a file that cannot be read or describes no node, with its number for a wrong line, and
        for more than seven resources.
    """
    conf = SlurmConf.read(path)
    try:
        return conf.nodes(None if features is None else list(features))
    except SiteError as fault:
        raise SiteError(f"{os.fsdecode(path)}: {fault}") from None


def _check_names(partitions: Collection[str], features: Collection[str]) -> None:
    """Refuse names that would stand for two things."""
    for kind, names, others in (
        ("partition", partitions, _FIELDS),
        ("feature", features, (*_FIELDS, *partitions)),
    ):
        for name in names:
            if name in others:
                raise SiteError(
                    f"the {kind} {name} has the name of another resource of the nodes; rename it "
                    "there and in what the jobs ask"
                )


def _lines(source: str) -> Iterator[tuple[int, str]]:
    """Give the lines with their numbers, those that end in a backslash with what follows."""
    try:
        text = Path(source).read_text(encoding="utf-8")
    except OSError as fault:
        why = fault.strerror or fault
        raise SiteError(f"{source}: cannot be read ({why}); check the path") from None
    except UnicodeDecodeError:
        raise SiteError(f"{source}: not a text in UTF-8; give the slurm.conf") from None
    begun, held = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        begun = begun or number
        held += line.split("#")[0]
        if held.endswith("\\"):
            held = held[:-1]
            continue
        yield begun, held
        begun, held = 0, ""
    if held:
        yield begun, held


def _keys_of(line: str) -> dict[str, str]:
    """Give the keys of a line, those that are read as they are named here, in whatever case."""
    pairs = (part.split("=", 1) for part in line.split() if "=" in part)
    return {_READ.get(key.lower(), key): value for key, value in pairs}


def _cores_of(keys: dict[str, str]) -> int:
    """Count the cores of a node; sockets that are not told follow from its processors."""

    def number(key: str) -> int:
        return int(keys.get(key, "1"))

    each, threads = number("CoresPerSocket"), number("ThreadsPerCore")
    if "Sockets" in keys:
        return number("Sockets") * each
    if "SocketsPerBoard" in keys or "CPUs" not in keys or each * threads == 0:
        return number("Boards") * number("SocketsPerBoard") * each
    return int(keys["CPUs"]) // (each * threads) * each


def expanded(text: str) -> set[str]:
    """Give the nodes of ``n[001-003],g[1,4]``."""
    names = set()
    for prefix, ranges in re.findall(r"([^,\[\]]+)(?:\[([^\]]*)\])?", text):
        for part in ranges.split(",") if ranges else []:
            low, _, high = part.partition("-")
            for number in range(int(low), int(high or low) + 1):
                names.add(f"{prefix}{number:0{len(low)}d}")
        if not ranges:
            names.add(prefix)
    return names
