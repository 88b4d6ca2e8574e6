"""Numbers of sites in faults: a part of a sweep counts its own sites, users those of the whole."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from slotwise.errors import ReplayError, SiteError, TraceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NAMED = re.compile(r"(?:raised under )?site (\d+) of the sweep: ")


@contextmanager
def numbered_in(positions: Sequence[int]) -> Iterator[None]:
    """Name sites in faults by their place in the whole sweep.

    Parameters
    ----------
    positions : sequence of int
        There, from 0, of the sites replayed within.
    """
    try:
        yield
    except TraceError as fault:
        text = _renumbered(fault.message, positions)
        raise TraceError(text, path=fault.path, line=fault.line) from None
    except (SiteError, ReplayError) as fault:
        raise type(fault)(_renumbered(str(fault), positions)) from None
    except Exception as fault:  # of a user's own function
        notes = getattr(fault, "__notes__", [])
        notes[:] = [_renumbered(note, positions) for note in notes]
        raise


def names_site(fault: Exception) -> bool:
    """Tell whether a fault is that of one site; others are of the sweep."""
    return site_number(fault) is not None


def site_number(fault: Exception) -> int | None:
    """Give the number, from 1, of the site that a fault is of; None for one of the sweep."""
    said = fault.message if isinstance(fault, TraceError) else str(fault)
    for text in (said, *getattr(fault, "__notes__", ())):
        if found := _NAMED.match(text):
            return int(found[1])
    return None


def _renumbered(text: str, positions: Sequence[int]) -> str:
    found = _NAMED.match(text)
    if found is None:
        return text
    number = positions[int(found[1]) - 1] + 1
    return f"{text[: found.start(1)]}{number}{text[found.end(1) :]}"
