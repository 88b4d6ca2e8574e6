"""Rows of a sweep in a file, as they come: what a sweep that was ended goes on from.

JSON, one object a line. The first line says whose rows these are (trace, sites, measure), each
other is one row. A line cut short, the last of a process that died, is left out.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from slotwise.sweeps.rows import MetricOptions, Row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slotwise.site import Site
    from slotwise.trace import Trace

FORMAT = 1
"""Of journals; another is refused."""


def subject_of(
    trace: Trace, sites: Sequence[Site], metric_options: MetricOptions
) -> dict[str, Any]:
    """Say what a sweep is of: rows of another subject are not its rows."""
    text = json.dumps([site.to_dict() for site in sites], sort_keys=True, default=str)
    return {
        "slotwise sweep journal": FORMAT,
        "trace": trace.content_hash,
        "sites": hashlib.sha256(text.encode()).hexdigest(),
        "n_sites": len(sites),
        "threshold": metric_options.threshold,
        "trim": list(metric_options.trim),
    }


class Journal:
    """The rows so far, by the position of their site.

    Attributes
    ----------
    rows : dict of int to Row
    """

    def __init__(self, file: IO[str], rows: dict[int, Row]) -> None:
        self._file = file
        self.rows = rows

    @classmethod
    def open(cls, path: str | os.PathLike[str], subject: Mapping[str, Any]) -> Journal:
        """Open or begin the journal of this sweep; it is closed by leaving its ``with`` block.

        Raises
        ------
        ValueError
            Where the file is no journal, or that of another sweep.
        """
        rows: dict[int, Row] = {}
        target = Path(path)
        begun = target.exists() and b"\n" in target.read_bytes()
        if begun:
            found, rows = read_journal(target)
            if found != subject:
                differing = ", ".join(k for k in subject if found.get(k) != subject[k])
                raise ValueError(
                    f"{path} is the journal of another sweep (not the same {differing}); "
                    "give another name, or remove it"
                )
            with target.open("r+b") as raw:
                _cut_at_last_line(raw)
        journal = cls(target.open("a" if begun else "w", encoding="utf-8"), rows)
        if not begun:
            journal._write(subject)
        return journal

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_fault: object) -> None:
        self._file.close()

    def add(self, rows: Mapping[int, Row]) -> None:
        """Keep rows, by the position of their site; they are on disk when this returns."""
        for number, row in rows.items():
            self._write({"site": number, "seconds": row.seconds, "metrics": row.metrics})
            self.rows[number] = row
        os.fsync(self._file.fileno())

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


def read_journal(path: Path) -> tuple[dict[str, Any], dict[int, Row]]:
    """Read whose rows a journal holds, and the rows by the position of their site.

    Raises
    ------
    ValueError
        For a file that is no journal.
    """
    lines = path.read_bytes().split(b"\n")
    whole_lines, _rest = lines[:-1], lines[-1]
    try:
        subject = json.loads(whole_lines[0]) if whole_lines else {}
        if not isinstance(subject, dict) or subject.get("slotwise sweep journal") != FORMAT:
            raise ValueError
        rows: dict[int, Row] = {}
        for line in whole_lines[1:]:
            row = json.loads(line)
            rows[row["site"]] = Row(row["metrics"], row["seconds"])
    except (ValueError, KeyError, TypeError):
        raise ValueError(
            f"{path} is no journal of a sweep that this version reads; give another file"
        ) from None
    return subject, rows


def _cut_at_last_line(file: IO[Any]) -> None:
    """Remove what a process that died wrote of its last line."""
    text = file.read()
    file.truncate(text.rfind(b"\n") + 1)
