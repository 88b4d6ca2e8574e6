"""``slotwise advise``: its options; what it does is in `slotwise.cli.commands.advise`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

SiteOption = Annotated[
    Path | None,
    typer.Option(
        "--site",
        readable=False,
        metavar="SITE.toml",
        help="What the log is replayed under. Default: fcfs, easy backfilling, the machine of the "
        "log's header.",
    ),
]


def advise(
    state: Annotated[
        str,
        typer.Option(
            "--state",
            metavar="LOG@TIME",
            help="A log, and the moment asked about: seconds of its clock, or a date as "
            "2010-10-20T08:00:00.",
        ),
    ],
    cores: Annotated[
        str, typer.Option("--cores", metavar="N,…", help="What the job may ask for, as 512,1024.")
    ],
    walltime: Annotated[
        str, typer.Option("--walltime", metavar="TIME,…", help="And how long, as 2h,4h.")
    ],
    site: SiteOption = None,
    draws: Annotated[
        str,
        typer.Option(
            "--draws", metavar="N", help="How often the others' run times are drawn. Default 200."
        ),
    ] = "200",
    seed: Annotated[
        str, typer.Option("--seed", metavar="N", help="Of the draws. Default 0.")
    ] = "0",
    arrivals: Annotated[
        bool,
        typer.Option("--arrivals", metavar="", help="Let the log's later jobs come too."),
    ] = False,
    user: Annotated[
        str | None,
        typer.Option("--user", metavar="N", help="Who asks, where the site limits users."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print one JSON object and nothing else.")
    ] = False,
) -> None:
    """Tell when a job would start, for each shape it may have, cheapest first.

    For example: slotwise advise --cores 512,1024 --walltime 2h,4h --state log.swf@2010-10-20T08:00
    """
    from slotwise.cli.commands.advise import AdviceRequest, give_advice

    give_advice(AdviceRequest(state, cores, walltime, site, draws, seed, arrivals, user, json))
