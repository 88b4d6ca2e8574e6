"""The verbs of ``slotwise sweep``: a grid file, or ``merge``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from slotwise.terminal.reading_options import reads_trace

OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        readable=False,
        metavar="OUT",
        help="Write a row a point: .csv or .parquet. With --shard the rows are kept in .jsonl.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", metavar="", help="Print one JSON object and nothing else.")
]


class GridFirst(TyperGroup):
    """Takes a first argument that is no verb for the file of ``grid``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Put the verb before a grid file."""
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["grid", *args]
        return super().parse_args(ctx, args)


sweep_app = typer.Typer(
    name="sweep",
    cls=GridFirst,
    help="Replay a trace under every point of a grid of sites: slotwise sweep GRID.toml.",
    no_args_is_help=True,
)


@sweep_app.command()
@reads_trace
def grid(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="GRID.toml", readable=False, help="Trace, site, and values to go through."
        ),
    ],
    trace: Annotated[
        Path | None,
        typer.Option("--trace", readable=False, metavar="TRACE", help="Instead of the file's."),
    ] = None,
    nodes: Annotated[
        Path | None,
        typer.Option(
            "--nodes",
            readable=False,
            metavar="SLURM.conf",
            help="The machine of all points, a table of nodes; instead of the file's.",
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(
            "--shard",
            metavar="K/N",
            help="Only every Nth point from the Kth on, for one job of an array; kept in a file "
            "that `slotwise sweep merge` takes. Run again, it goes on where it stopped.",
        ),
    ] = None,
    workers: Annotated[
        str | None,
        typer.Option("--workers", metavar="N", help="Threads. Default: one a processor."),
    ] = None,
    out: OutOption = None,
    json: JsonOption = False,
    threshold: Annotated[
        str,
        typer.Option("--threshold", metavar="SECONDS", help="Least run time in bounded slowdowns."),
    ] = "10",
    trim: Annotated[
        str | None,
        typer.Option(
            "--trim", metavar="BEGIN,END", help="Leave out warm-up and cool-down, as in run."
        ),
    ] = None,
) -> None:
    """Replay the trace under every combination of the values in GRID.toml."""
    from slotwise.cli.commands.sweep import SweepRequest, sweep_grid

    sweep_grid(SweepRequest(file, trace, nodes, shard, workers, out, json, threshold, trim))


@sweep_app.command()
def merge(
    shards: Annotated[
        list[Path], typer.Argument(metavar="SHARD...", readable=False, help="Files of --shard.")
    ],
    out: OutOption = None,
    json: JsonOption = False,
) -> None:
    """Put the shards of one sweep together; names the shards that are missing or not finished."""
    from slotwise.cli.commands.sweep_merge import merge_shards

    merge_shards(shards, out, as_json=json)
