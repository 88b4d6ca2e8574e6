"""Machines: what a site's jobs run on."""

from __future__ import annotations

from dataclasses import dataclass

from slotwise.errors import SiteError


@dataclass(frozen=True, slots=True)
class Processors:
    """A pool of processors that are all alike.

    Parameters
    ----------
    count : int
        How many, at least 1 and below 2**31.

    Raises
    ------
    SiteError
        If the count is not such a number.
    """

    count: int

    def __post_init__(self) -> None:
        if isinstance(self.count, bool) or not isinstance(self.count, int):
            msg = (
                f"Processors({self.count!r}): the count must be a whole number, as Processors(1152)"
            )
            raise SiteError(msg)
        if not 1 <= self.count < 2**31:
            msg = f"Processors({self.count}): the count must lie between 1 and 2**31 - 1"
            raise SiteError(msg)
