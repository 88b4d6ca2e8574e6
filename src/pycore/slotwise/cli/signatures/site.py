"""``slotwise site``: inspect a site before a replay."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slotwise.cli.shared_options import JsonOption
from slotwise.terminal.reading_options import reads_trace

site_app = typer.Typer(name="site", help="Check a site file, or write one.", no_args_is_help=True)

FileArgument = Annotated[
    Path, typer.Argument(metavar="SITE.toml", readable=False, help="A site file.")
]
OptionalFileArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="[SITE.toml]", readable=False, help="A site file. Default: the default site."
    ),
]
TraceOption = Annotated[
    Path | None,
    typer.Option(
        "--trace",
        readable=False,
        metavar="TRACE",
        help="Count the jobs of this log that each queue accepts, and those rejected on arrival.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Set any value of a site; KEY= removes it. May be repeated.",
    ),
]
DefaultsOption = Annotated[
    bool,
    typer.Option("--defaults", metavar="", help="Print every key with its default and unit."),
]


@site_app.command()
@reads_trace
def check(
    file: FileArgument,
    trace: TraceOption = None,
    settings: SetOption = None,
    json: JsonOption = False,
) -> None:
    """Report every fault of SITE.toml at once; if there is none, summarise the site."""
    from slotwise.cli.commands.site_check import check_site

    check_site(file, trace, tuple(settings or ()), as_json=json)


@site_app.command()
def show(
    file: OptionalFileArgument = None,
    defaults: DefaultsOption = False,
    settings: SetOption = None,
) -> None:
    """Print a site as a file that reads back as the same site, without default values."""
    from slotwise.cli.commands.site_show import show_site

    show_site(file, tuple(settings or ()), defaults=defaults)


@site_app.command("from-slurm")
def from_slurm(
    conf: Annotated[
        Path, typer.Argument(metavar="SLURM.conf", readable=False, help="A slurm.conf.")
    ],
    gres: Annotated[
        Path | None,
        typer.Argument(
            metavar="[GRES.conf]", readable=False, help="Its gres.conf, which names types of GPUs."
        ),
    ] = None,
    events: Annotated[
        Path | None,
        typer.Option(
            "--events",
            readable=False,
            metavar="FILE",
            help="Add the node events that sacctmgr -P show events printed, as outages.",
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            readable=False,
            metavar="TRACE",
            help="Count partitions and features as resources of the nodes, as these "
            "Slurm-simulator events require.",
        ),
    ] = None,
    version: Annotated[
        str | None,
        typer.Option(
            "--slurm-version",
            metavar="VERSION",
            help="Write the preset slurm of this version, 22.05 or 25.11, with the settings of "
            "SLURM.conf. Default: the policy is left at its defaults.",
        ),
    ] = None,
) -> None:
    """Print the nodes, partitions and outages of a Slurm cluster as a site file.

    Settings without an equivalent are listed in comments at the top, with the reason.
    """
    from slotwise.cli.commands.site_from_slurm import print_site

    print_site(conf, gres, events, trace, version)


@site_app.command("from-log")
@reads_trace
def from_log(
    log: Annotated[
        Path, typer.Argument(metavar="LOG", readable=False, help="A job log with starts.")
    ],
) -> None:
    """Print, as a site file, the machine inferred from a log, with the evidence beside each line.

    The capacity is the most that ran at once, by node type if the log lists nodes. Partitions or
    queues get their longest requests as walltimes, and the limits that several users reached and
    none exceeded.
    """
    from slotwise.cli.commands.site_from_log import print_site_of_log

    print_site_of_log(log)
