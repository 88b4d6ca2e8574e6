"""``slotwise run``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise import extras, text
from slotwise._version import __version__
from slotwise.cli.grouping import GroupedWaits, check_grouping
from slotwise.cli.metric_columns import parse_columns
from slotwise.cli.site_argument import site_of
from slotwise.formats.job_files import JOB_SUFFIXES
from slotwise.result.job_files import write_jobs
from slotwise.result.manifest import platform_facts
from slotwise.simulation import simulate
from slotwise.site.machine.nodes import Nodes
from slotwise.site.machine.torus import Torus
from slotwise.site.summary import parts_of
from slotwise.terminal import screen, tables
from slotwise.terminal.exits import UsageError
from slotwise.terminal.numbers import shortened, whole_of
from slotwise.terminal.outputs import check_folder, check_output, check_parquet
from slotwise.terminal.text_tables import print_text_tables
from slotwise.terminal.trace_argument import check_runnable, nodes_of, open_trace, trace_facts
from slotwise.text import jobs_a_second

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from slotwise.result import Result
    from slotwise.site import Site
    from slotwise.trace import Trace


@dataclass(frozen=True)
class RunRequest:
    """A command line of ``run``."""

    trace: Path
    site: Path | None
    processors: str | None
    nodes: Path | None
    options: Mapping[str, Any]
    settings: tuple[str, ...]
    strict: bool
    as_json: bool
    jobs: Path | None
    report: Path | None
    pictures: Path | None
    threshold: str
    trim: str | None
    columns: str | None = None
    wide: bool = False
    by: str | None = None


def run_once(request: RunRequest) -> None:
    """Check the request before any work, replay, write the files, and print."""
    inputs = [p for p in (request.trace, request.site, request.nodes) if p is not None]
    if request.jobs is not None:
        check_output(request.jobs, "--jobs", JOB_SUFFIXES, *inputs)
        check_parquet(request.jobs)
        inputs.append(request.jobs)
    if request.report is not None:
        check_output(request.report, "--report", (".html", ".htm"), *inputs)
    check_grouping(request.by)
    columns = parse_columns(request.columns, wide=request.wide, as_json=request.as_json)
    trim = parse_trim(request.trim)
    threshold = parse_threshold(request.threshold)
    nodes = nodes_of(request.nodes, request.trace)
    site = site_of(request.site, request.processors, request.options, request.settings, nodes)
    if request.pictures is not None:
        check_pictures(request.pictures, site)
    nodes = site.machine if isinstance(site.machine, Nodes) else None
    trace = open_trace(request.trace, strict=request.strict, nodes=nodes)
    check_runnable(trace, site, strict=request.strict)
    result = replay(trace, site, f"replaying {request.trace.name}")
    metrics = measured(result, threshold, trim)
    groups = None
    if request.by is not None:
        groups = GroupedWaits({request.trace.name: result}, request.by, threshold, trim)
    if request.jobs is not None:
        write_jobs(result, request.jobs)
    if request.report is not None:
        from slotwise.report import write_report

        write_report(
            result, request.report, threshold=threshold, trim=trim,
            groups=groups.tables(whole=True) if groups else (),
        )  # fmt: skip
    if request.pictures is not None:
        from slotwise.pictures import write_pictures

        write_pictures(result, request.pictures)
    if request.as_json:
        screen.print_json(
            {
                "metrics": metrics,
                "site": site.replace(machine=site.machine_for(trace)).to_dict(),
                "trace": trace_facts(trace)
                | {"replayed_by": {"slotwise": __version__, **platform_facts()}},
                "seconds": result.seconds,
            }
            | ({"by": groups.as_json(request.trace.name)} if groups else {})
        )
    else:
        _show(request, result, metrics, trim, columns, groups)


def replay(trace: Trace, site: Site, label: str) -> Result:
    """Replay with a progress bar on a terminal."""
    with screen.progress(label) as advance:
        return simulate(trace, site, progress=advance)


def measured(result: Result, threshold: int, trim: tuple[float, float]) -> dict[str, float]:
    """Compute the metrics; a trim of the whole span is a usage error."""
    try:
        return result.metrics(threshold=threshold, trim=trim)
    except ValueError as fault:
        raise UsageError(f"--trim: {fault}") from None


def parse_threshold(written: str) -> int:
    """Read the threshold of bounded slowdowns: whole seconds, at least 1."""
    seconds = whole_of(written)
    if seconds is None or not 1 <= seconds < 2**32 - 1:
        raise UsageError(
            f"--threshold {shortened(written)}: must be a whole number of seconds, at least 1; 10 "
            "is usual"
        )
    return seconds


def parse_trim(trim: str | None) -> tuple[float, float]:
    """Read ``0.05,0.05``; nothing is trimmed by default."""
    if trim is None:
        return (0.0, 0.0)
    try:
        begin, end = (float(part) for part in trim.split(","))
    except ValueError:
        begin = end = -1.0
    if not (begin >= 0 and end >= 0):
        raise UsageError(
            f"--trim {trim}: must be BEGIN,END, both at least 0; write for example 0.05,0.05"
        )
    return begin, end


def describe(site: Site) -> str:
    """Name a site in one line: its policy, then how many parts of each kind it has."""
    return ", ".join([describe_policy(site), *parts_of(site)])


def describe_policy(site: Site) -> str:
    """Name a policy in one line: order, backfill, and other values that are not defaults."""
    policy = site.policy.to_dict()
    line = f"order {site.policy.order}, backfill {site.policy.backfill}"
    named = ("order", "backfill")
    rest = ", ".join(f"{name} {value}" for name, value in policy.items() if name not in named)
    return f"{line} ({rest})" if rest else line


def check_pictures(folder: Path, site: Site) -> None:
    """Refuse pictures before the replay if they cannot be drawn or written after it."""
    if not isinstance(site.machine, Torus):
        raise UsageError(
            "--pictures: the processors of this machine have no positions; describe a torus in a "
            "site file, such as [machine] torus = [6, 6, 4]"
        )
    extras.load("matplotlib")
    check_folder(folder, "--pictures")


def _written(request: RunRequest) -> list[tuple[str, Path | None]]:
    return [("Jobs", request.jobs), ("Report", request.report), ("Pictures", request.pictures)]


def _show(
    request: RunRequest,
    result: Result,
    metrics: dict[str, float],
    trim: tuple[float, float],
    columns: Sequence[str],
    groups: GroupedWaits | None,
) -> None:
    from rich.markup import escape

    console = screen.stdout()
    started, jobs = int(metrics["n_started"]), len(result.trace)
    console.print(
        f"[bold]{escape(request.trace.name)}[/]: {text.plural(jobs, 'job')} on "
        f"{text.plural(result.processors, 'processor')}, {describe(result.site)}"
    )
    rate = f" ({jobs_a_second(started, result.seconds)})" if started > 1000 else ""
    console.print(f"Replayed in {text.took(result.seconds)}{rate}.\n")
    if columns:
        tables.print_chosen(console, metrics, columns)
    else:
        tables.print_metrics(console, metrics, wide=request.wide)
    if groups is not None:
        print_text_tables(console, groups.tables(whole=request.wide), wide=request.wide)
    notes = tables.metric_notes([(result, metrics)], trim) + tables.reading_notes(result.trace)
    notes += tables.demand_notes([result])
    tables.print_notes(console, notes)
    for label, path in _written(request):
        if path is not None:
            console.print(f"{label} written to {path}", markup=False, soft_wrap=True)
