"""The oracle decides each scheduling step of each recording from the recorded state alone."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from slurm.case import RECORDINGS, Case
from slurm.second_steps import SecondSteps
from slurm.strict import judged

if TYPE_CHECKING:
    from pathlib import Path

# Numbers of backfill steps, backfill starts, main scheduler starts and plans in each recording.
EXACT = {
    "complete_wait": (239, 19, 41, 1281),
    "count_reserve": (336, 64, 26, 1056),
    "defer": (221, 35, 25, 1004),
    "exclusive": (304, 69, 51, 1906),
    "factors": (297, 58, 52, 1718),
    "fairshare": (735, 119, 81, 11539),
    "features": (522, 55, 55, 2709),
    "job_test": (321, 33, 77, 903),
    "limits": (370, 38, 21, 2430),
    "max_time": (316, 108, 92, 10183),
    "memory": (274, 65, 55, 2945),
    "memory_gpus": (309, 78, 52, 4249),
    "node_order": (181, 25, 35, 1082),
    "part_limit": (345, 27, 63, 1536),
    "refused": (249, 16, 12, 956),
    "reset": (430, 59, 51, 4378),
    "running_limit": (256, 29, 31, 554),
    "short_window": (502, 39, 31, 1202),
    "test_depth": (319, 37, 73, 767),
    "tiers": (230, 9, 121, 1458),
    "tres_gpus": (165, 17, 23, 444),
    "user_limit": (381, 47, 63, 1925),
    "user_part_limit": (379, 63, 27, 2986),
}
# In one cycle of `limits`, the clock advances by a second before a job starts, which moves the
# job's end past a full minute.
PLANS_THAT_DIFFER = {"limits": 2}
# Plans missing from the log. In `memory`, the log of a main pass interrupts the log of the cycle.
# In `memory_gpus`, the cycle ended early, after it had tested job 124.
PLANS_NOT_LOGGED = {
    "memory": ["job 113 at 5229.961 s"],
    "memory_gpus": ["job 124 at 7330.102 s"],
}


@pytest.mark.parametrize("name", EXACT)
def test_every_step_of_a_recording_with_events_is_explained(name: str) -> None:
    scores = judged(name)
    steps, backfilled, main, plans = EXACT[name]
    backfill = scores["backfill"]
    assert (backfill.steps, backfill.right, backfill.same_nodes) == (steps, backfilled, backfilled)
    assert (backfill.missing, backfill.too_many, backfill.settling) == ([], [], [])
    assert backfill.plans == plans
    assert len(backfill.plans_differ) == PLANS_THAT_DIFFER.get(name, 0)
    assert backfill.plans_too_many == PLANS_NOT_LOGGED.get(name, [])
    assert (scores["main"].right, scores["main"].missing, scores["main"].too_many) == (main, [], [])
    assert scores["main"].other_nodes == []


@pytest.mark.parametrize(
    ("name", "starts", "settling"),
    [
        # These recordings do not show which nodes are still completing. In the cycle at 14,548 s,
        # job 52 takes n[19-22], because the nodes of job 36, which ended in that second, are still
        # completing. No other start depends on which nodes are completing.
        ("fifo_fast", 192, ["job 57 at 13871.123 s", "job 58 at 14548.988 s",
                            "job 124 at 31200.906 s"]),
        ("prio", 158, ["job 174 at 50213.414 s"]),
        ("case_whole_node", 1, []),
        ("case_limits", 1, []),
        # The instants of the recalculations are not recorded. With the first one at 100 s, age and
        # fair share explain all starts.
        ("fairshare_small", 4, []),
    ],
)  # fmt: skip
def test_every_cycle_of_an_older_recording_is_explained(
    name: str, starts: int, settling: list[str]
) -> None:
    score = judged(name)["backfill"]
    assert (score.right, score.same_nodes) == (starts, starts)
    assert (score.missing, score.too_many, score.settling) == ([], [], settling)


@pytest.mark.parametrize(("name", "count"), [("fifo_fast", 19), ("prio", 16)])
def test_the_log_begins_after_the_first_cycles(name: str, count: int) -> None:
    # Cycles before the log begins are judged if a job started in them: 21 starts in `fifo_fast`, 16
    # in `prio`.
    case = Case.named(name)
    first = case.recording.cycles[0]
    before = [
        each
        for each in case.recording.jobs.values()
        if each.by == "backfill" and each.start < first
    ]
    assert len(before) == {"fifo_fast": 21, "prio": 16}[name]
    steps = case.steps()
    assert isinstance(steps, SecondSteps)
    assert steps.before_log == count


def test_the_command_prints_the_counts_and_fails_where_a_start_is_missing(tmp_path: Path) -> None:
    def run(csv: Path) -> subprocess.CompletedProcess[str]:
        conf = RECORDINGS / "case_whole_node.conf"
        command = [sys.executable, str(RECORDINGS.parent / "strict.py"), str(csv)]
        return subprocess.run(
            [*command, "--conf", str(conf)], capture_output=True, text=True, check=False
        )

    good = run(RECORDINGS / "case_whole_node.csv")
    assert good.returncode == 0
    assert "1 starts right, 1 on the same nodes, 0 missing, 0 too many" in good.stdout
    # With a request of only 30 minutes, job 3 would have started before the plan of job 2.
    text = (RECORDINGS / "case_whole_node.csv").read_text()
    changed = text.replace("3,529,3916,4219,1,1,7200", "3,529,3916,4219,1,1,1800")
    assert changed != text
    (tmp_path / "case.csv").write_text(changed)
    cycles = (RECORDINGS / "case_whole_node.cycles").read_text()
    (tmp_path / "case.cycles").write_text(cycles)
    bad = run(tmp_path / "case.csv")
    assert bad.returncode == 1
    assert "0 too many" not in bad.stdout


@pytest.mark.parametrize(
    ("csv", "conf", "told"),
    [
        ("case_whole_node.conf", "case_whole_node.conf", "has no column 'job'; use the CSV of a"),
        ("case_whole_node.csv", "fairshare.csv", "has no partition 'batch' of job 1; use the"),
        ("gone.csv", "case_whole_node.conf", "No such file or directory"),
    ],
)
def test_the_command_refuses_a_wrong_file_with_its_reason(csv: str, conf: str, told: str) -> None:
    command = [sys.executable, str(RECORDINGS.parent / "strict.py"), str(RECORDINGS / csv)]
    ended = subprocess.run(
        [*command, "--conf", str(RECORDINGS / conf)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("PartitionName=batch Nodes=ALL\n", "has n1, on which job 1 ran; use the slurm.conf"),
        (
            "NodeName=n1\nPartitionName=batch Nodes=ALL\n",
            "has n2, on which job 2 ran; use the slurm.conf",
        ),
        ("PartitionName=batch Nodes=n[1-4]\n", "has n1, a node of partition batch; use the"),
    ],
)
def test_the_command_refuses_a_conf_without_the_recorded_nodes(
    tmp_path: Path, lines: str, told: str
) -> None:
    conf = tmp_path / "slurm.conf"
    conf.write_text(lines)
    command = [sys.executable, str(RECORDINGS.parent / "strict.py")]
    command += [str(RECORDINGS / "complete_wait.csv"), "--conf", str(conf)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"error: no NodeName line of {conf} {told}" in ended.stderr
    assert "Traceback" not in ended.stderr


def strict_command(csv: Path, conf: Path, *given: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(RECORDINGS.parent / "strict.py"), str(csv), "--conf", str(conf)]
    return subprocess.run([*command, *given], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("by", ["oracle", "core"])
@pytest.mark.parametrize("name", ["fairshare_small", "running_limit"])
def test_the_command_reads_the_accounts_beside_a_recording(name: str, by: str) -> None:
    ended = strict_command(RECORDINGS / f"{name}.csv", RECORDINGS / f"{name}.conf", "--by", by)
    assert (ended.returncode, ended.stderr) == (0, "")
    for line in ended.stdout.splitlines():
        assert ", 0 missing, 0 too many" in line


def test_the_command_takes_accounts_and_the_first_recalculation(tmp_path: Path) -> None:
    # All starts are as recorded if the first recalculation is at any time from 75 to 110 s.
    for suffix in ("csv", "conf", "cycles"):
        text = (RECORDINGS / f"fairshare_small.{suffix}").read_text()
        (tmp_path / f"case.{suffix}").write_text(text)
    csv, conf = tmp_path / "case.csv", tmp_path / "case.conf"
    given = ["--accounts", str(RECORDINGS / "fairshare_small.accounts"), "--first-renewal"]
    for renewal in ("75", "110"):
        ended = strict_command(csv, conf, *given, renewal)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert "4 starts right, 4 on the same nodes, 0 missing, 0 too many" in ended.stdout
    assert strict_command(csv, conf, *given, "120").returncode == 1
    ended = strict_command(csv, conf)
    assert ended.returncode == 1  # without age and fair share, two starts too many
    assert "2 too many" in ended.stdout


def test_the_command_warns_of_an_unknown_parameter(tmp_path: Path) -> None:
    text = (RECORDINGS / "user_limit.conf").read_text()
    assert "bf_max_job_user=" in text
    conf = tmp_path / "slurm.conf"
    conf.write_text(text.replace("bf_max_job_user=", "bf_max_job_usr="))
    line = next(i for i, each in enumerate(text.splitlines(), 1) if "bf_max_job_user=" in each)
    ended = strict_command(RECORDINGS / "user_limit.csv", conf)
    assert ended.returncode == 1
    assert ended.stderr == (
        f"strict.py: warning: {conf}:{line}: bf_max_job_usr is not read, so its default is used; "
        "is it bf_max_job_user?\n"
    )
