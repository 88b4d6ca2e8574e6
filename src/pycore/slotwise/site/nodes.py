"""Machines of nodes with several resources."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise._core import Nodes as CoreNodes, PlacementRule as CorePlacementRule
from slotwise._numbers import whole
from slotwise.errors import SiteError
from slotwise.site.faults import Fault, FaultsError
from slotwise.site.machine_readers import MACHINE_READERS
from slotwise.written_values import written_value

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from slotwise._core import PlacementRule

PLACEMENTS = {
    "least-scarce": CorePlacementRule.least_scarce,
    "first-fit": CorePlacementRule.first_fit,
    "best-fit": CorePlacementRule.best_fit,
}
"""Rules by which units find their nodes."""

MOST_RESOURCES = 7
"""Of a machine; so many fit one step of a plan in the core."""

MOST_NODES = 1_000_000
"""Of a machine."""

MOST_CORES = 2**31 - 1
"""Of a machine, as of processors."""

_MOST = (1 << 40) - 1
"""Of a resource on a node."""

_KILOBYTES = {"KB": 1, "MB": 1 << 10, "GB": 1 << 20, "TB": 1 << 30}


def kilobytes(value: int | str) -> int:
    """Read an amount of memory: KB, or a text as ``"16GB"`` (1 GB = 1024 MB = 1024² KB).

    Raises
    ------
    ValueError
        For anything else, negative amounts, and 1024 TB or more.
    """
    number = None
    if not isinstance(value, str):
        number = whole(value)
    elif match := re.fullmatch(r"\s*(\d{1,15})\s*([KMGT]B)\s*", value, re.IGNORECASE):
        number = int(match[1]) * _KILOBYTES[match[2].upper()]
    if number is None or not 0 <= number <= _MOST:
        msg = (
            f"{written_value(value)} must be a whole number of KB, or a text as '16GB', "
            "below 1024 TB"
        )
        raise ValueError(msg)
    return number


def written_memory(amount: int) -> str:
    """Write KB by the largest unit they are whole in: ``16 GB``."""
    unit, size = next((u, s) for u, s in reversed(_KILOBYTES.items()) if amount % s == 0)
    return f"{amount // size:,} {unit}"


@dataclass(frozen=True, init=False)
class NodeType:
    """Nodes that are alike.

    Parameters
    ----------
    count : int
        How many, from 1 to 1,000,000.
    cores : int
        Of each node, from 1 to 2**40 - 1, as all amounts.
    memory : int or str, default 0
        Of each node, in KB or as ``"16GB"``. 0: memory is not counted.
    gpus, mics : int, default 0
        Accelerators of each node.
    name : str, optional
        Default: ``type N``, as the machine counts.
    **others : int
        Amounts of further resources of each node, named as you like.

    Raises
    ------
    SiteError
        For an amount that is no whole number, negative or too large, and for no node or no core.

    Examples
    --------
    >>> import slotwise as sw
    >>> sw.NodeType(count=32, cores=16, memory="16GB", gpus=2).resources["memory"]
    16777216
    """

    count: int
    amounts: tuple[tuple[str, int], ...]
    name: str

    def __init__(
        self,
        /,
        count: int,
        cores: int,
        memory: int | str = 0,
        gpus: int = 0,
        mics: int = 0,
        *,
        name: str = "",
        **others: int,
    ) -> None:
        given = {"cores": cores, "memory": memory, "gpus": gpus, "mics": mics, **others}
        faults, amounts = [], {}
        if (number := whole(count)) is None or not 1 <= number <= MOST_NODES:
            text = (
                f"{written_value(count)}: a machine has at least one of each type, and at most "
                f"{MOST_NODES:,} nodes; give a whole number between"
            )
            faults.append(Fault(("count",), text))
        for key, value in given.items():
            try:
                amounts[key] = kilobytes(value) if key == "memory" else _amount(key, value)
            except ValueError as fault:
                faults.append(Fault((key,), str(fault)))
        if not isinstance(name, str):
            faults.append(Fault(("name",), f"{written_value(name)} must be a text"))
        if faults:
            raise FaultsError(faults, "NodeType")
        object.__setattr__(self, "count", number)
        object.__setattr__(self, "amounts", tuple((k, v) for k, v in amounts.items() if v > 0))
        object.__setattr__(self, "name", name)

    @property
    def resources(self) -> Mapping[str, int]:
        """Amounts of each node by resource; those it does not have are left out."""
        return dict(self.amounts)

    def to_dict(self) -> dict[str, Any]:
        """Return the arguments that make it, those at their defaults left out."""
        return {"count": self.count, **self.resources} | ({"name": self.name} if self.name else {})

    def __repr__(self) -> str:
        parts = [f"count={self.count}", *(f"{key}={value}" for key, value in self.amounts)]
        return f"NodeType({', '.join(parts)})"


def _amount(resource: str, value: object) -> int:
    number, least = whole(value), 1 if resource == "cores" else 0
    if number is None or not least <= number <= _MOST:
        raise ValueError(f"{written_value(value)} must be a whole number from {least} to 2^40 - 1")
    return number


class Lack(NamedTuple):
    """Why an empty machine of nodes has no room for a job.

    Attributes
    ----------
    reason : str
        Alike for all jobs that lack the same.
    text : str
        With the amounts of this one.
    """

    reason: str
    text: str


@dataclass(frozen=True, init=False)
class Nodes:
    """A machine of nodes, each with an amount of several resources.

    Nodes are numbered from 0, those of the first type first.

    Parameters
    ----------
    types : iterable of NodeType
        At least one; together they have at most 7 resources.
    placement : {"least-scarce", "first-fit", "best-fit"}
        Which nodes take the units of a job, each as many as it has room for. ``first-fit``: by
        number. ``best-fit``: those that keep the least part of their capacity free.
        ``least-scarce``: of the types that waste least of what the job does not ask and few nodes
        have, then of small nodes, then by number. So a job without GPUs leaves GPU nodes to others
        where they are the scarcest; types equally scarce tie, and the one listed first is taken.

    Raises
    ------
    SiteError
        For a machine without types, with more than 7 resources, 1,000,000 nodes or 2**31 - 1 cores,
        or an unknown placement.

    Examples
    --------
    >>> import slotwise as sw
    >>> eurora = sw.Nodes([
    ...     sw.NodeType(count=32, cores=16, memory="16GB", gpus=2),
    ...     sw.NodeType(count=32, cores=16, memory="16GB", mics=2),
    ... ])
    >>> eurora.count, eurora.resources
    (1024, ('cores', 'memory', 'gpus', 'mics'))
    """

    types: tuple[NodeType, ...]
    placement: str

    def __init__(self, types: Iterable[NodeType], placement: str = "least-scarce") -> None:
        given = tuple(types) if isinstance(types, Iterable) else (types,)
        if isinstance(types, NodeType):
            raise SiteError(f"Nodes({types}): give a list of types, as Nodes([{types}])")
        wrong = next((t for t in given if not isinstance(t, NodeType)), None)
        if wrong is not None or not given:
            msg = f"Nodes({list(given)!r:.60}): give a list of NodeType(count=…, cores=…)"
            raise SiteError(msg)
        if placement not in PLACEMENTS:
            msg = f"unknown placement {placement!r:.60}; known are: {', '.join(PLACEMENTS)}"
            raise SiteError(msg)
        object.__setattr__(self, "types", given)
        object.__setattr__(self, "placement", placement)
        if len(self.resources) > MOST_RESOURCES:
            msg = (
                f"nodes have {len(self.resources)} resources ({', '.join(self.resources)}); there "
                f"may be at most {MOST_RESOURCES}"
            )
            raise SiteError(msg)
        if self.count > MOST_CORES:
            msg = f"nodes have {self.count:,} cores together; there may be at most {MOST_CORES:,}"
            raise SiteError(f"{msg}: give fewer nodes, or fewer cores each")
        try:
            _ = self._core
        except ValueError as fault:
            raise SiteError(str(fault)) from None

    @classmethod
    def from_slurm_conf(
        cls, path: str | os.PathLike[str], features: Iterable[str] | None = None
    ) -> Nodes:
        """Read the node table of a ``slurm.conf``; all is as of `read_slurm_nodes`.

        Raises
        ------
        SiteError
            For a file that cannot be read or describes no node.
        """
        machine: Nodes = MACHINE_READERS["slurm.conf"](path, features)
        return machine

    @cached_property
    def resources(self) -> tuple[str, ...]:
        """Names of the resources, cores first."""
        return tuple(dict.fromkeys(key for kind in self.types for key, _ in kind.amounts))

    @cached_property
    def capacities(self) -> NDArray[np.int64]:
        """Amount of each resource of a node, (n_types, n_resources)."""
        rows = [[kind.resources.get(name, 0) for name in self.resources] for kind in self.types]
        return np.array(rows, dtype=np.int64)

    @cached_property
    def type_of(self) -> NDArray[np.int64]:
        """Position of the type of each node, (n_nodes,)."""
        counts = [kind.count for kind in self.types]
        return np.repeat(np.arange(len(counts), dtype=np.int64), counts)

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return sum(kind.count for kind in self.types)

    @property
    def count(self) -> int:
        """How many cores all nodes have together: the processors of the machine."""
        return sum(kind.count * kind.resources["cores"] for kind in self.types)

    @cached_property
    def _core(self) -> CoreNodes:
        return CoreNodes(
            list(self.resources),
            [kind.name or f"type {i}" for i, kind in enumerate(self.types)],
            [kind.count for kind in self.types],
            self.capacities.tolist(),
        )

    @property
    def _rule(self) -> PlacementRule:
        return PLACEMENTS[self.placement]

    def what_lacks(self, units: int, each: Mapping[str, int]) -> str:
        """Say what the empty machine lacks for a job; empty where it has room.

        Parameters
        ----------
        units : int
        each : mapping of str to int
            What a unit asks, by resource; at least one core.

        Raises
        ------
        ValueError
            For units or amounts that are no whole numbers, negative, or no unit or no core.

        Examples
        --------
        >>> import slotwise as sw
        >>> nodes = sw.Nodes([sw.NodeType(count=2, cores=16, gpus=2)])
        >>> nodes.what_lacks(1, {"cores": 17})
        'a unit asks 17 of cores, and no node has more than 16'
        """
        if (whole(units) or 0) < 1:
            raise ValueError(f"{units!r} units: a job has a whole number of them, at least 1")
        for name, amount in {"cores": 0, **each}.items():
            least = int(name == "cores")
            if (number := whole(amount)) is None or number < least:
                msg = f"{name}: {amount!r} must be a whole number from {least}, as {{'cores': 1}}"
                raise ValueError(msg)
        lack = self._lack(units, each)
        return "" if lack is None else lack.text

    def _lack(self, units: int, each: Mapping[str, int]) -> Lack | None:
        """Say what the empty machine lacks for a job, and of what kind that is."""
        asked = {name: amount for name, amount in each.items() if amount > 0}
        for name, amount in asked.items():
            most = max(kind.resources.get(name, 0) for kind in self.types)
            if amount > most and (name != "memory" or name in self.resources):
                has = f"more than {most:,}" if most else "any"
                kind = f"more {name} than any node has" if most else f"{name}, and no node has any"
                text = f"a unit asks {amount:,} of {name}, and no node has {has}"
                return Lack(f"a unit asks {kind}", text)
        row = np.array([asked.get(name, 0) for name in self.resources])
        held = self.capacities // np.maximum(row, 1)
        held[:, row == 0] = np.iinfo(np.int64).max
        room = sum(
            int(h) * kind.count for h, kind in zip(held.min(axis=1), self.types, strict=True)
        )
        if room == 0:
            together = ", ".join(f"{amount:,} of {name}" for name, amount in asked.items())
            parted = " and ".join(self._never_together(held == 0))
            return Lack(
                f"no node has the {parted} of a unit together",
                f"a unit asks {together}, and no node has all of that together",
            )
        if room < units:
            return Lack(
                "it has more units than the empty machine has room for",
                f"it has {units:,} units, and the empty machine has room for {room:,} of them",
            )
        return None

    def _never_together(self, lacking: NDArray[np.bool_]) -> tuple[str, ...]:
        """Name the fewest resources of which every type of nodes is lacking one."""
        return next(
            tuple(self.resources[column] for column in columns)
            for size in range(1, len(self.resources) + 1)
            for columns in itertools.combinations(range(len(self.resources)), size)
            if lacking[:, list(columns)].any(axis=1).all()
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the machine as the table ``[machine]`` of a site file."""
        table: dict[str, Any] = {"nodes": [kind.to_dict() for kind in self.types]}
        if self.placement != "least-scarce":
            table["placement"] = self.placement
        return table

    def __reduce__(self) -> tuple[object, ...]:
        return Nodes, (self.types, self.placement)
