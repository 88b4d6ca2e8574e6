"""Fuzz target: csv traces are read, replayed, written and read back."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from harness import written

import slotwise as sw
from slotwise.formats.csv_parquet import read_columns

if TYPE_CHECKING:
    from pathlib import Path

REFUSALS = (sw.TraceError,)
BOUNDED = 600
SEEDS = [
    b"submit,run_time,processors\n0,10,1\n5,10,2\n",
    b"submit,run_time,processors,requested_time,user,queue,status\n9,1,4,20,1,2,1\n3,5,1,,,,\n",
    b"job_id,submit,run_time,processors,preceding_job,think_time\n1,0,5,1,-1,-1\n2,3,5,1,1,60\n",
    b"submit,run_time,processors,units,unit_cores,unit_memory\n0,10,4,2,2,1024\n1,5,1,1,1,0\n",
    b'\xef\xbb\xbf"submit", run_time,processors,other\r\n0.5,1e2,1,"a ""b"",c"\r\n',
]
TOKENS = [
    *(b"submit", b"run_time", b"processors", b"units", b"unit_gpus", b"line", b"executable"),
    *(b"0,10,1\n", b",,,,", b'"', b'""', b'"\n', b"\r", "\u0661".encode(), b" 1 ", b"1e5", b"True"),
]


def run(data: bytes, folder: Path) -> None:
    path = written(folder, "log.csv", data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sw.TraceWarning)
        trace = read_columns(path)
    if trace.demands is None and trace.processors.max() < 2**20:
        sw.simulate(trace, sw.Site(machine=sw.Processors(int(max(1, trace.processors.max())))))
