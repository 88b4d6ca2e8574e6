"""Machines that a site's jobs run on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from slotwise._numbers import whole
from slotwise.errors import SiteError
from slotwise.site.machine.nodes import Nodes
from slotwise.site.machine.torus import Torus
from slotwise.written_values import shown


@dataclass(frozen=True, slots=True)
class Processors:
    """A machine of identical processors.

    Parameters
    ----------
    count : int
        Number of processors, at least 1 and below 2**31.

    Raises
    ------
    SiteError
        For any other count.
    """

    count: int

    def __post_init__(self) -> None:
        count = whole(self.count)
        if count is None:
            msg = (
                f"Processors({shown(self.count)}): the count must be a whole number, such as "
                "Processors(1152)"
            )
            raise SiteError(msg)
        object.__setattr__(self, "count", count)
        if not 1 <= count < 2**31:
            msg = f"Processors({shown(count)}): the count must lie between 1 and 2^31 - 1"
            raise SiteError(msg)

    def to_dict(self) -> dict[str, Any]:
        """Return the machine as the table of a site file."""
        return {"processors": self.count}


SiteMachine = Processors | Torus | Nodes
"""A site's machine, of any type; every type has a ``count`` of processors and a ``to_dict``."""
