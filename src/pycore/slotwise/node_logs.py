"""Workloads of clusters of unlike nodes, as the Slurm simulator writes them."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.demands import Demands
from slotwise.errors import SiteError, TraceError
from slotwise.nodes import MOST_RESOURCES, Nodes, NodeType
from slotwise.slurm_requests import ALONE, demands_of_line, gpus_of, options_of, wanted_features
from slotwise.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_GZIP = b"\x1f\x8b"
_UNREADABLE = (OSError, EOFError, UnicodeDecodeError, zlib.error)


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
    source = os.fsdecode(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as fault:
        why = fault.strerror or fault
        raise SiteError(f"{source}: cannot be read ({why}); check the path") from None
    except UnicodeDecodeError:
        raise SiteError(f"{source}: not a text in UTF-8; give the slurm.conf") from None
    lines: list[_NodeLine] = []
    partitions: list[tuple[str, str]] = []
    defaults: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        keys = dict(part.split("=", 1) for part in line.split("#")[0].split() if "=" in part)
        try:
            if keys.get("NodeName") == "DEFAULT":
                defaults = keys
            elif "NodeName" in keys:
                lines.append(_node_line(defaults | keys))
            elif "Nodes" in keys:
                partitions.append((keys["PartitionName"], keys["Nodes"]))
                _expanded(keys["Nodes"])
        except (KeyError, ValueError) as fault:
            raise SiteError(
                f"{source}:{number}: cannot be read ({fault}): correct the line, as "
                "NodeName=n[01-16] Sockets=2 CoresPerSocket=16 RealMemory=187000"
            ) from None
    if not lines:
        raise SiteError(f"{source}: has no NodeName line; give the slurm.conf")
    for partition, nodes in partitions:
        its = _expanded(nodes)
        for each in lines:
            if nodes == "ALL" or each.names & its:
                each.partitions.append(partition)
    try:
        return Nodes(_types(lines, None if features is None else list(features)))
    except SiteError as fault:
        raise SiteError(f"{source}: {fault}") from None


def _node_line(keys: dict[str, str]) -> _NodeLine:
    names = _expanded(keys["NodeName"])
    gpus: dict[str, int] = {}
    for entry in keys.get("Gres", "").split(","):
        if entry.split(":")[0] == "gpu":
            kind, count = gpus_of(re.sub(r"\(.*\)$", "", entry))
            gpus[kind] = gpus.get(kind, 0) + count
    return _NodeLine(
        len(names),
        names,
        int(keys.get("Sockets", "1")) * int(keys.get("CoresPerSocket", "1")),
        int(keys.get("RealMemory", "0")) << 10,
        gpus,
        [f for f in keys.get("Feature", "").split(",") if f],
        int(keys.get("Weight", "1")),
    )


def _expanded(text: str) -> set[str]:
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


def _types(lines: list[_NodeLine], features: list[str] | None) -> list[NodeType]:
    counted = _telling(lines) if features is None else features
    types = []
    for line in sorted(lines, key=lambda each: each.weight):
        others = dict.fromkeys(line.partitions, ALONE)
        others |= {name: line.cores for name in counted if name in line.features}
        others |= {
            f"gpu:{kind}": count for kind, count in line.gpus.items() if f"gpu:{kind}" in counted
        }
        types.append(
            NodeType(
                line.count, line.cores, line.memory, sum(line.gpus.values()),
                name=min(line.names), **others,
            )
        )  # fmt: skip
    return types


def _telling(lines: list[_NodeLine]) -> list[str]:
    """Give the features that tell nodes apart, as many as there is room for."""
    nodes_with: dict[tuple[bool, ...], tuple[int, str]] = {}
    for line in lines:
        for feature in line.features:
            has = tuple(feature in each.features for each in lines)
            # One feature is enough where a node has it exactly where it has others.
            if not all(has):
                count = sum(each.count for each in lines if feature in each.features)
                nodes_with.setdefault(has, (count, feature))
    taken = {name for line in lines for name in line.partitions}
    taken |= {"cores"} | ({"memory"} if any(line.memory for line in lines) else set())
    taken |= {"gpus"} if any(line.gpus for line in lines) else set()
    most = sorted(nodes_with.values(), key=lambda each: -each[0])
    return [name for _, name in most[: max(MOST_RESOURCES - len(taken), 0)]]


def is_slurm_events(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file begins with a ``submit_batch_job`` event; a pipe is let alone."""
    try:
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as file:
            packed = file.read(2) == _GZIP
        with gzip.open(path) if packed else Path(path).open("rb") as text:
            return text.readline(400).lstrip().startswith(b"-dt ")
    except _UNREADABLE:
        return False


