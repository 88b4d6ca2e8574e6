"""``slotwise convert``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slotwise.cli.shared_options import NodesOption, StrictOption
from slotwise.terminal.reading_options import reads_trace

InArgument = Annotated[
    Path, typer.Argument(metavar="IN", readable=False, help="Job log in any format.")
]
OutArgument = Annotated[
    Path,
    typer.Argument(
        metavar="OUT",
        readable=False,
        help="Output: .swf, .swf.gz, .csv, .parquet, or .json for a Batsim workload.",
    ),
]
AnonymiseOption = Annotated[
    bool,
    typer.Option(
        "--anonymise",
        metavar="",
        help="Replace names of users, groups, accounts, applications and nodes with numbers.",
    ),
]
EvalysOption = Annotated[
    bool,
    typer.Option(
        "--evalys",
        metavar="",
        help="Write the log's own schedule in the format of Batsim's jobs.csv, which evalys reads.",
    ),
]


@reads_trace
def convert(
    source: InArgument,
    target: OutArgument,
    strict: StrictOption = False,
    nodes: NodesOption = None,
    anonymise: AnonymiseOption = False,
    evalys: EvalysOption = False,
) -> None:
    """Write the trace IN to OUT, repaired and sorted; the suffix of OUT selects the format."""
    from slotwise.cli.commands.convert import convert_trace

    convert_trace(source, target, strict=strict, nodes=nodes, anonymise=anonymise, logged=evalys)
