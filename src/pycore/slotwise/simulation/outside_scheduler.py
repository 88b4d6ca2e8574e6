"""A scheduler in another program, which receives the changes since the last pass as JSON lines."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from slotwise.errors import ReplayError
from slotwise.simulation.line_connection import LineConnection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise._core import JobView, MachineView

PROTOCOL = 1
"""Version of the protocol, stated in the ``slotwise`` field of the first message."""

FIELDS = ("id", "submit", "processors", "requested_time", "user")
"""Values that describe a job in a message, in this order."""

_NONE: NDArray[np.int64] = np.empty(0, dtype=np.int64)


class OutsideScheduler:
    """A dispatcher for `External` that leaves each decision to another program.

    Each pass sends one line with the jobs that arrived and ended since the last pass, and reads one
    line with the jobs that start. Each replay begins with a message that describes the machine.
    This message is sent again if the simulated time goes back. A pickled copy or a forked process
    opens its own connection.

    Parameters
    ----------
    command : sequence of str, optional
        Program and arguments, started at the first pass.
    socket : path-like, optional
        A Unix socket on which the program listens. Pass either a command or a socket.
    timeout : float, seconds, default 60
        Longest wait for one answer.

    Raises
    ------
    ValueError
        If `command` and `socket` are both given or both missing, or if `timeout` is invalid.

    Examples
    --------
    >>> import slotwise as sw
    >>> with sw.OutsideScheduler(["./fcfs"]) as scheduler:  # doctest: +SKIP
    ...     result = sw.simulate(trace, sw.Site(policy=sw.External(scheduler)))
    """

    def __init__(
        self,
        command: Sequence[str] | None = None,
        *,
        socket: str | os.PathLike[str] | None = None,
        timeout: float = 60.0,
    ) -> None:
        if (command is None) == (socket is None):
            raise ValueError(
                "an outside scheduler needs either a command or a socket; use exactly one"
            )
        if isinstance(command, str) or (command is not None and not command):
            raise ValueError(
                f"command is {command!r}; pass a list of the program and its arguments, such as "
                "['./fcfs']"
            )
        if not 0 < timeout < 1e6:
            raise ValueError(
                f"timeout is {timeout!r}; use a number of seconds above 0 and below 1,000,000"
            )
        self.command = None if command is None else tuple(os.fspath(word) for word in command)
        self.socket = None if socket is None else os.fspath(socket)
        self.timeout = timeout
        self._connection: LineConnection | None = None
        self._forget()

    def _forget(self) -> None:
        self._known = _NONE
        self._now = 0
        self._queue: object = None
        self._has_pools = False
        self._pools: dict[str, int] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.command, self.socket, self.timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_connection", None) is not None:
            self.close()

    def close(self) -> None:
        """Close the connection; the next pass opens a new one."""
        connection, self._connection = self._connection, None
        self._forget()
        if connection is not None:
            connection.close()

    def __call__(self, queue: JobView, machine: MachineView) -> list[Any]:
        """Return the jobs that start now.

        Raises
        ------
        ReplayError
            If the program has ended or exceeds the time limit, or if its answer is not valid.
        """
        connection = self._connection
        if connection is not None and connection.is_inherited:
            self.close()
            connection = None
        if connection is None:
            connection = LineConnection(self.command, self.socket, self.timeout)
            self._connection = connection
        now = machine.now
        first = b""
        if queue is not self._queue or now < self._now:
            self._forget()
            self._queue = queue
            first = self._first(machine)
        self._now = now
        ids = queue.job_id
        line = self._changes(queue, machine, ids, now)
        try:
            answer = connection.ask(first + line)
            starts = self._starts(answer)
        except BaseException:
            self.close()
            raise
        self._known = _without(ids, starts) if starts else ids
        return starts

    def _first(self, machine: MachineView) -> bytes:
        """Write the first message of a replay: the machine, the fields, and the running jobs."""
        running = machine.running
        self._has_pools = bool(machine.free_in_pools)
        message = {
            "slotwise": PROTOCOL,
            "processors": machine.processors,
            "fields": FIELDS,
            "running": _jobs(running, slice(None)),
            "running_since": running.start.tolist(),
        }
        return json.dumps(message, separators=(",", ":")).encode() + b"\n"

    def _changes(
        self, queue: JobView, machine: MachineView, ids: NDArray[np.int64], now: int
    ) -> bytes:
        """Write the message of a pass: time, free processors, and changes since the last pass."""
        known = self._known
        n_known, n_jobs = len(known), len(ids)
        parts = [f'{{"now":{now},"free":{machine.free}']
        if n_jobs >= n_known and (not n_known or (ids[:n_known] == known).all()):
            if n_jobs == n_known + 1:
                job = [column.item(n_known) for column in _columns(queue)]
                parts.append(f',"arrived":[{job}]')
            elif n_jobs > n_known:
                parts.append(f',"arrived":{_jobs(queue, slice(n_known, None))}')
        else:
            new = np.flatnonzero(~np.isin(ids, known))
            if len(new):
                parts.append(f',"arrived":{_jobs(queue, new)}')
            gone = known[~np.isin(known, ids)].tolist()
            if gone:
                parts.append(f',"withdrawn":{gone}')
        ended = machine.ended
        if len(ended):
            parts.append(f',"ended":{ended.tolist()}')
        if self._has_pools and (pools := machine.free_in_pools) != self._pools:
            changed = {name: n for name, n in pools.items() if self._pools.get(name) != n}
            parts.append(f',"free_in_pools":{json.dumps(changed)}')
            self._pools = pools
        parts.append("}\n")
        return "".join(parts).encode()

    def _starts(self, line: bytes) -> list[Any]:
        is_short = line.startswith(b'{"start":[') and line.endswith(b"]}")
        if is_short and _is_id(one := line[10:-2]):
            return [int(one)]  # the most common answer, read without json for speed
        try:
            answer = json.loads(line)
            starts = answer["start"]
            if type(starts) is not list:
                raise TypeError
            return [_start(each) for each in starts]
        except (ValueError, TypeError, KeyError, RecursionError):
            name = self._connection.name if self._connection else ""
            raise ReplayError(
                f"outside scheduler {name}: the answer {line[:80].rstrip()!r} is not a message; "
                'answer with {"start": [12, 15]}; each entry is a job id, [id, "pool"] or '
                "[id, [nodes]]"
            ) from None


def _is_id(text: bytes) -> bool:
    """Return whether JSON reads the text as an integer from 0 to 10^18 - 1."""
    return text.isdigit() and len(text) <= 18 and (text[:1] != b"0" or len(text) == 1)


def _start(each: Any) -> Any:
    """Convert an entry of an answer to the form that `External` accepts."""
    if type(each) is int:
        return each
    if type(each) is list and len(each) == 2 and type(each[0]) is int:
        return tuple(each)
    raise TypeError


def _columns(view: JobView) -> tuple[NDArray[Any], ...]:
    return view.job_id, view.submit, view.processors, view.requested_time, view.user


def _jobs(view: JobView, rows: Any) -> list[list[int]]:
    columns = [column[rows].tolist() for column in _columns(view)]
    return [list(job) for job in zip(*columns, strict=True)]


def _without(ids: NDArray[np.int64], starts: list[Any]) -> NDArray[np.int64]:
    """Return the job numbers in the queue, excluding jobs that start now."""
    if len(ids) == 1:
        return _NONE
    started = [each if type(each) is int else each[0] for each in starts]
    return ids[~np.isin(ids, started)]


def _again(command: tuple[str, ...] | None, socket: str | None, timeout: float) -> OutsideScheduler:
    return OutsideScheduler(command, socket=socket, timeout=timeout)
