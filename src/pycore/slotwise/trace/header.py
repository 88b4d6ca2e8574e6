"""The comments of an SWF file, and the values that a replay reads from them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slotwise._numbers import whole
from slotwise.errors import TraceError
from slotwise.trace.report import ReadingFault, make_fault
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

_KEY = re.compile(r"[ \t]*;+[ \t]*([A-Za-z][\w-]*)[ \t]*:(?!//)[ \t]*(.*)", re.DOTALL)
_COMMENT = re.compile(r"[ \t]*;([^\n\0]*[^\r\n\0])?")
_SURROGATE = re.compile("[\ud800-\udfff]")  # half of a surrogate pair, which no file can contain
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?![A-Za-z\d])", re.ASCII)


@dataclass(frozen=True)
class Header:
    """Comment lines, the machine's size and the date of time 0."""

    lines: tuple[str, ...] = ()
    max_processors: int | None = None
    unix_start_time: int | None = None

    def values(self) -> dict[str, str]:
        """Return the header's ``; Key: value`` entries; repeated keys are joined by newlines."""
        found: dict[str, str] = {}
        for line in self.lines:
            match = _KEY.fullmatch(line)
            if match:
                key, value = match[1], match[2].strip()
                found[key] = f"{found[key]}\n{value}" if key in found else value
        return found

    @classmethod
    def made(
        cls,
        *,
        max_processors: int | None,
        unix_start_time: int | None,
        lines: Sequence[str] | None,
    ) -> tuple[Header, list[ReadingFault]]:
        """Build the header of a trace without a file; given numbers override those in `lines`."""
        size = _given("max_processors", max_processors, 1, _LARGEST["maxprocs"])
        start = _given("unix_start_time", unix_start_time, 0, _LARGEST["unixstarttime"])
        if lines is None:
            return cls((), size, start), []
        if isinstance(lines, str) or not isinstance(lines, Iterable):
            raise TraceError(
                f"header_lines is {lines!r}; pass a list of lines, each beginning with ';'"
            )
        comments = [(_comment(i, line).encode(), 0) for i, line in enumerate(lines)]
        said, faults = cls.parsed(comments)
        size = said.max_processors if size is None else size
        start = said.unix_start_time if start is None else start
        return cls(said.lines, size, start), faults

    @classmethod
    def parsed(
        cls, comments: Sequence[tuple[bytes, int]], *, in_nodes: bool = False
    ) -> tuple[Header, list[ReadingFault]]:
        """Read the comments of a file, each with its line number.

        If jobs are counted `in_nodes`, MaxNodes takes precedence over MaxProcs.
        """
        lines = [decode(text) for text, _ in comments]
        faults: dict[str, list[tuple[int, str]]] = {}
        found: dict[str, tuple[int, int, str]] = {}
        for line, (_, number) in zip(lines, comments, strict=True):
            match = _KEY.fullmatch(line)
            key = match[1].lower() if match else ""
            if match is None or key not in _LEAST or key in found:
                continue
            value, odd = _number(match[2], _LARGEST[key])
            if odd:
                faults.setdefault(odd, []).append((number, line))
            if value is not None and value >= _LEAST[key]:
                found[key] = (value, number, line)
        size = found.get("maxprocs")
        if "maxnodes" in found and (size is None or in_nodes):
            size = found["maxnodes"]
            faults["machine_from_max_nodes"] = [size[1:]]
        start = found.get("unixstarttime")
        header = cls(tuple(lines), size[0] if size else None, start[0] if start else None)
        return header, [
            make_fault(name, len(at), [number for number, _ in at[:10]], at[0][1])
            for name, at in faults.items()
        ]

    def written(self) -> list[str]:
        """Return the comment lines from which this header can be read again."""
        said, _ = Header.parsed([(line.encode(), 0) for line in self.lines])
        added = []
        if not self.lines:
            added.append("; Version: 2.2")
        if self.max_processors != said.max_processors:
            added.append(f"; MaxProcs: {self.max_processors}")
        if self.unix_start_time != said.unix_start_time:
            added.append(f"; UnixStartTime: {self.unix_start_time}")
        return [*added, *self.lines]

    def rejected(self, columns: Mapping[str, NDArray[np.int64]]) -> list[ReadingFault]:
        """Return one fault for all jobs wider than the machine; an empty list if there are none."""
        if self.max_processors is None:
            return []
        wide = np.flatnonzero(columns["processors"] > self.max_processors)
        if len(wide) == 0:
            return []
        lines = []
        if "line" in columns:
            wide = wide[np.argsort(columns["line"][wide], kind="stable")]
            lines = columns["line"][wide[:10]].tolist()
        first = wide[0]
        example = f"job {columns['job_id'][first]}: {columns['processors'][first]} processors"
        return [make_fault("wider_than_machine", len(wide), lines, example)]


# The smallest and the largest meaningful value of each header entry that a replay uses.
_LEAST = {"maxprocs": 1, "maxnodes": 1, "unixstarttime": 0}
_LARGEST = {"maxprocs": 2**31 - 1, "maxnodes": 2**31 - 1, "unixstarttime": 2**53}


def _given(name: str, value: object, least: int, largest: int) -> int | None:
    if value is None:
        return None
    number = whole(value)
    if number is None or not least <= number <= largest:
        raise TraceError(
            f"{name} is {shown(value)}; it must be a whole number from {least} to {largest}: pass "
            "one, or None if it is unknown"
        )
    return number


def _comment(row: int, line: object) -> str:
    if isinstance(line, str) and _COMMENT.fullmatch(line) and not _SURROGATE.search(line):
        return line
    raise TraceError(
        f"header_lines[{row}] is {line!r}; a comment must be a single line of valid text that "
        "begins with ';': correct it"
    )


def _number(text: str, largest: int) -> tuple[int | None, str]:
    """Return the number at the start of a header value, and the reason for repairing it, if any."""
    match = _NUMBER.match(text)
    value = int(match[0].replace(",", "")[:25]) if match else largest + 1
    if match is None or value > largest:
        return None, "header_number_unreadable"
    return value, "" if match[0] == text.strip() else "header_text_after_number"


def decode(text: bytes) -> str:
    """Decode bytes as UTF-8 if they are valid, otherwise as Latin-1, which is always valid."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")
