"""``slotwise site``: inspect a site before a replay."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slotwise.cli.shared_options import JsonOption
from slotwise.terminal.reading_options import reads_trace

site_app = typer.Typer(
    name="site", help="Check, print or create a site file.", no_args_is_help=True
)

FileArgument = Annotated[
    Path, typer.Argument(metavar="SITE.toml", readable=False, help="A site file.")
]
OptionalFileArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="[SITE.toml]",
        readable=False,
        help="A site file. Without one, the default site is printed.",
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
        help="Set any value of the site; KEY= removes the key. May be repeated.",
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
    """Report every error in SITE.toml, or summarise a valid site."""
    from slotwise.cli.commands.site_check import check_site

    check_site(file, trace, tuple(settings or ()), as_json=json)


@site_app.command()
def show(
    file: OptionalFileArgument = None,
    defaults: DefaultsOption = False,
    settings: SetOption = None,
) -> None:
    """Print a site as a site file, leaving out values equal to their defaults."""
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
            metavar="[GRES.conf]", readable=False, help="The gres.conf that defines the GPU types."
        ),
    ] = None,
    events: Annotated[
        Path | None,
        typer.Option(
            "--events",
            readable=False,
            metavar="FILE",
            help="Output of sacctmgr -P show events; its node events become outages.",
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            readable=False,
            metavar="TRACE",
            help="A Slurm simulator file (.events) that you will replay on this site. Its "
            "partitions and features become node resources.",
        ),
    ] = None,
    version: Annotated[
        str | None,
        typer.Option(
            "--slurm-version",
            metavar="VERSION",
            help="Let replays follow Slurm's own schedulers, with the rules of this version "
            "(22.05 or 25.11) and the settings in SLURM.conf. Patch releases such as 25.11.1 are "
            "accepted. For 23.02, use 22.05; for 23.11 to 25.05, use 25.11: they have the same "
            "defaults. With 'none', the policy keeps its defaults. Default: 25.11, or 'none' with "
            "--events.",
        ),
    ] = None,
    accounts: Annotated[
        Path | None,
        typer.Option(
            "--accounts",
            readable=False,
            metavar="FILE",
            help="Output file of sacctmgr dump, or a script of sacctmgr add commands, with the "
            "shares of accounts and users.",
        ),
    ] = None,
) -> None:
    """Print the nodes, partitions and scheduler of a Slurm cluster as a site file.

    Slurm settings that a site file cannot express are listed in comments at the top, with the
    reason.
    """
    from slotwise.cli.commands.site_from_slurm import print_site

    print_site(conf, gres, events, trace, version, accounts)


@site_app.command("from-log")
@reads_trace
def from_log(
    log: Annotated[
        Path, typer.Argument(metavar="LOG", readable=False, help="A job log with start times.")
    ],
) -> None:
    """Print a site file inferred from a log, with the evidence next to each line.

    The machine's size is the largest number of processors in use at once, per node type if the
    log lists nodes. The walltime limit of a partition or queue is the longest that its jobs
    requested. Limits per user are inferred if several users reached them and none exceeded them.
    """
    from slotwise.cli.commands.site_from_log import print_site_of_log

    print_site_of_log(log)
