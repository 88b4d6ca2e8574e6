"""``slotwise sweep``: the ``grid`` command (its name may be omitted), ``merge`` and ``submit``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from slotwise.cli.shared_options import (
    OUTPUT,
    ColumnsOption,
    JsonOption,
    ThresholdOption,
    TrimOption,
    WideOption,
)
from slotwise.terminal.reading_options import reads_trace

OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        readable=False,
        metavar="OUT",
        help="Write one row per point, as .csv or .parquet; with --shard, as .jsonl.",
        rich_help_panel=OUTPUT,
    ),
]
GridArgument = Annotated[
    Path,
    typer.Argument(
        metavar="GRID.toml",
        readable=False,
        help="Grid file: the trace, the site, and a list of values for each key to vary.",
    ),
]
TraceOption = Annotated[
    Path | None,
    typer.Option(
        "--trace",
        readable=False,
        metavar="TRACE",
        help="Replay this log instead of the one in the grid file.",
    ),
]
NodesOption = Annotated[
    Path | None,
    typer.Option(
        "--nodes",
        readable=False,
        metavar="SLURM.conf",
        help="Take the machine's nodes from this slurm.conf, not from the grid file.",
    ),
]
ShardOption = Annotated[
    str | None,
    typer.Option(
        "--shard",
        metavar="K/N",
        help="Replay every Nth point, starting with the Kth, as one task of a job array, and write "
        "the rows to a file for `slotwise sweep merge`. Run the command again to "
        "resume an interrupted shard.",
    ),
]
WorkersOption = Annotated[
    str | None,
    typer.Option(
        "--workers", metavar="N", help="Number of threads. Default: one per available processor."
    ),
]


class GridFirst(TyperGroup):
    """A group that passes its arguments to ``grid`` if the first one is not a command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert ``grid`` before a grid file."""
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["grid", *args]
        return super().parse_args(ctx, args)


sweep_app = typer.Typer(
    name="sweep",
    cls=GridFirst,
    help="Replay a trace at every point of a grid of sites: slotwise sweep GRID.toml.",
    no_args_is_help=True,
)


@sweep_app.command()
@reads_trace
def grid(
    file: GridArgument,
    trace: TraceOption = None,
    nodes: NodesOption = None,
    shard: ShardOption = None,
    workers: WorkersOption = None,
    out: OutOption = None,
    json: JsonOption = False,
    threshold: ThresholdOption = "10",
    trim: TrimOption = None,
    columns: ColumnsOption = None,
    wide: WideOption = False,
) -> None:
    """Replay the trace under every combination of the values in GRID.toml."""
    from slotwise.cli.commands.sweep import SweepRequest, sweep_grid

    sweep_grid(
        SweepRequest(
            file, trace, nodes, shard, workers, out, json, threshold, trim, columns, wide
        )
    )  # fmt: skip


@sweep_app.command()
def merge(
    shards: Annotated[
        list[Path],
        typer.Argument(metavar="SHARD...", readable=False, help="Files written with --shard."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            readable=False,
            metavar="OUT",
            help="Write one row per point, as .csv or .parquet.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    json: JsonOption = False,
    columns: ColumnsOption = None,
    wide: WideOption = False,
) -> None:
    """Combine the shards of one sweep, or list the shards that are missing or unfinished."""
    from slotwise.cli.commands.sweep_merge import merge_shards

    merge_shards(shards, out, as_json=json, columns=columns, wide=wide)


@sweep_app.command()
@reads_trace
def submit(
    file: GridArgument,
    slurm: Annotated[
        str,
        typer.Option(
            "--slurm",
            metavar="KEY=VALUE,…",
            help="sbatch options by their long names, without dashes, such as "
            "partition=short,time=1:00:00,account=hpc."
            " If time is not given, tasks are sized to take about half an hour each.",
        ),
    ],
    trace: TraceOption = None,
    nodes: NodesOption = None,
    workers: Annotated[
        str | None,
        typer.Option("--workers", metavar="N", help="Threads and processors per task. Default: 1."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            readable=False,
            metavar="SCRIPT",
            help="Write the script to this .sbatch or .sh file. Default: GRID.sbatch.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    threshold: ThresholdOption = "10",
    trim: TrimOption = None,
) -> None:
    """Time a few points of the grid, and write an sbatch script that replays it as a job array."""
    from slotwise.cli.commands.sweep import SweepRequest
    from slotwise.cli.commands.sweep_submit import submit_grid

    request = SweepRequest(file, trace, nodes, None, workers, None, False, threshold, trim)
    submit_grid(request, slurm, out)
