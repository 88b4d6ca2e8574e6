"""``slotwise compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slotwise.cli.completion import list_of
from slotwise.cli.options import backfill_names
from slotwise.cli.shared_options import (
    OUTPUT,
    ByOption,
    ColumnsOption,
    JsonOption,
    NodesOption,
    ProcessorsOption,
    ReportOption,
    SetOption,
    StrictOption,
    ThresholdOption,
    TraceArgument,
    TrimOption,
    WaitFromOption,
    WideOption,
)
from slotwise.site.policy import PRESETS
from slotwise.site.policy.order_spec import order_names
from slotwise.terminal.reading_options import reads_trace

COLUMNS = "Columns"

SitesArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[SITE.toml]...", readable=False, help="Add one column per site file.",
        show_default=False,
    ),
]  # fmt: skip
OrderOption = Annotated[
    str | None,
    typer.Option(
        "--order",
        metavar="NAME,…",
        help="Add one column per order.",
        rich_help_panel=COLUMNS,
        autocompletion=list_of(order_names),
    ),
]
BackfillOption = Annotated[
    str | None,
    typer.Option(
        "--backfill",
        metavar="NAME,…",
        help="Add one column per backfill rule; with --order, one per combination.",
        rich_help_panel=COLUMNS,
        autocompletion=list_of(backfill_names),
    ),
]
PresetOption = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME,…",
        help="Add one column per preset; as-logged is the log's own schedule.",
        rich_help_panel=COLUMNS,
        autocompletion=list_of(lambda: PRESETS),
    ),
]
PolicyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="KEY=VALUE,…",
        help="Add one column for a policy, such as order=sjf,backfill=depth,depth=4. May be "
        "repeated.",
        rich_help_panel=COLUMNS,
    ),
]
WithOption = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="KEY=CHANGE, …",
        help="Add one column for the site with these changes, such as machine.nodes.gpu.count=+20. "
        "Separate several changes with a comma and a space. +n, -n and *f change a number; "
        "anything else replaces the value. Requires exactly one SITE.toml. May be repeated.",
        rich_help_panel=COLUMNS,
    ),
]
FailIfOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-if",
        metavar="METRIC:±BOUND",
        help="Exit with code 4 if a metric in any column differs from the first column by more "
        "than this bound, such as mean_wait:+5%, utilisation:-2% or max_wait:+3600. May be "
        "repeated.",
        rich_help_panel=OUTPUT,
    ),
]


@reads_trace
def compare(
    trace: TraceArgument,
    sites: SitesArgument = None,
    order: OrderOption = None,
    backfill: BackfillOption = None,
    preset: PresetOption = None,
    policies: PolicyOption = None,
    changes: WithOption = None,
    processors: ProcessorsOption = None,
    nodes: NodesOption = None,
    settings: SetOption = None,
    strict: StrictOption = False,
    fail_if: FailIfOption = None,
    json: JsonOption = False,
    report: ReportOption = None,
    threshold: ThresholdOption = "10",
    trim: TrimOption = None,
    columns: ColumnsOption = None,
    wide: WideOption = False,
    by: ByOption = None,
    wait_from: WaitFromOption = None,
    *,
    context: typer.Context,
) -> None:
    """Replay TRACE under several sites and print the difference in wait, then metrics side by side.

    Columns appear in the order given, site files first; the first column is the baseline.

    For example: slotwise compare log.swf --backfill none,easy,conservative
    """
    from slotwise.cli.commands.compare import CompareRequest, compare_sites

    compare_sites(
        CompareRequest(
            trace, tuple(sites or ()), order, backfill, preset, tuple(policies or ()), processors,
            nodes, tuple(settings or ()), strict, tuple(fail_if or ()), json, report, threshold,
            trim, columns, wide, tuple(context.params), tuple(changes or ()), by,
            wait_from,
        )
    )  # fmt: skip
