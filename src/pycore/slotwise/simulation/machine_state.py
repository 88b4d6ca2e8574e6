"""What a simulation says of its machine."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine of a simulation at one moment.

    Attributes
    ----------
    processors : int
        All it has.
    free : int
        Not taken by running jobs.
    free_in_pools : dict of str to int
        What a pass found, and left, to be taken in each pool, processors that are away or reserved
        left out; empty where the site says nothing but machine and policy.
    """

    processors: int
    free: int
    free_in_pools: dict[str, int] = field(default_factory=dict)
