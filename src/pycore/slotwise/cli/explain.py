"""``slotwise explain``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise.cli import screen, tables, text
from slotwise.cli.exits import UsageError
from slotwise.cli.run import replay
from slotwise.cli.sites import site_of
from slotwise.cli.traces import check_runnable, nodes_of, open_trace
from slotwise.dates import dates_of
from slotwise.nodes import Nodes
from slotwise.waits.explain import row_of
from slotwise.waits.explanation import REASONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from rich.console import Console

    from slotwise.dates import Dates
    from slotwise.trace import Trace
    from slotwise.waits import Explanation

_MOST = 10


@dataclass(frozen=True)
class ExplainRequest:
    """A command line of ``explain``."""

    trace: Path
    job: str
    row: str | None
    site: Path | None
    processors: str | None
    nodes: Path | None
    options: Mapping[str, Any]
    settings: tuple[str, ...]
    as_json: bool


def explain_job(request: ExplainRequest) -> None:
    """Replay, and say why the job waited."""
    if not request.job.isascii() or not request.job.isdigit():
        raise UsageError(f"JOB {request.job}: must be the number of a job in the log")
    nodes = nodes_of(request.nodes, request.trace)
    site = site_of(request.site, request.processors, request.options, request.settings, nodes)
    nodes = site.machine if isinstance(site.machine, Nodes) else None
    trace = open_trace(request.trace, nodes=nodes)
    check_runnable(trace, site)
    row = _row(trace, int(request.job), request.row)
    result = replay(trace, site, f"replaying {request.trace.name}")
    try:
        explanation = result.explain(int(request.job), row=row)
    except ValueError as fault:
        raise UsageError(str(fault)) from None
    if request.as_json:
        screen.print_json(explanation.to_dict())
    else:
        _show(screen.stdout(), explanation, dates_of(trace, site.clock))


def _row(trace: Trace, job: int, written: str | None) -> int:
    """Find the row of the job, the one given or that of its number."""
    if written is None:
        try:
            return row_of(trace, job, "--row ")
        except ValueError as fault:
            raise UsageError(str(fault)) from None
    if not written.isascii() or not written.isdigit() or int(written) >= len(trace):
        raise UsageError(f"--row {written}: must be one of the {len(trace)} rows, from 0 on")
    number = int(trace.job_id[int(written)])
    if number != job:
        raise UsageError(f"--row {written} is job {number}, not {job}; leave --row out")
    return int(written)


def _show(console: Console, explanation: Explanation, dates: Dates | None) -> None:
    def when(seconds: int) -> str:
        return f"{seconds:,} s" if dates is None else f"{seconds:,} s ({dates.date(seconds)})"

    console.print(
        f"Job {explanation.job_id} was submitted at {when(explanation.submit)}, started at "
        f"{when(explanation.start)} and waited {text.duration(explanation.wait)}.\n"
    )
    if explanation.wait:
        _show_reasons(console, explanation)
        _show_limits(console, explanation)
        _show_resources(console, explanation)
        _show_blockers(console, explanation)
    alone = explanation.alone - explanation.submit
    console.print(f"Alone on the machine it would have waited {text.duration(alone)}.")
    if explanation.estimated_start is not None:
        told = explanation.estimated_start - explanation.submit
        console.print(f"At its submit the wait could be foretold as {text.duration(told)}.")
    passed = len(explanation.overtaken_by)
    if passed:
        first = ", ".join(map(str, explanation.overtaken_by[:_MOST]))
        more = ", …" if passed > _MOST else ""
        console.print(
            f"{text.plural(passed, 'job')} behind it passed it by backfilling: {first}{more}"
        )


def _show_reasons(console: Console, explanation: Explanation) -> None:
    table = tables.new_table("because", "for", "share")
    seconds = explanation.seconds
    for reason, lasted in zip(seconds, text.durations(list(seconds.values())), strict=True):
        share = text.percent(seconds[reason] / explanation.wait)
        table.add_row(f"{reason}: {REASONS[reason]}", lasted, share)
    console.print(table)


def _show_limits(console: Console, explanation: Explanation) -> None:
    if not explanation.limits:
        return
    headings = ("limit that held it", "of", "at most", "there were", "for", "jobs that counted")
    table = tables.new_table(*headings)
    table.columns[1].justify = table.columns[5].justify = "left"
    lasted = text.durations([limit.seconds for limit in explanation.limits])
    for limit, seconds in zip(explanation.limits, lasted, strict=True):
        named = _listed(limit.jobs)
        most = f"{limit.most:,} {limit.unit}"
        table.add_row(limit.name, limit.whose, most, f"{limit.peak:,}", seconds, named)
    console.print(table)


def _show_resources(console: Console, explanation: Explanation) -> None:
    if not explanation.resources:
        return
    table = tables.new_table("lacking", "for", "units at most", "left the least room on")
    table.columns[3].justify, table.columns[3].no_wrap = "left", False
    for held in explanation.resources:
        seconds = list(held.types.values())
        types = zip(held.types, text.durations(seconds), strict=True)
        lasted = text.duration(held.seconds) if held.seconds else ""
        most = f"{held.missing:,}" if held.seconds else ""
        named = ", ".join(f"{name} {length}" for name, length in types)
        table.add_row(held.resource, lasted, most, named)
    console.print(table)


def _listed(jobs: Sequence[int]) -> str:
    """Name some jobs, the first of them."""
    return ", ".join(map(str, jobs[:3])) + (", …" if len(jobs) > 3 else "")


def _show_blockers(console: Console, explanation: Explanation) -> None:
    if not explanation.blockers:
        return
    total = sum(explanation.by_user.values())
    what = "what" if explanation.resources else "the processors"
    table = tables.new_table(f"who held {what} it lacked", "their jobs", "share of the lack")
    table.columns[1].justify = "left"
    for user, held in list(explanation.by_user.items())[:_MOST]:
        jobs = [b.job_id for b in explanation.blockers if b.user == user]
        named = _listed(jobs)
        who = f"user {user}" if user >= 0 else "unknown users"
        table.add_row(who, named, text.percent(held / total))
    console.print(table)
