"""Speed of reading SWF text: bytes per second of the parser alone and of a `read_swf` call.

Run with ``pytest benchmarks/bench_read_swf.py --benchmark-enable``; megabytes per second are in the
extra column ``MB/s`` of ``--benchmark-json``, and are printed at the end.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise import _core
from yardstick.rows import traces_folder

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

PIECE = 1 << 20
# Number of jobs read from each log; lines that do not describe a valid job are dropped.
LOGS = {
    "KTH-SP2-1996-2.1-cln": 28_475,
    "SDSC-BLUE-2000-4.2-cln": 232_562,
    "CEA-Curie-2011-2.1-cln": 312_807,
    "RICC-2010-2": 447_794,
}


@pytest.fixture(params=LOGS)
def log(request: pytest.FixtureRequest) -> Path:
    path = (traces_folder() or Path()) / f"{request.param}.swf.gz"
    if not path.is_file():
        pytest.skip(f"{path} is not here: set SLOTWISE_TRACES to the folder of the real logs")
    return path


def parse(text: bytes) -> int:
    reader = _core.SwfReader(len(text))
    for at in range(0, len(text), PIECE):
        reader.feed(memoryview(text)[at : at + PIECE])
    jobs, _, _ = reader.finish()
    return len(jobs)


def report(benchmark: BenchmarkFixture, name: str, size: int) -> None:
    if benchmark.stats is None:
        return
    speed = size / 1e6 / benchmark.stats["min"]
    benchmark.extra_info["MB/s"] = round(speed)
    print(f"\n{name}: {speed:,.0f} MB/s of {size / 1e6:,.1f} MB")


def test_parse_text_in_memory(benchmark: BenchmarkFixture, log: Path) -> None:
    text = gzip.decompress(log.read_bytes())
    assert benchmark(parse, text) == LOGS[log.name.removesuffix(".swf.gz")]
    report(benchmark, f"parse {log.name}", len(text))


def test_read_plain_file(benchmark: BenchmarkFixture, log: Path, tmp_path: Path) -> None:
    text = gzip.decompress(log.read_bytes())
    path = tmp_path / "plain.swf"
    path.write_bytes(text)
    trace = benchmark(sw.read_swf, path)
    assert trace == sw.read_swf(log)
    report(benchmark, f"read {log.name} unpacked", len(text))


def test_read_packed_file(benchmark: BenchmarkFixture, log: Path) -> None:
    trace = benchmark(sw.read_swf, log)
    assert len(trace) == LOGS[log.name.removesuffix(".swf.gz")]
    report(benchmark, f"read {log.name}", len(gzip.decompress(log.read_bytes())))
