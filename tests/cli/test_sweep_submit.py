"""``slotwise sweep submit``: one script for sbatch, sized by a timed sample."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from slotwise.cli.commands import sweep_submit
from slotwise.cli.commands.sweep_submit import Plan, parse_slurm, parse_time, plan_of
from slotwise.formats.slurm_times import written_time
from slotwise.terminal.exits import UsageError


def test_the_script_replays_every_point_and_its_shards_merge(
    slotwise: Any, grid: Path, tmp_path: Path
) -> None:
    ended = slotwise("sweep", "submit", grid, "--slurm", "partition=short,time=1:00:00")
    assert ended.code == 0, ended.err
    script = Path("grid.sbatch")
    text = script.read_text()
    assert "#SBATCH --partition=short\n#SBATCH --time=01:00:00\n#SBATCH --array=1-1\n" in text
    assert "Run: sbatch grid.sbatch" in ended.out
    # The program in this environment stands in for the one on a compute node.
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "slotwise"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m slotwise "$@"\n')
    program.chmod(0o755)
    path = f"{folder}:{os.environ['PATH']}"
    subprocess.run(
        ["sh", script.resolve()], cwd="/", check=True, capture_output=True,
        env=os.environ | {"PATH": path, "SLURM_ARRAY_TASK_ID": "1"},
    )  # fmt: skip
    merged = slotwise("sweep", "merge", grid.with_name("grid.1-of-1.jsonl"), "--json")
    assert len(json.loads(merged.out)["rows"]) == 6


SBATCH = """#!/bin/bash
# Runs each task of the array in the script's directives, from a copy, as the real sbatch does.
set -eu
copy=$(mktemp)
cp "$1" "$copy"
array=$(sed -n '2,/^[^#]/s/^#SBATCH --array=//p' "$copy")
for task in $(seq "${array%-*}" "${array#*-}"); do
    (cd / && SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$task exec sh "$copy") >"slurm-7_$task.out" &
    pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
