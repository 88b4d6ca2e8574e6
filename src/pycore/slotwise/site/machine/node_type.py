"""Node types: the number of nodes, their names, and their amount of each resource."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise._numbers import whole
from slotwise.site.faults import Fault, FaultsError
from slotwise.site.machine.hostlist import checked_hosts, expanded
from slotwise.text import plural
from slotwise.written_values import written_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MOST_NODES = 1_000_000
"""Largest number of nodes in a machine."""

RESERVED = ("nodes", "units", "per_node", "exclusive", "constraint")
"""Keywords of demands and limits, which cannot be names of resources."""

MOST_AMOUNT = (1 << 40) - 1
"""Largest amount of a resource on a node."""

_MOST_WEIGHT = 2**32 - 2
"""Largest weight of a node in Slurm."""

_KILOBYTES = {"KB": 1, "MB": 1 << 10, "GB": 1 << 20, "TB": 1 << 30}
_FEATURE = re.compile(r"[^\s&|()\[\]*,!\"']+")


def kilobytes(value: int | str, most: int = MOST_AMOUNT) -> int:
    """Read an amount of memory: a number of KB, or a string such as ``"16GB"``.

    1 GB is 1024 MB, or 1024² KB.

    Raises
    ------
    ValueError
        For anything else, and for amounts that are negative or above `most`; by default, amounts
        must be below 1024 TB.
    """
    number = None
    if not isinstance(value, str):
        number = whole(value)
    elif match := re.fullmatch(r"\s*(\d{1,15})\s*([KMGT]B)\s*", value, re.IGNORECASE):
        number = int(match[1]) * _KILOBYTES[match[2].upper()]
    if number is None or not 0 <= number <= most:
        bound = "below 1024 TB" if most == MOST_AMOUNT else f"at most {most} KB"
        msg = (
            f"{written_value(value)} must be a whole number of KB, or a string such as '16GB', "
            f"{bound}"
        )
        raise ValueError(msg)
    return number


def written_memory(amount: int) -> str:
    """Write KB in the largest unit that gives a whole number: ``16 GB``."""
    unit, size = next((u, s) for u, s in reversed(_KILOBYTES.items()) if amount % s == 0)
    return f"{amount // size:,} {unit}"


def written_amount(resource: str, amount: int) -> str:
    """Write an amount of a resource: ``1 core``, ``2 gpus``, ``16 GB of memory``."""
    if resource == "memory":
        return f"{written_memory(amount)} of memory"
    if amount == 1 and resource in ("cores", "gpus", "mics", "nodes"):
        return f"1 {resource.removesuffix('s')}"
    return f"{amount:,} {resource}"


@dataclass(frozen=True, init=False)
class NodeType:
    """Nodes with the same amount of every resource.

    Parameters
    ----------
    count : int, optional
        Number of nodes, from 1 to 1,000,000. Default: the number of names in `hosts`; if both are
        given, they must agree.
    cores : int
        Cores of each node, from 1 to 2**40 - 1; all other amounts have the same upper limit.
    memory : int or str, default 0
        Memory of each node, in KB or as ``"16GB"``. 0: memory is not counted.
    gpus, mics : int, default 0
        Accelerators of each node.
    name : str, optional
        Default: ``type N``, where N is the position of the type in the machine, from 0.
    hosts : str, optional
        Names of the nodes, such as ``"gpu[001-016],gpu20"``; leading zeros matter. Default: the
        name of the type and a number from 1, such as ``gpu1``; without a name, ``node`` and the
        number.
    features : str or sequence of str, optional
        Properties to which constraints and queues may refer, such as ``("a100", "ib")``.
    weight : int, default 1
        Under the ``slurm`` backfill, nodes of lower weight are used first.
    **others : int
        Amounts of further resources of each node, with any names.

    Raises
    ------
    SiteError
        For amounts that are negative, too large or not whole numbers, for a type without nodes or
        cores, for a malformed list of hosts, and for a count that differs from the number of hosts.
        The message lists every fault.

    Examples
    --------
    >>> import slotwise as sw
    >>> sw.NodeType(count=32, cores=16, memory="16GB", gpus=2).resources["memory"]
    16777216
    >>> sw.NodeType(hosts="gpu[001-016]", cores=64, gpus=8).count
    16
    """

    count: int
    amounts: tuple[tuple[str, int], ...]
    name: str
    hosts: str
    features: tuple[str, ...]
    weight: int

    def __init__(
        self,
        /,
        count: int | None = None,
        cores: int | None = None,
        memory: int | str = 0,
        gpus: int = 0,
        mics: int = 0,
        *,
        name: str = "",
        hosts: str = "",
        features: str | Sequence[str] = (),
        weight: int = 1,
        **others: int,
    ) -> None:
        given = {"cores": cores, "memory": memory, "gpus": gpus, "mics": mics, **others}
        faults: list[Fault] = []
        named = _number_of(hosts, faults)
        number = _counted(count, hosts, named, faults)
        amounts = _amounts(given, faults)
        if not isinstance(name, str):
            faults.append(Fault(("name",), f"{written_value(name)} must be text"))
        kept = tuple(_features(features, faults))
        if (heavy := whole(weight)) is None or not 0 <= heavy <= _MOST_WEIGHT:
            text = f"{written_value(weight)} must be a whole number from 0 to {_MOST_WEIGHT}"
            faults.append(Fault(("weight",), text))
        if faults:
            raise FaultsError(faults, "NodeType")
        object.__setattr__(self, "count", number)
        object.__setattr__(self, "amounts", tuple((k, v) for k, v in amounts.items() if v > 0))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "hosts", hosts)
        object.__setattr__(self, "features", kept)
        object.__setattr__(self, "weight", heavy)

    @property
    def resources(self) -> Mapping[str, int]:
        """Amounts on each node by resource, excluding amounts of 0."""
        return dict(self.amounts)

    def names(self, first: int = 1) -> list[str]:
        """Name the nodes; if the type has neither hosts nor a name, number them from `first`."""
        if self.hosts:
            return expanded(self.hosts, MOST_NODES)
        begin = 1 if self.name else first
        return [f"{self.name or 'node'}{number}" for number in range(begin, begin + self.count)]

    def to_dict(self) -> dict[str, Any]:
        """Return the arguments that create this type, without those equal to their defaults."""
        counted: dict[str, Any] = {"hosts": self.hosts} if self.hosts else {"count": self.count}
        named = {"name": self.name} if self.name else {}
        featured = {"features": list(self.features)} if self.features else {}
        weighed = {"weight": self.weight} if self.weight != 1 else {}
        return {**counted, **self.resources, **named, **featured, **weighed}

    def __repr__(self) -> str:
        parts = [f"count={self.count}", *(f"{key}={value}" for key, value in self.amounts)]
        return f"NodeType({', '.join(parts)})"

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (self.to_dict(),)


def _made(given: dict[str, Any]) -> NodeType:
    return NodeType(**given)


def _number_of(hosts: object, faults: list[Fault]) -> int | None:
    """Count the nodes in a list of hosts; None if there is no list or it is malformed."""
    if isinstance(hosts, str) and not hosts:
        return None
    try:
        if not isinstance(hosts, str):
            raise ValueError(f"{written_value(hosts)} must be text, such as gpu[001-016]")
        number = checked_hosts(hosts)
        if number > MOST_NODES:
            raise ValueError(f"it lists {number:,} nodes, but at most {MOST_NODES:,} are allowed")
        if (twice := _twice(expanded(hosts, MOST_NODES))) is not None:
            raise ValueError(f"it lists {twice!r:.60} twice; list each node only once")
    except ValueError as fault:
        faults.append(Fault(("hosts",), str(fault)))
        return None
    return number


def _twice(names: Sequence[str]) -> str | None:
    """Return the first name that repeats an earlier one in the list."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _counted(count: object, hosts: object, named: int | None, faults: list[Fault]) -> int | None:
    """Return `count` or, if it is not given, `named`: the number of hosts; report wrong counts."""
    if count is None and hosts:
        return named
    number = whole(count)
    if count is None:
        faults.append(
            Fault(("count",), "the value is missing; set a count, or hosts such as gpu[001-016]")
        )
    elif number is None or not 1 <= number <= MOST_NODES:
        text = (
            f"{written_value(count)}: a machine must have at least one node of each type, and at "
            f"most {MOST_NODES:,} nodes; use a whole number from 1 to {MOST_NODES:,}"
        )
        faults.append(Fault(("count",), text))
    elif named is not None and named != number:
        text = (
            f"{number} does not match {hosts!r:.60}, which lists {plural(named, 'host')}; set "
            f"count to {named}, or omit it"
        )
        faults.append(Fault(("count",), text))
    return number


