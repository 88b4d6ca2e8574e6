"""A machine whose nodes form a box in which every axis is a ring."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import (
    MAX_TORUS_DIMENSIONS,
    MAX_TORUS_NODES,
    Torus as CoreTorus,
    node_orders as core_node_orders,
)
from slotwise._numbers import whole
from slotwise.site.faults import Fault, FaultsError
from slotwise.site.machine.hostlist import expanded
from slotwise.site.names import unknown_name
from slotwise.written_values import shown, written_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class Torus:
    """Nodes in a box of 1 to 6 dimensions in which every axis is a ring.

    The node order numbers the nodes; the number of a node is called its position.
    docs/concepts/torus.md shows the orders.

    Parameters
    ----------
    shape : sequence of int
        Nodes along each axis, at least 1; at most 2**22 nodes in all.
    order : {"hilbert", "row", "snake"}, default "hilbert"
        The node order; `node_orders` describes all of them.
    processors_per_node : int, default 1

    Raises
    ------
    SiteError
        For an invalid shape, order or number of processors.

    Examples
    --------
    >>> torus = Torus((2, 3), order="snake")
    >>> torus.coordinates([0, 2, 5]).tolist()
    [[0, 0], [0, 2], [1, 0]]
    >>> torus.position([1, 0])
    5
    >>> torus.distance(0, 2)  # columns 0 and 2 are neighbours on a ring of 3
    1
    """

    shape: Sequence[int]
    order: str = "hilbert"
    processors_per_node: int = 1

    def __post_init__(self) -> None:
        faults: list[Fault] = []
        try:
            object.__setattr__(self, "shape", _checked_shape(self.shape))
        except FaultsError as wrong:
            faults += wrong.faults
        known = list(node_orders())
        if self.order not in known:
            faults.append(Fault(("order",), unknown_name("node order", self.order, known)))
        per_node = whole(self.processors_per_node)
        if per_node is None or not 1 <= per_node < 2**31:
            shown = written_value(self.processors_per_node)
            text = f"{shown} must be a whole number between 1 and 2^31 - 1"
            faults.append(Fault(("processors_per_node",), text))
        if faults or per_node is None:
            raise FaultsError(faults)
        object.__setattr__(self, "processors_per_node", per_node)
        if self.count >= 2**31:
            raise _refused(
                "processors_per_node",
                f"{self.nodes:,} nodes of {per_node:,} processors are too many; the total must "
                "be below 2^31 processors",
            )

    def __str__(self) -> str:
        return "×".join(map(str, self.shape))

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return prod(self.shape)

    @property
    def count(self) -> int:
        """Number of processors of all nodes together."""
        return self.nodes * self.processors_per_node

    def coordinates(self, positions: ArrayLike) -> NDArray[np.int32]:
        """Return the coordinates of positions in the node order.

        Parameters
        ----------
        positions : int or array of int, (n,)

        Returns
        -------
        ndarray
            (n, dimensions) int32, or (dimensions,) for a single position.

        Raises
        ------
        IndexError
            If a position is not on this torus.
        """
        asked = _whole_numbers(positions, "positions")
        return self._core.coordinates(asked.ravel()).reshape(*asked.shape, len(self.shape))

    def position(self, coordinates: ArrayLike) -> int | NDArray[np.int32]:
        """Return the positions of nodes given by coordinates.

        Parameters
        ----------
        coordinates : array of int, (dimensions,) or (n, dimensions)

        Returns
        -------
        int or ndarray
            (n,) int32 for several nodes.

        Raises
        ------
        IndexError
            For coordinates outside the box.
        ValueError
            If the number of coordinates differs from the number of axes.
        """
        asked = _whole_numbers(coordinates, "coordinates")
        if asked.ndim not in (1, 2) or asked.shape[-1] != len(self.shape):
            raise ValueError(
                f"the coordinates have the shape {asked.shape}; a node of this torus has "
                f"{len(self.shape)} coordinates: use the shape "
                f"({len(self.shape)},) or (n, {len(self.shape)})"
            )
        found = self._core.positions(np.atleast_2d(asked))
        return int(found[0]) if asked.ndim == 1 else found

    def distance(self, a: ArrayLike, b: ArrayLike) -> int | NDArray[np.int32]:
        """Return the number of links on a shortest path between positions.

        Parameters
        ----------
        a, b : int or array of int
            Positions, broadcast against each other.

        Returns
        -------
        int or ndarray
            int32, with the common shape of the positions.

        Raises
        ------
        IndexError
            If a position is not on this torus.
        """
        from_, to = np.broadcast_arrays(_whole_numbers(a, "a"), _whole_numbers(b, "b"))
        links = self._core.distances(from_.ravel(), to.ravel()).reshape(from_.shape)
        return int(links) if from_.ndim == 0 else links

    def longer_steps(self) -> dict[int, int]:
        """Count the steps along the node order that are longer than one link, by length."""
        return self._core.longer_steps()

    def mean_distances(self, lags: ArrayLike) -> NDArray[np.float64]:
        """Return the mean torus distance between positions `lags` steps apart in the node order.

        Parameters
        ----------
        lags : int or array of int
            Each at least 1.

        Returns
        -------
        ndarray
            Numbers of links, in the shape of `lags`; 0 if no two positions are that far apart.
        """
        asked = _whole_numbers(lags, "lags")
        return self._core.mean_distances(asked.ravel().tolist()).reshape(asked.shape)

    def select(self, selectors: str | Iterable[str]) -> NDArray[np.int64]:
        """Return the positions that occur in at least one of the lists, in ascending order.

        Parameters
        ----------
        selectors : str or iterable of str
            Positions of the node order, such as ``"[0-31]"`` or ``"7,[10-12]"``.

        Raises
        ------
        SiteError
            For anything but lists of positions, and for positions that the torus does not have.

        Examples
        --------
        >>> Torus((2, 4)).select(["[0-2]", "6"]).tolist()
        [0, 1, 2, 6]
        """
        several = [selectors] if isinstance(selectors, str) else [*selectors]
        chosen = np.zeros(self.nodes, dtype=bool)
        faults: list[Fault] = []
        for place, text in enumerate(several):
            try:
                chosen[_positions(text, self.nodes)] = True
            except ValueError as fault:
                faults.append(Fault((place,) if len(several) > 1 else (), str(fault)))
        if faults:
            raise FaultsError(faults)
        return np.flatnonzero(chosen)

    def to_dict(self) -> dict[str, Any]:
        """Return the torus as the table of a site file, without defaults."""
        table: dict[str, Any] = {"torus": list(self.shape)}
        if self.order != "hilbert":
            table["order"] = self.order
        if self.processors_per_node != 1:
            table["processors_per_node"] = self.processors_per_node
        return table

    @property
    def _core(self) -> CoreTorus:
        return _torus(tuple(self.shape), self.order, self.processors_per_node)


def node_orders() -> dict[str, str]:
    """Return the node orders a `Torus` may have, each with its description."""
    return {name: doc for name, doc, _ in core_node_orders()}


@lru_cache(maxsize=64)
def _torus(shape: tuple[int, ...], order: str, processors_per_node: int) -> CoreTorus:
    return CoreTorus(list(shape), order, processors_per_node)


def _positions(text: str, nodes: int) -> list[int]:
    try:
        names = expanded(text, nodes)
    except ValueError as fault:
        raise ValueError(f"{text!r:.60}: {fault}; write positions, such as [0-31]") from None
    for name in names:
        if not name.isdecimal() or int(name) >= nodes:
            raise ValueError(
                f"there is no node {name!r:.60}; nodes of a torus are named by their position, 0 "
                f"to {nodes - 1}, such as [0-31]"
            )
    return [int(name) for name in names]


def _refused(key: str, text: str) -> FaultsError:
    return FaultsError([Fault((key,), text)])


def _checked_shape(shape: object) -> tuple[int, ...]:
    given = list(shape) if isinstance(shape, Iterable) and not isinstance(shape, str) else []
    sides = [side for side in map(whole, given) if side is not None]
    if not given or len(sides) != len(given):
        raise _refused(
            "torus",
            f"{written_value(shape)}: write the nodes along each axis as whole numbers, such as "
            "[40, 32, 32]",
        )
    most, told = MAX_TORUS_DIMENSIONS, shown(sides)
    if len(sides) > most:
        raise _refused("torus", f"{told} has {len(sides)} axes; 1 to {most} are allowed")
    if min(sides) < 1:
        raise _refused("torus", f"{told}: every axis must have at least 1 node")
    if (nodes := prod(sides)) > MAX_TORUS_NODES:
        count = f"{nodes:,}" if nodes < 2**63 else "2^63 or more"
        raise _refused(
            "torus",
            f"{told} has {count} nodes; at most {MAX_TORUS_NODES:,} are allowed",
        )
    return tuple(sides)


def _whole_numbers(values: ArrayLike, name: str) -> NDArray[np.int32]:
    array = np.asarray(values)
    if array.size == 0:
        return array.astype(np.int32)
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{name} {values!r:.60}: use whole numbers")
    within: NDArray[np.int32] = np.clip(array, -1, 2**31 - 1).astype(np.int32)
    return within
