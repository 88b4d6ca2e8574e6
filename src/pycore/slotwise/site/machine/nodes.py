"""Machines whose nodes have several resources."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import Nodes as CoreNodes, PlacementRule as CorePlacementRule
from slotwise._numbers import whole
from slotwise.errors import SiteError
from slotwise.site.faults import Fault, FaultsError
from slotwise.site.machine.machine_readers import reader_of
from slotwise.site.machine.node_lack import Lack, lack_of
from slotwise.site.machine.node_selection import allowed_by, select_nodes
from slotwise.site.machine.node_type import MOST_NODES, NodeType, kilobytes, written_memory

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from slotwise._core import PlacementRule

__all__ = ["MOST_NODES", "NodeType", "Nodes", "kilobytes", "written_memory"]

PLACEMENTS = {
    "least-scarce": CorePlacementRule.least_scarce,
    "first-fit": CorePlacementRule.first_fit,
    "best-fit": CorePlacementRule.best_fit,
}
"""Rules that choose the nodes for a job's units."""

MOST_CORES = 2**31 - 1
"""Largest number of cores in a machine, which is also the largest number of processors."""


@dataclass(frozen=True, init=False)
class Nodes:
    """A machine whose nodes have several resources, such as cores, memory and GPUs.

    Nodes are numbered from 0, starting with those of the first type.

    Parameters
    ----------
    types : iterable of NodeType
        At least one.
    placement : {"least-scarce", "first-fit", "best-fit"}
        The order in which nodes are filled with a job's units; each node takes as many units as
        fit. ``first-fit``: by number. ``best-fit``: first the nodes that will have the smallest
        share of their capacity left free. ``least-scarce``: first the types that waste the least of
        the rare resources that the job does not request, then smaller nodes, then lower node
        numbers. If GPUs are the scarcest resource, a job without GPUs thus leaves GPU nodes to
        others. Among equally scarce types, the one listed first is used.
    whole_nodes : bool, default False
        Meaning of processors in a trace without demands. False: each is one core. True: a job uses
        as many whole nodes as are needed for its processors; all nodes must have the same number of
        cores.
    logged_nodes : bool, default False
        Nodes that a job gets if the trace has no demands. True: as many nodes as it requested in
        the log, if possible with an equal share of its processors, memory and GPUs on each. False:
        any nodes.

    Raises
    ------
    SiteError
        For a machine without types, more than 1,000,000 nodes or 2**31 - 1 cores, two nodes with
        the same name, or an unknown placement. Also for `whole_nodes` if nodes differ in their
        number of cores, or together with `logged_nodes`.

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
    whole_nodes: bool
    logged_nodes: bool

    def __init__(
        self,
        types: Iterable[NodeType],
        placement: str = "least-scarce",
        *,
        whole_nodes: bool = False,
        logged_nodes: bool = False,
    ) -> None:
        given = tuple(types) if isinstance(types, Iterable) else (types,)
        if isinstance(types, NodeType):
            raise SiteError(f"Nodes({types}): pass a list of types, such as Nodes([{types}])")
        wrong = next((t for t in given if not isinstance(t, NodeType)), None)
        if wrong is not None or not given:
            msg = f"Nodes({list(given)!r:.60}): pass a list of NodeType(count=…, cores=…)"
            raise SiteError(msg)
        object.__setattr__(self, "types", given)
        object.__setattr__(self, "placement", placement)
        object.__setattr__(self, "whole_nodes", whole_nodes)
        object.__setattr__(self, "logged_nodes", logged_nodes)
        if faults := [*self._faults()]:
            raise FaultsError(faults)

    def _faults(self) -> Iterator[Fault]:
        if self.placement not in PLACEMENTS:
            known = ", ".join(PLACEMENTS)
            yield Fault((), f"unknown placement {self.placement!r:.60}; known names are: {known}")
        if self.n_nodes > MOST_NODES:
            text = f"the machine has {self.n_nodes:,} nodes; it may have at most {MOST_NODES:,}"
            yield Fault((), f"{text}: use fewer nodes")
        if self.count > MOST_CORES:
            text = (
                f"the nodes have {self.count:,} cores in total; at most {MOST_CORES:,} are allowed"
            )
            yield Fault((), f"{text}: use fewer nodes, or fewer cores per node")
        for name in ("whole_nodes", "logged_nodes"):
            if not isinstance(value := getattr(self, name), bool):
                yield Fault((), f"{name} {value!r:.60}: it must be true or false")
        if self.whole_nodes is True and self.logged_nodes is True:
            yield Fault((), "whole_nodes and logged_nodes cannot both be true: omit one of them")
        cores = sorted({kind.resources["cores"] for kind in self.types})
        if self.whole_nodes is True and len(cores) > 1:
            text = (
                f"whole_nodes: the nodes have {' or '.join(map(str, cores))} cores, so a job's "
                "node count is unknown; omit whole_nodes, and add demands with trace.with_demands"
            )
            yield Fault((), text)
        if any(kind.hosts for kind in self.types) and self.n_nodes <= MOST_NODES:
            yield from self._named_twice()

    def _named_twice(self) -> Iterator[Fault]:
        first: dict[str, int] = {}
        for place, names in enumerate(self._names_by_type()):
            twice = [name for name in names if first.setdefault(name, place) != place]
            if twice:
                text = (
                    f"types {first[twice[0]]} and {place} both have a node {twice[0]!r:.60}; set "
                    "hosts for each type, and list each node only once"
                )
                yield Fault((), text)

    def _names_by_type(self) -> Iterator[list[str]]:
        first = 1
        for kind in self.types:
            yield kind.names(first)
            first += kind.count

    @classmethod
    def from_slurm_conf(
        cls, path: str | os.PathLike[str], features: Iterable[str] | None = None
    ) -> Nodes:
        """Read the node table of a ``slurm.conf``; the arguments are those of `read_slurm_nodes`.

        Raises
        ------
        SiteError
            For a file that cannot be read or describes no node.
        """
        machine: Nodes = reader_of("slurm.conf")(path, features)
        return machine

    @cached_property
    def resources(self) -> tuple[str, ...]:
        """Names of the resources, cores first."""
        return tuple(dict.fromkeys(key for kind in self.types for key, _ in kind.amounts))

    @cached_property
    def capacities(self) -> NDArray[np.int64]:
        """Amount of each resource on a node of each type, (n_types, n_resources)."""
        rows = [[kind.resources.get(name, 0) for name in self.resources] for kind in self.types]
        return np.array(rows, dtype=np.int64)

    @cached_property
    def type_of(self) -> NDArray[np.int64]:
        """Position of each node's type in `types`, (n_nodes,)."""
        counts = [kind.count for kind in self.types]
        return np.repeat(np.arange(len(counts), dtype=np.int64), counts)

    @cached_property
    def _node_capacities(self) -> NDArray[np.int64]:
        """Amount of each resource on each node, (n_nodes, n_resources), read-only."""
        amounts = self.capacities[self.type_of]
        amounts.flags.writeable = False
        return amounts

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the nodes, in node order."""
        return tuple(itertools.chain.from_iterable(self._names_by_type()))

    @cached_property
    def positions(self) -> dict[str, int]:
        """Node number by name; if several nodes have the same name, the highest number."""
        return {name: number for number, name in enumerate(self.names)}

    def select(self, selectors: str | Iterable[str]) -> NDArray[np.int64]:
        """Return the nodes that match at least one of the selectors.

        Parameters
        ----------
        selectors : str or iterable of str
            Lists of nodes, such as ``"gpu[001-016],fat3"``, ``"type:NAME"`` and ``"feature:NAME"``.

        Returns
        -------
        (n,) int64
            Numbers of the nodes, each once, in ascending order.

        Raises
        ------
        SiteError
            For selectors that are malformed or match no node; the message lists all of them.

        Examples
        --------
        >>> import slotwise as sw
        >>> nodes = sw.Nodes([
        ...     sw.NodeType(hosts="gpu[01-04]", cores=64, gpus=8, features=["ib"]),
        ...     sw.NodeType(count=2, cores=128, name="fat"),
        ... ])
        >>> nodes.select(["gpu[03-04]", "type:fat"]).tolist()
        [2, 3, 4, 5]
        """
        return select_nodes(self, [selectors] if isinstance(selectors, str) else selectors)

    def allowed(self, constraint: str) -> NDArray[np.bool_]:
        """Return which nodes satisfy a constraint on features, such as ``"a100&ib|fat"``.

        Returns
        -------
        (n_nodes,) bool

        Raises
        ------
        SiteError
            For a malformed constraint, and a feature that no node has.
        """
        return allowed_by(self, constraint)

    @cached_property
    def features(self) -> tuple[str, ...]:
        """Every feature that a node has, in the order of the types."""
        return tuple(dict.fromkeys(name for kind in self.types for name in kind.features))

    @property
    def cores_per_node(self) -> int:
        """Cores of a node of the first type; with `whole_nodes`, of every node."""
        return self.types[0].resources["cores"]

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return sum(kind.count for kind in self.types)

    @property
    def count(self) -> int:
        """Total number of cores of all nodes: the processors of the machine."""
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

    def what_lacks(self, units: int, each: Mapping[str, int], **rules: Any) -> str:
        """Describe what a job lacks on the empty machine; return ``""`` if the job fits.

        Parameters
        ----------
        units : int
        each : mapping of str to int
            Amounts that a unit requests, by resource; at least one core.
        **rules
            ``per_node``, ``nodes``, ``exclusive`` and ``constraint``, as in `Demands`.

        Raises
        ------
        ValueError
            For units or amounts that are negative or not whole numbers, and if there is no unit or
            no core.

        Examples
        --------
        >>> import slotwise as sw
        >>> nodes = sw.Nodes([sw.NodeType(count=2, cores=16, gpus=2)])
        >>> nodes.what_lacks(1, {"cores": 17})
        'a unit requests 17 cores, and no node has more than 16'
        """
        if (whole(units) or 0) < 1:
            raise ValueError(f"units: {units!r} must be a whole number, at least 1")
        for name, amount in {"cores": 0, **each}.items():
            least = int(name == "cores")
            if (number := whole(amount)) is None or number < least:
                msg = f"{name}: {amount!r} must be a whole number, at least {least}"
                raise ValueError(msg)
        lack = self._lack(units, each, **rules)
        return "" if lack is None else lack.text

    def _lack(self, units: int, each: Mapping[str, int], **rules: Any) -> Lack | None:
        return lack_of(self.types, self.resources, units, each, **rules)

    def to_dict(self) -> dict[str, Any]:
        """Return the machine as the ``[machine]`` table of a site file."""
        table: dict[str, Any] = {"nodes": [kind.to_dict() for kind in self.types]}
        if self.placement != "least-scarce":
            table["placement"] = self.placement
        if self.whole_nodes:
            table["whole_nodes"] = True
        if self.logged_nodes:
            table["logged_nodes"] = True
        return table

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (self.types, self.placement, self.whole_nodes, self.logged_nodes)


def _made(
    types: tuple[NodeType, ...], placement: str, whole_nodes: bool, logged_nodes: bool
) -> Nodes:
    return Nodes(types, placement, whole_nodes=whole_nodes, logged_nodes=logged_nodes)
