"""``slotwise explain``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path


def test_the_reasons_of_a_wait_are_told_and_sum_to_it(slotwise: Any, log: Path) -> None:
    # Job 2 (4 processors) is submitted at 10 and waits for job 1, which has all 8 until 100.
    told = json.loads(slotwise("explain", log, "2", "--json").out)
    assert (told["submit"], told["start"], told["wait"]) == (10, 100, 90)
    assert told["seconds"] == {"processors": 90}
    assert told["blockers"] == [[1, 2, 360.0]]
    shown = slotwise("explain", log, "2").out
    assert "too few processors were free" in shown
    assert "user 2" in shown


def test_the_limit_that_held_a_job_is_told_with_one_unit_a_column(slotwise: Any, log: Path) -> None:
    # Of user 1 are jobs 2, 4, …; job 4 (2 processors, at 30) may not run beside job 2, which ends
    # at 150.
    options = ("--set", "limits.running_per_user=1")
    told = json.loads(slotwise("explain", log, "4", "--json", *options).out)
    (limit,) = told["limits"]
    assert limit["seconds"] == told["seconds"]["limit"]
    assert {name: limit[name] for name in ("name", "whose", "most", "unit", "peak", "jobs")} == {
        "name": "limits.running_per_user", "whose": "user 1", "most": 1, "unit": "jobs",
        "peak": 1, "jobs": [2],
    }  # fmt: skip
    shown = slotwise("explain", log, "4", *options).out
    assert "limits.running_per_user" in shown
    reasons = tuple(f"{reason}:" for reason in told["seconds"])
    rows = [line for line in shown.splitlines() if line.strip().startswith(reasons)]
    assert len(rows) == len(told["seconds"]) > 1
    assert len({":" in row.partition(": ")[2] for row in rows}) == 1


@pytest.mark.parametrize(
    ("job", "message"),
    [("99", "no job 99"), ("6", "job 6 never started (rejected)"), ("x", "must be the number")],
)
def test_a_job_that_cannot_be_explained_is_a_usage_fault(
    slotwise: Any, log: Path, job: str, message: str
) -> None:
    ended = slotwise("explain", log, job)
    assert ended.code == 2
    assert message in ended.err


def test_a_number_that_two_jobs_have_needs_the_row_of_one(slotwise: Any, log: Path) -> None:
    # Numbered 2 too, job 3 is the row behind job 2.
    lines = log.read_text().splitlines()
    jobs = [place for place, line in enumerate(lines) if not line.startswith(";")]
    third = lines[jobs[2]].split()
    assert third[0] == "3"
    lines[jobs[2]] = " ".join(["2", *third[1:]])
    twice = log.with_name("twice.swf")
    twice.write_text("\n".join(lines) + "\n")
    refused = slotwise("explain", twice, "2")
    assert refused.code == 2
    assert "2 jobs are numbered 2; give the row of one: --row 1, --row 2" in refused.err
    told = json.loads(slotwise("explain", twice, "2", "--row", "2", "--json").out)
    assert told["submit"] == int(third[1])
    for row, message in (("10", "one of the 10 rows"), ("3", "--row 3 is job 4, not 2")):
        ended = slotwise("explain", twice, "2", "--row", row)
        assert ended.code == 2
        assert message in ended.err


def test_times_are_dates_where_the_log_says_what_its_time_0_is(slotwise: Any, log: Path) -> None:
    assert "submitted at 10 s, started at 100 s" in slotwise("explain", log, "2").out
    # 864,000,000 s are 10,000 days of 1970-01-01.
    dated = log.with_name("dated.swf")
    dated.write_text(f"; UnixStartTime: 864000000\n{log.read_text()}")
    shown = " ".join(slotwise("explain", dated, "2").out.split())
    assert "at 1997-05-19 00:00 UTC (10 s), started at 1997-05-19 00:01 UTC (100 s)" in shown
