"""``slotwise compare``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise.cli.fail_if import Bound
from slotwise.cli.grouping import check_grouping, check_wait_from, wait_notes
from slotwise.cli.metric_columns import parse_columns
from slotwise.cli.metric_options import parse_threshold, parse_trim
from slotwise.cli.replays import measured, replay
from slotwise.cli.variants import columns_of
from slotwise.errors import SiteError
from slotwise.replay.metric_format import are_comparable, note_of_best
from slotwise.replay.metric_sections import notes_of
from slotwise.result.paired_waits import paired_wait
from slotwise.simulation import simulate
from slotwise.site.summary import describe
from slotwise.terminal import screen, tables
from slotwise.terminal.exits import RegressionError
from slotwise.terminal.outputs import check_output
from slotwise.terminal.text_tables import print_text_tables
from slotwise.terminal.trace_argument import (
    check_runnable,
    nodes_of,
    nodes_of_sites,
    open_trace,
    trace_facts,
)
from slotwise.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from slotwise.cli.grouped_waits import GroupedWaits
    from slotwise.result import Result
    from slotwise.site import Site
    from slotwise.terminal.tables import Metrics

_LOW = "  95 % interval, from"


@dataclass(frozen=True)
class CompareRequest:
    """The arguments of ``compare``."""

    trace: Path
    sites: tuple[Path, ...]
    order: str | None
    backfill: str | None
    preset: str | None
    policies: tuple[str, ...]
    processors: str | None
    nodes: Path | None
    settings: tuple[str, ...]
    strict: bool
    fail_if: tuple[str, ...]
    as_json: bool
    report: Path | None
    threshold: str
    trim: str | None
    columns: str | None = None
    wide: bool = False
    typed: tuple[str, ...] = ()
    """Names of the options in the order in which the user typed them."""
    changes: tuple[str, ...] = ()
    by: str | None = None
    wait_from: str | None = None


def compare_sites(request: CompareRequest) -> None:
    """Replay the trace for every site, print the comparison, and apply ``--fail-if``.

    Raises
    ------
    RegressionError
        If a bound of ``--fail-if`` is broken, after everything has been printed and written.
    """
    if request.report is not None:
        inputs = [p for p in (request.trace, request.nodes, *request.sites) if p is not None]
        check_output(request.report, "--report", (".html", ".htm"), *inputs)
    bounds = [Bound.parse(written) for written in request.fail_if]
    for bound in bounds:
        bound.check_known(known_metrics())
    check_grouping(request.by)
    check_wait_from(request.wait_from)
    chosen = parse_columns(request.columns, wide=request.wide, as_json=request.as_json)
    trim = parse_trim(request.trim)
    threshold = parse_threshold(request.threshold)
    sites = columns_of(
        request.sites, request.order, request.backfill, request.preset, request.policies,
        request.processors, request.settings, nodes_of(request.nodes, request.trace), request.typed,
        request.changes,
    )  # fmt: skip
    nodes = nodes_of_sites(sites, request.trace)
    trace = open_trace(request.trace, strict=request.strict, nodes=nodes)
    for name, site in sites.items():
        _check_runnable(request, trace, name, site)
    results = _replay_all(trace, sites)
    metrics = {name: measured(result, threshold, trim) for name, result in results.items()}
    groups = None
    if request.by is not None:
        from slotwise.cli.grouped_waits import GroupedWaits

        groups = GroupedWaits(results, request.by, threshold, trim, request.wait_from)
    broken = _broken(bounds, metrics)
    if request.report is not None:
        from slotwise.report import write_report

        write_report(
            list(results.values()),
            request.report,
            names=list(results),
            threshold=threshold,
            trim=trim,
            groups=groups.tables(whole=True) if groups else (),
        )
    if request.as_json:
        screen.print_json(_as_json(request, results, metrics, broken, groups))
    else:
        _show(request, results, metrics, trim, chosen, groups)
    if broken:
        raise RegressionError("regression: " + "\n".join(broken))


def _check_runnable(request: CompareRequest, trace: Trace, name: str, site: Site) -> None:
    """Check that a column can be replayed.

    If a policy's column fails although a site file is given, the error suggests ``--with``, because
    the column does not use the file's machine.
    """
    try:
        check_runnable(trace, site, strict=request.strict)
    except SiteError as fault:
        if not request.sites or name in {path.stem for path in request.sites}:
            raise
        file = request.sites[0]
        raise SiteError(
            f"column {name}: {fault}. A policy's column does not use {file}; to compare policies "
            f"on its machine, use --with, for example slotwise compare {request.trace} {file} "
            "--with policy.order=sjf"
        ) from None


def known_metrics() -> list[str]:
    """List the metrics of a replay; a single job is replayed to find them."""
    return list(simulate(Trace.from_columns([0], [1], [1], max_processors=1)).metrics())


def _replay_all(trace: Trace, sites: dict[str, Site]) -> dict[str, Result]:
    return {
        name: replay(trace, site, f"{number} of {len(sites)}: {name}")
        for number, (name, site) in enumerate(sites.items(), 1)
    }


def _broken(bounds: list[Bound], metrics: dict[str, Metrics]) -> list[str]:
    first, *others = metrics
    return [
        bound.sentence(name, metrics[first][bound.metric], metrics[name][bound.metric])
        for bound in bounds
        for name in others
        if bound.broken(metrics[first][bound.metric], metrics[name][bound.metric])
    ]


def _as_json(
    request: CompareRequest,
    results: dict[str, Result],
    metrics: dict[str, Metrics],
    broken: list[str],
    groups: GroupedWaits | None,
) -> dict[str, Any]:
    first = next(iter(results.values()))
    typed = (None, *request.changes) if request.changes else (None,) * len(results)
    return {
        "trace": trace_facts(first.trace),
        "columns": [
            {
                "name": name,
                "site": result.site.replace(
                    machine=result.site.machine_for(result.trace)
                ).to_dict(),
                "metrics": metrics[name],
                "wait_against_first": (
                    None if result is first else paired_wait(first, result).to_dict()
                ),
                "seconds": result.seconds,
            }
            | ({"with": changes} if request.changes else {})
            | ({"by": groups.as_json(name)} if groups else {})
            for (name, result), changes in zip(results.items(), typed, strict=True)
        ],
        "regressions": broken,
        "seconds": sum(result.seconds for result in results.values()),
    } | ({"wait_from": request.wait_from} if request.wait_from else {})


def _show(
    request: CompareRequest,
    results: dict[str, Result],
    metrics: dict[str, Metrics],
    trim: tuple[float, float],
    chosen: Sequence[str],
    groups: GroupedWaits | None,
) -> None:
    from rich.markup import escape

    console = screen.stdout()
    first = next(iter(results.values()))
    machines = sorted({result.processors for result in results.values()})
    console.print(
        f"[bold]{escape(request.trace.name)}[/]: {text.plural(len(first.trace), 'job')} on "
        f"{' or '.join(text.count(machine) for machine in machines)} processors"
    )
    baseline = next(iter(results))
    typed = ("", *request.changes) if request.changes else ("",) * len(results)
    for (name, result), changes in zip(results.items(), typed, strict=True):
        what = f"{baseline} with {changes.strip()}" if changes else describe(result.site)
        took = f"replayed in {text.took(result.seconds)}"
        console.print(f"  {name}: {what}; {took}", markup=False)
    console.print()
    same = are_comparable(list(results.values()))
    names = chosen or tables.compared_names(
        metrics.values(), wide=request.wide, wait_from=request.wait_from
    )
    columns = metrics
    if request.changes:  # each change gets its own line of the heading
        columns = {name.replace(", ", ",\n"): values for name, values in metrics.items()}
    paired = _paired_rows(results)
    tables.print_comparison(
        console, columns, paired, mark_best=same, names=names, wide=request.wide
    )
    if groups is not None:
        by_group = groups.tables(whole=request.wide, columns=chosen)
        print_text_tables(console, by_group, wide=request.wide)
    notes = [_paired_note(paired), note_of_best(comparable=same)]
    notes += notes_of(names, next(iter(metrics.values()))["threshold"])
    notes += tables.metric_notes(list(zip(results.values(), metrics.values(), strict=True)), trim)
    notes += tables.demand_notes(list(results.values())) + wait_notes(first, request.wait_from)
    tables.print_notes(console, notes + tables.reading_notes(first.trace))
    if request.report is not None:
        console.print(f"Report written to {request.report}", markup=False, soft_wrap=True)


def _paired_rows(results: dict[str, Result]) -> dict[str, list[str]]:
    """Return table rows that compare the waits of each result with those of the first."""
    baseline = next(iter(results))
    first, *others = results.values()
    pairs = [paired_wait(first, other) for other in others]

    def lengths(values: Iterable[float]) -> list[str]:
        return ["", *(text.signed(text.clock(value), value) for value in values)]

    def shares(values: Iterable[float]) -> list[str]:
        return ["", *(text.percent(value) for value in values)]

    return {
        f"mean wait minus {baseline}'s": lengths(p.mean for p in pairs),
        _LOW: lengths(p.low for p in pairs),
        "  95 % interval, to": lengths(p.high for p in pairs),
        "  jobs started sooner": shares(p.sooner for p in pairs),
        "  jobs started later": shares(p.later for p in pairs),
    }


def _paired_note(rows: dict[str, list[str]]) -> str:
    """Explain the difference in wait and its confidence interval, or why it has none."""
    interval = "its 95 % interval comes from resampling whole weeks of submissions"
    if set(rows[_LOW]) == {"", text.NONE}:
        interval = "it has no 95 % interval, because jobs were submitted in fewer than four weeks"
    return f"The difference in wait covers the jobs that started in both columns; {interval}."
