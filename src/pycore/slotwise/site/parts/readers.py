"""Readers of single values: each returns the standard form, or raises an error with the rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from slotwise._numbers import real, whole
from slotwise.site.faults import Fault, FaultsError, read_each
from slotwise.site.parts.times import seconds_of
from slotwise.written_values import shown, written_value

if TYPE_CHECKING:
    from slotwise.site.parts.part import Reader

LARGEST = 2**31 - 1
LARGEST_LIMIT = 2**63 - 1
LARGEST_SHAPE = 1e6

NONE = "none"
"""The word that means no limit or no duration."""


def name(value: Any) -> str:
    """Read a name: any string that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{shown(value)} must be a name: a string that is not blank")
    return value


def plain(what: str, *kinds: type) -> Reader:
    """Return a reader that accepts values of the types in `kinds`, and does not convert them.

    A bool does not count as a number. Messages show the wrong value in full.
    """

    def read(value: Any) -> Any:
        is_kind = bool in kinds if isinstance(value, bool) else isinstance(value, kinds)
        if not is_kind:
            raise ValueError(f"{written_value(value)} must be {what}")
        return value

    return read


def flag(value: Any) -> bool:
    """Read a truth value."""
    if not isinstance(value, bool):
        raise ValueError(f"{shown(value)} must be true or false")
    return value


def count(least: int, what: str, largest: int = LARGEST) -> Reader:
    """Return a reader of whole numbers from `least` to `largest`.

    In messages, `what` follows the word "number": ``of nodes``.
    """

    def read(value: Any) -> int:
        number = whole(value)
        if number is None:
            raise ValueError(f"{shown(value)} must be {what}")
        if not least <= number <= largest:
            raise ValueError(f"{shown(number)} must be {what}, from {least} to {largest}")
        return number

    return read


def named(what: str) -> Reader:
    """Return a reader of names, or of the log's numbers for them, which begin at 0."""
    number = count(0, f"a name, or a whole number {what}")

    def read(value: Any) -> int | str:
        if isinstance(value, str):
            return name(value)
        return int(number(value))

    return read


processors = count(1, "a whole number of processors")
"""Reader of a number of processors."""

nodes = count(1, "a whole number of nodes")
"""Reader of a number of nodes."""

tier = count(0, "a whole number", 65535)
"""Reader of a partition's tier, within Slurm's bounds."""

seed = count(0, "a whole number", 2**64 - 1)
"""Reader of a seed."""


def limit(what: str) -> Reader:
    """Return a reader of limits: None or "none" for no limit, otherwise at least 1."""

    def read(value: Any) -> int | None:
        if _is_one_of(value, (None, NONE)):
            return None
        number = whole(value)
        if number is None:
            raise ValueError(f"{shown(value)} must be a whole number of {what}")
        if number < 1:
            raise ValueError(
                f"{shown(number)} would let no job start: a limit must be at least 1; omit the key "
                "for no limit"
            )
        if number > LARGEST_LIMIT:
            raise ValueError(
                f"{shown(number)} must be at most {LARGEST_LIMIT}; leave it out for no limit"
            )
        return number

    return read


def number(value: Any) -> float:
    """Read a finite number."""
    found = real(value)
    if found is None or not abs(found) < float("inf"):
        raise ValueError(f"{shown(value)} must be a number")
    return found


def at_least_zero(value: Any) -> float:
    """Read a finite number that is not negative."""
    found = number(value)
    if found < 0:
        raise ValueError(f"{found:g} must be at least 0")
    return found


def positive(value: Any) -> float:
    """Read a finite number above 0."""
    found = number(value)
    if found <= 0:
        raise ValueError(f"{found:g} must be above 0")
    return found


def shape(value: Any) -> float:
    """Read the shape of a Weibull law within the core's bounds."""
    found = positive(value)
    if found > LARGEST_SHAPE:
        raise ValueError(
            f"{found:g} must be above 0 and at most 10^6; 1 gives the exponential distribution"
        )
    return found


def duration(value: Any) -> int:
    """Read a duration, which may be 0."""
    return seconds_of(value)


def lasting(value: Any) -> int:
    """Read a duration of at least a second."""
    return seconds_of(value, least=1)


def optional(read: Reader) -> Reader:
    """Return a reader that also accepts None and, unless it reads names, "none"."""
    none = (None,) if read is name else (None, NONE)
    return lambda value: None if _is_one_of(value, none) else read(value)


def _is_one_of(value: Any, known: tuple[Any, ...]) -> bool:
    return (value is None or isinstance(value, str)) and value in known


def one_of(*known: str) -> Reader:
    """Return a reader that accepts only the words in `known`."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"{shown(value)} must be one of: {', '.join(known)}")
        return str(value)

    return read


def many(read: Reader, what: str) -> Reader:
    """Return a reader of lists of `what` without duplicates; a single value counts as a list."""

    def read_all(value: Any) -> tuple[Any, ...]:
        if isinstance(value, str) or not isinstance(value, Iterable) or isinstance(value, dict):
            return (read(value),)
        items = read_each(read, value)
        first = dict(zip(reversed(items), range(len(items) - 1, -1, -1), strict=True))
        twice = [
            Fault((index,), f"{shown(item)} is listed twice; list each of the {what} only once")
            for index, item in enumerate(items)
            if first[item] < index
        ]
        if twice:
            raise FaultsError(twice)
        return items

    return read_all


def span(read: Reader, what: str) -> Reader:
    """Return a reader of ranges of two values; without the second, there is no upper bound."""

    def read_both(value: Any) -> tuple[Any, Any]:
        single = isinstance(value, str | dict) or not isinstance(value, Iterable)
        ends = [] if single else list(value)
        if len(ends) not in (1, 2):
            raise ValueError(
                f"{shown(value)} must be a range of {what}, written [from, to]; omit the second "
                "value for no upper bound"
            )
        if len(ends) == 1 or ends[1] is None:
            return *read_each(read, ends[:1]), None
        low, high = read_each(read, ends)
        return low, high

    return read_both
