"""The journal of a sweep: a file of finished rows, from which a sweep resumes.

It is JSON, one object per line. The first line names the subject (trace, sites, metric options);
every other line is one row. A line cut off by a full disk or a killed process is ignored, and its
row is computed again.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotwise.formats.json_lines import JsonLines, line_of, values_of
from slotwise.site.function_values import site_values
from slotwise.sweeps.rows import MetricOptions, Row

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from slotwise.site import Site

FORMAT = 2
"""Version of the format; other versions are refused."""


def subject_of(
    replay_hash: str, sites: Sequence[Site], metric_options: MetricOptions, n_traces: int = 1
) -> dict[str, Any]:
    """Return values that identify a sweep; a journal of another sweep has other values.

    Parameters
    ----------
    replay_hash : str
        Hash of the trace, or of all traces.
    sites : sequence of Site
        Each trace has one row per site.
    metric_options : MetricOptions
    n_traces : int, default 1
    """
    text = json.dumps([site_values(site) for site in sites], sort_keys=True, default=str)
    return {
        "slotwise sweep journal": FORMAT,
        "trace": replay_hash,
        "sites": hashlib.sha256(text.encode()).hexdigest(),
        "n_sites": n_traces * len(sites),
        "threshold": metric_options.threshold,
        "trim": list(metric_options.trim),
    }


class Journal:
    """The journal of one sweep, open for writing.

    Attributes
    ----------
    rows : dict of int to Row
        The finished rows, by their position in the sweep, from 0.
    """

    def __init__(self, file: JsonLines, rows: dict[int, Row]) -> None:
        self._file = file
        self.rows = rows

    @classmethod
    def open(cls, path: str | os.PathLike[str], subject: Mapping[str, Any]) -> Journal:
        """Open or begin the journal of this sweep; leaving its ``with`` block closes it.

        Raises
        ------
        ValueError
            If the file is not a journal, belongs to another sweep, or is open in another process.
        OSError
            If the file cannot be written.
        """
        target = Path(path)
        file = JsonLines(target, alone=True)
        try:
            first = line_of(subject)
            begun = file.text == first or not first.startswith(file.text)
            # `begun` is False if the file is empty, or if it ends within its first line.
            found, rows = _parsed(target, file.text) if begun else (subject, {})
            if found != subject:
                differing = ", ".join(k for k in subject if found.get(k) != subject[k])
                raise ValueError(
                    f"{path} is the journal of another sweep, which differs in: {differing}; "
                    "choose another name, or remove the file"
                )
            file.begin(b"" if begun else first)
        except BaseException:
            file.close()
            raise
        return cls(file, rows)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_fault: object) -> None:
        self._file.close()

    def add(self, rows: Mapping[int, Row]) -> None:
        """Write rows, keyed by their position in the sweep; they are on disk when this returns.

        Raises
        ------
        OSError
            If the file cannot be extended; the message names it.
        """
        self._file.add(
            {"site": number, "seconds": row.seconds, "metrics": row.metrics}
            for number, row in rows.items()
        )
        self.rows.update(rows)


def read_journal(path: Path) -> tuple[dict[str, Any], dict[int, Row]]:
    """Read the subject of a journal, and its rows by their position in the sweep.

    Raises
    ------
    ValueError
        For a file that is not a journal.
    OSError
        If the file cannot be read.
    """
    return _parsed(path, path.read_bytes())


def _parsed(path: Path, text: bytes) -> tuple[dict[str, Any], dict[int, Row]]:
    subjects: list[dict[str, Any]] = []
    rows: dict[int, Row] = {}
    for entry in values_of(text):
        with suppress(ValueError, KeyError, TypeError):
            if "slotwise sweep journal" in entry:
                subjects.append(entry)
            else:
                rows[entry["site"]] = _row_of(entry)
    subject = subjects[0] if subjects else {}
    n_sites = subject.get("n_sites")
    version = subject.get("slotwise sweep journal")
    if isinstance(version, int) and version < FORMAT:
        raise ValueError(
            f"{path} is a sweep journal from an earlier version of slotwise, which did not record "
            "the trace's users, queues and demands, so it may belong to another trace; choose "
            "another name, or remove the file"
        )
    if (
        version != FORMAT
        or not isinstance(n_sites, int)
        or any(each != subject for each in subjects)
    ):
        raise ValueError(
            f"{path} is not a sweep journal (--shard writes such files), or it is from another "
            "version of slotwise; use another file"
        )
    return subject, {n: row for n, row in rows.items() if n in range(n_sites)}


def _row_of(entry: Mapping[str, Any]) -> Row:
    row = Row(dict(entry["metrics"]), entry["seconds"])
    if not all(isinstance(value, (int, float)) for value in (row.seconds, *row.metrics.values())):
        raise ValueError("a row must contain numbers")
    return row
