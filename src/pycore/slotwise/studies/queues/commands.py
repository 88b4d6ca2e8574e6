"""``slotwise study queues recommend``."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from slotwise.advice.queue_design.recommend import Change, Recommendation

verbs = typer.Typer()

_PARTS = ("site", "pbs", "slurm", "waits")

Log = Annotated[Path, typer.Argument(metavar="LOG", readable=False, help="An SWF log.")]
Current = Annotated[
    Path,
    typer.Option(
        "--site", metavar="SITE.toml", readable=False, help="The current site, with its queues."
    ),
]
Strategy = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="hybrid, reconfigure, nlp, proportional or search. Default hybrid.",
        show_default=False,
    ),
]
Cores = Annotated[
    int,
    typer.Option(
        "--cores",
        metavar="N",
        help="Processors per node, for Slurm; must divide the machine's size. Default 1.",
        show_default=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="SITE.toml",
        readable=False,
        help="Write the recommended site, or the current site if no change is recommended.",
    ),
]
Only = Annotated[
    str | None,
    typer.Option(
        "--only",
        metavar="PART",
        help="Print only one part, without a heading: site, pbs, slurm or waits.",
    ),
]
Whole = Annotated[
    bool,
    typer.Option(
        "--all", metavar="", help="Also print the site file and the lines for PBS and Slurm."
    ),
]
Json = Annotated[
    bool, typer.Option("--json", metavar="", help="Print one JSON object and nothing else.")
]


@verbs.command("recommend")
def recommend_command(
    log: Log,
    site: Current,
    strategy: Strategy = "hybrid",
    cores: Cores = 1,
    out: Out = None,
    only: Only = None,
    whole: Whole = False,
    json: Json = False,
) -> None:
    """Recommend queues and partitions from the last 30 days of a log.

    Print a verdict on adopting them, then the queues and their effect on the waits of each queue
    and class of users, with 90 % intervals. Use --only or --all to print the site file and the
    lines for PBS and Slurm.
    """
    from slotwise.advice.queue_design.batch_lines import check_nodes, qmgr_lines, slurm_lines
    from slotwise.advice.queue_design.recommend import recommend
    from slotwise.formats.swf import read_swf
    from slotwise.site import Site
    from slotwise.studies.queues.sites import DECIDED
    from slotwise.terminal import screen
    from slotwise.terminal.exits import UsageError

    if strategy not in DECIDED:
        raise UsageError(f"--strategy {strategy}: choose one of: {', '.join(DECIDED)}")
    _check_parts(only, whole=whole, json=json)
    current = Site.from_toml(site)
    trace = read_swf(log)
    try:
        check_nodes(current.machine_for(trace).count, cores)
        with screen.progress(f"configuring the queues of {log.name}") as progress:
            found = recommend(trace, current, strategy=strategy, progress=progress)
        slurm = slurm_lines(found.layout, cores)
    except ValueError as fault:
        if not str(fault).startswith("cores="):
            raise
        raise UsageError(f"--{str(fault).replace('=', ' ', 1)}") from None
    parts = {
        "site": found.site.to_toml().rstrip().splitlines(),
        "pbs": qmgr_lines(found.layout),
        "slurm": slurm,
        "waits": _waits(found),
    }
    if out is not None:
        (current if found.keep else found.site).to_toml(out)
    if json:
        screen.write(dumps(_as_dict(found, parts["pbs"], slurm)) + "\n")
    elif only is not None:
        _say(parts[only])
    else:
        _print(found, parts, whole=whole)
        if out is not None:
            what = "The current site" if found.keep else "The recommended site"
            _say(["", f"{what} written to {out}."])


def _check_parts(only: str | None, *, whole: bool, json: bool) -> None:
    """Refuse combinations of options that select different parts of the output."""
    from slotwise.terminal.exits import UsageError

    if only is not None and (json or only not in _PARTS):
        there = f"--only {only}: choose one of: {', '.join(_PARTS)}"
        raise UsageError("--json prints all parts; remove --only" if json else there)
    if whole and (json or only is not None):
        raise UsageError(f"--all and {'--json' if json else '--only'}: use only one of them")


def _print(found: Recommendation, parts: Mapping[str, list[str]], *, whole: bool) -> None:
    """Print the verdict, then each part under its heading, then the notes."""
    best = "The best site found" if found.keep else "Recommended site"
    headings = {
        "site": f"{best}, as a Slotwise site file",
        "pbs": f"{best}, for PBS: input for qmgr",
        "slurm": f"{best}, for Slurm: lines of slurm.conf",
        "waits": "Effect on the waits",
    }
    _say(["Verdict", "", found.verdict])
    if not whole:
        _print_queues(f"{best}: its queues", found)
        headings = {"waits": headings["waits"]}
    for name, heading in headings.items():
        _say([*_underlined(heading), *parts[name]])
    if found.notes:
        _say([*_underlined("Notes"), *(f"- {note}" for note in found.notes)])
    if not whole:
        options = "--only site, --only pbs or --only slurm"
        _say(["", f"To print this configuration, use {options}; --all prints all three."])


def _print_queues(heading: str, found: Recommendation) -> None:
    from slotwise.terminal import screen
    from slotwise.terminal.site_tables import print_pools, print_queues

    _say(_underlined(heading))
    console = screen.stdout()
    print_pools(console, found.site, None)
    print_queues(console, found.site, None)


def _underlined(heading: str) -> list[str]:
    return ["", heading, "-" * len(heading)]


def _say(lines: Iterable[str]) -> None:
    from slotwise.terminal import screen

    for line in lines:
        screen.stdout().print(line, markup=False, soft_wrap=True, highlight=False)


def _waits(found: Recommendation) -> list[str]:
    decided = _table_lines("The 30 days used for the recommendation", found.changes)
    judged = (
        _table_lines("The same 30 days, under queues based on the previous 30 days", found.judged)
        if found.judged
        else ["The log covers less than 55 days, so no other month can test the recommendation."]
    )
    return [
        "Mean waits in hours, 'now' under the current site and 'then' under the new queues. The",
        "interval contains the change in 90 % of 2,000 months resampled from these days; 'less' is",
        "the share of these months in which waits are shorter.",
        "",
        *decided,
        "",
        *judged,
    ]


def _table_lines(title: str, changes: tuple[Change, ...]) -> list[str]:
    """Lay out the changes in waits as lines of text."""
    width = max(len(c.who) for c in changes)
    titles = f"{'jobs':>7}  {'now':>8}  {'then':>8}  {'90 % interval':>20}   less"
    return [
        title,
        f"{'':{width}}  {titles}",
        *(
            f"{c.who:{width}}  {c.n_jobs:7d}  {c.now / 3600:8.2f}  {c.then / 3600:8.2f}  "
            f"{c.low / 3600:+9.2f} {c.high / 3600:+9.2f}  {100 * c.sure:4.0f} %"
            for c in changes
        ),
    ]


def _as_dict(found: Recommendation, pbs: list[str], slurm: list[str]) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "site": found.site.to_dict(),
        "pbs": pbs,
        "slurm": slurm,
        "changes": [asdict(c) for c in found.changes],
        "judged": [asdict(c) for c in found.judged],
        "left_out": found.n_left_out,
        "keep": found.keep,
        "verdict": found.verdict,
        "notes": list(found.notes),
    }
