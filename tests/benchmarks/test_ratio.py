"""benchmarks/ratio.py on a tiny workload: its output and failures; nothing is timed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from yardstick import measure, node_sites, node_tasks, solvers, study_tasks, windows
from yardstick.task import Task

RATIO = Path(__file__).resolve().parents[2] / "benchmarks" / "ratio.py"
NAME = "lublin 2k load 0.85"


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run ratio.py on 2,000 generated jobs, at one load and without a log, in `folder`."""
    tiny = ("--only", "lublin 2k", "--jobs", "2000", "--loads", "0.85", "--seconds", "0.01")
    return subprocess.run(
        [sys.executable, str(RATIO), *tiny, "--answers", str(folder / "answers.json"), *options],
        env={**os.environ, "SLOTWISE_TRACES": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("answers")
    done = run(folder, "--record-answers", "--json")
    assert done.returncode == 0, done.stderr
    return (folder / "answers.json").read_text()


@pytest.fixture
def recorded(answers: str, tmp_path: Path) -> Path:
    (tmp_path / "answers.json").write_text(answers)
    return tmp_path


def test_json_holds_every_figure_of_a_row(recorded: Path) -> None:
    done = run(recorded, "--json")
    assert done.returncode == 0, done.stdout
    report: dict[str, Any] = json.loads(done.stdout)
    assert {"cpu", "cores", "load_average", "python", "compiler", "commit", "date"} <= set(
        report["machine"]
    )
    (row,) = report["rows"]
    assert row["name"] == NAME
    assert row["jobs"] == row["answer"]["jobs"] == 2000
    assert row["ratio"] == pytest.approx(sorted(row["ratios"])[len(row["ratios"]) // 2], rel=0.5)
    assert row["target"] == ["ratio", 6]
    assert row["answer_recorded"] is True
    assert row["queue_max"] >= row["queue_mean"] >= 0
    assert report["summary"]["all"]["worst_row"] == NAME
    assert report["problems"] == []


def test_windows_on_a_torus_are_held_against_their_targets() -> None:
    cells = windows.cells(2000)
    assert {windows.name_of(cell) for cell in cells} == {
        f"window of 5, {solver}, load {load}"
        for solver in ("branch-and-bound", "greedy")
        for load in (0.7, 0.85)
    }
    figures = measure.measure_window({"cell": cells[0], "limit": 60, "seconds": 0.01})
    assert figures["jobs"] == figures["answer"]["started"] == 2000
    assert figures["ratio"] > 0


def test_one_call_of_the_solver_is_timed_for_every_kind_of_instance() -> None:
    for cell in solvers.cells():
        figures = measure.measure_solver({"cell": cell})
        assert 0 < figures["median_seconds"] <= figures["p99_seconds"] <= figures["worst_seconds"]


@pytest.mark.parametrize(
    ("task", "size"),
    [
        (study_tasks.swept_weights, {"jobs": 1000, "sets": 3}),
        (study_tasks.measured_weights, {"jobs": 16_000, "sets": 2}),
        (study_tasks.speed_up, {"jobs": 1000, "sets": 2}),
        (study_tasks.long_log, {"jobs": 1000}),
        (study_tasks.advice, {"jobs": 5000, "present": 1000, "draws": 2}),
        (study_tasks.decided_month, {"name": "2016-01"}),
        (node_tasks.easy, {"jobs": 2000}),
        (node_tasks.conservative, {"jobs": 2000}),
        (node_sites.centre, {"jobs": 2000}),
        (node_tasks.list_schedule, {"rounds": 1}),
        (node_tasks.first_solution, {"rounds": 1}),
        (node_tasks.first_faithful_solution, {"rounds": 1}),
    ],
)
def test_what_studies_do_is_measured_in_seconds(task: Any, size: dict[str, Any]) -> None:
    assert task in {each.work for each in study_tasks.TASKS.values()}
    figures = task(**size)
    assert figures["jobs"] > 0
    assert figures["cpu"] > 0
    assert figures["wall"] > 0


@pytest.mark.parametrize("backfill", ["easy", "conservative"])
def test_whole_nodes_are_measured_beside_processors(backfill: str) -> None:
    figures = node_sites.beside_processors(64, backfill, jobs=500, rounds=1)
    assert figures["jobs"] == 500
    assert figures["ratio"] > 0


@pytest.mark.parametrize("backfill", ["conservative", "replan"])
def test_the_centre_is_measured_under_other_backfills(backfill: str) -> None:
    assert node_sites.centre(backfill, 500)["cpu"] > 0


def test_a_missed_bound_of_a_busy_machine_is_no_failure() -> None:
    sped_up = study_tasks.TASKS["two threads beside one"]
    assert sped_up.verdict({"speed_up": 1.8}, load=0.2) == "pass"
    assert sped_up.verdict({"speed_up": 1.7}, load=0.2) == "fail"
    assert sped_up.verdict({"speed_up": 1.7}, load=1.5) == "busy"
    months = study_tasks.TASKS["13 months under the formula"]
    assert months.verdict({"wall": 2.1}, load=0.2) == "fail"


def test_a_missed_target_is_shown_beside_the_bound_that_holds() -> None:
    task = Task(dict, "cpu", target=2, held=3)
    shown = {seconds: task.verdict({"cpu": seconds}, load=0.2) for seconds in (2, 2.5, 3, 3.1)}
    assert shown == {2: "pass", 2.5: "held", 3: "held", 3.1: "fail"}
    assert (task.text(task.bound), task.text(task.target)) == ("3 s", "2 s")
    faster = Task(dict, "speed_up", target=1.8, held=1.5)
    assert [faster.verdict({"speed_up": value}, 0) for value in (1.8, 1.5, 1.4)] == [
        "pass",
        "held",
        "fail",
    ]


def test_a_months_decision_is_bounded_by_wall_and_cpu_seconds() -> None:
    assert study_tasks.TASKS["queues: a month's decision"].figure == "slower"
    figures = study_tasks.decided_month("2016-01")
    assert figures["slower"] == max(figures["wall"], figures["cpu"])


def test_long_tasks_can_be_omitted() -> None:
    million = "centre: easy, 1,000,000 jobs"
    assert million in study_tasks.present()
    assert million not in study_tasks.present(long=False)


def test_an_answer_that_differs_fails_and_is_told(recorded: Path) -> None:
    path = recorded / "answers.json"
    answers = json.loads(path.read_text())
    (key,) = answers
    answers[key]["starts"] = "0" * 16
    path.write_text(json.dumps(answers))
    done = run(recorded)
    assert done.returncode == 1
    told = " ".join(done.stdout.split())
    assert f"WRONG ANSWER in {NAME} | backfill=easy, order=fcfs: the schedule" in told
    assert "starts " in told
    assert "(recorded 0000000000000000)" in told


def test_another_policy_has_answers_of_its_own(recorded: Path) -> None:
    done = run(recorded, "--backfill", "none", "--record-answers", "--json")
    assert done.returncode == 0
    easy, none = json.loads((recorded / "answers.json").read_text()).values()
    assert easy["trace"] == none["trace"]
    assert easy["starts"] != none["starts"]


def test_an_unrecorded_answer_is_told_and_does_not_fail(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 0
    assert f"No recorded answer: {NAME}" in " ".join(done.stdout.split())
    assert not (tmp_path / "answers.json").exists()


@pytest.mark.parametrize("form", [[], ["--markdown"]])
def test_a_table_names_machine_and_date(recorded: Path, form: list[str]) -> None:
    done = run(recorded, *form)
    assert "load average" in done.stdout
    assert " UTC" in done.stdout
    assert NAME in done.stdout
    if not form:
        assert max(map(len, done.stdout.splitlines())) <= 100


def test_logs_that_are_absent_are_told(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            str(RATIO),
            "--only",
            "KTH",
            "lublin 2k",
            "--jobs",
            "2000",
            "--seconds",
            "0",
        ],
        env={**os.environ, "SLOTWISE_TRACES": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Skipped, not in the folder of logs: KTH-SP2-1996-2.1-cln.swf.gz." in done.stdout


def test_a_row_nobody_has_is_refused(tmp_path: Path) -> None:
    done = run(tmp_path, "--only", "no such row")
    assert done.returncode == 2
    assert "no row name contains any of these" in done.stderr
