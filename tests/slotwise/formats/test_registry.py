"""Formats are recognised by the first line of a file, even with other delimiters or names."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from reference.job_logs import SACCT, SLURMDBD
from slotwise.formats.registry import recognised
from slotwise.formats.text.profile import Profile

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("delimiter", ["|", ",", ";", "\t"])
def test_sacct_with_another_delimiter_is_the_same_log(tmp_path: Path, delimiter: str) -> None:
    (tmp_path / "plain.txt").write_text(SACCT, encoding="utf-8")
    with (tmp_path / "jobs.txt").open("w", encoding="utf-8", newline="") as file:
        rows = [row.split("|") for row in SACCT.splitlines()]
        csv.writer(file, delimiter=delimiter).writerows(rows)
    found = recognised(str(tmp_path / "jobs.txt"))
    assert found is not None
    assert found.name == "sacct"
    assert sw.read_trace(tmp_path / "jobs.txt") == sw.read_trace(tmp_path / "plain.txt")


@pytest.mark.parametrize(
    ("header", "last"),
    [
        ("JobIDRaw|Submit|Start|End|NCPUS", "1700000300"),
        ("JobID|Submit|Start|Elapsed|NCPUS", "00:01:40"),
    ],
)
def test_sacct_is_recognised_without_a_state(tmp_path: Path, header: str, last: str) -> None:
    (tmp_path / "jobs.txt").write_text(f"{header}\n5|1700000100|1700000200|{last}|3\n")
    trace = sw.read_trace(tmp_path / "jobs.txt")
    assert (trace.job_id[0], trace.wait[0], trace.run_time[0]) == (5, 100, 100)


def test_the_job_table_of_slurmdbd_is_read_as_mysql_prints_it(tmp_path: Path) -> None:
    rows = list(csv.reader(SLURMDBD.splitlines()))
    nulls = [[cell or "NULL" for cell in row] for row in rows]
    (tmp_path / "jobs.csv").write_text(SLURMDBD)
    (tmp_path / "jobs.tsv").write_text("".join("\t".join(row) + "\n" for row in nulls))
    trace = sw.read_trace(tmp_path / "jobs.tsv")
    assert trace == sw.read_trace(tmp_path / "jobs.csv")
    assert trace.report.repaired == {}


@pytest.mark.parametrize("given", [{"delimiter": "||"}, {"other_delimiters": [",", "§"]}])
def test_a_delimiter_is_one_ascii_character(given: dict[str, object]) -> None:
    told = {"name": "a", "title": "a", "evidence": "real files", "columns": {}, "text": given}
    with pytest.raises(ValueError, match=r"has the delimiter '.*'; use one ASCII character"):
        Profile.from_dict(told)
