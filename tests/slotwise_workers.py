"""Functions that the workers in these tests import, and an executor with only `submit`."""

from __future__ import annotations

import os
import pickle
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class PlainTask:
    """A task with only `result` and `done`, not a ``concurrent.futures.Future``."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._fault: Exception | None = None
        self._thread = threading.Thread(target=self._run, args=(function, arguments))
        self._thread.start()

    def _run(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        try:
            self._value = pickle.dumps(function(*arguments))
        except Exception as fault:
            self._fault = fault

    def done(self) -> bool:
        return not self._thread.is_alive()

    def result(self) -> Any:
        self._thread.join()
        if self._fault is not None:
            raise self._fault
        return pickle.loads(self._value)


class PlainExecutor:
    """Sends pickled objects, as a cluster would, and records their sizes."""

    def __init__(self, losses: int = 0) -> None:
        self.sizes: list[int] = []
        self._losses = losses

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> PlainTask:
        sent = pickle.dumps((function, arguments))
        self.sizes.append(len(sent))
        if self._losses > 0:
            self._losses -= 1
            return PlainTask(lose, ())
        function, arguments = pickle.loads(sent)
        return PlainTask(function, arguments)


def lose() -> None:
    raise OSError("the node went down")


def die_while(path: str, times: int, items: list[int]) -> list[int]:
    """Double the items; a call with item 3 kills its process, until `times` calls have done so."""
    if 3 in items and Path(path).stat().st_size < times:
        with Path(path).open("a") as file:
            file.write("x")
        os._exit(9)
    return [2 * item for item in items]


class OddError(Exception):
    """An exception that can be pickled but not unpickled."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")


def raise_odd(_items: list[int]) -> list[int]:
    raise OddError(1, 2)


def raise_plain(_items: list[int]) -> list[int]:
    raise LookupError("no weights")
