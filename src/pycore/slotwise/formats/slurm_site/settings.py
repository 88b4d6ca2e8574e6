"""Lines of a ``slurm.conf`` or ``gres.conf`` as keys with values.

Example: ``NodeName=n[1-2] CPUs=4 Reason="to be repaired"`` has three keys. Slurm accepts keys in
upper or lower case, spaces around ``=``, and values in quotes; a doubled ``=`` counts once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slotwise.errors import SiteError
from slotwise.formats.slurm_lines import pairs_of, placed_lines
from slotwise.text import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALIASES = {"procs": "cpus", "features": "feature", "shared": "oversubscribe"}
_MOST_FAULTS = 100


@dataclass(frozen=True)
class Line:
    """One line.

    Attributes
    ----------
    place : str
        File and line.
    values, written : dict of str to str
        Values, and the keys as written, by lower-case key.
    repeated : list of str
        Faults of keys that occur twice, with different values.
    """

    place: str
    values: dict[str, str] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    repeated: list[str] = field(default_factory=list)

    def over(self, defaults: Line) -> Line:
        """Return this line, with the keys that it lacks taken from `defaults`."""
        return Line(self.place, defaults.values | self.values, self.written)


@dataclass
class Faults:
    """Errors from several files, each with its location, raised together."""

    texts: list[str] = field(default_factory=list)

    def add(self, place: str, text: object) -> None:
        """Record a fault."""
        self.texts.append(f"{place}: {text}")

    def add_line(self, place: str, fault: ValueError) -> None:
        """Record the fault of a line; if it states no remedy, append "correct the line"."""
        remedy = "" if ";" in str(fault) else "; correct the line"
        self.add(place, f"{fault}{remedy}")

    def check(self) -> None:
        """Raise all faults, if there are any.

        Raises
        ------
        SiteError
            If there are faults; the message has one per line.
        """
        if not self.texts:
            return
        shown = self.texts[:_MOST_FAULTS]
        if more := len(self.texts) - len(shown):
            shown.append(f"and {plural(more, 'more fault')}; correct those above first")
        raise SiteError("\n".join(shown))


def read_lines(source: str, begin: tuple[str, ...], faults: Faults) -> Iterator[Line]:
    """Yield the lines of a file and of the files it includes.

    Parameters
    ----------
    source : str
        The file.
    begin : tuple of str
        First keys, in lower case, of lines that must be read completely. Other lines that are not
        ``KEY=VALUE`` are returned without values.
    faults : Faults
        Collects the faults of lines that must be read completely, and of files that cannot be read.
    """
    try:
        for place, text in placed_lines(source, faults.texts):
            if not text.strip():
                continue
            line, rest = _line(place, text)
            first = re.match(r"\s*([A-Za-z]*)", text)
            if rest and first is not None and first[1].lower() in begin:
                faults.add(place, f"{rest!r:.60} is not KEY=VALUE; correct the line")
                continue
            yield Line(place) if rest else line
    except SiteError as fault:
        faults.texts.append(str(fault))


def _line(place: str, text: str) -> tuple[Line, str]:
    """Read a line; also return the part of its text that is not ``KEY=VALUE``."""
    line = Line(place)
    pairs, rest = pairs_of(text)
    for key, value in pairs:
        name = _ALIASES.get(key.lower(), key.lower())
        if value.lower() != line.values.get(name, value).lower():
            earlier = f"{line.written[name]}={line.values[name]:.60}"
            line.repeated.append(
                f"{key}={value:.60} contradicts {earlier} on the same line; remove one of the two"
            )
        line.values[name] = value
        line.written[name] = key
    return line, rest
