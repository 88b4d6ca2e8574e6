"""Generic resources of nodes: the ``Gres`` key in ``slurm.conf``, and ``gres.conf``.

Example: ``Gres=gpu:a100:4`` gives a node 4 GPUs of type a100. With ``Gres=gpu:2``, the line
``NodeName=g1 Name=gpu Type=v100 File=/dev/nvidia[0-1]`` in ``gres.conf`` names the type of both
GPUs.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slotwise.formats.slurm_lines import MOST_NAMED
from slotwise.formats.slurm_site.numbers import count_of
from slotwise.formats.slurm_site.settings import read_lines
from slotwise.site.machine.hostlist import expanded, number_of_hosts
from slotwise.site.machine.node_type import MOST_AMOUNT, MOST_NODES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slotwise.formats.slurm_site.left_out import LeftOut
    from slotwise.formats.slurm_site.settings import Faults, Line

Gres = Counter[tuple[str, str]]
"""Counts by name and type. The type is empty if the file does not name it."""

_READ = ("name", "type", "file", "multiplefiles", "count", "nodename", "autodetect")
_CORES = re.compile(r"\([^()]*\)")


def gres_of(text: str, left_out: LeftOut) -> Gres:
    """Read ``gpu:a100:4,gpu:v100:2,fpga:1``.

    Raises
    ------
    ValueError
        For an entry that is not ``name[:type][:count]``.
    """
    found: Gres = Counter()
    for entry in filter(None, _CORES.sub("", text).split(",")):
        name, *rest = entry.strip().split(":")
        number = rest.pop() if rest and rest[-1][:1].isdigit() else "1"
        consumed = "no_consume" not in rest
        kinds = [part for part in rest if part != "no_consume"]
        if not name or len(kinds) > 1 or not all(kinds):
            raise ValueError(
                f"Gres={entry:.60} must consist of a name, optionally a type, and a count, such "
                "as gpu:2 or gpu:a100:4"
            )
        count = count_of(f"Gres={entry:.60}", number)
        if not consumed:
            left_out.add("node", f"Gres={name}:no_consume")
        elif count > MOST_AMOUNT:
            left_out.add("node", f"Gres={name}:{number}")
        elif count:
            found[name, kinds[0] if kinds else ""] += count
    return found


@dataclass
class GresConf:
    """Devices in a ``gres.conf``, by node.

    Attributes
    ----------
    source : str
        The file; empty if there is none.
    devices : dict of str to Gres
        Devices by node name.
    everywhere : Gres
        Devices on lines that name no node.
    detects : bool
        Whether Slurm itself detects further devices.
    other_types : list of str
        Nodes for which the file and ``slurm.conf`` name different types of devices.
    """

    source: str = ""
    devices: dict[str, Gres] = field(default_factory=dict)
    everywhere: Gres = field(default_factory=Counter)
    detects: bool = False
    places: dict[str, str] = field(default_factory=dict)
    named: int = 0
    other_types: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, source: str, faults: Faults, left_out: LeftOut) -> GresConf:
        """Read a file, and add errors in its lines to `faults`."""
        conf = cls(source)
        for line in read_lines(source, ("nodename", "name", "type", "file", "count"), faults):
            if not line.values:
                left_out.unread.append(line.place)
                continue
            for fault in line.repeated:
                faults.add(line.place, fault)
            left_out.add_keys("gres", line, _READ)
            try:
                conf._take(line)
            except ValueError as fault:
                faults.add_line(line.place, fault)
        return conf

    def _take(self, line: Line) -> None:
        detect = line.values.get("autodetect", "off").lower()
        self.detects = self.detects or detect != "off"
        if "name" not in line.values:
            if "autodetect" not in line.values:
                raise ValueError("Name= is missing; write, for example, Name=gpu")
            return
        key = line.values["name"], line.values.get("type", "")
        if not key[0]:
            raise ValueError("Name= is empty; write, for example, Name=gpu")
        count = _count(line)
        if "nodename" not in line.values:
            self.everywhere[key] += count
            return
        self.named += (number := number_of_hosts(line.values["nodename"]))
        if self.named > MOST_NAMED:
            raise ValueError(
                f"the lines list {self.named:,} nodes in total; at most {MOST_NAMED:,} are allowed"
            )
        for name in expanded(line.values["nodename"], min(number, MOST_NODES)):
            self.devices.setdefault(name, Counter())[key] += count
            self.places.setdefault(name, line.place)

    def of_node(self, name: str, asked: Gres) -> Gres:
        """Return a node's resources: those in ``slurm.conf``, with types from ``gres.conf``.

        Raises
        ------
        ValueError
            If ``gres.conf`` gives the node fewer devices than ``slurm.conf`` does.
        """
        own = self.devices.get(name, Counter())
        devices = own + Counter({key: n for key, n in self.everywhere.items() if key not in own})
        given: Gres = Counter()
        for resource in dict.fromkeys(each for each, _ in asked):
            wanted = {key: n for key, n in asked.items() if key[0] == resource}
            found = {key: n for key, n in devices.items() if key[0] == resource}
            total, present = sum(wanted.values()), sum(found.values())
            if found and present < total and not self.detects:
                raise ValueError(
                    f"node {name} has {total} {resource} in slurm.conf and {present} here, and "
                    "Slurm drains such a node; correct one of the files"
                )
            if set(wanted) != {(resource, "")} or not found:
                given.update(wanted)
                named = {kind for _, kind in found} - {""}
                if named and named != {kind for _, kind in wanted}:
                    self.other_types.append(name)
            elif len(found) == 1:
                given[next(iter(found))] = total
            else:
                given.update(found if present == total else wanted)
        return given

    def strangers(self, names: Iterable[str]) -> list[str]:
        """Return the nodes that ``gres.conf`` names but ``slurm.conf`` does not."""
        known = set(names)
        return [name for name in self.devices if name not in known]


def _count(line: Line) -> int:
    """Count the devices in a line: the value of ``Count``, otherwise one per device file."""
    if "count" in line.values:
        return count_of("Count", line.values["count"])
    return number_of_hosts(line.values["file"]) if "file" in line.values else 1
