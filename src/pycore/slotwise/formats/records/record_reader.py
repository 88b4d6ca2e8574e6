"""A reader that splits a file into records, each with its line number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from slotwise.formats.beginning import Beginning


@dataclass(frozen=True)
class RecordReader:
    """A method of reading the records of a file.

    Attributes
    ----------
    records : callable
        Takes a path; yields the line number and the named strings of each record.
    recognises : callable or None
        Recognises a file by its beginning; None if the profile's ``line`` or ``header`` does so.
    """

    records: Callable[[str], Iterator[tuple[int, dict[str, str]]]]
    recognises: Callable[[Beginning], bool] | None = None
