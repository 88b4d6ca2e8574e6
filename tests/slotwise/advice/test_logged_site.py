"""The site file for a log: capacity, queues and limits, with the evidence beside each line."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.advice.logged_site.described import describe_log
from slotwise.cli import main
from slotwise.site.build import build

if TYPE_CHECKING:
    from pathlib import Path

HOUR = 3600


def described(**columns: Any) -> tuple[str, dict[str, Any]]:
    """Describe a log as a site file, and assert that this site rejects none of the log's jobs."""
    n = len(columns["submit"])
    columns = {"requested_time": [2 * HOUR] * n, "wait": [0] * n} | columns
    trace = sw.Trace.from_columns(**columns)
    text = describe_log(trace)
    document = tomllib.loads(text)
    result = sw.simulate(trace, build(document))
    assert result.reject_counts() == {}
    return text, document


def test_processors_are_the_most_in_use_at_once() -> None:
    # The first job uses 4 processors from 0 to 10, the second uses 6 from 5 to 15, and the third
    # uses 5 from 15 onwards. So 10 are in use from 5 to 10.
    text, document = described(submit=[0, 5, 15], run_time=[10, 10, 10], processors=[4, 6, 5])
    assert document["machine"] == {"processors": 10}
    assert (
        "processors = 10                       # most processors in use at once, at 5 s\n" in text
    )


def test_the_size_of_the_header_is_said_and_bounds_the_machine() -> None:
    columns = {"submit": [0, 5], "run_time": [10, 10], "processors": [4, 6]}
    text, document = described(**columns, max_processors=16)
    assert document["machine"] == {"processors": 10}
    assert "; the header states 16" in text
    # The header states 8 processors, but 10 are in use from 5 to 10, for a third of the 15 s.
    text, document = described(**columns, max_processors=8)
    assert document["machine"] == {"processors": 8}
    assert (
        "from the header; for 33.33 % of the log's time, more processors were in use, up to 10"
        in text
    )


def test_nodes_are_types_by_name_and_by_what_was_in_use_on_them() -> None:
    # 64 cores are in use at once on n1 and on n2, but only 8 on n3. Most of the nodes n1 to n3 have
    # 64 cores, so n3 is given 64 as well. g1 has 32 cores and 4 GPUs.
    _, document = described(
        submit=[0, 0, 0, 10, 0],
        run_time=[10] * 5,
        processors=[64, 64, 8, 128, 32],
        gpus=[-1, -1, -1, -1, 4],
        node_list=["n1", "n2", "n3", "n[1-2]", "g1"],
        partition=["cpu", "cpu", "cpu", "cpu", "gpu"],
    )
    assert document["machine"]["nodes"] == [
        {"hosts": "g1", "cores": 32, "gpus": 4},
        {"hosts": "n[1-3]", "cores": 64},
    ]
    assert [(q["name"], q["nodes"]) for q in document["queue"]] == [
        ("cpu", ["n[1-3]"]), ("gpu", ["g1"]),
    ]  # fmt: skip


def test_the_evidence_counts_the_nodes_that_reached_their_size() -> None:
    text, _ = described(
        submit=[0, 0, 0], run_time=[10] * 3, processors=[64, 64, 8], node_list=["n1", "n2", "n3"]
    )
    assert "# 3 nodes; on 2 of them, 64 cores were in use at once" in text


def test_without_nodes_for_most_of_the_work_the_machine_is_one_of_processors() -> None:
    _, document = described(
        submit=[0, 0], run_time=[10, 10], processors=[4, 4], node_list=["n1", ""]
    )
    assert document["machine"] == {"processors": 8}


def test_a_number_that_three_users_reached_is_a_limit_and_others_are_comments() -> None:
    # Users a, b and c each run 2 jobs at a time in batch, and d runs 1; only d uses 8
    # processors at once.
    user = ["a", "a", "b", "b", "c", "c", "d"]
    text, document = described(
        submit=[0] * 7, run_time=[10] * 7, processors=[1, 1, 1, 1, 1, 1, 8], user=user,
        queue=["batch"] * 7,
    )  # fmt: skip
    assert document["queue"] == [
        {
            "name": "batch", "trace_queues": ["batch"], "walltime": ["0s", "02:00:00"],
            "running_per_user": 2,
        }
    ]  # fmt: skip
    assert document["limits"] == {"running_per_user": 2}
    assert "# processors_per_user = 8" in text
    assert "no evidence of a limit: only 1 user had this many processors in use" in text
    assert "longest requested time, requested by 7 jobs" in text


def test_queues_without_names_have_their_numbers_and_others_their_own_queue() -> None:
    text, document = described(
        submit=[0, 0, 0], run_time=[10] * 3, processors=[1, 1, 1], queue=[3, 3, -1]
    )
    assert [(q["name"], q.get("trace_queues")) for q in document["queue"]] == [
        ("queue 3", [3]), ("others", None),
    ]  # fmt: skip
    assert "1 job without a queue" in text


def test_a_log_without_requests_has_no_walltimes() -> None:
    text, document = described(
        submit=[0], run_time=[10], processors=[1], requested_time=[-1], queue=["a"]
    )
    assert "walltime" not in document["queue"][0]
    assert "no walltime: the log has no requested times" in text


def test_a_log_without_starts_shows_no_machine() -> None:
    trace = sw.Trace.from_columns([0, 0], [9, 9], [1, 1])
    with pytest.raises(sw.TraceError, match="none of its 2 jobs has a logged start"):
        describe_log(trace)


def test_odd_names_do_not_break_the_file() -> None:
    _, document = described(
        submit=[0, 0], run_time=[9, 9], processors=[1, 1], queue=['a"\n[x]', "b # c\x1b"]
    )
    assert {q["name"] for q in document["queue"]} == {'a"\n[x]', "b # c\x1b"}


def test_the_command_prints_a_site_that_is_checked_and_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw = np.random.default_rng(1)
    rows = [
        f"{i * 60},{draw.integers(0, 600)},{draw.integers(60, 7000)},{draw.integers(1, 9)},7200,"
        f"u{draw.integers(0, 5)},{'debug' if i % 3 else 'long'}"
        for i in range(200)
    ]
    log, site = tmp_path / "log.csv", tmp_path / "site.toml"
    log.write_text(
        "submit,wait,run_time,processors,requested_time,user,partition\n" + "\n".join(rows) + "\n"
    )
    assert main(["site", "from-log", str(log)]) == 0
    site.write_text(capsys.readouterr().out)
    assert main(["site", "check", str(site), "--trace", str(log)]) == 0
    assert "All 200 jobs in the log can run." in capsys.readouterr().out
    assert main(["run", str(log), "--site", str(site)]) == 0
    without = tmp_path / "without.csv"
    without.write_text("submit,run_time,processors\n0,9,1\n")
    assert main(["site", "from-log", str(without)]) == 3
    ended = capsys.readouterr()
    assert "has a logged start" in ended.err


def test_a_user_who_had_all_that_ran_shows_no_limit() -> None:
    # Users a, b and c take turns. Each uses 8 processors, the most that the queue ever had in use.
    text, document = described(
        submit=[0, 100, 200], run_time=[10] * 3, processors=[8] * 3, user=["a", "b", "c"],
        queue=["batch"] * 3,
    )  # fmt: skip
    assert "processors_per_user" not in document["queue"][0]
    assert "limits" not in document or document["limits"] == {}
    assert "# processors_per_user = 8" in text
    words = " ".join(text.replace("#", "").split())
    assert "all users together never had more processors in use" in words
