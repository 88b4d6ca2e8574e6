"""Reads columns of a delimited text file, named by the dialect or by the file's first line."""

from __future__ import annotations

import csv
import itertools
from array import array
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from slotwise._core import TableReader
from slotwise.errors import TraceError
from slotwise.formats.lines import LONGEST_LINE, LONGEST_RECORD, PIECE, text_pieces
from slotwise.formats.text.raw_columns import CellFault, RawColumn, RawTable
from slotwise.trace.header import decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_SEPARATOR = "\x1f"
"""Separator of the cells of records read in Python; no log contains this character."""

LINE_HASH = "\n hash"
"""Key under which a record stores the hash of its line; no log has a field of this name."""

_DIVIDING = {ord(mark): " " for mark in "\n\0" + _SEPARATOR}


@dataclass(frozen=True)
class Dialect:
    """Rules by which a text is split into records and fields.

    Attributes
    ----------
    delimiter : str
        One character; a space means any number of spaces and tabs.
    quotes : bool
        Whether ``"a, b"`` is one field.
    comment : str
        Text that begins a comment line; empty if there are no comments.
    names : tuple of str
        Names of the fields; empty if the first line has them.
    last_takes_rest : bool
        Whether the last field may contain the delimiter.
    rest_names : tuple of str
        Fields that may contain the delimiter if they are the last ones in the first line.
    any_width : bool
        Whether lines may have more or fewer fields.
    longest_line : int
        Maximum number of bytes in a line.
    hashes_lines : bool
        Whether to compute hashes, by which copies of a line are found.
    other_delimiters : tuple of str
        Alternatives to `delimiter`; the one that splits the first line into the most names is used.
        With a comma, fields may be quoted.
    """

    delimiter: str = ","
    quotes: bool = True
    comment: str = ""
    names: tuple[str, ...] = ()
    last_takes_rest: bool = False
    rest_names: tuple[str, ...] = ()
    any_width: bool = False
    longest_line: int = LONGEST_LINE
    hashes_lines: bool = False
    other_delimiters: tuple[str, ...] = ()

    def settled(self, line: str) -> Dialect:
        """Return the dialect with the delimiter that is used in the header line `line`."""
        delimiters = (self.delimiter, *self.other_delimiters)
        chosen = max(delimiters, key=line.count)
        if chosen == self.delimiter:
            return self
        return replace(self, delimiter=chosen, quotes=self.quotes or chosen == ",")


@dataclass(frozen=True)
class CellRule:
    """A column to read: its field, and the kind of its cells (docs/formats.md lists the kinds).

    A fallback applies only if earlier rules for the column found no value.
    """

    field: str
    kind: str
    bare: float = 1.0
    key: str = ""
    unknown: tuple[str, ...] = ()
    is_fallback: bool = False


def read_table(
    path: str, dialect: Dialect, choose: Callable[[Sequence[str]], Sequence[CellRule]]
) -> tuple[list[CellRule], RawTable]:
    """Read the columns that `choose` selects, given the names of the fields.

    Raises
    ------
    TraceError
        For a file that cannot be read, is not text, or has a line that is too long.
    """
    pieces = text_pieces(path)
    try:
        names: Sequence[str] = dialect.names
        if not names:
            names, dialect, pieces = header_of(pieces, dialect)
            if names and names[-1].casefold() in map(str.casefold, dialect.rest_names):
                dialect = replace(dialect, last_takes_rest=True)
        rules = list(choose(names))
        reader = _reader(dialect, names, rules, skipped=0 if dialect.names else 1)
        for piece in pieces:
            reader.feed(piece)
        return rules, _finished(reader)
    except TraceError as fault:
        raise TraceError(fault.message, path=path, line=fault.line) from None


