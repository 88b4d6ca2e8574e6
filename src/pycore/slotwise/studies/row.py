"""One figure of a study next to the paper's."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

Keys = Mapping[str, str | int | float]
"""Keys that identify a cell in its table."""

FIGURES = ("ours", "spread", "paper")
"""Fields of a row other than its keys."""


@dataclass(frozen=True)
class Row:
    """One cell of a table or figure of the paper, or of an additional table.

    Parameters
    ----------
    table : str
        The paper's number: "I", "2", "figure 9". Additional tables have their own names.
    keys : mapping of str to str, int or float
        Keys of the cell in its table, such as ``{"alpha": 10, "solver": "greedy"}``.
    ours : float or None
        Our figure, in the paper's unit (11.27 for 11.27 %); None if missing.
    spread : float, optional
        Standard deviation over the seeds; None for a single seed, or a figure without randomness.
    paper : float, optional
        The paper's figure; None if missing.
    more : mapping, optional
        Further figures of the same cell, such as ``{"points": 0.4}``.

    Raises
    ------
    ValueError
        For a key or further figure with the name of another field.
    """

    table: str
    keys: Keys
    ours: float | None
    spread: float | None = None
    paper: float | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        taken = {"table", *FIGURES} & {*self.keys, *self.more} or set(self.keys) & set(self.more)
        if taken:
            raise ValueError(
                f"row of table {self.table}: {', '.join(sorted(taken))} is already a field; "
                "rename the key"
            )

    @classmethod
    def of_seeds(
        cls,
        table: str,
        keys: Keys,
        values: Sequence[float],
        paper: float | None = None,
        **more: Any,
    ) -> Row:
        """Return a row from one figure per seed: their mean and standard deviation.

        With a single seed, the figure stays unchanged, so a count stays an integer.
        """
        mean = values[0] if len(values) == 1 else mean_of(values)
        return cls(table, keys, mean, spread_of(values), paper, more)

    def to_dict(self) -> dict[str, Any]:
        """Return table, keys, ours, spread, paper and further figures as one flat mapping."""
        return {
            "table": self.table,
            **self.keys,
            "ours": self.ours,
            "spread": self.spread,
            "paper": self.paper,
            **self.more,
        }


def mean_of(values: Sequence[float]) -> float:
    """Return the mean, computed from an exact sum."""
    return math.fsum(values) / len(values)


def spread_of(values: Sequence[float]) -> float | None:
    """Return the sample standard deviation; None for a single value."""
    if len(values) < 2:
        return None
    mean = mean_of(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
