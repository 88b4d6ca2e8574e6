"""Fuzz target: parquet files, as raw bytes or built from column types, metadata and header lines.

An input that begins with `PAR1` is the file itself. In any other input, the first line gives the
column types; the rest becomes the trace comments in the metadata.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from harness import written

import slotwise as sw
from slotwise.formats.csv_parquet import read_columns
from slotwise.formats.job_files import HEADER_KEY

if TYPE_CHECKING:
    from pathlib import Path

REFUSALS = (sw.TraceError,)
BOUNDED = 150
_COLUMNS = {
    "submit": [0, 1],
    "run_time": [9, 2],
    "processors": [6, 12],
    "user": [1, 2],
    "units": [2, 3],
    "unit_cores": [3, 4],
}
_NUMBERS = [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
_OTHERS = ["float32", "float64", "bool", "string", "binary", "date32", "duration[s]", "null"]
_TYPES = {kind.encode(): kind for kind in [*_NUMBERS, *_OTHERS, "timestamp[us]"]}
_VALUES: dict[str, list[Any]] = {
    "bool": [True, False],
    "string": ["1", "x"],
    "binary": [b"1", b"\xff"],
    "null": [None, None],
}


def _file(kinds: list[bytes], header: bytes) -> bytes:
    columns = {}
    for (name, numbers), kind in zip(_COLUMNS.items(), kinds, strict=False):
        named = _TYPES.get(kind.rstrip(b"?"), "int64")
        values = _VALUES.get(named, numbers)
        if kind.endswith(b"?"):
            values = [None, values[1]]
        columns[name] = pa.array(values, pa.type_for_alias(named))
    table = pa.table(columns).replace_schema_metadata({HEADER_KEY: header})
    written = io.BytesIO()
    pq.write_table(table, written, compression="none")
    return written.getvalue()


_HEADER = b"; MaxProcs: 8\n; UnixStartTime: 5\n; Note: a comment"
SEEDS = [
    b"int64 int64 int32\n" + _HEADER,
    b"uint8 uint16 uint32 uint64\n" + _HEADER,
    b"int64 float64 int64 int8?\n; MaxProcs: 0\n;\n ; MaxNodes: 3",
    b"duration[s] int64 int64\n" + _HEADER,
    b"int64 int64 int64 int64 int64 int64\nno comment",
    "int64 int64 int64\n; \x85 \u2028 \x0b \xe9".encode(),
    _file([b"int64"] * 4, _HEADER),
    _file([b"float64"] * 6, b""),
]
TOKENS = [*_TYPES, b"?", b" ", b"\n", b"; MaxProcs: 4\n", b";", b"\0", b"PAR1", b"\xc2\x85", b"\r"]


def run(data: bytes, folder: Path) -> None:
    if not data.startswith(b"PAR1"):
        kinds, _, header = data.partition(b"\n")
        data = _file(kinds.split(b" "), header)
    trace = read_columns(written(folder, "log.parquet", data))
    if trace.demands is None and trace.processors.max() < 2**20:
        sw.simulate(trace, sw.Site(machine=sw.Processors(int(max(1, trace.processors.max())))))
