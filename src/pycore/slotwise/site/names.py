"""Messages about unknown names, with the nearest known name and all known names."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from slotwise.errors import SiteError
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_NAME = 200


def check_name(what: str, value: object, known: list[str]) -> None:
    """Check that a value is a known name.

    Raises
    ------
    SiteError
        For any other value; the message gives the nearest known name and lists all of them.
    """
    if isinstance(value, str) and value in known:
        return
    raise SiteError(unknown_name(what, value, known))


def unknown_name(what: str, value: object, known: Sequence[str]) -> str:
    """Return the message for an unknown name: the nearest known name, then all known names."""
    name = value if isinstance(value, str) else shown(value)
    near = difflib.get_close_matches(name[:_LONGEST_NAME], known, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else ";"
    return f"unknown {what} '{name[:_LONGEST_NAME]}'{hint} known names are: {', '.join(known)}"


def unknown_of_many(what: str, value: object, known: Sequence[str], where: str) -> str:
    """Return the message for an unknown name: the nearest names, and where to find the rest."""
    name = (value if isinstance(value, str) else shown(value))[:_LONGEST_NAME]
    near = difflib.get_close_matches(name, sorted(known), n=3)
    hint = f"did you mean {either([repr(each) for each in near])}? " if near else ""
    return f"unknown {what} '{name}'; {hint}{where} lists the {len(known)} known names"


def either(names: Sequence[str]) -> str:
    """Join names as ``a, b or c``."""
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
