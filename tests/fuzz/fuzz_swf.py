"""Fuzz target: SWF files, compressed or not, are read, written, read back and replayed."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from harness import written

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

REFUSALS = (sw.TraceError,)
BOUNDED = 250
JOB = "1 100 5 60 4 50 1000 8 120 2000 1 3 4 5 6 7 -1 -1"
_TEXTS = [
    f"; MaxProcs: 8\n{JOB}\n",
    "   15   599850 192180   3477    4     -1    -1    4  53940    -1  1  12  12 "
    + " -1" * 5
    + "\n",
    JOB.replace("50", "0.03").replace("60", "1.5e3").replace("1000", "-2.51") + "\n",
    f"{JOB} 0.975\n{JOB} 1 gpu,fat 2\n",
    f"{JOB}\n1 2 3 4 5\n1 2\n",
    JOB.replace("100", "900") + f"\n{JOB}\n{JOB}\n",
    JOB.replace("100", str(2**53)).replace("1000", "9" * 19) + "\n",
    JOB.replace("60", "-1") + "\n" + JOB.replace("8 120", "-1 120") + f"\n{JOB}\n",
    f"\xef\xbb\xbf;no blank\r\n\t{JOB}\r\n\n \n;\xe9\n{JOB}",
    f"{JOB}\n" * 40,
]
SEEDS = [text.encode("latin-1") for text in _TEXTS] + [gzip.compress(_TEXTS[0].encode(), mtime=0)]
TOKENS = [
    JOB.encode() + b"\n",
    b"; MaxProcs: 4\n",
    b"; UnixStartTime: 0\n",
    b";",
    b"\x1f\x8b",
    b"\0",
]


def run(data: bytes, folder: Path) -> None:
    path = written(folder, "log.swf", data)
    trace = sw.read_swf(path)
    path.unlink()
    sw.write_swf(trace, path)
    try:
        again = sw.read_swf(path)
    except sw.TraceError as fault:
        raise AssertionError(f"the written file is refused: {fault}") from None
    assert again == trace, "the written file reads back differently"
    if len(trace) < 100 and trace.processors.max() < 2**20:
        sw.simulate(trace, sw.Site(machine=sw.Processors(int(trace.processors.max()))))
