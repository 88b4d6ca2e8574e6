"""``slotwise run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from slotwise.cli.options import policy_options, preset_option, with_options
from slotwise.cli.shared_options import (
    OUTPUT,
    ByOption,
    ColumnsOption,
    JsonOption,
    NodesOption,
    ProcessorsOption,
    ReportOption,
    SetOption,
    SiteOption,
    StrictOption,
    ThresholdOption,
    TraceArgument,
    TrimOption,
    WaitFromOption,
    WideOption,
)
from slotwise.terminal.reading_options import reads_trace

JobsOption = Annotated[
    Path | None,
    typer.Option(
        "--jobs",
        readable=False,
        metavar="OUT",
        help="Write one row per job, as .csv, .parquet, .swf or .swf.gz.",
        rich_help_panel=OUTPUT,
    ),
]
PicturesOption = Annotated[
    Path | None,
    typer.Option(
        "--pictures",
        metavar="DIR",
        help="Write pictures of the jobs on a torus to this folder, as PNG and SVG.",
        rich_help_panel=OUTPUT,
    ),
]


@reads_trace
@with_options((*policy_options(), preset_option()))
def run(
    trace: TraceArgument,
    site: SiteOption = None,
    processors: ProcessorsOption = None,
    nodes: NodesOption = None,
    strict: StrictOption = False,
    settings: SetOption = None,
    json: JsonOption = False,
    jobs: JobsOption = None,
    report: ReportOption = None,
    pictures: PicturesOption = None,
    threshold: ThresholdOption = "10",
    trim: TrimOption = None,
    columns: ColumnsOption = None,
    wide: WideOption = False,
    by: ByOption = None,
    wait_from: WaitFromOption = None,
    *,
    given: dict[str, Any],
) -> None:
    """Replay TRACE under one site and print waits, utilisation and slowdowns.

    The defaults are fcfs order and easy backfilling, on the machine in the trace's header.
    """
    from slotwise.cli.commands.run import RunRequest, run_once

    run_once(
        RunRequest(
            trace, site, processors, nodes, given, tuple(settings or ()), strict, json, jobs,
            report, pictures, threshold, trim, columns, wide, by, wait_from,
        )
    )  # fmt: skip
