"""The ``nice`` and ``site_factor`` columns, which are 0 where a log has no value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.format import ReadOptions
from slotwise.formats.job_files import write_trace
from slotwise.formats.registry import format_of_profile
from slotwise.formats.text.profile import Profile

if TYPE_CHECKING:
    from pathlib import Path

ROWS = "submit,run_time,processors,nice,site_factor\n0,5,1,-3,\n1,5,1,,40\n"


def test_an_empty_cell_is_0(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(ROWS)
    trace = sw.read_trace(tmp_path / "x.csv")
    assert trace.nice.tolist() == [-3, 0]
    assert trace.site_factor.tolist() == [0, 40]


def test_a_log_without_the_columns_has_zeros() -> None:
    trace = sw.Trace.from_columns([0, 1], [5, 5], [1, 1])
    assert trace.nice.tolist() == trace.site_factor.tolist() == [0, 0]


def test_a_null_is_0(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"submit": [0, 1], "run_time": [5, 5], "processors": [1, 1]}
    nulls = {"nice": [None, 7], "site_factor": pa.nulls(2)}
    parquet.write_table(pa.table(columns | nulls), tmp_path / "x.parquet")
    trace = sw.read_trace(tmp_path / "x.parquet")
    assert trace.nice.tolist() == [0, 7]
    assert trace.site_factor.tolist() == [0, 0]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_written_file_keeps_them(tmp_path: Path, suffix: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    trace = sw.Trace.from_columns([0, 1], [5, 5], [1, 1], nice=[-1, 2], site_factor=[3, -1])
    write_trace(trace, tmp_path / f"x{suffix}")
    assert sw.read_trace(tmp_path / f"x{suffix}") == trace


def test_they_are_part_of_the_hashes_unless_all_are_0() -> None:
    trace = sw.Trace.from_columns([0, 1], [5, 5], [1, 1])
    same = trace.with_columns(nice=[0, 0], site_factor=[0, 0])
    other = trace.with_columns(nice=[0, -1])
    assert (same.content_hash, same.replay_hash) == (trace.content_hash, trace.replay_hash)
    assert other.content_hash != trace.content_hash
    assert other.replay_hash != trace.replay_hash
    assert other != trace


def test_a_job_added_to_a_replay_has_none() -> None:
    trace = sw.Trace.from_columns([0, 1], [5, 5], [1, 1], nice=[4, 5])
    simulation = sw.Simulation(trace, sw.Site(1))
    simulation.submit(processors=1, requested_time=5, run_time=5)
    assert sorted(simulation.trace.nice.tolist()) == [0, 4, 5]


PROFILE = """
name = "own"
title = "Our own log"
evidence = "real files"
[text]
delimiter = ";"
[sniff]
header = ["id", "queued", "began", "ended", "cpus", "nice"]
[columns]
job_id = "id"
submit = "queued"
start = "began"
end = "ended"
processors = "cpus"
nice = "nice"
site_factor = "bonus"
"""


def test_a_profile_may_name_them(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(PROFILE)
    (tmp_path / "jobs.txt").write_text(
        "id;queued;began;ended;cpus;nice;bonus\n"
        "1;2024-07-01 12:00:00;2024-07-01 12:05:00;2024-07-01 12:06:00;4;-20;\n"
        "2;2024-07-01 12:00:01;2024-07-01 12:05:00;2024-07-01 12:06:00;4;;300\n"
    )
    own = format_of_profile(Profile.load(tmp_path / "own.toml"))
    trace = own.read(str(tmp_path / "jobs.txt"), ReadOptions())
    assert trace.nice.tolist() == [-20, 0]
    assert trace.site_factor.tolist() == [0, 300]
