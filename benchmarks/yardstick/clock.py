"""Measure the wall and CPU time of any work, and of a replay whose starts are also checked."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Any, TypeVar

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Callable

Answer = TypeVar("Answer")


def clocked(work: Callable[[], Answer]) -> tuple[Answer, float, float]:
    """Return the result of `work`, its wall seconds, and the CPU seconds of all threads."""
    wall, cpu = time.perf_counter(), time.process_time()
    answer = work()
    return answer, time.perf_counter() - wall, time.process_time() - cpu


def recorded_replay(trace: sw.Trace, site: sw.Site, starts: str, what: str) -> dict[str, Any]:
    """Time a replay; the hash of all its starts must begin with the digits `starts`."""
    result, wall, cpu = clocked(lambda: sw.simulate(trace, site))
    found = hashlib.sha256(result.start.tobytes()).hexdigest()[:8]
    if found != starts:
        raise AssertionError(f"starts of {what} hash to {found}")
    return {"jobs": len(trace), "wall": wall, "cpu": cpu}
