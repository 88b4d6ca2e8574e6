"""Logs with endless lines, and compressed logs that are too large for memory once unpacked."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zlib
from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise import _core
from slotwise.formats.lines import LONGEST_LINE, PIECE, numbered_lines, unpacked
from slotwise.formats.slurm_events import asked_features

if TYPE_CHECKING:
    from pathlib import Path

JOB = b"1 0 0 50 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n"
EVENT = (
    b"-dt 0 -e submit_batch_job | -J jobid_1 -sim-walltime 10 --uid=u -t 0:01:00 -n 4 -N 1 "
    b"-q normal -p p\n"
)


def packed_bomb(path: Path, first: bytes, unit: bytes, megabytes: int) -> None:
    """Write `first`, then `unit` many times, compressed about a thousandfold."""
    packer, block = zlib.compressobj(9, wbits=31), unit * ((1 << 20) // len(unit))
    with path.open("wb") as file:
        file.write(packer.compress(first))
        for _ in range(megabytes):
            file.write(packer.compress(block))
        file.write(packer.flush())


@pytest.mark.parametrize("unit", [b" ", b"1", b"; a comment "])
def test_an_endless_line_is_refused_by_its_number(tmp_path: Path, unit: bytes) -> None:
    packed_bomb(tmp_path / "bomb.swf.gz", JOB, unit, 3)
    with pytest.raises(sw.TraceError, match=r"bomb\.swf\.gz:2: the line has more than 1048576"):
        sw.read_swf(tmp_path / "bomb.swf.gz")


def test_endless_comments_are_refused(tmp_path: Path) -> None:
    # Each comment takes 41 bytes of memory, so 64 MB are reached near line 64 * 2**20 / 41 =
    # 1,636,801.
    packed_bomb(tmp_path / "bomb.swf.gz", JOB, b";\n", 4)
    with pytest.raises(sw.TraceError, match=r"bomb\.swf\.gz:16368\d\d: the comments up to this"):
        sw.read_swf(tmp_path / "bomb.swf.gz")


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
@pytest.mark.parametrize("piece", [1000, 1 << 19, 1 << 22])
def test_the_longest_line_does_not_depend_on_the_size_of_chunks(piece: int, end: bytes) -> None:
    for length in (LONGEST_LINE - len(end.strip(b"\n")), LONGEST_LINE + 1):
        text = JOB + b";" + b"x" * (length - 1) + end
        reader = _core.SwfReader(len(text))

        def read(text: bytes = text, reader: _core.SwfReader = reader) -> int:
            for at in range(0, len(text), piece):
                reader.feed(text[at : at + piece])
            return len(reader.finish()[0])

        if length <= LONGEST_LINE:
            assert read() == 1
        else:
            with pytest.raises(sw.TraceError, match="line 2: the line has more than"):
                read()


def test_events_are_unpacked_in_chunks_with_bounded_lines(tmp_path: Path) -> None:
    (tmp_path / "n.conf").write_text(
        "NodeName=n CPUs=4 RealMemory=99999\nPartitionName=p Nodes=ALL\n"
    )
    nodes = sw.read_slurm_nodes(tmp_path / "n.conf")
    packed_bomb(tmp_path / "e.gz", EVENT, b"x", 3)
    for read in (lambda path: sw.read_slurm_events(path, nodes), asked_features):
        with pytest.raises(sw.TraceError, match=r"e\.gz:2: the line has more than 1048576 bytes"):
            read(tmp_path / "e.gz")
    (tmp_path / "two.gz").write_bytes(gzip.compress(EVENT) + gzip.compress(b"\r\n" + EVENT))
    assert len(sw.read_slurm_events(tmp_path / "two.gz", nodes)) == 2


def test_unpacked_chunks_have_a_bounded_size(tmp_path: Path) -> None:
    packed_bomb(tmp_path / "b.gz", b"", b"0", 20)
    with (tmp_path / "b.gz").open("rb") as file:
        sizes = [len(piece) for piece in unpacked(file)]
    assert sum(sizes) == 20 << 20
    assert max(sizes) <= PIECE


@pytest.mark.parametrize("cut", [1, 5, 12])
def test_packed_text_that_is_cut_short_is_refused(tmp_path: Path, cut: int) -> None:
    (tmp_path / "cut.gz").write_bytes(gzip.compress(JOB * 100)[:-cut])
    with pytest.raises(sw.TraceError, match=r"cut\.gz: cannot be read: the gzip data is cut short"):
        list(numbered_lines(str(tmp_path / "cut.gz")))


def test_lines_are_numbered_and_stripped(tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(b"a\r\n\nb\x85c\nlast")
    assert list(numbered_lines(str(tmp_path / "t"))) == [
        (1, b"a"), (2, b""), (3, b"b\x85c"), (4, b"last"),
    ]  # fmt: skip


def test_a_packed_line_of_half_a_gigabyte_takes_little_memory(tmp_path: Path) -> None:
    packed_bomb(tmp_path / "bomb.gz", JOB, b" ", 512)
    code = (
        "import resource, sys, slotwise as sw\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: sw.read_swf(sys.argv[1])\n"
        "except sw.TraceError: pass\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "bomb.gz")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    unit = 1024 if sys.platform == "darwin" else 1  # ru_maxrss is in bytes only on macOS
    assert int(done.stdout) / unit < 64 * 1024
