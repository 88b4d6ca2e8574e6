"""State of a simulation's machine."""

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
        Idle processors.
    free_in_pools : dict of str to int
        Free processors per pool after the last pass, excluding unavailable and reserved ones. Empty
        if the site sets only a machine and a policy.
    """

    processors: int
    free: int
    free_in_pools: dict[str, int] = field(default_factory=dict)
