"""``slotwise study priority tune``, ``figures`` and ``checkpoint``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slotwise.terminal.reading_options import reads_trace

verbs = typer.Typer()

LogArgument = Annotated[
    Path,
    typer.Argument(metavar="LOG", readable=False, help="The log: SWF, .csv or .parquet."),
]
SiteOption = Annotated[
    str,
    typer.Option(
        "--site",
        metavar="NAME",
        help="thesis, strict, kraken or a SITE.toml; the search replaces the site's order. "
        "Default thesis.",
        show_default=False,
    ),
]
ObjectiveOption = Annotated[
    str,
    typer.Option(
        "--objective",
        metavar="NAME,…",
        help="Metrics to improve: utilisation, mean_wait, mean_bounded_slowdown, max_wait. With "
        "several, the Pareto front is printed. Default utilisation.",
        show_default=False,
    ),
]
SamplerOption = Annotated[
    str,
    typer.Option(
        "--sampler",
        metavar="NAME",
        help="tpe, cma-es, or grid (all distinct ratios of small integer weights). Default tpe.",
        show_default=False,
    ),
]
TrialsOption = Annotated[
    str,
    typer.Option(
        "--trials", metavar="N", help="Total number of trials. Default 500.", show_default=False
    ),
]
SeedOption = Annotated[
    str,
    typer.Option("--seed", metavar="N", help="Seed of the search. Default 0.", show_default=False),
]
HoldOutOption = Annotated[
    str | None,
    typer.Option(
        "--hold-out",
        metavar="WEEKS",
        help="Number of final weeks to hold out. Default: a quarter of all weeks, at least one.",
    ),
]
JournalOption = Annotated[
    Path | None,
    typer.Option(
        "--journal",
        readable=False,
        metavar="FILE",
        help="File for Optuna's trials, to resume the search or share it among processes.",
    ),
]
WorkersOption = Annotated[
    str | None,
    typer.Option(
        "--workers", metavar="N", help="Number of threads. Default: one per available processor."
    ),
]
FrontOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        readable=False,
        metavar="DIR",
        help="Write a chart of the Pareto front to this folder; requires several objectives.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", metavar="", help="Print one JSON object and nothing else.")
]


@verbs.command()
@reads_trace
def tune(
    log: LogArgument,
    site: SiteOption = "thesis",
    objective: ObjectiveOption = "utilisation",
    sampler: SamplerOption = "tpe",
    trials: TrialsOption = "500",
    seed: SeedOption = "0",
    hold_out: HoldOutOption = None,
    journal: JournalOption = None,
    workers: WorkersOption = None,
    out: FrontOption = None,
    json: JsonOption = False,
) -> None:
    """Search for the best weights for LOG, and report whether the gain is real."""
    from slotwise.studies.priority.commands.tune_log import TuneRequest, tune_log

    tune_log(
        TuneRequest(
            log, site, objective, sampler, trials, seed, hold_out, journal, workers, out, json
        )
    )


@verbs.command()
@reads_trace
def figures(
    log: LogArgument,
    out: Annotated[
        Path, typer.Option("--out", readable=False, metavar="DIR", help="Folder for the charts.")
    ],
) -> None:
    """Draw Figures 1 to 5, 12 and 13 of the thesis for LOG."""
    from slotwise.studies.priority.commands.draw_figures import draw_figures

    draw_figures(log, out)


@verbs.command()
def checkpoint(
    hours: Annotated[
        str, typer.Option("--hours", metavar="H", help="Run time without a checkpoint, in hours.")
    ],
    shape: Annotated[
        str,
        typer.Option(
            "--shape", metavar="N", help="Shape of the Weibull distribution of the time to a crash."
        ),
    ],
    scale: Annotated[
        str,
        typer.Option("--scale", metavar="H", help="Scale of the Weibull distribution, in hours."),
    ],
    cost: Annotated[
        str,
        typer.Option(
            "--cost",
            metavar="H",
            help="Time to write a checkpoint, in hours. Default 0.",
            show_default=False,
        ),
    ] = "0",
    nodes: Annotated[
        str,
        typer.Option(
            "--nodes",
            metavar="N",
            help="Number of nodes of the job. Default 1.",
            show_default=False,
        ),
    ] = "1",
    refund: Annotated[
        str,
        typer.Option(
            "--refund",
            metavar="NH",
            help="Node-hours refunded after a crash. Default 6.",
            show_default=False,
        ),
    ] = "6",
    json: JsonOption = False,
) -> None:
    """Find the best time for a checkpoint under the refund policy, and report whether it pays."""
    from slotwise.studies.priority.commands.advise_checkpoint import advise_checkpoint

    given = {"hours": hours, "cost": cost, "shape": shape, "scale": scale, "nodes": nodes}
    advise_checkpoint({**given, "refund": refund}, as_json=json)
