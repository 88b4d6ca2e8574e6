"""Reads the machine and the parameters from a slurm.conf; ignores lines that no rule needs."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Any

from reference.slurm.machine import Machine, Node, Partition
from reference.slurm.node_sets import node_set
from reference.slurm.parameters import Parameters, Weights

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SCHEDULER_MINUTES = {"bf_window"}
OTHER_SETTINGS = {
    "kill_wait", "over_time_limit", "enforces_part_limits", "complete_wait", "jobs_per_user",
    "limits", "submit_limits", "multifactor",
}  # fmt: skip
"""Fields of `Parameters` that are not in SchedulerParameters."""

WITHOUT_EFFECT = {"bf_continue", "bf_max_time", "bf_yield_interval", "bf_yield_sleep"}
"""Parameters that do not change which jobs a complete cycle starts."""


def hosts(text: str) -> list[str]:
    """Return the names in a list such as "n[1-3,7],m1"."""
    found = []
    for part in re.findall(r"[^,\[]+(?:\[[^\]]*\])?", text):
        name, _, ranges = part.partition("[")
        if not ranges:
            found.append(name)
            continue
        for each in ranges.rstrip("]").split(","):
            first, _, last = each.partition("-")
            numbers = range(int(first), int(last or first) + 1)
            found += [f"{name}{number:0{len(first)}}" for number in numbers]
    return found


def duration(text: str) -> int | None:
    """Return a limit in seconds from its text in Slurm's notation, such as 30, 30:00 or 1-12.

    Without a limit, the result is None.
    """
    if text.upper() in ("INFINITE", "UNLIMITED", "-1"):
        return None
    days, dash, rest = text.rpartition("-")
    parts = [int(part) for part in rest.split(":")]
    if dash:
        hours, minutes, seconds = (*parts, 0, 0)[:3]
    elif len(parts) == 3:
        hours, minutes, seconds = parts
    else:
        hours, (minutes, seconds) = 0, (*parts, 0)[:2]
    return int(days or 0) * 86400 + hours * 3600 + minutes * 60 + seconds


def read_conf(path: Path, *, by_name: bool = True) -> tuple[Machine, Parameters]:
    """Return the machine and the parameters in a file.

    Nodes are in the order of their names or, without `by_name`, in the order of their lines.

    Raises
    ------
    ValueError
        If a partition contains a node without a NodeName line.
    """
    single: dict[str, str] = {}
    node_lines, partition_lines = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = [word.split("=", 1) for word in line.split("#")[0].split() if "=" in word]
        pairs = {name.lower(): value.lstrip("=") for name, value in words}
        if "nodename" in pairs:
            node_lines.append(pairs)
        elif "partitionname" in pairs:
            partition_lines.append(pairs)
        else:
            single |= pairs
    nodes = tuple(_nodes(node_lines))
    if by_name:
        nodes = tuple(sorted(nodes, key=lambda node: _natural(node.name)))
    select = single.get("selecttypeparameters", "").upper()
    machine = Machine(
        nodes=nodes,
        partitions={each.name: each for each in _partitions(partition_lines, nodes, path)},
        shares="linear" not in single.get("selecttype", "select/linear"),
        counts_memory="MEMORY" in select,
    )
    return machine, _parameters(single)


def unread_parameters(path: Path) -> list[str]:
    """List each item of SchedulerParameters that the oracle does not know, with its line."""
    known = {*Parameters.__dataclass_fields__} - OTHER_SETTINGS
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r"\s*schedulerparameters\s*=+\s*([^\s#]*)", line, re.IGNORECASE)
        for item in filter(None, match[1].split(",")) if match else ():
            name = item.partition("=")[0].lower()
            if name not in known | WITHOUT_EFFECT:
                near = difflib.get_close_matches(name, known | WITHOUT_EFFECT, n=1)
                hint = f"is it {near[0]}?" if near else "check the spelling"
                found.append(f"{path}:{number}: {name} is not read, so its default is used; {hint}")
    return found


def _natural(name: str) -> list[tuple[int, int, int, str]]:
    """Return the sort key of a name: n2 comes before n10, but n09 comes before both."""
    key = []
    for part in re.findall(r"\d+|\D", name):
        if not part.isdigit():
            key.append((ord(part), 0, 0, ""))
        elif part.startswith("0"):
            key.append((ord("0"), 0, 0, part))
        else:
            key.append((ord("0"), 1, len(part), part))
    return key


def _nodes(lines: Iterable[dict[str, str]]) -> Iterable[Node]:
    default: dict[str, str] = {}
    for line in lines:
        if line["nodename"].upper() == "DEFAULT":
            default |= line
            continue
        given = default | line
        gpus = re.search(r"gpu(?::\w+)?:(\d+)", given.get("gres", ""))
        for name in hosts(line["nodename"]):
            yield Node(
                name=name,
                cpus=int(given.get("cpus", given.get("procs", "1"))),
                memory=int(given.get("realmemory", "1")),
                gpus=int(gpus[1]) if gpus else 0,
                features=frozenset(given.get("feature", "").split(",")) - {""},
                weight=int(given.get("weight", "1")),
            )


def _partitions(
    lines: Iterable[dict[str, str]], nodes: tuple[Node, ...], conf: Path
) -> Iterable[Partition]:
    place = {node.name: index for index, node in enumerate(nodes)}
    for line in lines:
        names = list(place) if line["nodes"].upper() == "ALL" else hosts(line["nodes"])
        if missing := [name for name in names if name not in place]:
            raise ValueError(
                f"no NodeName line of {conf} has {missing[0]}, a node of partition "
                f"{line['partitionname']}; use the complete slurm.conf of the cluster"
            )
        most = line.get("maxnodes", "UNLIMITED")
        yield Partition(
            name=line["partitionname"],
            nodes=node_set(place[name] for name in names),
            tier=int(line.get("prioritytier", "1")),
            factor=int(line.get("priorityjobfactor", "1")),
            max_time=duration(line.get("maxtime", "INFINITE")),
            max_nodes=None if most.upper() == "UNLIMITED" else int(most),
        )


def _parameters(single: dict[str, str]) -> Parameters:
    known = Parameters.__dataclass_fields__
    values: dict[str, Any] = {}
    for word in single.get("schedulerparameters", "").split(","):
        name, _, value = word.partition("=")
        if name == "defer":
            values[name] = True
        elif name in known and name not in OTHER_SETTINGS and value:
            number = int(value) * (60 if name in SCHEDULER_MINUTES else 1)
            values[name] = number / 1e6 if name == "sched_min_interval" else number
    values["has_epilog"] = single.get("epilog", "").strip() not in ("", "(null)")
    if "killwait" in single:
        values["kill_wait"] = int(single["killwait"])
    if "completewait" in single:
        values["complete_wait"] = int(single["completewait"])
    if "overtimelimit" in single:
        values["over_time_limit"] = int(single["overtimelimit"]) * 60
    values["enforces_part_limits"] = single.get("enforcepartlimits", "NO").upper() == "ALL"
    if "multifactor" in single.get("prioritytype", ""):
        values["multifactor"] = _weights(single)
    return Parameters(**values)


def _weights(single: dict[str, str]) -> Weights:
    def weight(name: str) -> int:
        return int(single.get("priorityweight" + name, "0"))

    def period(name: str, default: str) -> int:
        return duration(single.get(name, default)) or 0

    return Weights(
        age=weight("age"),
        max_age=period("prioritymaxage", "7-0"),
        job_size=weight("jobsize"),
        favor_small=single.get("priorityfavorsmall", "NO").upper() == "YES",
        partition=weight("partition"),
        fair_share=weight("fairshare"),
        half_life=period("prioritydecayhalflife", "7-0"),
        damping=int(single.get("fairsharedampeningfactor", "1")),
        period=period("prioritycalcperiod", "5"),
        relative_to_time="SMALL_RELATIVE_TO_TIME" in single.get("priorityflags", ""),
        qos=weight("qos"),
        association=weight("assoc"),
        tres=_tres_weights(single.get("priorityweighttres", "")),
        reset=single.get("priorityusageresetperiod", "NONE").upper(),
    )


def _tres_weights(text: str) -> dict[str, float]:
    pairs = [item.split("=") for item in text.split(",") if item]
    return {name.lower(): float(weight) for name, weight in pairs}
