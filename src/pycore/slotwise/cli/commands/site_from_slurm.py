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
    "The nodes of {table}, one type per line, by Weight. A partition is a resource of 1000 shares "
    "per node: a job takes one share, or all for exclusive use. A feature has as many shares as "
    "the node has cores. Memory is in KB. [policy] has its default values."
)


def print_site(table: Path, trace: Path | None) -> None:
    """Print the nodes of a ``slurm.conf`` as a site file, and the settings left out.

    Raises
    ------
    SiteError, TraceError, UsageError
        For a table or events that cannot be read, and a trace without events.
    """
    if trace is not None and not is_slurm_events(trace):
        raise UsageError(
            f"--trace {trace}: has no submit_batch_job events to count features of; leave it out"
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
    """Name the settings of a ``slurm.conf`` that the site lacks, one sentence per kind."""
    uncounted = {
        "partitions": [name for name in conf.partitions if name not in nodes.resources],
        "features": [name for name in conf.features if name not in nodes.resources],
    }
    for kind, names in uncounted.items():
        if names:
            yield (
                f"Ignored {kind} (beyond the limit of seven resources, or the same on all nodes): "
                f"{', '.join(names)}."
            )
    for kind, names in conf.unread.items():
        if names:
            one = kind.removesuffix("s")
            yield f"Ignored {one} settings (no equivalent on node sites): {', '.join(names)}."
