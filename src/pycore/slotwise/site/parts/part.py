"""The base class of the parts of a site, which check and write their own fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields, replace
from datetime import datetime
from typing import Any, ClassVar, Self

from slotwise.site.faults import UNKNOWN, Check, Fault, FaultsError, faults_at

Reader = Callable[[Any], Any]
"""Converts a value from any accepted form to the standard form, or raises a ValueError."""


class SitePart:
    """Base class of the parts of a site: frozen dataclasses whose fields `READERS` read and check.

    A subclass sets `READERS` to a reader for each field, and `DURATIONS` to the names of the fields
    that are durations. Its `CHECKS` find contradictions between fields that are valid on their own.
    """

    __slots__ = ()
    DURATIONS: ClassVar[frozenset[str]] = frozenset()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    READERS: ClassVar[Mapping[str, Reader]]
    CHECKS: ClassVar[Sequence[Check]] = ()

    def __post_init__(self) -> None:
        faults: list[Fault] = []
        for name, read in self.READERS.items():
            try:
                object.__setattr__(self, name, read(getattr(self, name)))
            except ValueError as fault:
                faults += faults_at((name,), fault)
                object.__setattr__(self, name, UNKNOWN)
        faults += self.contradictions(frozenset(str(fault.key[0]) for fault in faults))
        if faults:
            raise FaultsError(faults, self._owner())

    def contradictions(self, wrong: frozenset[str] = frozenset()) -> Iterator[Fault]:
        """Find contradictions between the fields, skipping checks that need a faulty field."""
        for check in self.CHECKS:
            if not check.needs & wrong:
                yield from check.find(self)

    @classmethod
    def known_of(cls, given: Mapping[str, Any], wrong: frozenset[str]) -> Self:
        """Build a part from its valid fields in `given`; `wrong` fields become `UNKNOWN`."""
        part = object.__new__(cls)
        for field in fields(cls):
            if field.name in wrong:
                value: Any = UNKNOWN
            elif field.name in given:
                value = cls.READERS[field.name](given[field.name])
            else:
                value = cls._default(field)
            object.__setattr__(part, field.name, value)
        return part

    def _owner(self) -> str:
        name = getattr(self, "name", None)
        return f"{type(self).__name__}({name!r})" if isinstance(name, str) else type(self).__name__

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, in the form of a site file."""
        known = {field.name: field for field in fields(self)}
        return {
            name: _plain(getattr(self, name))
            for name in self.READERS
            if getattr(self, name) != self._default(known[name])
        }

    @classmethod
    def _default(cls, field: Field[Any]) -> Any:
        # Readers are called only for keys that a file contains, so defaults are converted here.
        return MISSING if field.default is MISSING else cls.READERS[field.name](field.default)


def _plain(value: Any) -> Any:
    """Convert a value for JSON and TOML; a range without an upper bound becomes ``[lower]``."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value if item is not None]
    if isinstance(value, datetime):
        return value.isoformat()
    return value.to_dict() if hasattr(value, "to_dict") else value