def _amounts(given: Mapping[str, Any], faults: list[Fault]) -> dict[str, int]:
    amounts: dict[str, int] = {}
    for key, value in given.items():
        try:
            if key in RESERVED:
                text = "this name is a keyword of jobs' requests; give the resource another name"
                raise ValueError(text)
            if value is None:
                raise ValueError(
                    "the value is missing; set the cores of each node, such as cores=16"
                )
            amounts[key] = kilobytes(value) if key == "memory" else _amount(key, value)
        except ValueError as fault:
            faults.append(Fault((key,), str(fault)))
    return amounts


def _amount(resource: str, value: object) -> int:
    number, least = whole(value), 1 if resource == "cores" else 0
    if number is None or not least <= number <= MOST_AMOUNT:
        raise ValueError(f"{written_value(value)} must be a whole number from {least} to 2^40 - 1")
    return number


def _features(features: object, faults: list[Fault]) -> Iterator[str]:
    """Yield each valid feature once, and report the others."""
    if isinstance(features, str) or not isinstance(features, Iterable):
        features = [features]
    seen: set[str] = set()
    for place, feature in enumerate(features):
        if not isinstance(feature, str) or not _FEATURE.fullmatch(feature):
            text = (
                f"{written_value(feature)} must be a name without spaces, quotes, brackets, '&', "
                "'|', '*', ',' or '!', such as a100"
            )
            faults.append(Fault(("features", place), text))
        elif feature not in seen:
            seen.add(feature)
            yield feature