def read_slurm_events(path: str | os.PathLike[str], nodes: Nodes) -> Trace:
    """Read the events of a Slurm simulation: one ``submit_batch_job`` a line.

    Parameters
    ----------
    path : path-like
        Packed with gzip or not.
    nodes : Nodes
        As `read_slurm_nodes` reads them: says which partitions and features are counted.

    Returns
    -------
    Trace
        ``-N`` nodes are units, ``-n`` tasks of ``-c`` cores the cores of all; ``--mem`` or
        ``--mem-per-cpu``, ``--gres=gpu[:type][:k]``, ``--constraint``, ``-p`` and ``--exclusive``
        are demands of each unit; ``-sim-walltime`` is the run time, ``-t`` the request. Decimals of
        times are rounded half up. A job that asks no memory gets 2,800 MB a core, DefMemPerCPU of
        the log UB-medium.

    Notes
    -----
    Two things mean more to Slurm. ``-N 2`` are two nodes there; here it is two units, which may
    share a node that has room for both. ``--exclusive=user`` lets jobs of one user share a node;
    here it is ``--exclusive``, the node for the job alone.

    Raises
    ------
    TraceError
        For a file that cannot be read, and with its number for a line that is none of these, asks
        a partition, feature or type of GPUs that is not counted, or has any other option.
    """
    source = os.fsdecode(path)
    rows: list[dict[str, int]] = []
    users: dict[str, int] = {}
    queues: dict[str, int] = {}
    for number, line in _lines(path):
        try:
            rows.append(_event(line, nodes, users, queues))
        except KeyError as fault:
            missing = f"{fault.args[0]} is missing"
            raise _not_read(missing, source, number) from None
        except (ValueError, OverflowError) as fault:
            raise _not_read(str(fault), source, number) from None
    if not rows:
        raise TraceError("holds no job; give another file", path=source)
    return _as_trace(rows, nodes, queues, source)


def asked_features(path: str | os.PathLike[str]) -> list[str]:
    """Give the features and types of GPUs that the events of a Slurm simulation ask.

    With them `read_slurm_nodes` counts what the jobs need. Lines that cannot be read ask none.

    Raises
    ------
    TraceError
        For a file that cannot be read.
    """
    asked: dict[str, None] = {}
    for _, line in _lines(path):
        try:
            asked |= dict.fromkeys(wanted_features(options_of(line)))
        except ValueError:
            continue  # `read_slurm_events` tells it with its number
    return list(asked)


def _lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Give the lines that are not empty, with their numbers."""
    try:
        data = Path(path).read_bytes()
        text = (gzip.decompress(data) if data[:2] == _GZIP else data).decode()
    except _UNREADABLE as fault:
        raise TraceError(
            f"cannot be read ({fault}); check the path", path=os.fsdecode(path)
        ) from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, line


def _not_read(why: str, source: str, number: int) -> TraceError:
    return TraceError(
        f"is no submit_batch_job event that can be read ({why}): correct it or leave it out",
        path=source,
        line=number,
    )


def _event(
    line: str, nodes: Nodes, users: dict[str, int], queues: dict[str, int]
) -> dict[str, int]:
    options = options_of(line)
    row = {
        "submit": _whole(options["-dt"]),
        "run_time": _whole(options["-sim-walltime"]),
        "requested_time": _time(options["-t"]),
        "user": users.setdefault(options["--uid"], len(users) + 1),
        "queue": queues.setdefault(options["-q"], len(queues) + 1),
        "job_id": int(options["-J"].rpartition("_")[2]),
    }
    return row | demands_of_line(options, nodes)


def _whole(text: str) -> int:
    seconds = float(text)
    if not 0 <= seconds < 2**40:
        raise ValueError(f"{text} must be seconds from 0")
    return int(np.floor(seconds + 0.5))


def _time(text: str) -> int:
    """Read ``[days-]hours:minutes:seconds``."""
    match = re.fullmatch(r"(?:(\d{1,6})-)?(\d{1,6}):(\d{1,6}):(\d{1,6})", text)
    if match is None:
        raise ValueError(f"-t {text} must be [days-]hours:minutes:seconds")
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return days * 86400 + hours * 3600 + minutes * 60 + seconds


def _as_trace(
    rows: list[dict[str, int]], nodes: Nodes, queues: dict[str, int], source: str
) -> Trace:
    rows.sort(key=lambda row: row["submit"])

    def column(name: str) -> Any:
        return np.array([row.get(name, 0) for row in rows], dtype=np.int64)

    demands = Demands(column("units"), **{name: column(name) for name in nodes.resources})
    names = ("submit", "run_time", "requested_time", "user", "queue", "job_id")
    trace = Trace.from_columns(
        **{name: column(name) for name in names},
        processors=demands.processors,
        max_processors=nodes.count,
        header_lines=[f"; Queue: {number} {name}" for name, number in queues.items()],
    )
    trace.source = source
    return trace.with_demands(demands)
