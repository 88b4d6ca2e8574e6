"""A process that loads one build and measures rounds on demand; compare.py runs two side by side.

Cells are JSON in the first argument. The worker prints one line about the build that it loaded. For
each cell number read from stdin, it then prints ``[bare, work]`` in CPU seconds.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import slotwise as sw
from slotwise import _core
from yardstick.rounds import clocked, digest, parse
from yardstick.rows import Row

if TYPE_CHECKING:
    from collections.abc import Callable


class Cell:
    """The work of a round: a replay of one workload under one policy, or the reading of one log."""

    def __init__(self, given: dict[str, Any], traces: dict[str, sw.Trace]) -> None:
        row = Row(**given["row"])
        self.trace = traces.setdefault(row.name, row.trace())
        if given["backfill"] == "read":
            text = gzip.decompress(Path(row.path).read_bytes())
            self.work: Callable[[], object] = lambda: parse(text)
            self.answer = f"{parse(text)} jobs"
        else:
            site = sw.Site(
                sw.Processors(row.machine(self.trace)),
                sw.Policy(backfill=given["backfill"]),
            )
            self.work = lambda: sw.simulate(self.trace, site)
            self.answer = digest(sw.simulate(self.trace, site))

    def round(self) -> tuple[float, float]:
        """Return the CPU seconds of the bare loop and of the work.

        The bare loop runs twice before and twice after the work; the median is returned.
        """
        jobs = self.trace._jobs
        before = [clocked(lambda: _core.run_bare_loop(jobs))[1] for _ in range(2)]
        spent = clocked(self.work)[1]
        after = [clocked(lambda: _core.run_bare_loop(jobs))[1] for _ in range(2)]
        return statistics.median(before + after), spent


def main() -> None:
    traces: dict[str, sw.Trace] = {}
    cells = [Cell(given, traces) for given in json.loads(sys.argv[1])]
    loaded = {
        "file": _core.__file__,
        "answers": [cell.answer for cell in cells],
        "traces": [cell.trace.content_hash for cell in cells],
    }
    print(json.dumps(loaded), flush=True)
    for line in sys.stdin:
        print(json.dumps(cells[int(line)].round()), flush=True)


if __name__ == "__main__":
    main()
