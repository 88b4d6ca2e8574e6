"""Logged figures beside replayed ones, and waits from the eligible time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import slotwise as sw

SLURM = Path(__file__).resolve().parents[2] / "examples" / "slurm"


def test_run_prints_and_writes_the_baseline(slotwise: Any, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("submit,run_time,processors,wait\n0,100,8,0\n0,100,8,150\n")
    shown = slotwise("run", log, "--processors", 8).out
    assert "replayed    logged" in shown
    assert "0:00:50   0:01:15" in shown
    data = json.loads(slotwise("run", log, "--processors", 8, "--json").out)
    assert data["baseline"]["logged"]["mean_wait"] == 75
    assert data["baseline"]["jobs"] == 2
    assert data["metrics"]["mean_wait"] == 50
    assert "The replay has the same figures as the log." not in shown
    log.write_text("submit,run_time,processors,wait\n0,100,8,0\n0,100,8,100\n")
    equal = slotwise("run", log, "--processors", 8).out
    assert "The replay has the same figures as the log." in equal
    assert "Possible causes" not in equal
    without = tmp_path / "without.csv"
    without.write_text("submit,run_time,processors\n0,100,8\n")
    assert "logged" not in slotwise("run", without, "--processors", 8).out
    assert "logged" not in slotwise("run", log, "--processors", 8, "--columns", "mean_wait").out


@pytest.fixture
def held(tmp_path: Path) -> Path:
    """Write a log of two jobs that need the whole machine; the second was held for 60 s."""
    log = tmp_path / "held.csv"
    log.write_text("submit,eligible,run_time,processors,user\n0,0,100,8,ann\n0,60,100,8,bob\n")
    return log


def test_waits_from_the_eligible_time_stand_first(slotwise: Any, held: Path) -> None:
    # The second job starts at 100. It waits 100 s from its submit time, 0, and 40 s from its
    # eligible time, 60.
    shown = slotwise("run", held, "--processors", 8).out
    assert shown.index("eligible wait") < shown.index("\n wait")
    metrics = json.loads(slotwise("run", held, "--processors", 8, "--json").out)["metrics"]
    assert (metrics["mean_wait"], metrics["mean_eligible_wait"]) == (50, 20)
    # The second job is eligible at 60, runs for 100 s and ends at 200, so its slowdown is 1.4. The
    # slowdown of the first job is 1.
    assert metrics["max_eligible_slowdown"] == 1.4
    assert metrics["mean_eligible_bounded_slowdown"] == pytest.approx(1.2)
    assert metrics["max_eligible_response"] == 140


@pytest.mark.parametrize(
    ("chosen", "shown", "hidden"),
    [("submit", "\n wait", "eligible wait"), ("eligible", "eligible wait", "\n wait")],
)
def test_wait_from_shows_waits_from_one_time_only(
    slotwise: Any, held: Path, chosen: str, shown: str, hidden: str
) -> None:
    out = slotwise("run", held, "--processors", 8, "--wait-from", chosen).out
    assert shown in out
    assert hidden not in out
    compared = slotwise(
        "compare", held, "--processors", 8, "--backfill", "easy,none", "--wait-from", chosen
    ).out
    assert ("mean eligible wait" in compared) is (chosen == "eligible")
    data = json.loads(slotwise("run", held, "--processors", 8, "--json", "--wait-from", chosen).out)
    assert data["wait_from"] == chosen
    assert data["metrics"]["mean_wait"] == 50


def test_groups_count_from_the_chosen_time(slotwise: Any, held: Path) -> None:
    def waits(*options: str) -> dict[str, float]:
        out = slotwise("run", held, "--processors", 8, "--by", "user", "--json", *options).out
        groups = json.loads(out)["by"]["groups"]
        return {group["label"]: group["metrics"]["mean_wait"] for group in groups}

    assert waits() == {"ann": 0, "bob": 100}
    assert waits("--wait-from", "eligible") == {"ann": 0, "bob": 40}
    shown = slotwise("run", held, "--processors", 8, "--by", "user", "--wait-from", "eligible").out
    assert "Waits by user, from the eligible time" in shown


def test_a_log_without_eligible_times_counts_from_the_submit_time(
    slotwise: Any, tmp_path: Path
) -> None:
    log = tmp_path / "plain.csv"
    log.write_text("submit,run_time,processors\n0,100,8\n")
    ended = slotwise("run", log, "--processors", 8, "--wait-from", "eligible")
    assert "Waits are measured from the submit time, because no job in the log" in ended.out
    wrong = slotwise("run", log, "--processors", 8, "--wait-from", "start")
    assert wrong.code == 2
    assert "--wait-from: unknown time 'start'" in wrong.err


def test_every_table_of_groups_counts_from_the_chosen_time(slotwise: Any, held: Path) -> None:
    typed = (
        "compare", held, "--processors", 8, "--backfill", "easy,none", "--by", "user",
        "--wait-from", "eligible", "--wide",
    )  # fmt: skip
    out = slotwise(*typed).out
    assert "Waits by user: easy, from the eligible time" in out
    last = out.partition("Waits by user: none minus easy, from the eligible time")[2]
    # Bob's job is eligible at 60 and starts at 100.
    assert next(line for line in last.splitlines() if "bob" in line).split()[2] == "0:00:40"
    first = slotwise(*typed[:-3]).out.partition("none minus easy")[2]
    assert next(line for line in first.splitlines() if "bob" in line).split()[2] == "0:01:40"


def test_wait_from_reaches_logged_figures_and_every_slowdown(slotwise: Any, tmp_path: Path) -> None:
    log = tmp_path / "held.csv"
    log.write_text(
        "submit,eligible,run_time,processors,user,wait\n0,0,100,8,ann,0\n0,60,100,8,bob,120\n"
    )
    run = ("run", log, "--processors", 8, "--wide")
    by_eligible = slotwise(*run, "--wait-from", "eligible").out
    # The eligible waits are 0 and 60 s in the log, and 0 and 40 s in the replay.
    logged = by_eligible.partition("replayed")[2]
    assert "mean eligible wait    0:00:20   0:00:30" in logged
    assert "mean wait" not in logged
    assert "eligible bounded slowdown floor" in by_eligible
    assert "\n bounded slowdown floor" not in by_eligible
    assert "Eligible waits, response times and slowdowns are measured from the time" in by_eligible
    by_submit = slotwise(*run, "--wait-from", "submit").out
    assert "ligible" not in by_submit
    metrics = json.loads(slotwise(*run[:-1], "--json").out)["metrics"]
    # The slowdowns are 1 and 1 + 40 / 100. The per-processor slowdown of the second job would be
    # 140 / (8 x 100), which is below 1 and therefore counts as 1. Both jobs have the same area.
    assert metrics["max_eligible_bounded_slowdown_floor"] == 1.4
    assert metrics["max_eligible_per_processor_bounded_slowdown"] == 1
    assert metrics["area_weighted_eligible_wait"] == 20
    assert metrics["area_weighted_eligible_response"] == 120


def test_a_difference_without_a_cause_is_said(slotwise: Any, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("submit,run_time,processors,wait\n0,1000,8,0\n0,1000,8,1200\n")
    unexplained = slotwise("run", log, "--processors", 8).out
    assert "No figure in the log or the replay points to a cause." in unexplained
    assert "try other policies with slotwise compare" in unexplained
    log.write_text("submit,run_time,processors,wait\n0,100,8,0\n0,100,8,100\n")
    assert "points to a cause" not in slotwise("run", log, "--processors", 8).out


CUT = """submit,run_time,processors,wait
0,100,1,0
90000,{run},8,0
90000,{run},8,{run}
176400,{run},8,{wait}
262800,100,1,0
"""


@pytest.mark.parametrize(
    ("run", "wait", "material"),
    [
        # The mean waits differ by exactly a minute, then by slightly more.
        (20000, 300, False),
        (20000, 301, True),
        # They differ by slightly less, then slightly more, than 1 % of the log's mean wait, which
        # is (43200 + wait) / 5.
        (43200, 436, False),
        (43200, 437, True),
    ],
)
def test_causes_are_listed_from_a_material_difference(
    slotwise: Any, tmp_path: Path, run: int, wait: int, material: bool
) -> None:
    # The fourth of the five jobs waits only in the log, so the mean waits differ by a fifth of its
    # logged wait. On the first day, the machine is almost unused.
    log = tmp_path / "log.csv"
    log.write_text(CUT.format(run=run, wait=wait))
    out = slotwise("run", log, "--processors", 8).out
    assert ("Possible causes of the difference:" in out) is material
    assert ("The differences from the log are small, so no causes are listed." in out) is (
        not material
    )
    # The JSON output lists possible causes even if the difference is small.
    data = json.loads(slotwise("run", log, "--processors", 8, "--json").out)
    assert [cause["name"] for cause in data["baseline"]["causes"]]


def test_the_example_log_holds_the_starts_of_a_replay(slotwise: Any, tmp_path: Path) -> None:
    # After changing a rule of the preset, update the log with tests/slurm/example_log.py.
    site = tmp_path / "centre.toml"
    site.write_text(slotwise("site", "from-slurm", SLURM / "slurm.conf").out)
    log = sw.read_trace(SLURM / "jobs.txt.gz")
    found = sw.simulate(log, sw.Site.from_toml(site))
    assert np.flatnonzero(found.wait != log.wait).size == 0
    assert (found.end == log.submit + log.wait + log.run_time).all()
    shown = slotwise("run", SLURM / "jobs.txt.gz", "--site", site).out
    assert "The replay has the same figures as the log." in shown
    assert "Possible causes" not in shown
