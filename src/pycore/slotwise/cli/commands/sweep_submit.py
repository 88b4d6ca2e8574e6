"""``slotwise sweep submit``: one Slurm job array for a grid, sized by a timed sample."""

from __future__ import annotations

import math
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from slotwise import text
from slotwise._files import written_whole
from slotwise.cli.commands.sweep import SweepRequest, merge_hint, parse_workers, read_request
from slotwise.formats.slurm_times import time_in_seconds, written_time
from slotwise.sweeps.rows import compute_rows
from slotwise.terminal import screen
from slotwise.terminal.exits import UsageError
from slotwise.terminal.outputs import check_output
from slotwise.terminal.standard_input import is_standard_input
from slotwise.terminal.trace_argument import reading_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.site import Site
    from slotwise.sweeps.rows import MetricOptions
    from slotwise.trace import Trace

_SAMPLE = 8
"""Number of points that are timed, spread over the grid."""

_SAMPLE_SECONDS = 20.0
"""Time after which no further point of the sample is replayed."""

_TASK_SECONDS = 1800
"""Planned length of a task if the user gives no time limit."""

_SAFETY = 2.0
"""Ratio of time limit to expected time, to allow for slower nodes and for reading the log."""

_MOST_TASKS = 1000
"""Maximum number of tasks in an array under Slurm's default MaxArraySize of 1001."""

_SHORTEST_LIMIT = 600

_OWN = ("array", "cpus-per-task", "chdir")


@dataclass(frozen=True)
class Plan:
    """Size of a job array.

    Attributes
    ----------
    n_points, n_tasks : int
    task_seconds : float
        Expected time of the longest task.
    limit : int, seconds
        Time limit of a task.
    """

    n_points: int
    n_tasks: int
    task_seconds: float
    limit: int


def submit_grid(request: SweepRequest, slurm: str, out: Path | None) -> None:
    """Time a sample of the grid and write the script.

    Raises
    ------
    UsageError
        For options that Slurm would refuse, a time limit that one point would exceed, and a trace
        from standard input.
    """
    if request.trace is not None and is_standard_input(request.trace):
        raise UsageError(
            "--trace -: the tasks run later and cannot read standard input; write the log to a "
            "file, and pass its path"
        )
    options = parse_slurm(slurm)
    script = out or Path(f"{request.grid.stem}.sbatch")
    check_output(script, "--out", (".sbatch", ".sh"), request.grid)
    workers = parse_workers(request.workers) or 1
    read = read_request(request)
    with screen.progress("timing a sample"):
        seconds = sample(read.trace, read.sites, read.metric_options)
    given = options.get("time")
    limit = None if given is None else parse_time(given)
    plan = plan_of(len(read.sites), seconds, workers, limit)
    with written_whole(script) as file:
        file.write(script_of(request, options, plan, workers).encode())
    mean = sum(seconds) / len(seconds)
    screen.stdout().print(
        f"{script}: {text.plural(plan.n_tasks, 'task')} for {text.plural(plan.n_points, 'point')}, "
        f"about {text.took(plan.task_seconds)} each under a limit of {written_time(plan.limit)} "
        f"({len(seconds)} points timed: {text.took(mean)} per point).\n"
        f"Run: sbatch {shlex.quote(str(script))}\n"
        f"Then: {merge_hint(request.grid.with_suffix(''), plan.n_tasks)}",
        markup=False,
        soft_wrap=True,
    )


def sample(trace: Trace, sites: Sequence[Site], metric_options: MetricOptions) -> list[float]:
    """Return the seconds per replay of evenly spread points, including the first and the last."""
    count = min(_SAMPLE, len(sites))
    chosen = sorted({round(n * (len(sites) - 1) / max(count - 1, 1)) for n in range(count)})
    seconds: list[float] = []
    for number in chosen:
        seconds.append(compute_rows(trace, [sites[number]], metric_options)[0].seconds)
        if sum(seconds) > _SAMPLE_SECONDS:
            break
    return seconds


