"""``slotwise explain``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from slotwise import text
from slotwise.cli.replays import replay
from slotwise.cli.site_argument import site_of
from slotwise.explain.explain import row_of
from slotwise.explain.explanation import REASONS
from slotwise.site.dates import dates_of, written_instant
from slotwise.site.machine.nodes import Nodes
from slotwise.site.policy import Policy
from slotwise.terminal import screen, tables
from slotwise.terminal.exits import UsageError
from slotwise.terminal.numbers import shortened, whole_of
from slotwise.terminal.trace_argument import check_runnable, nodes_of, open_trace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from rich.console import Console
    from rich.table import Column

    from slotwise.explain import Explanation
    from slotwise.site.dates import Dates
    from slotwise.site.policy.external import External
    from slotwise.trace import Trace

_TASK = re.compile(r"(\d{1,18})_(\d{1,18})")
_MOST = 10
_MOST_OF_A_ROW = 3
_PARTS = {"fairshare": "fair share", "job_size": "job size"}
"""Parts of a priority whose printed names differ from their keys."""


@dataclass(frozen=True)
class ExplainRequest:
    """The arguments of ``explain``."""

    trace: Path
    job: str
    row: str | None
    site: Path | None
    processors: str | None
    nodes: Path | None
    options: Mapping[str, Any]
    settings: tuple[str, ...]
    everyone: bool
    as_json: bool


def explain_job(request: ExplainRequest) -> None:
    """Replay, and print the reasons for the job's wait."""
    task = _TASK.fullmatch(request.job.strip())
    job = None if task else whole_of(request.job)
    if job is None and task is None:
        raise UsageError(
            f"JOB {shortened(request.job)} must be the number of a job, or of a task of "
            "a job array, such as 1060_3"
        )
    nodes = nodes_of(request.nodes, request.trace)
    site = site_of(request.site, request.processors, request.options, request.settings, nodes)
    nodes = site.machine if isinstance(site.machine, Nodes) else None
    trace = open_trace(request.trace, nodes=nodes)
    check_runnable(trace, site)
    if task:
        row = _row_of_task(trace, request.job, int(task[1]), int(task[2]), request.row)
    else:
        row = _row(trace, cast("int", job), request.row)
    result = replay(trace, site, f"replaying {request.trace.name}")
    try:
        explanation = result.explain(int(trace.job_id[row]), row=row)
    except ValueError as fault:
        raise UsageError(str(fault)) from None
    if request.as_json:
        screen.print_json(explanation.to_dict())
    else:
        dates = dates_of(trace, site.clock)
        assumed = _assumed_by(site.policy)
        users = trace.labels.get("user", {})
        title = _title(trace, row)
        _show(screen.stdout(), title, explanation, dates, assumed, users, everyone=request.everyone)


def _title(trace: Trace, row: int) -> str:
    """Name a job as Slurm does: ``102``, or ``100_1 (job 101)`` for a task of an array."""
    array, task, job = (int(each[row]) for each in (trace.array_id, trace.array_task, trace.job_id))
    if array < 0 or task < 0:
        return str(job)
    return f"{array}_{task}" if job == array else f"{array}_{task} (job {job})"


def _row_of_task(trace: Trace, name: str, array: int, task: int, written: str | None) -> int:
    """Find the row of a task of a job array, written as ``1060_3``."""
    rows = np.flatnonzero((trace.array_id == array) & (trace.array_task == task))
    if written is not None and whole_of(written) in rows.tolist():
        return cast("int", whole_of(written))
    if len(rows) == 1 and written is None:
        return int(rows[0])
    if len(rows) == 0:
        raise UsageError(f"JOB {name}: the log has no task {task} of array {array}")
    listed = ", ".join(f"--row {row}" for row in rows[:5].tolist())
    raise UsageError(
        f"JOB {name}: the log has one row for each attempt of this task; choose one: {listed}"
    )


def _row(trace: Trace, job: int, written: str | None) -> int:
    """Find the row of the job: the one given with ``--row``, otherwise the one with its number."""
    if written is None:
        try:
            return row_of(trace, job, "--row ")
        except ValueError as fault:
            raise UsageError(str(fault)) from None
    row = whole_of(written)
    if row is None or row >= len(trace):
        raise UsageError(f"--row {shortened(written)} must be a row from 0 to {len(trace) - 1}")
    number = int(trace.job_id[row])
    if number != job:
        raise UsageError(
            f"--row {written} is job {number}, not {job}; correct the row, or leave --row out"
        )
    return row


def _assumed_by(policy: Policy | External) -> str:
    """Describe the run times that the prediction of a wait assumes."""
    if isinstance(policy, Policy) and policy.estimates == "requested":
        return "assuming that every job uses its full requested time"
    return "assuming that every job runs as long as the scheduler expects"


def _show(
    console: Console,
    title: str,
    explanation: Explanation,
    dates: Dates | None,
    assumed: str,
    users: Mapping[int, str],
    *,
    everyone: bool,
) -> None:
    submitted, started = (
        written_instant(t, dates) for t in (explanation.submit, explanation.start)
    )
    console.print(
        f"Job {title} was submitted at {submitted}, started at {started} and waited "
        f"{text.duration(explanation.wait)}.\n"
    )
    if explanation.wait:
        _show_reasons(console, explanation)
        _show_limits(console, explanation, everyone=everyone)
        _show_dependencies(console, explanation, dates, everyone=everyone)
        _show_plans(console, explanation, everyone=everyone)
        _show_resources(console, explanation)
        _show_blockers(console, explanation, users, everyone=everyone)
    _show_priorities(console, explanation, everyone=everyone)
    alone = explanation.alone - explanation.submit
    console.print(f"Alone on the machine, the job would have waited {text.duration(alone)}.")
    if explanation.estimated_start is not None:
        predicted = text.duration(explanation.estimated_start - explanation.submit)
        console.print(f"At submission, the predicted wait was {predicted} ({assumed}).")
    passed = explanation.overtaken_by
    if passed:
        console.print(
            f"{text.plural(len(passed), 'job')} behind this one started before it by backfilling: "
            f"{_listed(passed, len(passed) if everyone else _MOST)}."
        )


