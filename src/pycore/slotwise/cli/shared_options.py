"""Arguments and options shared by several commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slotwise.cli.completion import list_of, metric_names

GROUPINGS = ("user", "group", "account", "queue", "partition", "qos", "executable", "class")
"""Names that ``--by`` accepts."""

WAIT_FROM = ("submit", "eligible")
"""Times that ``--wait-from`` accepts."""

OUTPUT = "Output"
REPLAY = "Trace and site"

TraceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="TRACE",
        readable=False,
        help="Job log in any format listed by 'slotwise formats', compressed (.gz) or not; - for "
        "standard input. Slurm simulator files (.events) require --nodes.",
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
        help="Refuse a trace that needs repairs or contains a job larger than the machine.",
        rich_help_panel=REPLAY,
    ),
]
ProcessorsOption = Annotated[
    str | None,
    typer.Option(
        "--processors",
        metavar="N",
        help="Size of the machine in processors. Default: from the site, otherwise from the "
        "trace's header.",
        rich_help_panel=REPLAY,
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Set any value of a site file, such as policy.depth=4 or queue.small.priority=3; KEY= "
        "removes the key. May be repeated.",
        rich_help_panel=REPLAY,
    ),
]
ThresholdOption = Annotated[
    str,
    typer.Option(
        "--threshold",
        metavar="SECONDS",
        help="Minimum run time in bounded slowdowns; shorter run times count as this value. "
        "Default 10.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
TrimOption = Annotated[
    str | None,
    typer.Option(
        "--trim",
        metavar="BEGIN,END",
        help="Exclude warm-up and cool-down from the metrics: two fractions of the replay's "
        "span, each below 1, such as 0.05,0.05, or two durations in seconds.",
        rich_help_panel=OUTPUT,
    ),
]
WideOption = Annotated[
    bool,
    typer.Option(
        "--wide",
        metavar="",
        help="Print every metric, in tables as wide as necessary.",
        rich_help_panel=OUTPUT,
    ),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="METRIC,…",
        help="Print only these metrics, in this order. Use the names shown by --json, such as "
        "mean_wait,utilisation.",
        rich_help_panel=OUTPUT,
        autocompletion=list_of(metric_names),
    ),
]
ByOption = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="NAME",
        help="Also show waits by user, group, account, queue, partition, qos, executable or class "
        "(job size and run time), on screen and in --report.",
        rich_help_panel=OUTPUT,
        autocompletion=lambda: list(GROUPINGS),
    ),
]
WaitFromOption = Annotated[
    str | None,
    typer.Option(
        "--wait-from",
        metavar="submit|eligible",
        help="Measure waits, response times and slowdowns from the submit time or from the "
        "eligible time. Default: from both if the log has eligible times, otherwise from the "
        "submit time.",
        rich_help_panel=OUTPUT,
        autocompletion=lambda: list(WAIT_FROM),
    ),
]
NodesOption = Annotated[
    Path | None,
    typer.Option(
        "--nodes",
        readable=False,
        metavar="SLURM.conf",
        help="Take the machine's nodes from this slurm.conf; required for Slurm simulator "
        "files (.events).",
        rich_help_panel=REPLAY,
    ),
]
SiteOption = Annotated[
    Path | None,
    typer.Option(
        "--site",
        readable=False,
        metavar="SITE.toml",
        help="Site file, which describes everything except the trace. Options override it.",
        rich_help_panel=REPLAY,
    ),
]
