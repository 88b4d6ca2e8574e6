"""``slotwise site from-slurm``."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from slotwise.formats.slurm_conf import SlurmConf
from slotwise.formats.slurm_events import asked_features, is_slurm_events
from slotwise.formats.slurm_site import describe_site
from slotwise.site import Site
from slotwise.terminal import screen
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from slotwise.site.nodes import Nodes

_HEAD = (
    "The nodes of {table}, a type for each line, by Weight. A partition is a resource of 1000 "
    "shares a node, of which a job takes one, or all where it wants the node alone; a feature is "
    "one of as many as the node has cores. Memory is in KB. [policy] is left at its defaults."
)


def print_site(
    conf: Path, gres: Path | None = None, events: Path | None = None, trace: Path | None = None
) -> None:
    """Print a cluster as a site file, and what of Slurm's files no site says.

    With the events of a Slurm simulation as `trace`, print its nodes as those events need them:
    partitions and features are resources.

    Raises
    ------
    SiteError, TraceError, UsageError
        For files that cannot be read, and a trace that holds no events. Nothing is printed then.
    """
    if trace is None:
        described = describe_site(conf, gres, events)
        _print(described.comments, described.site)
        return
    for name, given in (("GRES.conf", gres), ("--events", events)):
        if given is not None:
            raise UsageError(
                f"{name} {given}: stands beside --trace, which counts partitions and features as "
                "resources; leave one of the two out"
            )
    if not is_slurm_events(trace):
        raise UsageError(
            f"--trace {trace}: holds no submit_batch_job events, whose features would be counted; "
            "leave it out"
        )
    table = SlurmConf.read(conf)
    features = asked_features(trace)
    nodes = table.nodes(features, table.partitions_with_room(features))
    _print([_HEAD.format(table=conf.name), *left_out(table, nodes)], Site(machine=nodes))


def _print(comments: Iterable[str], site: Site) -> None:
    """Print a site with comments at its head; nothing is printed before all of it is known."""
    text = site.to_toml()
    for comment in comments:
        # A comment in TOML has no control characters, and file names may.
        plain = "".join(letter if letter.isprintable() else "?" for letter in comment)
        for line in textwrap.wrap(
            plain, 98, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
        ):
            screen.write(f"# {line}\n")
    screen.write("\n" + text)


def left_out(conf: SlurmConf, nodes: Nodes) -> Iterator[str]:
    """Name what of a ``slurm.conf`` the site does not say, one sentence a kind."""
    uncounted = {
        "partitions": [name for name in conf.partitions if name not in nodes.resources],
        "features": [name for name in conf.features if name not in nodes.resources],
    }
    for kind, names in uncounted.items():
        if names:
            yield (
                f"Not counted, as a machine has at most seven resources, or as they tell no nodes "
                f"apart: the {kind} {', '.join(names)}."
            )
    for kind, names in conf.unread.items():
        if names:
            yield f"Not said by a site of nodes: of the {kind}, {', '.join(names)}."
