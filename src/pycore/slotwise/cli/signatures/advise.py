"""``slotwise advise``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slotwise.cli.shared_options import JsonOption
from slotwise.terminal.reading_options import reads_trace

StateOption = Annotated[
    str,
    typer.Option(
        "--state",
        metavar="LOG@TIME",
        help="Log and submission time. The time is in seconds on the log's clock, or a date such "
        "as 2010-10-20T08:00:00.",
    ),
]
CoresOption = Annotated[
    str,
    typer.Option(
        "--cores", metavar="N,…", help="Numbers of cores that you would accept, such as 512,1024."
    ),
]
WalltimeOption = Annotated[
    str,
    typer.Option(
        "--walltime", metavar="TIME,…", help="Walltimes that you would accept, such as 2h,4h."
    ),
]
SiteOption = Annotated[
    Path | None,
    typer.Option(
        "--site",
        readable=False,
        metavar="SITE.toml",
        help="Site file for the replay. Default: fcfs order and easy backfilling, on the machine "
        "in the log's header.",
    ),
]
DrawsOption = Annotated[
    str,
    typer.Option(
        "--draws",
        metavar="N",
        help="Number of random samples of the other jobs' run times. Default 200.",
        show_default=False,
    ),
]
SeedOption = Annotated[
    str,
    typer.Option("--seed", metavar="N", help="Seed of the samples. Default 0.", show_default=False),
]
ArrivalsOption = Annotated[
    bool,
    typer.Option(
        "--arrivals", metavar="", help="Also replay the jobs that arrive after the submission time."
    ),
]
UserOption = Annotated[
    str | None,
    typer.Option(
        "--user",
        metavar="USER",
        help="User who submits the job, by name or number in the log, for sites with per-user "
        "limits or shares.",
    ),
]
QueueOption = Annotated[
    str | None,
    typer.Option(
        "--queue",
        "--partition",
        metavar="NAME",
        help="Queue or partition to submit to, by its name or number in the log. Default: the "
        "first queue of the site that accepts the job.",
    ),
]


@reads_trace
def advise(
    state: StateOption,
    cores: CoresOption,
    walltime: WalltimeOption,
    site: SiteOption = None,
    draws: DrawsOption = "200",
    seed: SeedOption = "0",
    arrivals: ArrivalsOption = False,
    user: UserOption = None,
    queue: QueueOption = None,
    json: JsonOption = False,
) -> None:
    """Estimate the start of a job for each size and walltime you would accept, cheapest first.

    The cheapest job uses the fewest core-hours.

    For example: slotwise advise --cores 512,1024 --walltime 2h,4h --state log.swf@2010-10-20T08:00
    """
    from slotwise.cli.commands.advise import AdviceRequest, give_advice

    give_advice(
        AdviceRequest(state, cores, walltime, site, draws, seed, arrivals, user, queue, json)
    )
