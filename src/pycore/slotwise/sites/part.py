"""What every part of a site does alike: check all of itself, and write itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, replace
from datetime import datetime
from typing import Any, ClassVar, Self

from slotwise.errors import texts_of
from slotwise.sites.faults import Fault, FaultsError

Reader = Callable[[Any], Any]
"""Takes a value in any form it may have and returns it in one; ValueError says what is wrong."""


class SitePart:
    """A frozen dataclass whose fields are read by `READERS`.

    Subclasses name a reader for each field, those fields that are durations, and in
    `_contradictions` what is wrong with fields that are right by themselves.
    """

    __slots__ = ()
    DURATIONS: ClassVar[frozenset[str]] = frozenset()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    READERS: ClassVar[Mapping[str, Reader]]

    def __post_init__(self) -> None:
        faults = []
        for name, read in self.READERS.items():
            try:
                object.__setattr__(self, name, read(getattr(self, name)))
            except ValueError as fault:
                faults += [Fault((name,), text) for text in texts_of(fault)]
        if not faults:
            faults = list(self._contradictions())
        if faults:
            raise FaultsError(faults, self._owner())

    def _contradictions(self) -> Iterator[Fault]:
        yield from ()

    def _owner(self) -> str:
        name = getattr(self, "name", None)
        return f"{type(self).__name__}({name!r})" if isinstance(name, str) else type(self).__name__

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, as a site file has them."""
        return {
            field.name: _plain(getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != self._default(field)
        }

    @classmethod
    def _default(cls, field: Field[Any]) -> Any:
        # What is left out of a file is not read: the default as its reader would give it.
        return MISSING if field.default is MISSING else cls.READERS[field.name](field.default)


def _plain(value: Any) -> Any:
    """Write a value as JSON and TOML can hold it; a range without upper end has one number."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value if item is not None]
    if isinstance(value, datetime):
        return value.isoformat()
    return value.to_dict() if hasattr(value, "to_dict") else value