def table_of_records(
    records: Iterable[tuple[int, dict[str, str]]], rules: Sequence[CellRule]
) -> RawTable:
    """Read the cells and line numbers of records that another reader has split.

    A record may contain the hash of its line, named :data:`LINE_HASH`.
    """
    names = list(dict.fromkeys(rule.field for rule in rules))
    dialect = Dialect(delimiter=_SEPARATOR, quotes=False, longest_line=LONGEST_RECORD)
    line = CellRule("\n", "number")
    reader = _reader(dialect, ["\n", *names], [line, *rules], skipped=0)
    counted, hashes = array("q"), array("q")
    rows: list[str] = []
    size = 0
    for number, record in records:
        counted.append(number)
        hashes.append(int(record.get(LINE_HASH, "0")))
        rows.append(_row(number, [record.get(name, "") for name in names]))
        size += len(rows[-1])
        # Characters are counted, not records, because a single record may be very long.
        if size > PIECE:
            reader.feed("".join(rows).encode("utf-8", "surrogateescape"))
            rows.clear()
            size = 0
    reader.feed("".join(rows).encode("utf-8", "surrogateescape"))
    table = _finished(reader)
    table.lines = table.columns.pop(0).values
    table.hashes = np.array(hashes)
    for column in table.columns:
        fault = column.unreadable
        lines = tuple(counted[at - 1] for at in fault.lines)
        column.unreadable = CellFault(fault.count, lines, fault.example, fault.length)
    return table


def _row(number: int, cells: list[str]) -> str:
    """Write a record as a line; line breaks, nulls and separators in its cells become blanks."""
    text = f"{number}{_SEPARATOR}{_SEPARATOR.join(cells)}"
    if "\n" in text or "\0" in text or text.count(_SEPARATOR) > len(cells):
        text = _SEPARATOR.join([str(number), *(cell.translate(_DIVIDING) for cell in cells)])
    return text + "\n"


def _reader(
    dialect: Dialect, names: Sequence[str], rules: Sequence[CellRule], *, skipped: int
) -> TableReader:
    places = {name: place for place, name in reversed(list(enumerate(names)))}
    told = {
        "delimiter": dialect.delimiter,
        "has_quotes": dialect.quotes,
        "comment": dialect.comment,
        "skipped_records": skipped,
        "fields": 0 if dialect.any_width else len(names),
        "last_takes_rest": dialect.last_takes_rest,
        "longest_line": dialect.longest_line,
        "hashes_lines": dialect.hashes_lines,
    }
    return TableReader(
        told,
        [
            {
                "field": places[rule.field],
                "kind": rule.kind,
                "bare": rule.bare,
                "key": rule.key,
                "unknown": list(rule.unknown),
                "is_fallback": rule.is_fallback,
            }
            for rule in rules
        ],
    )


def _finished(reader: TableReader) -> RawTable:
    told = reader.finish()
    return RawTable(
        [RawColumn.of(column) for column in told["columns"]],
        told["lines"],
        CellFault.of(told["too_few"]),
        CellFault.of(told["too_many"]),
        told["open_quote"],
        told["hashes"],
    )


def header_of(
    pieces: Iterable[bytes], dialect: Dialect
) -> tuple[list[str], Dialect, Iterator[bytes]]:
    """Return the names in the first line, the dialect with its delimiter, and the whole text."""
    source = iter(pieces)
    begun: list[bytes] = []
    size = 0
    for piece in source:
        begun.append(piece)
        size += len(piece)
        if size > dialect.longest_line or _has_header(b"".join(begun), dialect):
            break
    text = b"".join(begun)
    if b"\0" in text:
        raise TraceError(
            "the file contains NUL bytes and is not plain text; use a UTF-8 text file, compressed "
            "(.gz) or not"
        )
    line = decode(next(_lines_of(text, dialect), b""))
    return names_in(text, dialect), dialect.settled(line), itertools.chain(begun, source)


def _lines_of(text: bytes, dialect: Dialect) -> Iterator[bytes]:
    comment = dialect.comment.encode()
    for line in text.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.strip() and not (comment and line.lstrip().startswith(comment)):
            yield line


def _has_header(text: bytes, dialect: Dialect) -> bool:
    return next(_lines_of(text[: text.rfind(b"\n") + 1], dialect), None) is not None


def names_in(text: bytes, dialect: Dialect) -> list[str]:
    """Read the names in the first line of a text. Return no names if it is empty."""
    line = decode(next(_lines_of(text, dialect), b""))
    return [name.strip() for name in cells_in(line, dialect.settled(line))]


def cells_in(line: str, dialect: Dialect) -> list[str]:
    """Split one line into its fields."""
    line = line.strip("\r\n")
    if dialect.delimiter == " ":
        return line.split()
    if not line.strip():
        return []
    if not dialect.quotes:
        return line.split(dialect.delimiter)
    try:
        return next(csv.reader([line], delimiter=dialect.delimiter), [])
    except csv.Error:
        return [cell.strip().strip('"') for cell in line.split(dialect.delimiter)]