def _show_reasons(console: Console, explanation: Explanation) -> None:
    table = tables.new_table("reason", "time", "share")
    for reason, seconds in explanation.seconds.items():
        share = text.percent(seconds / explanation.wait)
        table.add_row(f"{reason}: {REASONS[reason]}", text.clock(seconds), share)
    console.print(table)


def _show_limits(console: Console, explanation: Explanation, *, everyone: bool) -> None:
    if not explanation.limits:
        return
    headings = ("limit", "applies to", "maximum", "peak", "time", "jobs counted")
    table = tables.new_table(*headings)
    table.columns[1].justify = "left"
    _make_list(table.columns[5])
    for limit in explanation.limits:
        named = _listed(limit.jobs, len(limit.jobs) if everyone else _MOST_OF_A_ROW)
        most = f"{limit.most:,} {limit.unit}"
        held = text.clock(limit.seconds)
        table.add_row(limit.name, limit.whose, most, f"{limit.peak:,}", held, named)
    console.print(table)


def _show_dependencies(
    console: Console, explanation: Explanation, dates: Dates | None, *, everyone: bool
) -> None:
    held = explanation.dependencies
    if not held:
        return
    table = tables.new_table("dependency", "job", "met at")
    for each in held[: len(held) if everyone else _MOST]:
        table.add_row(each.kind, str(each.job_id), written_instant(each.until, dates))
    console.print(table)
    if len(held) > _MOST and not everyone:
        console.print(
            f"and {text.plural(len(held) - _MOST, 'more dependency', 'more dependencies')}; "
            "--all lists them"
        )


def _show_plans(console: Console, explanation: Explanation, *, everyone: bool) -> None:
    held = explanation.plans
    if not held:
        return
    table = tables.new_table("plan of job", "time")
    for each in held[: len(held) if everyone else _MOST]:
        table.add_row(str(each.job_id), text.clock(each.seconds))
    console.print(table)
    if len(held) > _MOST and not everyone:
        console.print(f"and {text.plural(len(held) - _MOST, 'more job')}; --all lists them")


def _show_priorities(console: Console, explanation: Explanation, *, everyone: bool) -> None:
    """Print the parts of the job's priority, and of the priorities of jobs whose plans delay it."""
    priorities = explanation.priorities
    if not priorities:
        return
    own = sum(each.job_id == explanation.job_id for each in priorities)
    shown = priorities[: len(priorities) if everyone else own + _MOST_OF_A_ROW]
    names = [name for name in priorities[0].parts if any(each.parts[name] for each in shown)]
    headings = ["priority of job", "after", "sum", *(_PARTS.get(name, name) for name in names)]
    rows = []
    for each in shown:
        parts = [f"{each.parts[name]:,.0f}" for name in names]
        waited = text.clock(each.time - explanation.submit)
        rows.append([str(each.job_id), waited, f"{each.priority:,}", *parts])
    console.print(tables.fitting_table(console, headings, rows))
    left_out = [_PARTS.get(name, name) for name in priorities[0].parts if name not in names]
    if left_out:
        tables.print_notes(console, [f"Parts that are 0 in all rows: {', '.join(left_out)}."])
        console.print()


def _show_resources(console: Console, explanation: Explanation) -> None:
    if not explanation.resources:
        return
    table = tables.new_table("lacking", "time", "most units", "scarcest on", "in use on")
    _make_list(table.columns[3])
    _make_list(table.columns[4])
    for held in explanation.resources:
        lasted = text.clock(held.seconds) if held.seconds else ""
        most = f"{held.missing:,}" if held.seconds else ""
        named = ", ".join(f"{name} {text.clock(each)}" for name, each in held.types.items())
        table.add_row(held.resource, lasted, most, named, held.nodes)
    console.print(table)


def _make_list(column: Column) -> None:
    """Left-align a column, and let its cells wrap."""
    column.justify, column.no_wrap = "left", False


def _listed(jobs: Sequence[int], most: int) -> str:
    return text.first_of([str(job) for job in jobs], most)


def _show_blockers(
    console: Console, explanation: Explanation, users: Mapping[int, str], *, everyone: bool
) -> None:
    from rich.markup import escape

    if not explanation.blockers:
        return
    total = sum(explanation.by_user.values())
    of_user: dict[int, list[int]] = {user: [] for user in explanation.by_user}
    for blocker in explanation.blockers:
        of_user[blocker.user].append(blocker.job_id)
    shown = list(of_user) if everyone else list(of_user)[:_MOST]
    lacking = "resources" if explanation.resources else "processors"
    table = tables.new_table(f"missing {lacking} held by", "their jobs", "share")
    _make_list(table.columns[1])
    for user in shown:
        jobs = of_user[user]
        named = _listed(jobs, len(jobs) if everyone else _MOST_OF_A_ROW)
        who = escape(users.get(user, f"user {user}")) if user >= 0 else "unknown users"
        table.add_row(who, named, text.percent(explanation.by_user[user] / total))
    others = list(of_user)[len(shown) :]
    if others:
        share = sum(explanation.by_user[user] for user in others) / total
        n_jobs = sum(len(of_user[user]) for user in others)
        table.add_row(
            f"and {text.plural(len(others), 'more user')}; --all lists them",
            text.plural(n_jobs, "job"),
            text.percent(share),
        )
    console.print(table)
