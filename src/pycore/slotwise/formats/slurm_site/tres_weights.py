"""``PriorityWeightTRES`` of a ``slurm.conf`` as weights of the machine's resources.

Example: ``CPU=1000,Mem=2000,GRES/gpu=3000`` becomes the weights cores 1000, memory 2000 and gpus
3000; ``License/matlab=50`` is not read, because licences are not counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_RESOURCES = {"cpu": "cores", "mem": "memory", "node": "nodes"}
_GRES = {"gpu": "gpus", "mic": "mics"}
_NOT_COUNTED = ("billing", "bb", "energy", "fs", "ic", "license", "pages", "vmem")
_WEIGHT = re.compile(r"([-+]?(?:\d{1,15}(?:\.\d*)?|\.\d+))([MGT]?)", re.ASCII | re.IGNORECASE)
_UNITS = {"": 1, "M": 1, "G": 1 << 10, "T": 1 << 20}
"""MB in each unit of memory; Slurm divides a memory weight by this number."""


@dataclass
class TresWeights:
    """Weights by resource, and the entries without a counterpart in a site."""

    weights: dict[str, float] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, text: str) -> TresWeights:
        """Read the value of the key.

        Raises
        ------
        ValueError
            For an entry that is not ``TRES=WEIGHT``, and for a TRES that Slurm does not have.
        """
        found = cls()
        for entry in filter(None, (each.strip() for each in text.split(","))):
            found._take(entry)
        return found

    def _take(self, entry: str) -> None:
        tres, _, text = entry.partition("=")
        kind, _, name = tres.strip().lower().partition("/")
        match = _WEIGHT.fullmatch(text.strip())
        if match is None or (match[2] and kind != "mem"):
            raise ValueError(
                f"PriorityWeightTRES={entry:.60} must be a TRES and a number, such as CPU=1000 or "
                "GRES/gpu=3000"
            )
        resource = _RESOURCES.get(kind) if not name else None
        if kind == "gres" and name and ":" not in name:
            resource = _GRES.get(name, name)
        if resource is None and kind != "gres" and kind not in _NOT_COUNTED:
            known = "cpu, mem, node, gres/NAME, license/NAME, bb/NAME and billing"
            raise ValueError(
                f"PriorityWeightTRES={entry:.60}: unknown TRES {tres.strip()!r:.40}; "
                f"slurm.conf(5) lists {known}"
            )
        if resource is None:
            self.unread.append(entry)
            return
        weight = float(match[1]) / _UNITS[match[2].upper()]
        self.weights[resource] = int(weight) if weight == int(weight) else weight
        self.written[resource] = entry

    def keep(self, resources: set[str]) -> None:
        """Drop the weights of resources that the machine does not count."""
        for resource in [each for each in self.weights if each not in resources]:
            del self.weights[resource]
            self.unread.append(self.written[resource])
