"""Cost of the whole program from start to exit: ``slotwise --help``, and ``slotwise run LOG``.

Run: python benchmarks/whole_program.py [LOG ...]. It prints the CPU seconds and the elapsed time of
``--help``, of ``run`` for each log, and of ``run --report`` for Curie, as in docs/benchmarks.md.
Without arguments, it uses the logs that it finds in ``SLOTWISE_TRACES``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from yardstick.rows import traces_folder

LOGS = (
    "KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-BLUE-2000-4.2-cln.swf.gz", "RICC-2010-2.swf.gz",
    "CEA-Curie-2011-2.1-cln.swf.gz",
)  # fmt: skip
REPORTED = "CEA-Curie"
ROUNDS = 5


class Cost(NamedTuple):
    """Cost of one run: user and system time together, elapsed time, and peak memory."""

    cpu_seconds: float
    elapsed: float
    peak_bytes: int


def cost_of(*words: object, shows: str) -> Cost:
    """Run ``slotwise`` with these arguments, and return its cost.

    Python may cache the compiled modules, as in an installed package.

    Raises
    ------
    RuntimeError
        If the program fails, or its output does not match ``shows``.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "slotwise", *map(str, words)],
        stdout=subprocess.PIPE, text=True, env=environment,
    ) as program:  # fmt: skip
        assert program.stdout is not None
        printed = program.stdout.read()
        _, status, used = os.wait4(program.pid, 0)
        elapsed = time.perf_counter() - begun
        program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode or not re.search(shows, printed):
        command = " ".join(["slotwise", *map(str, words)])
        raise RuntimeError(f"{command} ended with {program.returncode}: {printed!r}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(used.ru_utime + used.ru_stime, elapsed, used.ru_maxrss * unit)


def print_row(name: str, *words: object, shows: str) -> None:
    """Print the shortest times and the highest memory of several runs, after a warm-up run."""
    costs = [cost_of(*words, shows=shows) for _ in range(1 + ROUNDS)][1:]
    seconds, elapsed = (min(column) for column in list(zip(*costs, strict=True))[:2])
    memory = max(cost.peak_bytes for cost in costs) / 1e6
    print(f"| {name} | {seconds:.2f} s | {elapsed:.2f} s | {memory:.0f} MB |", flush=True)


def main() -> None:
    """Print one row per command, and the load of the machine before and after."""
    folder = traces_folder() or Path()
    logs = [Path(each) for each in sys.argv[1:]] or [folder / name for name in LOGS]
    print(f"load average {os.getloadavg()[0]:.1f}\n\n| | CPU | elapsed | memory |")
    print("| --- | ---: | ---: | ---: |")
    print_row("`--help`", "--help", shows="run ")
    with tempfile.TemporaryDirectory() as scratch:
        for log in logs:
            if not log.exists():
                print(f"{log} was not found; set SLOTWISE_TRACES to the folder of the logs")
                continue
            name = log.name.partition(".swf")[0]
            print_row(f"`run` {name}", "run", log, shows=r"wait +[\d:.]+")
            if name.startswith(REPORTED):
                page = Path(scratch, "page.html")
                print_row(f"`run --report` {name}", "run", log, "--report", page, shows="Report")
    print(f"\nload average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
