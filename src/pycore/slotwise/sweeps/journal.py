"""The journal of a sweep: rows kept in a file as they come, from which a sweep resumes.

JSON, one object per line. The first line names the subject (trace, sites, measure); each other line
is one row. An incomplete line, cut by a full disk or the end of its process, is ignored and its row
computed again.
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
"""Version of the format; another is refused."""


def subject_of(
    trace: Trace, sites: Sequence[Site], metric_options: MetricOptions
) -> dict[str, Any]:
    """Identify a sweep: rows of another subject do not belong to it."""
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
        """Open or begin the journal of this sweep; leaving its ``with`` block closes it.

        Raises
        ------
        ValueError
            If the file is not a journal, belongs to another sweep, or another process has it open.
        OSError
            If it cannot be written.
        """
        target = Path(path)
        file = target.open("ab", buffering=0)
        try:
            alone = _lock(file)
            text, first = target.read_bytes(), _line(subject)
            begun = not first.startswith(text)  # otherwise a process ended within its first line
            found, rows = read_journal(target) if begun else (subject, {})
            if found != subject:
                differing = ", ".join(k for k in subject if found.get(k) != subject[k])
                raise ValueError(
                    f"{path} is the journal of another sweep (not the same {differing}); "
                    "give another name, or remove the file"
                )
            with named_in_faults(path):
                if alone:  # an incomplete last line of an ended process is removed
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
        """Write rows by the position of their site; they are on disk on return.

        Raises
        ------
        OSError
            Naming the file, if it cannot grow.
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
    """Read the subject of a journal, and its rows by the position of their site.

    Raises
    ------
    ValueError
        For a file that is not a journal.
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
            f"{path} is not a sweep journal that this version reads; give another file"
        )
    return subject, {n: row for n, row in rows.items() if n in range(n_sites)}


def _row_of(entry: Mapping[str, Any]) -> Row:
    row = Row(dict(entry["metrics"]), entry["seconds"])
    if not all(isinstance(value, (int, float)) for value in (row.seconds, *row.metrics.values())):
        raise ValueError("a row holds numbers")
    return row


def _lock(file: FileIO) -> bool:
    """Lock the file against other processes until it is closed, however this one ends.

    Returns False if the file cannot be locked.

    On file systems without locks two may write; whole lines are appended then, and rows are the
    same whoever computed them.

    Raises
    ------
    ValueError
        If another process is writing it.
    """
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        if fault.errno in (errno.EWOULDBLOCK, errno.EACCES):
            raise ValueError(
                f"{file.name} is being written by another process; only one may write at a time: "
                "wait until it has ended, or give another name"
            ) from None
        return False
    return True


def _unlock(file: FileIO) -> None:
    """Release the lock; children of this process may still have the file open."""
    if sys.platform == "win32":
        return
    import fcntl

    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_UN)
