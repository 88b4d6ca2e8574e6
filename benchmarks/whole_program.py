"""Cost of the whole program: ``slotwise run LOG`` from start to exit, in CPU seconds.

Run: python benchmarks/whole_program.py [LOG ...]; it prints the rows of docs/benchmarks.md, "Beside
other simulators". Without logs it takes those of ``SLOTWISE_TRACES`` that are found there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from yardstick.rows import traces_folder

LOGS = (
    "KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-BLUE-2000-4.2-cln.swf.gz", "RICC-2010-2.swf.gz",
    "CEA-Curie-2011-2.1-cln.swf.gz",
)  # fmt: skip
ROUNDS = 3


class Cost(NamedTuple):
    """Cost of one run of the program."""

    cpu_seconds: float
    peak_bytes: int


def cost_of(log: Path) -> Cost:
    """Run ``slotwise run LOG`` with its table of metrics; return user and system time and memory.

    Raises
    ------
    RuntimeError
        If the program fails, or its table has no mean wait.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "slotwise", "run", str(log)], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        printed = program.stdout.read()
        _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode or not re.search(r"wait +[\d:.]+", printed):
        raise RuntimeError(f"slotwise run {log} ended with {program.returncode}: {printed!r}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss * unit)


def main() -> None:
    """Print one row per log: the fastest of some rounds, and the highest memory."""
    folder = traces_folder() or Path()
    logs = [Path(each) for each in sys.argv[1:]] or [folder / name for name in LOGS]
    for log in logs:
        if not log.exists():
            print(f"{log} is not found; set SLOTWISE_TRACES to the folder of the logs")
            continue
        costs = [cost_of(log) for _ in range(ROUNDS)]
        seconds = min(cost.cpu_seconds for cost in costs)
        memory = max(cost.peak_bytes for cost in costs) / 1e6
        print(f"| {log.name.partition('.')[0]} | {seconds:.2f} s | {memory:.0f} MB |")


if __name__ == "__main__":
    main()
