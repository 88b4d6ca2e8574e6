"""``slotwise convert``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slotwise.cli.shared_options import NodesOption, StrictOption

InArgument = Annotated[
    Path, typer.Argument(metavar="IN", readable=False, help="Job log: SWF, .csv or .parquet.")
]
OutArgument = Annotated[
    Path,
    typer.Argument(metavar="OUT", readable=False, help="A .swf, .swf.gz, .csv or .parquet file."),
]


def convert(
    source: InArgument,
    target: OutArgument,
    strict: StrictOption = False,
    nodes: NodesOption = None,
) -> None:
    """Write the trace IN to OUT, repaired and sorted; the suffix of OUT chooses the format."""
    from slotwise.cli.commands.convert import convert_trace

    convert_trace(source, target, strict=strict, nodes=nodes)
