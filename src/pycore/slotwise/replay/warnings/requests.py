"""Warnings about constraints that a replay ignores, and jobs that request no memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise import text
from slotwise.site.machine.nodes import Nodes
from slotwise.trace.logged_constraints import ignored_constraints

if TYPE_CHECKING:
    from slotwise.site import Site
    from slotwise.trace import Trace


def request_warnings(site: Site, trace: Trace) -> list[str]:
    """Return warnings about constraints that are ignored, and jobs that request no memory."""
    if not isinstance(site.machine, Nodes) or trace.demands is not None:
        return []
    return [*_features(site.machine, trace), *_memory(site.machine, trace)]


def _features(machine: Nodes, trace: Trace) -> list[str]:
    ignored = ignored_constraints(trace, machine.features)
    if ignored is None:
        return []
    if ignored.missing:
        why = f"no node has the feature {ignored.missing!r:.60}"
        remedy = f'add it to the node types, for example features = ["{ignored.missing:.60}"]'
    else:
        why = "only features joined by & and | are supported"
        remedy = "write, for example, a100&ib in the column constraint of a csv file"
    return [
        f"the constraint of {text.plural(len(ignored.rows), 'job')} is ignored, as if any node "
        f"would do (first job {trace.job_id[ignored.rows[0]]}: {ignored.constraint!r:.80}; {why}): "
        f"{remedy}"
    ]


def _memory(machine: Nodes, trace: Trace) -> list[str]:
    """Warn about jobs that request no memory if nodes have memory and other jobs request it."""
    if "memory" not in machine.resources or machine.whole_nodes:
        return []
    rows = np.flatnonzero(trace.requested_memory <= 0)
    if len(rows) in (0, len(trace)):
        return []
    return [
        f"the log has no requested memory for {text.plural(len(rows), 'job')} of {len(trace):,} "
        f"(first job {trace.job_id[rows[0]]}), although the nodes have memory: these jobs are "
        "replayed as needing none; add it to the log, or omit memory from the node types"
    ]
