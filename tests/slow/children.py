"""Runs cases by seed in a child process; a crash or a hang is reported with the seed."""

from __future__ import annotations

import json
import os
import resource
import select
import subprocess
import sys
import time
import traceback
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).resolve().parents[1]
MOST_MEMORY = 4 << 30
STARTING = 30
"""Time limit for the imports of a child, in seconds."""


class Outcomes:
    """Outcomes of the seeds: a count per kind, and one line per fault."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.faults: list[str] = []

    def take(self, seed: int, told: list[str]) -> None:
        if told[0] == "fault":
            self.faults.append(f"seed {seed}: {told[1]}")
        else:
            self.kinds[told[1]] += 1


def outcomes(module: str, seeds: range, *, slowest: float) -> Outcomes:
    """Run `case(seed)` of a module for each seed; each may take at most `slowest` seconds.

    A child runs the seeds in turn; if it dies on a seed, a new child continues with the next seed.
    """
    found = Outcomes()
    while seeds:
        child = subprocess.Popen(
            [sys.executable, __file__, module, str(seeds.start), str(seeds.stop)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": f"{TESTS}:{TESTS / 'fuzz'}"},
        )
        try:
            seeds = _watched(child, seeds, found, slowest)
        finally:
            child.kill()
            child.communicate()
    return found


def _watched(
    child: subprocess.Popen[bytes], seeds: range, found: Outcomes, slowest: float
) -> range:
    """Read the reports of a child until it ends; return the seeds left."""
    lines = _Lines(child)
    for seed in seeds:
        line = lines.within(slowest + STARTING * (seed == seeds.start))
        if line is None:
            found.faults.append(f"seed {seed}: takes more than {slowest:g} s")
            return range(seed + 1, seeds.stop)
        if not line:
            _, err = child.communicate()
            end = err.decode(errors="replace")[-2000:]
            found.faults.append(f"seed {seed}: ended with {child.returncode}: {end}")
            return range(seed + 1, seeds.stop)
        found.take(seed, json.loads(line))
    return range(0)


class _Lines:
    """Lines of a child's output, each read with a time limit."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        assert child.stdout is not None
        self._number = child.stdout.fileno()
        self._held = b""

    def within(self, seconds: float) -> bytes | None:
        """Return the next line; None after the time limit, empty after the last line."""
        end = time.monotonic() + seconds
        while b"\n" not in self._held:
            ready, _, _ = select.select([self._number], [], [], max(0, end - time.monotonic()))
            if not ready:
                return None
            piece = os.read(self._number, 1 << 16)
            if not piece:
                return b""
            self._held += piece
        line, _, self._held = self._held.partition(b"\n")
        return line


def told(module: Any, seed: int) -> Iterator[str]:
    """Run a case; yield "sound" and its kind, or "fault" and the exception with its origin."""
    try:
        yield from ("sound", str(module.case(seed)))
    except Exception as fault:
        frames = traceback.extract_tb(fault.__traceback__)[-3:]
        where = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames))
        yield from ("fault", f"{type(fault).__name__}: {fault}"[:400] + f" ({where})")


def main() -> None:
    """Run the seeds given on the command line and print one line of JSON per seed."""
    name, start, stop = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    module = import_module(name)
    for seed in range(int(start), int(stop)):
        sys.stdout.write(json.dumps(list(told(module, seed))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
