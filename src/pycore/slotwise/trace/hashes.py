"""Two hashes of a trace: of the columns that every replay needs, and of all that can affect one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from slotwise.trace.columns import COLUMNS, OF_ABSENT, OF_EMPTY_CELLS, PRIMARY
from slotwise.trace.equality import HasJobs
from slotwise.trace.labels import names_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from slotwise._core import JobTable
    from slotwise.trace.demands import Demands
    from slotwise.trace.report import TraceReport

_TYPES = ("<i1", "<i2", "<i4", "<i8")
_ZONE_KEYS = ("TimeZoneString", "TimeZone")
"""Header keys that determine the local time of day, on which opening hours depend."""


class HasReadJobs(HasJobs, Protocol):
    """A trace with its header and the report on reading it."""

    _jobs: JobTable
    report: TraceReport

    @property
    def header(self) -> dict[str, str]:
        """Values of the header by key."""


class TraceHashes:
    """Hashes of a trace, computed at most once."""

    __slots__ = ()

    _content_hash: str
    _replay_hash: str

    @property
    def content_hash(self: Any) -> str:
        """SHA-256 of submit, run_time, requested_time and processors, as 64 hex digits.

        If the log has `eligible`, dependencies, array limits, nice values or site factors, these
        columns are hashed last. The same jobs have the same digest on every platform. Traces with
        equal digests may still differ in users, queues, demands and other columns, which only
        `replay_hash` covers.
        """
        self._content_hash = self._content_hash or _content_hash_of(self)
        return str(self._content_hash)

    @property
    def replay_hash(self: Any) -> str:
        """SHA-256 of everything in the trace that can change a replay, as 64 hex digits.

        The hash covers every column except `line`, and also the labels, the demands, the machine's
        size, the date of time 0, the time zone and the number of dropped lines; the source and
        other comments are excluded. Journals and shards of sweeps, searches and studies use it to
        identify a trace.
        """
        self._replay_hash = self._replay_hash or _replay_hash_of(self)
        return str(self._replay_hash)


def _content_hash_of(trace: HasJobs) -> str:
    """Hash the columns that a replay needs, in little-endian order."""
    from hashlib import sha256  # imported late: it loads OpenSSL

    digest = sha256()
    names = [*PRIMARY, *(["eligible"] if (trace._column("eligible") >= 0).any() else [])]
    if (trace._column("array_limit") > 0).any():
        names += ["array_id", "array_limit"]
    names += [name for name in OF_EMPTY_CELLS if trace._column(name).any()]
    for name in names:
        digest.update(trace._column(name).astype("<i8", copy=False).data)
    if (trace._column("dependency") >= 0).any():
        for name in ("job_id", "array_id", "array_task", "status", "user", "executable"):
            digest.update(trace._column(name).astype("<i8", copy=False).data)
        listed = names_of(trace._column("dependency"), trace.labels.get("dependency"))
        digest.update("\n".join(listed).encode())
    return digest.hexdigest()


def _replay_hash_of(trace: HasReadJobs) -> str:
    header = trace.header
    digest = Digest()
    digest.add_values(
        "trace",
        [
            len(trace),
            trace.max_processors,
            trace.unix_start_time,
            [header.get(key, "") for key in _ZONE_KEYS],
            int(trace.report.total_dropped),
        ],
    )
    for name in COLUMNS:
        if name != "line" and not _is_absent(trace, name):
            digest.add_column(name, trace._column(name))
    for name in sorted(trace.labels):
        digest.add_words(f"names of {name}", trace.labels[name])
    if trace.demands is not None:
        _add_demands(digest, trace.demands)
    return digest.hexdigest()


def _add_demands(digest: Digest, demands: Demands) -> None:
    for name in ("units", "per_node", "nodes", "exclusive", "constraint_id"):
        digest.add_column(f"demands {name}", getattr(demands, name))
    digest.add_values("constraints", list(demands.constraints))
    for name in sorted(demands.each):
        digest.add_column(f"demands of {name}", demands.each[name])


def _is_absent(trace: HasReadJobs, name: str) -> bool:
    """Return True if a column is missing or contains only default values."""
    column = trace._jobs.column(name)
    if column is None or len(column) == 0:
        return True
    if name == "requested_processors":
        return bool(np.array_equal(column, trace._column("processors")))
    absent = OF_ABSENT.get(name, -1)
    return bool(column[0] == absent) and bool((column == absent).all())


class Digest:
    """A SHA-256 of named parts, the same on every platform."""

    def __init__(self) -> None:
        from hashlib import sha256

        self._sha = sha256()
        self.hexdigest = self._sha.hexdigest

    def add_values(self, name: str, values: Any) -> None:
        """Hash a value that JSON can represent."""
        text = json.dumps([name, values], sort_keys=True)
        self._sha.update(f"{len(text)}:{text}".encode())

    def add_column(self, name: str, column: NDArray[Any]) -> None:
        """Hash whole numbers, converted to the smallest type that holds them, for speed."""
        low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
        fits = (t for t in _TYPES if np.iinfo(t).min <= low and high <= np.iinfo(t).max)
        kind = next(fits)
        self.add_values(name, [kind, len(column)])
        self._sha.update(np.ascontiguousarray(column, dtype=kind).data)

    def add_words(self, name: str, words: Mapping[int, str]) -> None:
        """Hash the codes and the words that they stand for, in the order of the codes."""
        codes = np.fromiter(words, dtype=np.int64, count=len(words))
        listed = list(words.values())
        if (np.diff(codes) < 0).any():
            listed = [words[code] for code in np.sort(codes).tolist()]
            codes = np.sort(codes)
        lengths = np.fromiter(map(len, listed), dtype=np.int64, count=len(listed))
        self.add_column(f"{name}, codes", codes)
        self.add_column(f"{name}, lengths", lengths)
        self._sha.update("".join(listed).encode("utf-8", "surrogatepass"))
