"""Workloads of clusters of unlike nodes, as the Slurm simulator writes them."""

from __future__ import annotations

import gzip
import os
import re
import shlex
import zlib
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from slotwise.demands import Demands
from slotwise.errors import SiteError, TraceError
from slotwise.nodes import Nodes, NodeType, kilobytes
from slotwise.trace import Trace

ALONE = 1000
"""Shares of a partition that a node has; a unit takes 1, one that wants the node alone all."""

_GZIP = b"\x1f\x8b"
_UNREADABLE = (OSError, EOFError, UnicodeDecodeError, zlib.error)


@dataclass
class _NodeLine:
    """A line of the node table, and the partitions its nodes are in."""

    count: int
    names: set[str]
    cores: int
    memory: int
    gpus: int
    features: list[str]
    weight: int
    partitions: list[str] = field(default_factory=list)


def read_slurm_nodes(path: str | os.PathLike[str]) -> Nodes:
    """Read the node table of a ``slurm.conf``.

    Parameters
    ----------
    path : path-like
        With ``NodeName=`` and ``PartitionName=`` lines; all else is passed over.

    Returns
    -------
    Nodes
        A type for each ``NodeName`` line, by ``Weight`` (Slurm takes the lightest first). Besides
        cores, memory and gpus, a partition is a resource of 1000 shares a node, so that a job that
        wants a node alone takes them all; a feature that some nodes lack is a resource of as many
        as the node has cores.

    Raises
    ------
    SiteError
        For a file that cannot be read or describes no node, and with its number for a wrong line.
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
        return Nodes(_types(lines))
    except SiteError as fault:
        raise SiteError(f"{source}: {fault}") from None


def _node_line(keys: dict[str, str]) -> _NodeLine:
    names = _expanded(keys["NodeName"])
    gres = re.search(r"gpu(?::[^:,]+)?:(\d+)", keys.get("Gres", ""))
    return _NodeLine(
        len(names),
        names,
        int(keys.get("Sockets", "1")) * int(keys.get("CoresPerSocket", "1")),
        int(keys.get("RealMemory", "0")) << 10,
        int(gres[1]) if gres else 0,
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


def _types(lines: list[_NodeLine]) -> list[NodeType]:
    everywhere = set.intersection(*(set(line.features) for line in lines))
    # One feature is enough where a node has it exactly where it has others.
    groups: dict[tuple[bool, ...], str] = {}
    for line in lines:
        for feature in line.features:
            if feature not in everywhere and feature.startswith("CPU"):
                groups.setdefault(tuple(feature in each.features for each in lines), feature)
    types = []
    for line in sorted(lines, key=lambda each: each.weight):
        others = dict.fromkeys(line.partitions, ALONE)
        others |= {name: line.cores for name in groups.values() if name in line.features}
        types.append(
            NodeType(
                line.count, line.cores, line.memory, line.gpus,
                name=min(line.names), **others,
            )
        )  # fmt: skip
    return types


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
        As `read_slurm_nodes` reads them: says which partitions and features are counted, and how
        much memory a job gets that asks none (2,800 MB a core, the log's DefMemPerCPU).

    Returns
    -------
    Trace
        ``-N`` nodes are units, ``-n`` tasks the cores of all; ``--mem``, ``--gres=gpu:k``,
        ``--constraint``, ``-p`` and ``--exclusive`` are demands of each unit; ``-sim-walltime`` is
        the run time, ``-t`` the request. Decimals of times are rounded half up.

    Raises
    ------
    TraceError
        For a file that cannot be read, and with its number for a line that is none of these.
    """
    source = os.fsdecode(path)
    rows: list[dict[str, int]] = []
    users: dict[str, int] = {}
    queues: dict[str, int] = {}
    try:
        data = Path(path).read_bytes()
        text = (gzip.decompress(data) if data[:2] == _GZIP else data).decode()
    except _UNREADABLE as fault:
        raise TraceError(f"cannot be read ({fault}); check the path", path=source) from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
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


def _not_read(why: str, source: str, number: int) -> TraceError:
    return TraceError(
        f"is no submit_batch_job event that can be read ({why}): correct it or leave it out",
        path=source,
        line=number,
    )


def _event(
    line: str, nodes: Nodes, users: dict[str, int], queues: dict[str, int]
) -> dict[str, int]:
    words = shlex.split(line)
    after = dict(pairwise(words))
    options = dict(w.split("=", 1) for w in words if w.startswith("--") and "=" in w)
    units, tasks = _count(after, "-N"), _count(after, "-n")
    cores = -(-tasks // units)
    memory = options.get("--mem")
    row: dict[str, Any] = {
        "submit": _whole(after["-dt"]),
        "run_time": _whole(after["-sim-walltime"]),
        "requested_time": _time(after["-t"]),
        "user": users.setdefault(options["--uid"], len(users) + 1),
        "queue": queues.setdefault(after["-q"], len(queues) + 1),
        "job_id": int(after["-J"].rpartition("_")[2]),
        "units": units,
        "cores": cores,
        "memory": kilobytes(memory + "B") if memory else cores * (2800 << 10),
    }
    gres = re.fullmatch(r"gpu:(\d+)", options.get("--gres", "gpu:0"))
    row["gpus"] = int(gres[1]) if gres else 0
    if after["-p"] in nodes.resources:
        alone = any(word.startswith("--exclusive") for word in words)
        row[after["-p"]] = ALONE if alone else 1
    if "--constraint" in options:
        if options["--constraint"] not in nodes.resources:
            raise ValueError(f"no node has the feature {options['--constraint']}")
        row[options["--constraint"]] = cores
    return row


def _count(after: dict[str, str], option: str) -> int:
    number = int(after[option])
    if number < 1:
        raise ValueError(f"{option} {number} must be at least 1")
    return number


def _whole(text: str) -> int:
    seconds = float(text)
    if not 0 <= seconds < 2**40:
        raise ValueError(f"{text} must be seconds from 0")
    return int(np.floor(seconds + 0.5))


def _time(text: str) -> int:
    """Read ``[days-]hours:minutes:seconds``."""
    days, _, rest = text.rpartition("-")
    hours, minutes, seconds = (int(part) for part in rest.split(":"))
    return int(days or "0") * 86400 + hours * 3600 + minutes * 60 + seconds


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
