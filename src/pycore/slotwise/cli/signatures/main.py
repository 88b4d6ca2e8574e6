"""The verbs of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from slotwise.cli.options import policy_options, preset_option, with_options
from slotwise.cli.signatures.advise import advise
from slotwise.cli.signatures.generate import generate_app
from slotwise.cli.signatures.site import site_app
from slotwise.cli.signatures.study import study_app
from slotwise.cli.signatures.sweep import sweep_app
from slotwise.terminal.reading_options import reads_trace

app = typer.Typer(
    name="slotwise",
    help="Replay a job log under another scheduling configuration, and see what would have "
    "happened.",
    epilog="Exit codes: 0 done, 1 the replay failed, 2 usage or site, 3 trace refused, "
    "4 regression found, 130 interrupted.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(reads_trace(advise))
app.add_typer(generate_app)
app.add_typer(site_app)
app.add_typer(study_app)
app.add_typer(sweep_app)

OUTPUT = "Output"
REPLAY = "Trace and site"

TraceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="TRACE",
        readable=False,
        help="A log of any format that slotwise formats lists, .gz or not; events of a Slurm "
        "simulation with --nodes.",
    ),
]
JsonOption = Annotated[
    bool,
    typer.Option(
        "--json", metavar="", help="Print one JSON object and nothing else.", rich_help_panel=OUTPUT
    ),
]
ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report",
        readable=False,
        metavar="OUT.html",
        help="Write a page with tables, charts and a Gantt chart.",
        rich_help_panel=OUTPUT,
    ),
]
StrictOption = Annotated[
    bool,
    typer.Option(
        "--strict",
        metavar="",
        help="Refuse a trace that needs any repair or holds a job wider than the machine.",
        rich_help_panel=REPLAY,
    ),
]
ProcessorsOption = Annotated[
    str | None,
    typer.Option(
        "--processors",
        metavar="N",
        help="Size of the machine. Default: as the site says, else the trace's header.",
        rich_help_panel=REPLAY,
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Any value of a site file, as policy.depth=4 or queue.small.priority=3; KEY= takes it "
        "out. May be repeated.",
        rich_help_panel=REPLAY,
    ),
]
ThresholdOption = Annotated[
    str,
    typer.Option(
        "--threshold",
        metavar="SECONDS",
        help="Least run time in bounded slowdowns.",
        rich_help_panel=OUTPUT,
    ),
]
TrimOption = Annotated[
    str | None,
    typer.Option(
        "--trim",
        metavar="BEGIN,END",
        help="Leave out warm-up and cool-down: shares of the span below 1, else seconds "
        "('0.05,0.05').",
        rich_help_panel=OUTPUT,
    ),
]
NodesOption = Annotated[
    Path | None,
    typer.Option(
        "--nodes",
        readable=False,
        metavar="SLURM.conf",
        help="The table of nodes, which the events of a Slurm simulation are read with; of replays "
        "the machine too.",
        rich_help_panel=REPLAY,
    ),
]
SiteOption = Annotated[
    Path | None,
    typer.Option(
        "--site",
        readable=False,
        metavar="SITE.toml",
        help="Everything but the trace; options below take the place of what it says.",
        rich_help_panel=REPLAY,
    ),
]


def _version(asked: bool) -> None:
    if asked:
        from slotwise._version import __version__
        from slotwise.terminal import screen

        screen.write(f"slotwise {__version__}\n")
        raise typer.Exit


@app.callback()
def slotwise(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Replay a job log under another scheduling configuration, and see what would have happened."""


