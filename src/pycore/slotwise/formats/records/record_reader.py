"""A reader that parts a file into records, each with its line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from slotwise.formats.beginning import Beginning


@dataclass(frozen=True)
class RecordReader:
    """How the records of a file are found.

    Attributes
    ----------
    records : callable
        Gives line and named texts of each record of the file of a path.
    recognises : callable or None
        Tells a file by its beginning; None where the profile's line does.
    """

    records: Callable[[str], Iterator[tuple[int, dict[str, str]]]]
    recognises: Callable[[Beginning], bool] | None = None
