"""Logs of sacct that lack columns which a replay needs, recognised by their first line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slotwise.formats.beginning import Beginning

_KNOWN = frozenset(
    (
        "jobid", "jobidraw", "jobname", "user", "uid", "group", "gid", "account", "partition",
        "qos", "cluster", "submit", "eligible", "start", "end", "elapsed", "elapsedraw", "state",
        "exitcode", "timelimit", "timelimitraw", "nnodes", "allocnodes", "reqnodes", "ncpus",
        "alloccpus", "reqcpus", "alloctres", "reqtres", "reqmem", "nodelist",
    )
)  # fmt: skip
"""Columns of sacct, in lower case."""

_FEWEST_KNOWN = 4

_NEEDED = {
    "JobID": ("jobid", "jobidraw"),
    "Submit": ("submit",),
    "Start": ("start",),
    "End": ("end", "elapsed", "elapsedraw"),
    "NCPUS": (
        "ncpus", "alloccpus", "reqcpus", "alloctres", "reqtres", "nnodes", "allocnodes",
    ),
}  # fmt: skip
"""For each column that a replay needs, the columns that can provide it."""


def sacct_fault(beginning: Beginning) -> str:
    """Name the columns that a log of sacct lacks; return an empty string for other files."""
    first = beginning.first_line()
    names = [name.strip().casefold() for name in first.split("|" if "|" in first else ",")]
    if len(_KNOWN.intersection(names)) < _FEWEST_KNOWN:
        return ""
    if "|" not in first and not {*_NEEDED["JobID"]} & {*names}:
        return ""  # a csv file of another kind, with columns such as user and account
    lacking = [name for name, others in _NEEDED.items() if not {*others} & {*names}]
    if not lacking:
        return ""
    plural = "s" if len(lacking) > 1 else ""
    return (
        f"the file looks like the output of sacct, but has no column{plural} "
        f"{' and '.join([', '.join(lacking[:-1])] * (len(lacking) > 1) + lacking[-1:])}; export "
        "the log again, for example with: TZ=UTC sacct -a -X -P -D -S 2024-01-01 -o JobID,User,"
        "Account,Partition,Submit,Eligible,Start,End,State,NNodes,NCPUS,Timelimit ('slotwise info "
        "--how sacct' shows all columns that are read)"
    )