@app.command()
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
    jobs: Annotated[
        Path | None,
        typer.Option(
            "--jobs",
            readable=False,
            metavar="OUT",
            help="Write one row a job: .csv, .parquet, .swf or .swf.gz.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    report: ReportOption = None,
    pictures: Annotated[
        Path | None,
        typer.Option(
            "--pictures",
            metavar="DIR",
            help="Of a torus: draw which job has which nodes, at a moment and over time "
            "(PNG, SVG).",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    threshold: ThresholdOption = "10",
    trim: TrimOption = None,
    *,
    given: dict[str, Any],
) -> None:
    """Replay TRACE under one site and print what would have happened.

    Without options: fcfs with easy backfilling, on the machine of the trace's header.
    """
    from slotwise.cli.commands.run import RunRequest, run_once

    run_once(
        RunRequest(
            trace, site, processors, nodes, given, tuple(settings or ()), strict, json, jobs,
            report, pictures, threshold, trim,
        )
    )  # fmt: skip


@app.command()
@reads_trace
def compare(
    trace: TraceArgument,
    sites: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[SITE.toml]...", readable=False, help="One column each.", show_default=False
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            "--order", metavar="NAME,…", help="A column for each of these orders.",
            rich_help_panel="Columns",
        ),
    ] = None,
    backfill: Annotated[
        str | None,
        typer.Option(
            "--backfill", metavar="NAME,…",
            help="A column for each of these backfills; with --order, for each pair.",
            rich_help_panel="Columns",
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset", metavar="NAME,…",
            help="A column for each of these presets; as-logged is the log's own schedule.",
            rich_help_panel="Columns",
        ),
    ] = None,
    policies: Annotated[
        list[str] | None,
        typer.Option(
            "--policy", metavar="KEY=VALUE,…",
            help="One more column, as order=sjf,backfill=depth,depth=4. May be repeated.",
            rich_help_panel="Columns",
        ),
    ] = None,
    processors: ProcessorsOption = None,
    nodes: NodesOption = None,
    settings: SetOption = None,
    strict: StrictOption = False,
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-if", metavar="METRIC:±BOUND",
            help="End with code 4 where a column is beyond the first by more than this: "
            "mean_wait:+5%, utilisation:-2%, max_wait:+3600. May be repeated.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    json: JsonOption = False,
    report: ReportOption = None,
    threshold: ThresholdOption = "10",
    trim: TrimOption = None,
    *,
    context: typer.Context,
) -> None:  # fmt: skip
    """Replay TRACE under several sites: one table, the best value marked, differences to the first.

    Columns stand as typed, site files first.

    For example: slotwise compare log.swf --backfill none,easy,conservative
    """
    from slotwise.cli.commands.compare import CompareRequest, compare_sites

    compare_sites(
        CompareRequest(
            trace, tuple(sites or ()), order, backfill, preset, tuple(policies or ()), processors,
            nodes, tuple(settings or ()), strict, tuple(fail_if or ()), json, report, threshold,
            trim, tuple(context.params),
        )
    )  # fmt: skip


@app.command()
@reads_trace
@with_options((*policy_options(), preset_option()))
def explain(
    trace: TraceArgument,
    job: Annotated[
        str, typer.Argument(metavar="JOB", help="Its number in the log.", show_default=False)
    ],
    row: Annotated[
        str | None,
        typer.Option(
            "--row", metavar="ROW", help="Its row, from 0, where the log uses a number twice."
        ),
    ] = None,
    site: SiteOption = None,
    processors: ProcessorsOption = None,
    nodes: NodesOption = None,
    settings: SetOption = None,
    everyone: Annotated[
        bool,
        typer.Option(
            "--all", metavar="", help="Name every user and every job, not the first ten alone."
        ),
    ] = False,
    json: JsonOption = False,
    *,
    given: dict[str, Any],
) -> None:
    """Tell why a job of TRACE waited, for whom, and when it could have started alone."""
    from slotwise.cli.commands.explain import ExplainRequest, explain_job

    sets = tuple(settings or ())
    explain_job(
        ExplainRequest(
            trace, job, row, site, processors, nodes, given, sets, everyone=everyone, as_json=json
        )
    )


@app.command()
@reads_trace
def info(
    trace: Annotated[
        Path | None,
        typer.Argument(
            metavar="TRACE", readable=False, show_default=False,
            help="A log of any format that slotwise formats lists, .gz or not.",
        ),
    ] = None,
    json: JsonOption = False,
    strict: StrictOption = False,
    nodes: NodesOption = None,
    how: Annotated[
        str | None,
        typer.Option(
            "--how", metavar="FORMAT",
            help="Print the command that writes a log of this format at the centre: sacct, pbs, "
            "lsf, sge.",
        ),
    ] = None,
) -> None:  # fmt: skip
    """Tell what is in TRACE: jobs, machine, load, users, estimates, and what had to be repaired."""
    if how is not None:
        from slotwise.cli.commands.formats import show_how

        return show_how(how)
    if trace is None:
        raise typer.BadParameter("give a TRACE, or --how FORMAT")
    from slotwise.cli.commands.info import show_trace

    return show_trace(trace, strict=strict, as_json=json, nodes=nodes)


@app.command("formats")
def list_formats(json: JsonOption = False) -> None:
    """List the formats of job logs that can be read."""
    from slotwise.cli.commands.formats import show_formats

    show_formats(as_json=json)


@app.command()
def policies(json: JsonOption = False) -> None:
    """List the orders, backfills and presets."""
    from slotwise.cli.commands.policies import show_policies

    show_policies(as_json=json)


@app.command()
@reads_trace
def convert(
    source: Annotated[
        Path, typer.Argument(metavar="IN", readable=False, help="A log of any format.")
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT", readable=False,
            help="A .swf, .swf.gz, .csv or .parquet file, or .json as Batsim reads it.",
        ),
    ],
    strict: StrictOption = False,
    nodes: NodesOption = None,
    anonymise: Annotated[
        bool,
        typer.Option(
            "--anonymise", metavar="",
            help="Replace names of users, groups, accounts, applications and nodes by numbers.",
        ),
    ] = False,
) -> None:  # fmt: skip
    """Write the trace IN as OUT, repaired and sorted, in the format its suffix names."""
    from slotwise.cli.commands.convert import convert_trace

    convert_trace(source, target, strict=strict, nodes=nodes, anonymise=anonymise)