rm "$copy"
echo "Submitted batch job 7"
"""


def programs(folder: Path) -> dict[str, str]:
    """Return the variables of a shell that finds slotwise and a stand-in for sbatch."""
    folder.mkdir()
    written = {
        "sbatch": SBATCH,
        "slotwise": f'#!/bin/sh\nexec {sys.executable} -m slotwise "$@"\n',
    }
    for name, program in written.items():
        (folder / name).write_text(program)
        (folder / name).chmod(0o755)
    return os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}


def test_the_printed_commands_run_the_array_and_merge_its_tasks(
    slotwise: Any, grid: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The six points are divided among four tasks: 1, 5 | 2, 6 | 3 | 4.
    plan = Plan(n_points=6, n_tasks=4, task_seconds=1, limit=600)
    monkeypatch.setattr(sweep_submit, "plan_of", lambda *_, **__: plan)
    ended = slotwise("sweep", "submit", grid, "--slurm", "partition=short,time=10")
    assert ended.code == 0, ended.err
    assert "#SBATCH --array=1-4\n" in Path("grid.sbatch").read_text()
    hints = [re.search(f"^{word}: (.*)$", ended.out, re.MULTILINE) for word in ("Run", "Then")]
    variables = programs(tmp_path / "bin")
    printed = [
        subprocess.run(
            ["sh", "-c", hint[1]],
            cwd=tmp_path, env=variables, check=True, capture_output=True, text=True,
        ).stdout
        for hint in hints
        if hint is not None
    ]  # fmt: skip
    assert printed[0] == "Submitted batch job 7\n"
    assert sorted(path.name for path in tmp_path.glob("grid.*.jsonl")) == [
        f"grid.{task}-of-4.jsonl" for task in (1, 2, 3, 4)
    ]
    shards = sorted(tmp_path.glob("grid.*.jsonl"))
    whole, merged = (
        [(row["set"], row["metrics"]) for row in json.loads(ended.out)["rows"]]
        for ended in (
            slotwise("sweep", grid, "--json"),
            slotwise("sweep", "merge", *shards, "--json"),
        )
    )
    assert len(whole) == 6
    assert merged == whole
    assert (tmp_path / "OUT.csv").read_text().count("\n") == 1 + 6


SACCT = """JobID|User|Account|Partition|Submit|Start|End|State|NCPUS|TimelimitRaw
1|a|p|b|2024-03-01T00:00:00|2024-03-01T00:00:00|2024-03-01T01:00:00|COMPLETED|1|90
"""


def test_the_tasks_read_the_log_as_the_command_does(slotwise: Any, grid: Path) -> None:
    Path("jobs.txt").write_text(SACCT)
    Path("site.toml").write_text("[machine]\nprocessors = 64\n")
    grid.write_text('site = "site.toml"\n' + grid.read_text())
    options = ("--trace", "jobs.txt", "--format", "sacct", "--zone", "Europe/Berlin")
    ended = slotwise("sweep", "submit", grid, "--slurm", "partition=short", *options)
    assert ended.code == 0, ended.err
    text = Path("grid.sbatch").read_text()
    assert " --format sacct --zone Europe/Berlin --workers 1 --shard " in text


def test_a_grid_of_any_name_in_another_folder_has_hints_that_a_shell_can_run(
    slotwise: Any, grid: Path
) -> None:
    folder = grid.parent / "two words"
    folder.mkdir()
    for path in (grid, grid.with_name("log.swf")):
        path.rename(folder / path.name.replace("grid", "my grid"))
    ended = slotwise("sweep", "submit", "two words/my grid.toml", "--slurm", "partition=short")
    assert ended.code == 0, ended.err
    text = Path("my grid.sbatch").read_text()
    assert "#SBATCH --job-name=slotwise-my-grid\n" in text
    assert "Run: sbatch 'my grid.sbatch'\n" in ended.out
    merge = "slotwise sweep merge 'two words/my grid'.*-of-1.jsonl --out OUT.csv"
    assert f"Then: {merge}\n" in ended.out


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ((), "slotwise sweep merge 'my grid'.*-of-2.jsonl --out OUT.csv\n"),
        (("--out", "a b.jsonl"), "slotwise sweep merge 'a b.jsonl' OTHERS --out OUT.csv\n"),
    ],
)
def test_the_hint_of_a_shard_names_the_files_of_this_folder(
    slotwise: Any, grid: Path, options: tuple[str, ...], hint: str
) -> None:
    grid.rename(grid.with_name("my grid.toml"))
    ended = slotwise("sweep", "my grid.toml", "--shard", "1/2", *options)
    assert ended.code == 0, ended.err
    assert ended.out.endswith(hint)


def test_a_trace_from_standard_input_is_refused(grid: Path) -> None:
    command = ["sweep", "submit", grid.name, "--slurm", "partition=short", "--trace", "-"]
    log = Path(grid.parent, "log.swf").read_text()
    ended = subprocess.run(
        [sys.executable, "-m", "slotwise", *command],
        input=log, cwd=grid.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert "--trace -: the tasks run later and cannot read standard input" in ended.stderr
    assert not grid.with_suffix(".sbatch").exists()


def test_a_plan_leaves_each_task_half_of_its_time() -> None:
    # In half of its limit, 1800 s, a task can compute 300 points of 6 s each. So 1000 points need 4
    # tasks of 250 points each.
    plan = plan_of(1000, [5, 7], workers=1, limit=3600)
    assert (plan.n_tasks, plan.task_seconds, plan.limit) == (4, 1500, 3600)
    # With two workers, 600 points fit into a task, so there are 2 tasks of 500 points each.
    plan = plan_of(1000, [5, 7], workers=2, limit=3600)
    assert (plan.n_tasks, plan.task_seconds) == (2, 1500)
    # If no limit is given, tasks are planned for half an hour. Their limit is twice the expected
    # 1500 s.
    plan = plan_of(1000, [5, 7], workers=1, limit=None)
    assert (plan.n_tasks, plan.limit) == (4, 3000)
    # Six points of 1 ms each need one task. Its limit is ten minutes, the shortest allowed.
    assert plan_of(6, [0.001], workers=1, limit=None).limit == 600


def test_a_time_that_is_too_short_is_refused() -> None:
    with pytest.raises(UsageError, match=r"time=00:01:00: one point took .* at least 00:01:20"):
        plan_of(10, [40], workers=1, limit=60)
    # 100,000 points of 10 s: tasks of an hour have 180 points each, so there are 556 tasks. Tasks
    # of ten minutes have 30 points each, so there are 3334.
    assert plan_of(100_000, [10], workers=1, limit=3600).n_tasks == 556
    # An array has at most 1000 tasks. With 100 points each, a task takes 1000 s. The limit is twice
    # that: 33 min 20 s.
    with pytest.raises(UsageError, match=r"3,334 tasks, .* set time=00:33:20 or more --workers"):
        plan_of(100_000, [10], workers=1, limit=600)


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("30", 1800), ("1:30", 90), ("1:00:00", 3600), ("1-12", 129_600), ("1-0:30", 88_200),
        ("2-01:00:01", 176_401),
    ],
)  # fmt: skip
def test_time_limits_are_those_of_sbatch(written: str, seconds: int) -> None:
    assert parse_time(written) == seconds
    assert parse_time(written_time(seconds)) == seconds


def test_options_of_sbatch_may_hold_commas() -> None:
    assert parse_slurm("partition=a,b,mem=4G") == {"partition": "a,b", "mem": "4G"}


@pytest.mark.parametrize(
    ("slurm", "message"),
    [
        ("short", "'short' is not KEY=VALUE, where KEY is a long sbatch option"),
        ("Partition=x", "'Partition=x' is not KEY=VALUE"),
        ("time=", "'time=' is not KEY=VALUE"),
        ("array=1-5", "the script sets array itself; leave it out"),
        ("time=soon", "time=soon is not an sbatch time limit"),
        ("time=0", "must be longer than 0"),
        ("partition=a b", "must not contain spaces"),
        ("partition=$(rm)", "must not contain spaces, quotes or shell characters"),
    ],
)
def test_options_that_slurm_would_refuse_are_refused(
    slotwise: Any, grid: Path, slurm: str, message: str
) -> None:
    ended = slotwise("sweep", "submit", grid, "--slurm", slurm)
    assert ended.code == 2
    assert message in " ".join(ended.err.split())
    assert not Path("grid.sbatch").exists()
