"""When jobs of a simulation were held, or cancelled, by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_CANCEL, _HOLD, _RELEASE = 2, 3, 4  # of the core's changes


class Hold(NamedTuple):
    """A stretch during which a job was kept from starting.

    Attributes
    ----------
    job : int
        Its row in the trace.
    start, end : int, seconds on the trace's clock
        ``end`` is None where the job is held still.
    """

    job: int
    start: int
    end: int | None


def holds_of(changes: Iterable[tuple[int, int, int, float]]) -> tuple[Hold, ...]:
    """Find them among what was changed: kind, time, row and value each, in order of time."""
    found: list[Hold] = []
    held: dict[int, int] = {}  # by row: its place in `found`
    for kind, at, row, _value in changes:
        if kind == _HOLD and row not in held:
            held[row] = len(found)
            found.append(Hold(row, at, None))
        elif kind in (_RELEASE, _CANCEL) and row in held:
            place = held.pop(row)
            found[place] = found[place]._replace(end=at)
    return tuple(found)


def cancelled_of(changes: Iterable[tuple[int, int, int, float]]) -> tuple[tuple[int, int], ...]:
    """Find row and time of what was cancelled, among what was changed."""
    return tuple((row, at) for kind, at, row, _value in changes if kind == _CANCEL)
