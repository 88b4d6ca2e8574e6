"""``slotwise explain``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from slotwise.cli.options import policy_options, preset_option, with_options
from slotwise.cli.shared_options import (
    JsonOption,
    NodesOption,
    ProcessorsOption,
    SetOption,
    SiteOption,
    TraceArgument,
)
from slotwise.terminal.reading_options import reads_trace

JobArgument = Annotated[
    str,
    typer.Argument(
        metavar="JOB",
        help="Number of the job in the log; write a task of a job array as 1060_3.",
        show_default=False,
    ),
]
RowOption = Annotated[
    str | None,
    typer.Option(
        "--row",
        metavar="ROW",
        help="Row of the job in the trace, counted from 0; needed if the job number is not unique.",
    ),
]
AllOption = Annotated[
    bool,
    typer.Option("--all", metavar="", help="List all users and jobs, not just the first ten."),
]


@reads_trace
@with_options((*policy_options(), preset_option()))
def explain(
    trace: TraceArgument,
    job: JobArgument,
    row: RowOption = None,
    site: SiteOption = None,
    processors: ProcessorsOption = None,
    nodes: NodesOption = None,
    settings: SetOption = None,
    everyone: AllOption = False,
    json: JsonOption = False,
    *,
    given: dict[str, Any],
) -> None:
    """Explain why a job in TRACE waited: reasons and blocking jobs.

    Also show when the job would have started on an empty machine.
    """
    from slotwise.cli.commands.explain import ExplainRequest, explain_job

    sets = tuple(settings or ())
    explain_job(
        ExplainRequest(
            trace, job, row, site, processors, nodes, given, sets, everyone=everyone, as_json=json
        )
    )
