"""Controls Firefox without additional packages, through its remote protocol, Marionette."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from pathlib import Path

# Firefox chooses a port, and writes it to this file in its profile.
_PORT_FILE = "MarionetteActivePort"
_PREFERENCES = (
    'user_pref("marionette.port", 0);\nuser_pref("browser.shell.checkDefaultBrowser", false);\n'
)


def firefox_program() -> str | None:
    """Return the path of Debian's or any other Firefox; None if none is installed."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """A headless Firefox with a profile of its own; a context manager.

    Parameters
    ----------
    program : str
    profile : Path
        An empty folder.
    """

    def __init__(self, program: str, profile: Path) -> None:
        (profile / "user.js").write_text(_PREFERENCES)
        command = [program, "--headless", "--no-remote", "--marionette", "--profile", str(profile)]
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._socket = self._connected(profile / _PORT_FILE)
        self._unread = b""
        self._number = 0
        self._answer()  # skips the greeting
        self._send("WebDriver:NewSession", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait(timeout=30)

    def open(self, address: str) -> None:
        self._send("WebDriver:Navigate", {"url": address})

    def evaluate(self, script: str, *arguments: object) -> Any:
        """Run a script in the page, as a function body with these arguments; return the result."""
        body = {"script": script, "args": list(arguments), "sandbox": None}
        return self._send("WebDriver:ExecuteScript", body)["value"]

    def until(self, condition: str) -> None:
        """Wait up to 20 s for an expression to become true."""
        for _ in range(200):
            if self.evaluate(f"return Boolean({condition})"):
                return
            time.sleep(0.1)
        raise TimeoutError(f"not within 20 s: {condition}")

    def _connected(self, port_file: Path) -> socket.socket:
        for _ in range(600):
            if port_file.exists() and (port := port_file.read_text().strip()):
                return socket.create_connection(("127.0.0.1", int(port)), timeout=60)
            time.sleep(0.1)
        self._process.kill()
        raise TimeoutError("Firefox opened no port within 60 s")

    def _send(self, name: str, parameters: dict[str, Any]) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, name, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, _, error, result = self._answer()
        if error is not None:
            raise RuntimeError(f"{name}: {error['message']}")
        return result

    def _answer(self) -> Any:
        """Read one message: its length in bytes, a colon, and JSON."""
        while b":" not in self._unread:
            self._unread += self._socket.recv(65536)
        length, _, self._unread = self._unread.partition(b":")
        while len(self._unread) < int(length):
            self._unread += self._socket.recv(65536)
        text, self._unread = self._unread[: int(length)], self._unread[int(length) :]
        return json.loads(text)