def plan_of(n_points: int, seconds: Sequence[float], workers: int, limit: int | None) -> Plan:
    """Choose the number of tasks so that each is expected to end within half of its time limit.

    Raises
    ------
    UsageError
        If the slowest point of the sample takes longer than half of the given limit, or the array
        would be too large.
    """
    mean, slowest = sum(seconds) / len(seconds), max(seconds)
    target = _TASK_SECONDS if limit is None else limit / _SAFETY
    if limit is not None and slowest > target:
        raise UsageError(
            f"--slurm time={written_time(limit)}: one point took {text.took(slowest)}, so a "
            f"task needs at least {written_time(math.ceil(_SAFETY * slowest))}; set a longer time"
        )
    # A task replays `workers` points at a time, and `room` points in the target time.
    room = max(1, int(target / max(mean, 1e-9))) * workers
    n_tasks = -(-n_points // room)
    if n_tasks > _MOST_TASKS and limit is not None:
        needed = math.ceil(_SAFETY * mean * -(-n_points // (_MOST_TASKS * workers)))
        raise UsageError(
            f"--slurm time={written_time(limit)}: the array would need {n_tasks:,} tasks, but "
            f"may have at most {_MOST_TASKS:,}; set "
            f"time={written_time(max(needed, _SHORTEST_LIMIT))} or more --workers"
        )
    n_tasks = min(n_tasks, _MOST_TASKS)
    points = -(-n_points // n_tasks)
    expected = max(-(-points // workers) * mean, slowest)
    chosen = max(_SHORTEST_LIMIT, 60 * math.ceil(_SAFETY * expected / 60))
    return Plan(n_points, n_tasks, expected, limit or chosen)


def script_of(request: SweepRequest, options: dict[str, str], plan: Plan, workers: int) -> str:
    """Return the text of the batch script."""
    lines = ["#!/bin/sh"]
    # sbatch cuts a value off at a space, and would keep quotes as part of the job's name.
    name_of_grid = re.sub(r"[^\w.+-]+", "-", request.grid.stem)
    chosen = {"job-name": f"slotwise-{name_of_grid}", "requeue": ""} | options
    chosen |= {"time": written_time(plan.limit), "array": f"1-{plan.n_tasks}"}
    chosen |= {"cpus-per-task": str(workers)}
    for name, value in chosen.items():
        lines.append(f"#SBATCH --{name}={value}" if value else f"#SBATCH --{name}")
    command = ["slotwise", "sweep", str(request.grid.name)]
    given = {
        "--trace": request.trace and request.trace.resolve(),
        "--nodes": request.nodes and request.nodes.resolve(),
        "--threshold": None if request.threshold == "10" else request.threshold,
        "--trim": request.trim,
        **reading_options(),
    }
    for option, written in given.items():
        if written is not None:
            command += [option, str(written)]
    lines += [
        f"# {plan.n_points} points; a task that is requeued resumes where it stopped.",
        f"cd {shlex.quote(str(request.grid.resolve().parent))} || exit 1",
        f'exec {shlex.join(command)} --workers {workers} --shard "$SLURM_ARRAY_TASK_ID/'
        f'{plan.n_tasks}"',
    ]
    return "\n".join(lines) + "\n"


def parse_slurm(written: str) -> dict[str, str]:
    """Read ``partition=short,time=1:00:00``; a part without ``=`` belongs to the value before it.

    Raises
    ------
    UsageError
        For a name that is not an option of sbatch, or one that the script sets itself.
    """
    options: dict[str, str] = {}
    last = ""
    for part in written.split(","):
        name, equals, value = part.partition("=")
        if not equals and last:
            options[last] += f",{part}"
            continue
        if not equals or not value or not re.fullmatch(r"[a-z][a-z0-9-]*", name):
            raise UsageError(
                f"--slurm {written}: {part!r} is not KEY=VALUE, where KEY is a long "
                "sbatch option; write, for example, partition=short,time=1:00:00"
            )
        if name in _OWN:
            raise UsageError(f"--slurm {name}={value}: the script sets {name} itself; leave it out")
        options[name] = value
        last = name
    if not all(re.fullmatch(r"[^\s'\"\\`$;&|<>]+", value) for value in options.values()):
        raise UsageError(
            f"--slurm {written}: values must not contain spaces, quotes or shell characters"
        )
    return options


def parse_time(written: str) -> int:
    """Return the seconds of a time limit as sbatch reads it: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S.

    Raises
    ------
    UsageError
        For any other text, and for a time of 0.
    """
    seconds = time_in_seconds(written)
    if seconds is None:
        raise UsageError(
            f"--slurm time={written} is not an sbatch time limit; write, for example, 30, "
            "1:00:00 or 1-12:00:00"
        )
    if seconds == 0:
        raise UsageError(f"--slurm time={written} must be longer than 0")
    return seconds
