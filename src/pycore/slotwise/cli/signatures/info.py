"""``slotwise info``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slotwise.cli.shared_options import JsonOption, NodesOption, StrictOption
from slotwise.terminal.reading_options import reads_trace

LogArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="TRACE",
        readable=False,
        show_default=False,
        help="Job log in any format listed by 'slotwise formats', compressed (.gz) or not; - for "
        "standard input. Slurm simulator files (.events) require --nodes.",
    ),
]
HowOption = Annotated[
    str | None,
    typer.Option(
        "--how",
        metavar="FORMAT",
        help="Print the command to run at your centre for a log in this format (such as sacct, "
        "pbs, lsf or sge).",
    ),
]


@reads_trace
def info(
    trace: LogArgument = None,
    json: JsonOption = False,
    strict: StrictOption = False,
    nodes: NodesOption = None,
    how: HowOption = None,
) -> None:
    """Describe TRACE: jobs, machine, load, users, estimates, and repairs made while reading."""
    if how is not None:
        from slotwise.cli.commands.formats import show_how

        return show_how(how)
    if trace is None:
        raise typer.BadParameter("pass a TRACE, or use --how FORMAT")
    from slotwise.cli.commands.info import show_trace

    return show_trace(trace, strict=strict, as_json=json, nodes=nodes)
