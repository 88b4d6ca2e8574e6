"""Site numbers in exceptions, converted to positions in the whole sweep."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from slotwise.errors import ReplayError, SiteError, TraceError
from slotwise.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NAMED = re.compile(r"(?:raised under )?site (\d+) of the sweep: ")


def check_site(number: int, site: object) -> None:
    """Raise a TypeError, with the site's number from 1, for any object other than a Site."""
    if not isinstance(site, Site):
        raise TypeError(f"site {number} of the sweep is {site!r}; pass a Site(...)")


@contextmanager
def numbered_in(positions: Sequence[int]) -> Iterator[None]:
    """Renumber sites in exceptions by their position in the whole sweep.

    Parameters
    ----------
    positions : sequence of int
        Positions in the whole sweep, from 0, of the sites replayed inside the block.
    """
    try:
        yield
    except TraceError as fault:
        text = _renumbered(fault.message, positions)
        raise _like(fault, TraceError(text, path=fault.path, line=fault.line)) from fault.__cause__
    except (SiteError, ReplayError) as fault:
        again = reworded(fault, _renumbered(str(fault), positions))
        raise _like(fault, again) from fault.__cause__
    except Exception as fault:  # raised by a user's function
        notes = getattr(fault, "__notes__", [])
        notes[:] = [_renumbered(note, positions) for note in notes]
        raise


def reworded(fault: SiteError | ReplayError, text: str) -> Exception:
    """Return a SiteError, or a ReplayError of the same type, with another message."""
    return SiteError(text) if isinstance(fault, SiteError) else type(fault)(text)


def _like(fault: Exception, again: Exception) -> Exception:
    """Copy the notes of an exception to another."""
    for note in getattr(fault, "__notes__", ()):
        again.add_note(note)
    return again


def names_site(fault: Exception) -> bool:
    """Return True if an exception concerns one site, not the whole sweep."""
    return site_number(fault) is not None


def site_number(fault: Exception) -> int | None:
    """Return the number, from 1, of the site that an exception names; None if it names none."""
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
