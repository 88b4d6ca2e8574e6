"""Rows of a sweep in a file, as they come: what a sweep that was ended goes on from.

JSON, one object a line. The first line says whose rows these are (trace, sites, measure), each
other is one row. A line that is none, as one cut short by a full disk or the end of its process,
is left out: its row is computed anew.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotwise._files import named_in_faults, write_all
from slotwise.sweeps.rows import MetricOptions, Row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from io import FileIO

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

    def __init__(self, file: FileIO, rows: dict[int, Row]) -> None:
        self._file = file
        self.rows = rows

    @classmethod
    def open(cls, path: str | os.PathLike[str], subject: Mapping[str, Any]) -> Journal:
        """Open or begin the journal of this sweep; it is closed by leaving its ``with`` block.

        Raises
        ------
        ValueError
            Where the file is no journal, that of another sweep, or open in another process.
        OSError
            Where it cannot be written.
        """
        target = Path(path)
        file = target.open("ab", buffering=0)
        try:
            alone = _lock(file)
            text, first = target.read_bytes(), _line(subject)
            begun = not first.startswith(text)  # else a process ended within its first line
            found, rows = read_journal(target) if begun else (subject, {})
            if found != subject:
                differing = ", ".join(k for k in subject if found.get(k) != subject[k])
                raise ValueError(
                    f"{path} is the journal of another sweep (not the same {differing}); "
                    "give another name, or remove it"
                )
            with named_in_faults(path):
                if alone:  # what a process that ended wrote of its last line is removed
                    file.truncate(text.rfind(b"\n") + 1)
                elif text and not text.endswith(b"\n"):
                    write_all(file, b"\n")
                if not begun:
                    write_all(file, first)
        except BaseException:
            file.close()
            raise
        return cls(file, rows)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_fault: object) -> None:
        _unlock(self._file)
        self._file.close()

    def add(self, rows: Mapping[int, Row]) -> None:
        """Keep rows, by the position of their site; they are on disk when this returns.

        Raises
        ------
        OSError
            Naming the file, where it takes no more.
        """
        with named_in_faults(self._file.name):
            for number, row in rows.items():
                line = {"site": number, "seconds": row.seconds, "metrics": row.metrics}
                write_all(self._file, _line(line))
                self.rows[number] = row
            os.fsync(self._file.fileno())


def _line(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values).encode() + b"\n"


def read_journal(path: Path) -> tuple[dict[str, Any], dict[int, Row]]:
    """Read whose rows a journal holds, and the rows by the position of their site.

    Raises
    ------
    ValueError
        For a file that is no journal.
    """
    subjects: list[dict[str, Any]] = []
    rows: dict[int, Row] = {}
    for line in path.read_bytes().split(b"\n")[:-1]:
        try:
            entry = json.loads(line)
            if "slotwise sweep journal" in entry:
                subjects.append(entry)
            else:
                rows[entry["site"]] = _row_of(entry)
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    subject = subjects[0] if subjects else {}
    n_sites = subject.get("n_sites")
    if (
        subject.get("slotwise sweep journal") != FORMAT
        or not isinstance(n_sites, int)
        or any(each != subject for each in subjects)
    ):
        raise ValueError(
            f"{path} is no journal of a sweep that this version reads; give another file"
        )
    return subject, {n: row for n, row in rows.items() if n in range(n_sites)}


def _row_of(entry: Mapping[str, Any]) -> Row:
    row = Row(dict(entry["metrics"]), entry["seconds"])
    if not all(isinstance(value, (int, float)) for value in (row.seconds, *row.metrics.values())):
        raise ValueError("a row holds numbers")
    return row


def _lock(file: FileIO) -> bool:
    """Keep other processes from writing the file until it is closed, however this one ends.

    Returns False where that cannot be done.

    On file systems without locks two may write; whole lines are appended then, and rows are the
    same whoever computed them.

    Raises
    ------
    ValueError
        Where another process writes it.
    """
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        if fault.errno in (errno.EWOULDBLOCK, errno.EACCES):
            raise ValueError(
                f"{file.name} is being written by another process; only one may keep rows there: "
                "wait until that has ended, or give another name"
            ) from None
        return False
    return True


def _unlock(file: FileIO) -> None:
    """Let others write; the file may still be open in children of this process."""
    if sys.platform == "win32":
        return
    import fcntl

    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_UN)
