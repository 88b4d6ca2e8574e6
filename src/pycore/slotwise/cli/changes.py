"""Changes to a site in ``--with``: ``machine.nodes.gpu.count=+20, policy.backfill=easy``."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from slotwise.cli.default_values import default_number, named_order
from slotwise.cli.settings import DEFAULT, add, check_known, held_value, parse_setting
from slotwise.site.faults import dotted
from slotwise.site.parts.limits import COUNT_READERS, RESOURCE_LIMITS
from slotwise.terminal.exits import UsageError
from slotwise.terminal.numbers import shortened
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from slotwise.cli.settings import Written
    from slotwise.site import Site
    from slotwise.site.faults import Key

_CHANGE = re.compile(r"([+*-])\s*([0-9]{1,18}(?:\.[0-9]{1,18})?)")
_SECOND_KEY = re.compile(r",\s*[a-z_]+(?:\.[\w\[\]-]+)+\s*=")
_OPENED = {"[": 1, "{": 1, "]": -1, "}": -1}
_LONGEST_TITLE = 31
"""Maximum characters per line of a heading; longer lines do not fit into an 80-column table."""
_PLAIN = (("policy", "backfill"), ("policy", "order"), ("policy", "preset"))
"""Keys that a heading leaves out; only their values are shown."""
_IMPLIED = ("machine", "nodes", "limits", "policy", "queue")
"""Tables whose names are left out of headings."""
_WHOLE = frozenset((*COUNT_READERS, *RESOURCE_LIMITS, "processors", "nodes_per_job", "node_count"))
"""Keys outside [machine] and [limits] that take whole numbers."""


@dataclass(frozen=True)
class Change:
    """One part of ``--with``.

    Attributes
    ----------
    key : Key
    value : Any
        The new value; None if the part has a sign.
    sign : str
        ``+``, ``-`` or ``*`` if the part adds to, subtracts from or scales a number.
        Empty for any other part.
    amount : Fraction
        The number after the sign.
    written : str
        The part as typed.
    """

    key: Key
    value: Any
    sign: str
    amount: Fraction
    written: str

    @property
    def place(self) -> str:
        """The option and the part, as shown in messages."""
        return f"--with {shortened(self.written)}"

    @property
    def title(self) -> str:
        """The change in a few words: ``gpu +20``, ``running_per_user=20``, ``conservative``."""
        steps = self.key[1:] if len(self.key) > 1 and self.key[0] in _IMPLIED else self.key
        if self.key[:2] == ("machine", "nodes"):
            steps = self.key[2:]
            steps = steps[:-1] if steps[-1:] == ("count",) and len(steps) > 1 else steps
        name = dotted(steps) if steps and isinstance(steps[0], str) else dotted(self.key)
        typed = self.written.partition("=")[2].strip()
        if self.value is DEFAULT:
            return f"no {name}"
        if self.key in _PLAIN and not self.sign:
            return typed.strip('"')
        return f"{name} {self.sign}{typed[1:].strip()}" if self.sign else f"{name}={typed}"


def parse_changes(written: str) -> list[Change]:
    """Read one ``--with``: parts ``KEY=VALUE``, separated by a comma and a space.

    Raises
    ------
    UsageError
        For a part of any other form.
    """
    return [_parse_change(part) for part in _parts(written)]


def title_of(changes: list[Change]) -> str:
    """Name a column after its changes; each line of the heading has at most 31 characters.

    A heading begins a new line after each comma.
    """
    lines = ", ".join(change.title for change in changes).split(", ")
    return ", ".join(
        line if len(line) <= _LONGEST_TITLE else f"{line[: _LONGEST_TITLE - 1]}…" for line in lines
    )


def settings_of(changes: list[Change], tables: Mapping[str, Any], site: Site) -> Written:
    """Compute each key's new value from its value in the tables of a site, or from its default.

    Raises
    ------
    UsageError
        If a change refers to a value that the site lacks or that is not a number.
    """
    written: Written = {}
    for change in changes:
        value = change.value if not change.sign else _changed(change, tables, site)
        add(written, change.key, change.place, value)
        if change.key[:2] == ("policy", "order") and len(change.key) == 3:
            order = named_order(site)
            if order and "order" not in tables.get("policy", {}):
                add(written, ("policy", "order", "name"), change.place, order)
    return written


def _parts(written: str) -> Iterator[str]:
    """Split at each comma and space outside quotes and brackets."""
    depth, quote, begin = 0, "", 0
    for position, sign in enumerate(written):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in _OPENED:
            depth += _OPENED[sign]
        elif depth == 0 and written[position : position + 2] == ", ":
            yield written[begin:position]
            begin = position + 1
    yield written[begin:]


def _parse_change(part: str) -> Change:
    written = part.strip()
    if not written:
        raise UsageError(
            "--with: a change is empty; write KEY=VALUE, and separate several changes with a comma "
            'and a space, such as "limits.running_per_user=20, policy.backfill=conservative"'
        )
    key, value = parse_setting(written, "--with")
    raw = written.partition("=")[2].strip()
    if isinstance(value, str) and (second := _SECOND_KEY.search(raw)):
        raise UsageError(
            f"--with {shortened(written)}: two changes need a comma and a space between them; "
            f"write ', ' before {second[0].lstrip(', ')}"
        )
    if raw[:1] not in ("+", "-", "*"):
        return Change(key, value, "", Fraction(), written)
    match = _CHANGE.fullmatch(raw)
    if match is None:
        raise UsageError(
            f"--with {shortened(written)}: '{shortened(raw)}' is not a change to a number; write, "
            "for example, +20, -20 or *1.5"
        )
    return Change(key, None, match[1], Fraction(match[2]), written)


def _changed(change: Change, tables: Mapping[str, Any], site: Site) -> int | float:
    """Apply ``+n``, ``-n`` or ``*f`` to a value of a site."""
    path, value = held_value(copy.deepcopy(dict(tables)), change.key, change.place)
    key = dotted(change.key)
    if value is DEFAULT:
        check_known(path, change.place)
        usual = default_number(site, path)
        value = DEFAULT if usual is None else usual
    if value is DEFAULT:
        is_size = change.key == ("machine", "processors")
        remedy = "set the size with --processors N" if is_size else f"write the value: {key}=VALUE"
        raise UsageError(f"{change.place}: the site has no {key} to change; {remedy}")
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        kind = "the string " if isinstance(value, str) else ""
        raise UsageError(
            f"{change.place}: {key} is {kind}{shown(value)}, but {change.sign} can change only "
            f"numbers; write the new value as {key}=VALUE"
        )
    old = Fraction(str(value))  # the decimal number as written
    new = old * change.amount if change.sign == "*" else old + _signed(change)
    if isinstance(value, int) and new.denominator > 1 and _is_whole(path):
        new = Fraction((2 * new.numerator + new.denominator) // (2 * new.denominator))  # half up
    return int(new) if isinstance(value, int) and new.denominator == 1 else float(new)


def _signed(change: Change) -> Fraction:
    return -change.amount if change.sign == "-" else change.amount


def _is_whole(path: Key) -> bool:
    """Return True for keys that count nodes, processors, jobs or amounts of a resource."""
    if path[0] in ("machine", "limits"):
        return True
    return path[0] != "policy" and not _WHOLE.isdisjoint(path)
