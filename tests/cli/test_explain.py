"""``slotwise explain``."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from slotwise.terminal.tables import fitting_table

if TYPE_CHECKING:
    from pathlib import Path


def test_the_reasons_of_a_wait_sum_to_it(slotwise: Any, log: Path) -> None:
    # Job 2 (4 processors) is submitted at 10 and waits for job 1, which holds all 8 until 100.
    told = json.loads(slotwise("explain", log, "2", "--json").out)
    assert (told["submit"], told["start"], told["wait"]) == (10, 100, 90)
    assert told["seconds"] == {"processors": 90}
    assert told["blockers"] == [[1, 2, 360.0]]
    shown = slotwise("explain", log, "2").out
    assert "too few processors were free" in shown
    assert "user 2" in shown


def test_the_limit_that_held_a_job_is_shown_with_one_unit_per_column(
    slotwise: Any, log: Path
) -> None:
    # User 1 owns jobs 2, 4, …; job 4 (2 processors, at 30) may not run beside job 2, which ends at
    # 150.
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
    [
        ("99", "no job in the trace has the number 99"),
        ("6", "job 6 never started (rejected: it "),
        ("x", "must be the number"),
    ],
)
def test_a_job_that_cannot_be_explained_is_a_usage_error(
    slotwise: Any, log: Path, job: str, message: str
) -> None:
    ended = slotwise("explain", log, job)
    assert ended.code == 2
    assert message in ended.err


def test_a_number_of_two_jobs_needs_a_row(slotwise: Any, log: Path) -> None:
    # The third job is renumbered 2, so two jobs have the same number.
    lines = log.read_text().splitlines()
    jobs = [place for place, line in enumerate(lines) if not line.startswith(";")]
    third = lines[jobs[2]].split()
    assert third[0] == "3"
    lines[jobs[2]] = " ".join(["2", *third[1:]])
    twice = log.with_name("twice.swf")
    twice.write_text("\n".join(lines) + "\n")
    refused = slotwise("explain", twice, "2")
    assert refused.code == 2
    assert (
        "2 jobs have the number 2; choose the row of one of them: --row 1, --row 2" in refused.err
    )
    told = json.loads(slotwise("explain", twice, "2", "--row", "2", "--json").out)
    assert told["submit"] == int(third[1])
    for row, message in (("10", "must be a row from 0 to 9"), ("3", "--row 3 is job 4, not 2")):
        ended = slotwise("explain", twice, "2", "--row", row)
        assert ended.code == 2
        assert message in ended.err


def test_times_are_dates_if_the_log_gives_the_date_of_time_0(slotwise: Any, log: Path) -> None:
    assert "submitted at 10 s, started at 100 s" in slotwise("explain", log, "2").out
    # The date 10,000 days after 1970-01-01 is 1997-05-19.
    dated = log.with_name("dated.swf")
    dated.write_text(f"; UnixStartTime: 864000000\n{log.read_text()}")
    shown = " ".join(slotwise("explain", dated, "2").out.split())
    assert "at 1997-05-19 00:00 UTC (10 s), started at 1997-05-19 00:01 UTC (100 s)" in shown


def test_users_beyond_the_tenth_are_counted_or_all_named(slotwise: Any, tmp_path: Path) -> None:
    # Eleven users hold one processor each for 100 s, and user 12 holds two; the last job requests
    # all 13.
    log = tmp_path / "crowd.csv"
    rows = [f"{n},0,100,{2 if n == 12 else 1},{n}" for n in range(1, 13)]
    header = "job_id,submit,run_time,processors,user"
    log.write_text("\n".join([header, *rows, "99,1,10,13,1"]) + "\n")
    options = ("99", "--processors", "13")
    shown = slotwise("explain", log, *options).out
    users = [line.split()[1] for line in shown.splitlines() if line.strip().startswith("user ")]
    assert users == ["12", *map(str, range(1, 10))]
    # The two users not listed hold two of the thirteen processors.
    assert re.search(r"and 2 more users; --all lists them +2 jobs +15.38 %", shown)
    everyone = slotwise("explain", log, *options, "--all").out
    assert "more" not in everyone
    for user in range(1, 13):
        assert re.search(rf"user {user} +{user} ", everyone)


def test_overtaking_jobs_are_counted_beyond_the_tenth(slotwise: Any, tmp_path: Path) -> None:
    # Job 2 requests all 4 processors and waits for job 1; twelve one-processor jobs overtake job 2.
    log = tmp_path / "passed.csv"
    rows = [f"{n},{n},5,1,5" for n in range(3, 15)]
    header = "job_id,submit,run_time,processors,requested_time"
    log.write_text("\n".join([header, "1,0,100,3,100", "2,1,10,4,10", *rows]) + "\n")
    options = ("2", "--processors", "4")
    passed = " ".join(slotwise("explain", log, *options).out.split())
    assert (
        "12 jobs behind this one started before it by backfilling: "
        "3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2" in passed
    )
    everyone = " ".join(slotwise("explain", log, *options, "--all").out.split())
    assert "11, 12, 13, 14." in everyone


def test_without_backfilling_no_reservation_is_mentioned(slotwise: Any, log: Path) -> None:
    # Job 4 (2 processors, at 30) would fit beside job 2 from 100 onwards, but job 3 comes first.
    shown = slotwise("explain", log, "4", "--backfill", "none").out
    assert "order: it fitted, but no job may overtake another without backfilling" in shown
    assert "reserv" not in shown


def test_the_predicted_wait_names_the_run_times_it_assumes(slotwise: Any, log: Path) -> None:
    requested = " ".join(slotwise("explain", log, "2").out.split())
    assert "At submission, the predicted wait was" in requested
    assert "(assuming that every job uses its full requested time)." in requested
    exact = " ".join(slotwise("explain", log, "2", "--estimates", "exact").out.split())
    assert "(assuming that every job runs as long as the scheduler expects)." in exact


def test_a_task_of_a_job_array_is_named_as_slurm_does(slotwise: Any, tmp_path: Path) -> None:
    log = tmp_path / "array.csv"
    log.write_text(
        "job_id,array_id,array_task,submit,run_time,processors\n"
        "1060,1060,1,0,50,4\n1061,1060,3,0,50,4\n"
    )
    ended = slotwise("explain", log, "1060_3", "--processors", "4")
    assert ended.code == 0, ended.err
    assert "Job 1060_3 (job 1061) was submitted" in ended.out
    wrong = slotwise("explain", log, "1060_4", "--processors", "4")
    assert wrong.code == 2
    assert "JOB 1060_4: the log has no task 4 of array 1060" in wrong.err


def test_the_parts_of_priorities_are_shown_under_slurm(slotwise: Any, tmp_path: Path) -> None:
    # There are two nodes. Job 1 occupies one until 3000; job 2 waits for both, and job 3 must not
    # delay job 2. Age gives at most 10,000 points, which a job reaches after 1,000 s. A job on half
    # the machine gets 200 / 2 points for its size.
    site, log = tmp_path / "slurm.toml", tmp_path / "jobs.swf"
    site.write_text(
        '[machine]\nnodes = [{ hosts = "n[1-2]", cores = 1 }]\nwhole_nodes = true\n'
        '[policy]\npreset = "slurm-22.05"\n'
        'order = { name = "multifactor", age = 10000, max_age = 1000, job_size = 200 }\n'
    )
    jobs = [(0, 3000, 1, 3600), (2, 60, 2, 600), (2, 60, 1, 3600)]
    log.write_text(
        "".join(
            f"{number} {submit} -1 {run} {width} -1 -1 {width} {limit} -1 1 1 1 -1 1 -1 -1 -1\n"
            for number, (submit, run, width, limit) in enumerate(jobs, start=1)
        )
    )
    shown = slotwise("explain", log, "3", "--site", site).out
    heading = next(line for line in shown.splitlines() if "priority of job" in line)
    assert heading.split() == ["priority", "of", "job", "after", "sum", "age", "job", "size"]
    below = shown.splitlines()[shown.splitlines().index(heading) + 2 :][:3]
    # Job 3 starts at 3060. The first cycle to test it, at 30, finds that it would delay job 2.
    assert [line.split() for line in below] == [
        ["3", "0:00:00", "100", "0", "100"],
        ["3", "0:50:58", "10,100", "10,000", "100"],
        ["2", "0:00:28", "200", "0", "200"],
    ]
    told = json.loads(slotwise("explain", log, "3", "--site", site, "--json").out)
    assert [each["priority"] for each in told["priorities"]] == [100, 10_100, 200]


def test_parts_of_priorities_that_are_0_have_no_column(
    slotwise: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, log = tmp_path / "slurm.toml", tmp_path / "jobs.csv"
    site.write_text(
        "[machine]\nnodes = [{ count = 2, cores = 4 }]\n"
        '[policy]\npreset = "slurm-22.05"\n'
        'order = { name = "multifactor", age = 100, job_size = 10000, qos = 50, fairshare = 20000,'
        " qos_priority = { high = 9 }, partition = 70000,"
        " tres = { cores = 40000 } }\n[[queue]]\nname = 'only'\npriority = 1\n"
    )
    log.write_text("submit,run_time,processors,user,qos\n0,100,8,ann,low\n5,100,8,bob,low\n")
    for width in (80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        shown = slotwise("explain", log, "2", "--site", site).out
        table = shown.partition("priority")[2].partition("Alone on")[0]
        assert "…" not in table
        words = table.replace("─", "").split()
        for word in ("fair", "share", "partition", "size", "cores"):
            assert word in words, (width, word)
        assert "Parts that are 0 in all rows: age, qos." in table


def test_a_table_breaks_its_headings_and_then_narrows_its_gaps_to_fit() -> None:
    headings, row = ["priority of job", "fair share", "tres gpus"], ["7000", "24,876", "75"]
    shown = {}
    for width in (60, 30, 25):
        console = Console(width=width, file=io.StringIO())
        console.print(fitting_table(console, headings, [row]))
        lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
        shown[width] = [line.rstrip() for line in lines if line.strip(" ─")]
    assert shown[60] == [
        " priority of job   fair share   tres gpus",
        " 7000                  24,876          75",
    ]
    assert shown[30][-1] == " 7000       24,876     75"
    assert shown[25][-1] == " 7000      24,876    75"
    for width in (30, 25):
        words = " ".join(shown[width]).split()
        assert sorted(words) == sorted([*" ".join(headings).split(), *row])
