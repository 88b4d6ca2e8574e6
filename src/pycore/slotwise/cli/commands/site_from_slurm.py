"""``slotwise site from-slurm``."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from slotwise.formats.slurm_conf import SlurmConf
from slotwise.formats.slurm_events import asked_features, is_slurm_events
from slotwise.site import Site
from slotwise.terminal import screen
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from slotwise.site.nodes import Nodes

_HEAD = (
    "The nodes of {table}, a type for each line, by Weight. A partition is a resource of 1000 "
    "shares a node, of which a job takes one, or all where it wants the node alone; a feature is "
    "one of as many as the node has cores. Memory is in KB. [policy] is left at its defaults."
)


def print_site(table: Path, trace: Path | None) -> None:
    """Print the nodes of a ``slurm.conf`` as a site file, and what of it no site says.

    Raises
    ------
    SiteError, TraceError, UsageError
        For a table or events that cannot be read, and a trace that is no events.
    """
    if trace is not None and not is_slurm_events(trace):
        raise UsageError(
            f"--trace {trace}: holds no submit_batch_job events, whose features would be counted; "
            "leave it out"
        )
    conf = SlurmConf.read(table)
    features = None if trace is None else asked_features(trace)
    nodes = conf.nodes(features, conf.partitions_with_room(features))
    described = Site(machine=nodes).to_toml()
    comments = [_HEAD.format(table=table.name), *left_out(conf, nodes)]
    for comment in comments:
        for line in textwrap.wrap(comment, 98, subsequent_indent="  ", break_on_hyphens=False):
            screen.write(f"# {line}\n")
    screen.write("\n" + described)


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
