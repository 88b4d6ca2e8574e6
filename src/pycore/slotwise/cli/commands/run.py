"""``slotwise run``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise import extras, text
from slotwise._version import __version__
from slotwise.cli.grouping import check_grouping, check_wait_from, wait_notes
from slotwise.cli.metric_columns import parse_columns
from slotwise.cli.metric_options import parse_threshold, parse_trim
from slotwise.cli.replays import measured, replay
from slotwise.cli.site_argument import site_of
from slotwise.formats.job_files import JOB_SUFFIXES
from slotwise.result.baseline import baseline_of
from slotwise.site.machine.nodes import Nodes
from slotwise.site.machine.torus import Torus
from slotwise.site.summary import describe
from slotwise.terminal import screen, tables
from slotwise.terminal.baseline_table import print_baseline
from slotwise.terminal.exits import UsageError
from slotwise.terminal.outputs import check_folder, check_output, check_parquet
from slotwise.terminal.text_tables import print_text_tables
from slotwise.terminal.trace_argument import check_runnable, nodes_of, open_trace, trace_facts
from slotwise.text import jobs_a_second

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from slotwise.cli.grouped_waits import GroupedWaits
    from slotwise.result import Result
    from slotwise.result.baseline import Baseline
    from slotwise.site import Site
    from slotwise.text_table import TextTable


@dataclass(frozen=True)
class RunRequest:
    """The arguments of ``run``."""

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
    wait_from: str | None = None


def run_once(request: RunRequest) -> None:
    """Check the request, replay the trace, write the files, and print the results."""
    _check_outputs(request)
    check_grouping(request.by)
    check_wait_from(request.wait_from)
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
        from slotwise.cli.grouped_waits import GroupedWaits

        groups = GroupedWaits(
            {request.trace.name: result}, request.by, threshold, trim, request.wait_from
        )
    if request.jobs is not None:
        from slotwise.result.job_files import write_jobs

        write_jobs(result, request.jobs)

    def compared() -> Baseline | None:
        return None if columns else baseline_of(result, metrics, threshold, trim)

    if request.report is None:
        baseline = compared()
    else:
        tables_by = groups.tables(whole=True) if groups else ()
        baseline = _reported(result, request.report, threshold, trim, tables_by, compared)
    if request.pictures is not None:
        from slotwise.pictures import write_pictures

        write_pictures(result, request.pictures)
    if request.as_json:
        _print_json(request, result, metrics, groups, baseline)
    else:
        _show(request, result, metrics, trim, columns, groups, baseline)


def _check_outputs(request: RunRequest) -> None:
    inputs = [p for p in (request.trace, request.site, request.nodes) if p is not None]
    if request.jobs is not None:
        check_output(request.jobs, "--jobs", JOB_SUFFIXES, *inputs)
        check_parquet(request.jobs)
        inputs.append(request.jobs)
    if request.report is not None:
        check_output(request.report, "--report", (".html", ".htm"), *inputs)


def _reported(
    result: Result,
    path: Path,
    threshold: int,
    trim: tuple[float, float],
    groups: Sequence[TextTable],
    compared: Callable[[], Baseline | None],
) -> Baseline | None:
    """Write the report while a thread compares the replay with the log; both release the GIL."""
    from concurrent.futures import ThreadPoolExecutor

    from slotwise.report import write_report

    with ThreadPoolExecutor(1) as beside:
        baseline = beside.submit(compared)
        write_report(
            result, path, threshold=threshold, trim=trim, groups=groups,
            before_writing=baseline.result,
        )  # fmt: skip
    return baseline.result()


def check_pictures(folder: Path, site: Site) -> None:
    """Refuse pictures that could not be drawn or written after the replay."""
    if not isinstance(site.machine, Torus):
        raise UsageError(
            "--pictures: the processors of this machine have no positions; describe a torus in a "
            "site file, such as [machine] torus = [6, 6, 4]"
        )
    extras.load("matplotlib")
    check_folder(folder, "--pictures")


def _print_json(
    request: RunRequest,
    result: Result,
    metrics: dict[str, float],
    groups: GroupedWaits | None,
    baseline: Baseline | None,
) -> None:
    from slotwise.result.manifest import platform_facts

    site, trace = result.site, result.trace
    screen.print_json(
        {
            "metrics": metrics,
            "site": site.replace(machine=site.machine_for(trace)).to_dict(),
            "trace": trace_facts(trace)
            | {"replayed_by": {"slotwise": __version__, **platform_facts()}},
            "seconds": result.seconds,
        }
        | ({"by": groups.as_json(request.trace.name)} if groups else {})
        | ({"baseline": baseline.to_dict()} if baseline else {})
        | ({"wait_from": request.wait_from} if request.wait_from else {})
    )


def _written(request: RunRequest) -> list[tuple[str, Path | None]]:
    return [("Jobs", request.jobs), ("Report", request.report), ("Pictures", request.pictures)]


def _show(
    request: RunRequest,
    result: Result,
    metrics: dict[str, float],
    trim: tuple[float, float],
    columns: Sequence[str],
    groups: GroupedWaits | None,
    baseline: Baseline | None,
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
        tables.print_metrics(console, metrics, wide=request.wide, wait_from=request.wait_from)
    if baseline is not None and not columns:
        print_baseline(console, baseline, started, request.wait_from)
    if groups is not None:
        by_group = groups.tables(whole=request.wide, columns=columns)
        print_text_tables(console, by_group, wide=request.wide)
    notes = tables.metric_notes([(result, metrics)], trim) + tables.reading_notes(result.trace)
    notes += tables.demand_notes([result]) + wait_notes(result, request.wait_from)
    tables.print_notes(console, notes)
    for label, path in _written(request):
        if path is not None:
            console.print(f"{label} written to {path}", markup=False, soft_wrap=True)
