"""Measure one round, using only the parts of the package that earlier builds also have.

`compare.py` runs this module with the current build and with an earlier one.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Any

import slotwise as sw
from slotwise import _core

if TYPE_CHECKING:
    from collections.abc import Callable

PIECE = 1 << 20


def clocked(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return the result of `work`, the CPU seconds of this thread, and wall seconds."""
    wall, cpu = time.perf_counter(), time.thread_time()
    answer = work()
    return answer, time.thread_time() - cpu, time.perf_counter() - wall


def digest(result: sw.Result) -> str:
    return hashlib.sha256(result.start.tobytes()).hexdigest()[:16]


def parse(text: bytes) -> int:
    """Run the reader alone, on text in memory."""
    reader = _core.SwfReader(len(text))
    for at in range(0, len(text), PIECE):
        reader.feed(memoryview(text)[at : at + PIECE])
    return len(reader.finish()[0])
