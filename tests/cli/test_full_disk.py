"""Full disks: the message names the file being written, and no partial file remains.

A limit on file sizes simulates the full disk. The system reports the same kind of error: a write to
an open file fails with an error number, but without a file name.
"""

from __future__ import annotations

import os
import resource
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from slotwise._files import named_in_faults, written_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GRID = 'trace = "log.swf"\n[grid]\n"policy.backfill" = ["none", "easy", "first-fit"]\n'
TOO_LARGE = "File too large"


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    """Limit the size of the files that this process writes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ("convert log.swf out.csv", "out.csv"),
        ("convert log.swf out.parquet", "out.parquet"),
        ("convert log.swf out.swf", "out.swf"),
        ("convert log.swf out.swf.gz", "out.swf.gz"),
        ("generate lublin out.swf --jobs 100", "out.swf"),
        ("run log.swf --jobs out.csv", "out.csv"),
        ("run log.swf --jobs out.swf", "out.swf"),
        ("run log.swf --report out.html", "out.html"),
    ],
)
def test_a_full_disk_names_the_file_and_leaves_the_old_one(
    slotwise: Any, log: Path, tmp_path: Path, arguments: str, name: str
) -> None:
    (tmp_path / name).write_text("old")
    before = {path.name for path in tmp_path.iterdir()}
    with no_file_above(100):
        ended = slotwise(*arguments.split())
    assert (ended.code, ended.err) == (1, f"slotwise: error: {name}: {TOO_LARGE}\n")
    assert (tmp_path / name).read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == before


# The first line of a journal describes the sweep in about 300 bytes; a row takes about 1,000.
@pytest.mark.parametrize("size", [100, 800, 2000])
@pytest.mark.parametrize(
    ("options", "kept"),
    [(["--shard", "1/1"], "grid.1-of-1.jsonl"), (["--out", "out.csv"], ".out.csv.journal.jsonl")],
)
def test_a_sweep_on_a_full_disk_names_its_journal_and_resumes_later(
    slotwise: Any, log: Path, tmp_path: Path, options: list[str], kept: str, size: int
) -> None:
    (tmp_path / "grid.toml").write_text(GRID)
    with no_file_above(size):
        ended = slotwise("sweep", "grid.toml", *options, "--workers", "1")
    assert (ended.code, ended.err) == (1, f"slotwise: error: {kept}: {TOO_LARGE}\n")
    assert (tmp_path / kept).stat().st_size == size  # cut in the middle of a line
    assert slotwise("sweep", "grid.toml", *options, "--workers", "1").code == 0
    if "--shard" in options:
        merged = slotwise("sweep", "merge", kept)
        assert (merged.code, merged.err) == (0, "")


def test_a_full_disk_under_a_link_names_the_typed_path(tmp_path: Path) -> None:
    link = tmp_path / "link.swf"
    link.symlink_to(tmp_path / "target.swf")
    with (
        no_file_above(100),
        pytest.raises(OSError, match=TOO_LARGE) as fault,
        written_whole(link) as file,
    ):
        file.write(bytes(10_000))
    assert fault.value.filename == str(link)
    assert [path.name for path in tmp_path.iterdir()] == ["link.swf"]


def test_an_error_that_names_another_file_keeps_that_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as fault, named_in_faults("mine"):
        (tmp_path / "absent").open()
    assert fault.value.filename == str(tmp_path / "absent")


def test_a_reader_of_a_device_that_leaves_is_still_a_broken_pipe() -> None:
    with pytest.raises(BrokenPipeError) as fault, named_in_faults("mine"):
        raise OSError(32, os.strerror(32))
    assert fault.value.filename == "mine"
