"""Odd file names: invalid UTF-8, names almost too long, and loops of symbolic links."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

GRID = 'trace = "log.swf"\n[grid]\n"policy.backfill" = ["none", "easy"]\n'
NO_TEXT = "n\udcff"


@pytest.fixture
def no_text(log: Path) -> Path:
    """Copy the log of ten jobs to a name that is not valid UTF-8."""
    path = log.with_name(f"{NO_TEXT}.swf")
    path.write_bytes(log.read_bytes())
    return path


def test_a_log_with_an_undecodable_name_gives_a_readable_table(
    slotwise: Any, no_text: Path
) -> None:
    assert slotwise("run", no_text.name, "--jobs", "jobs.csv").code == 0
    with no_text.with_name("jobs.csv").open(encoding="utf-8") as file:
        assert {row["workload_name"] for row in csv.DictReader(file)} == {r"n\udcff"}


@pytest.mark.parametrize("suffix", ["csv", "parquet", "swf", "swf.gz"])
def test_a_trace_under_an_undecodable_name_is_written_and_read(
    slotwise: Any, no_text: Path, suffix: str
) -> None:
    out = f"out-{NO_TEXT}.{suffix}"
    assert slotwise("convert", no_text.name, out).code == 0
    told = slotwise("info", out)
    assert (told.code, told.err) == (0, "")
    assert slotwise("run", no_text.name, "--jobs", out).code == 0


def test_a_table_of_a_sweep_under_an_undecodable_name(slotwise: Any, no_text: Path) -> None:
    no_text.with_name("grid.toml").write_text(GRID)
    for suffix in ("csv", "parquet"):
        assert slotwise("sweep", "grid.toml", "--out", f"{NO_TEXT}.{suffix}").code == 0


@pytest.mark.parametrize("name", ["x" * 240, "日" * 80])
@pytest.mark.parametrize("suffix", ["csv", "parquet", "swf", "swf.gz"])
def test_a_name_that_the_system_accepts_is_written(
    slotwise: Any, log: Path, name: str, suffix: str
) -> None:
    out = f"{name}.{suffix}"
    assert slotwise("convert", log, out).code == 0
    assert slotwise("run", log, "--jobs", out).code == 0
    assert {path.name for path in log.parent.iterdir()} == {"log.swf", out}


def test_a_long_name_of_a_report_and_of_a_table(slotwise: Any, log: Path) -> None:
    log.with_name("grid.toml").write_text(GRID)
    assert slotwise("run", log, "--report", "日" * 80 + ".html").code == 0
    before = len(list(log.parent.iterdir()))
    assert slotwise("sweep", "grid.toml", "--out", "x" * 240 + ".csv").code == 0
    assert len(list(log.parent.iterdir())) == before + 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["convert", "log.swf", "LOOP.csv"],
        ["convert", "log.swf", "LOOP/out.csv"],
        ["generate", "lublin", "LOOP.swf"],
        ["run", "log.swf", "--jobs", "LOOP.csv"],
        ["run", "log.swf", "--report", "LOOP.html"],
        ["run", "log.swf", "--site", "torus.toml", "--pictures", "LOOP"],
        ["study", "torus", "--quick", "--out", "LOOP"],
        ["study", "torus", "--quick", "--cache", "LOOP"],
        ["sweep", "grid.toml", "--out", "LOOP.csv"],
    ],
)
def test_a_loop_of_links_as_output_is_refused(
    slotwise: Any, log: Path, arguments: list[str]
) -> None:
    log.with_name("grid.toml").write_text(GRID)
    log.with_name("torus.toml").write_text("[machine]\ntorus = [8, 16, 16]\n")
    for suffix in ("", ".csv", ".swf", ".html"):
        log.with_name(f"LOOP{suffix}").symlink_to(f"BACK{suffix}")
        log.with_name(f"BACK{suffix}").symlink_to(f"LOOP{suffix}")
    ended = slotwise(*arguments)
    assert ended.code == 2
    assert "LOOP" in ended.err
    assert "Too many levels of symbolic links; choose another name" in ended.err


def test_a_loop_of_links_as_input_is_refused_despite_an_output(slotwise: Any, log: Path) -> None:
    log.with_name("loop.csv").symlink_to("loop.csv")
    ended = slotwise("convert", "loop.csv", "out.swf")
    assert ended.code == 3
    assert "loop.csv: cannot be read (Too many levels of symbolic links)" in ended.err


def test_writing_to_a_loop_of_links_keeps_the_links(log: Path) -> None:
    loop = log.with_name("loop.swf")
    loop.symlink_to("loop.swf")
    with pytest.raises(OSError, match="Too many levels") as fault:
        sw.write_swf(sw.read_swf(log), loop)
    assert fault.value.filename == str(loop)
    assert loop.is_symlink()
