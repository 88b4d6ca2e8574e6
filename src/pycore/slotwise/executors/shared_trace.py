"""Traces that workers read themselves, from a file whose checksum they verify.

The file is the log from which the trace was read, if reading it again gives the same trace;
otherwise the trace is written once to a shared folder.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from slotwise._files import named_in_faults, written_whole
from slotwise.errors import WorkerError
from slotwise.formats.registry import read_trace

if TYPE_CHECKING:
    from slotwise.trace import Trace

_KEPT = 2
"""Number of traces that a worker process keeps in memory."""

_read: dict[str, Trace] = {}
_reading = threading.Lock()


@dataclass(frozen=True)
class SharedTrace:
    """A trace in a file.

    Attributes
    ----------
    path : str
        Absolute.
    digest : str
        SHA-256 of the file, as 64 hex digits.
    is_log : bool
        True for a job log, False for a file that `share` wrote.
    """

    path: str
    digest: str
    is_log: bool

    def read(self) -> Trace:
        """Return the trace, from memory if this process has kept it.

        Raises
        ------
        WorkerError
            If the file is missing or has changed.
        """
        with _reading:
            if self.digest not in _read:
                data = self._checked()
                while len(_read) >= _KEPT:
                    _read.pop(next(iter(_read)))
                _read[self.digest] = read_trace(self.path) if self.is_log else pickle.loads(data)
            return _read[self.digest]

    def _checked(self) -> bytes:
        remedy = (
            "set shared_folder= to a folder that every worker can read, and leave its files as "
            "they are"
        )
        try:
            data = Path(self.path).read_bytes()
        except OSError as fault:
            raise WorkerError(
                f"a worker cannot read the trace {self.path} ({fault.strerror}); {remedy}"
            ) from None
        if hashlib.sha256(data).hexdigest() != self.digest:
            raise WorkerError(
                f"the trace {self.path} has changed since the work began, so a worker would "
                f"replay a different log; {remedy}"
            )
        return data


def share(trace: Trace, folder: Path) -> SharedTrace:
    """Return a file that contains a trace: its log if possible, otherwise a new file in `folder`.

    Raises
    ------
    OSError
        If the folder cannot be written to.
    """
    data = pickle.dumps(trace, protocol=pickle.HIGHEST_PROTOCOL)
    log = _log_of(trace, data)
    if log is not None:
        return log
    digest = hashlib.sha256(data).hexdigest()
    path = folder.resolve() / f"slotwise-{digest[:32]}.trace"
    if not path.exists():
        with named_in_faults(path), written_whole(path) as file:
            file.write(data)
    return SharedTrace(str(path), digest, is_log=False)


def _log_of(trace: Trace, data: bytes) -> SharedTrace | None:
    """Return the log of a trace, or None if reading it again gives a different trace."""
    path = Path(trace.source)
    if not trace.source or not path.is_absolute() or not path.is_file():
        return None
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        again = read_trace(trace.source)
    except (OSError, ValueError, ImportError):
        return None
    if pickle.dumps(again, protocol=pickle.HIGHEST_PROTOCOL) != data:
        return None
    return SharedTrace(str(path), digest, is_log=True)
