"""The comments of an SWF file and what a replay takes from them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slotwise.errors import TraceError
from slotwise.trace_report import Fault, make_fault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

_KEY = re.compile(r"[ \t]*;+[ \t]*([A-Za-z][\w-]*)[ \t]*:(?!//)[ \t]*(.*)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)", re.ASCII)


@dataclass(frozen=True)
class Header:
    """Comment lines, the machine's size and the date of time 0."""

    lines: tuple[str, ...] = ()
    max_processors: int | None = None
    unix_start_time: int | None = None

    def values(self) -> dict[str, str]:
        """Return ``; Key: value`` of every line; repeated keys are joined by newlines."""
        found: dict[str, str] = {}
        for line in self.lines:
            match = _KEY.fullmatch(line)
            if match:
                key, value = match[1], match[2].strip()
                found[key] = f"{found[key]}\n{value}" if key in found else value
        return found

    @classmethod
    def made(cls, *, max_processors: int | None, unix_start_time: int | None) -> Header:
        """Return the header of a trace that has no file."""
        if max_processors is not None and int(max_processors) <= 0:
            raise TraceError(
                f"max_processors is {max_processors}; a machine has at least one processor: give "
                "its size, or None where it is not known"
            )
        return cls(
            max_processors=None if max_processors is None else int(max_processors),
            unix_start_time=None if unix_start_time is None else int(unix_start_time),
        )

    @classmethod
    def parsed(cls, comments: Sequence[tuple[bytes, int]]) -> tuple[Header, list[Fault]]:
        """Read the comments of a file, each with its line number."""
        lines = [_decode(text) for text, _ in comments]
        faults: dict[str, list[int]] = {}
        found: dict[str, tuple[int, int]] = {}
        for line, (_, number) in zip(lines, comments, strict=True):
            match = _KEY.fullmatch(line)
            key = match[1].lower() if match else ""
            if match is None or key not in _NUMBERS or key in found:
                continue
            value, odd = _number(match[2])
            if odd:
                faults.setdefault(odd, []).append(number)
            if value is not None and value >= _NUMBERS[key]:
                found[key] = (value, number)
        if "maxprocs" not in found and "maxnodes" in found:
            faults["machine_from_max_nodes"] = [found["maxnodes"][1]]
        size = found.get("maxprocs") or found.get("maxnodes")
        start = found.get("unixstarttime")
        header = cls(tuple(lines), size[0] if size else None, start[0] if start else None)
        return header, [make_fault(name, len(at), at[:10]) for name, at in faults.items()]

    def rejected(self, columns: Mapping[str, NDArray[np.int64]]) -> list[Fault]:
        """Return the jobs wider than the machine, in the order of the file."""
        if self.max_processors is None:
            return []
        wide = np.flatnonzero(columns["processors"] > self.max_processors)
        if len(wide) == 0:
            return []
        lines = np.sort(columns["line"][wide])[:10].tolist() if "line" in columns else []
        return [make_fault("wider_than_machine", len(wide), lines)]


_NUMBERS = {"maxprocs": 1, "maxnodes": 1, "unixstarttime": 0}  # and the least that says something


def _number(text: str) -> tuple[int | None, str]:
    """Return the number a header value begins with, and the reason it needed repair."""
    match = _NUMBER.match(text)
    if match is None:
        return None, "header_number_unreadable"
    value = int(match[0].replace(",", "")[:25])
    return value, "" if match[0] == text.strip() else "header_text_after_number"


def _decode(text: bytes) -> str:
    """Return UTF-8 where the bytes are, else Latin-1, which any bytes are."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")
