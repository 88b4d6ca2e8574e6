"""State of the machine of a simulation."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine of a simulation at one moment.

    Attributes
    ----------
    processors : int
        All processors.
    free : int
        Processors without a running job.
    free_in_pools : dict of str to int
        Free processors per pool after the last pass, without those that are unavailable or
        reserved; empty if the site consists of machine and policy alone.
    """

    processors: int
    free: int
    free_in_pools: dict[str, int] = field(default_factory=dict)
