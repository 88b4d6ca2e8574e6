"""Exchanges lines of text with another program, over its pipes or a Unix socket.

Reads and writes have a time limit. A program that has ended, hangs, or stops in the middle of a
line causes a `ReplayError`.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from slotwise.errors import ReplayError

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_LINE = 1 << 26
"""Longest answer without a line break, in bytes."""

_GRACE = 2.0
"""Seconds allowed for a program to exit after its input is closed."""


class LineConnection:
    """A connection, open from construction until `close`.

    Parameters
    ----------
    command : sequence of str, optional
        Program and arguments; its standard input and output carry the lines.
    path : str, optional
        A Unix socket on which the program listens.
    timeout : float
        Maximum time for each answer, in seconds.

    Raises
    ------
    ReplayError
        If the program cannot be started, or the connection to the socket fails.
    """

    def __init__(self, command: Sequence[str] | None, path: str | None, timeout: float) -> None:
        self._timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._rest = b""
        self._owner = os.getpid()
        try:
            if command is not None:
                self.name = shlex.join(command)[:80]
                self._open_program(command)
            else:
                self.name = str(path)
                self._open_socket(str(path))
        except OSError as fault:
            self.close()
            raise ReplayError(
                f"outside scheduler {self.name}: {fault.strerror or fault}; check that the "
                "program exists and, for a socket, that it is listening"
            ) from None
        os.set_blocking(self._out, False)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(self._in, select.POLLIN)
        self._writable.register(self._out, select.POLLOUT)

    def _open_program(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._out, self._in = self._process.stdin.fileno(), self._process.stdout.fileno()

    def _open_socket(self, path: str) -> None:
        if sys.platform == "win32":
            raise OSError("this system has no Unix sockets; set command= instead of socket=")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(self._timeout)
        self._socket.connect(path)
        self._out = self._in = self._socket.fileno()

    def ask(self, line: bytes) -> bytes:
        """Send text, and return the line that answers it, without its line break.

        Raises
        ------
        ReplayError
            If the program has ended or does not answer in time.
        """
        try:
            sent = os.write(self._out, line)
        except BlockingIOError:
            sent = 0
        except ConnectionError:
            raise self._fault("it has ended", []) from None
        if sent < len(line):
            self._send(line[sent:])
        if not self._rest and self._readable.poll(self._timeout * 1000):
            with contextlib.suppress(BlockingIOError, ConnectionError):
                # One read usually returns exactly one line.
                self._rest = os.read(self._in, 65536)
                if self._rest.find(b"\n") == len(self._rest) - 1 >= 0:
                    answer, self._rest = self._rest[:-1], b""
                    return answer
        return self._whole_line()

    def _whole_line(self) -> bytes:
        """Return one line without its break; it may arrive in parts or with other lines."""
        parts, self._rest = [self._rest], b""
        size = len(parts[0])
        while True:
            head, found, tail = parts[-1].partition(b"\n")
            if found:
                self._rest = tail
                return b"".join([*parts[:-1], head])
            if not self._readable.poll(self._timeout * 1000):
                raise self._fault(f"no complete answer within {self._timeout:g} s", parts)
            try:
                got = os.read(self._in, 65536)
            except BlockingIOError:
                continue
            except ConnectionError:
                got = b""
            size += len(got)
            if not got:
                raise self._fault("it has ended", parts)
            if size > _LONGEST_LINE:
                raise self._fault(f"its answer is longer than {_LONGEST_LINE:,} bytes", parts[:1])
            parts.append(got)

    def _send(self, line: bytes) -> None:
        left = memoryview(line)
        end = time.monotonic() + self._timeout
        while left:
            try:
                left = left[os.write(self._out, left) :]
            except BlockingIOError:
                if not self._writable.poll(max(0.0, end - time.monotonic()) * 1000):
                    reason = f"it has not read its input for {self._timeout:g} s"
                    raise self._fault(reason, []) from None
            except ConnectionError:
                raise self._fault("it has ended", []) from None

    def _fault(self, reason: str, parts: Sequence[bytes]) -> ReplayError:
        got = b"".join(parts)
        if got:
            reason += f" (unfinished answer: {got[:60]!r})"
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                reason += f" (exit status {self._process.wait(0.1)})"
        return ReplayError(
            f"outside scheduler {self.name}: {reason}; every message must be answered with one line"
        )

    @property
    def is_inherited(self) -> bool:
        """True in a process that was forked after the connection was opened."""
        return os.getpid() != self._owner

    def close(self) -> None:
        """Close the connection; a program that does not end within two seconds is killed.

        In a forked child, only the child's copies of the connection are closed.
        """
        if self._socket is not None:
            self._socket.close()
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        if self.is_inherited:
            process.returncode = 0  # the child of another process; waiting for it would fail
            return
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
