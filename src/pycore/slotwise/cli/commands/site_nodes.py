"""Tables of a machine with nodes, and of the jobs that never fit on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise.site.machine.nodes import written_memory
from slotwise.terminal import tables
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from rich.console import Console

    from slotwise.site.machine.nodes import Nodes
    from slotwise.trace import Trace

_MOST = 3
"""Number of jobs listed for each reason."""


class Lacking(NamedTuple):
    """Jobs that can never run on a machine with nodes, all for the same reason.

    Attributes
    ----------
    reason : str
    rows : (n,) int64
        Rows of the jobs in the trace.
    text : str
        Description of the resource that the first job lacks.
    """

    reason: str
    rows: NDArray[np.int64]
    text: str

    @property
    def jobs(self) -> int:
        """Number of jobs."""
        return len(self.rows)

    @property
    def examples(self) -> list[int]:
        """Rows of the first few jobs, to be listed as examples."""
        return [int(row) for row in self.rows[:_MOST]]

    def to_dict(self, trace: Trace) -> dict[str, Any]:
        """Return the fields as plain values, with jobs given by their numbers."""
        return {
            "reason": self.reason,
            "jobs": self.jobs,
            "examples": [int(trace.job_id[row]) for row in self.examples],
            "first_lacks": self.text,
        }


def lacking_of(nodes: Nodes, trace: Trace) -> list[Lacking]:
    """Count the jobs that never fit on the nodes, by reason, the most frequent first."""
    demands = demands_of(trace, nodes)
    rules = [np.unique(v, return_inverse=True)[1] for v in demands.rule_columns().values()]
    asked = np.column_stack([demands.units, *demands.each.values(), *rules])
    _, firsts, kind_of = np.unique(asked, axis=0, return_index=True, return_inverse=True)
    lacks = [nodes._lack(*demands.of_job(row), **demands.rules_of(row)) for row in firsts.tolist()]
    found = []
    for reason in dict.fromkeys(lack.reason for lack in lacks if lack is not None):
        same = [lack is not None and lack.reason == reason for lack in lacks]
        rows = np.flatnonzero(np.array(same)[kind_of.reshape(-1)])
        first = lacks[int(kind_of.reshape(-1)[rows[0]])]
        assert first is not None
        found.append(Lacking(reason, rows, first.text))
    return sorted(found, key=lambda each: -each.jobs)


def node_notes(nodes: Nodes, trace: Trace) -> list[str]:
    """Warn about requests that make a replay refuse the whole trace."""
    asked = [name for name, column in demands_of(trace, nodes).each.items() if column.any()]
    never = [name for name in asked if name not in nodes.resources and name != "memory"]
    if not never:
        return []
    these = "this resource" if len(never) == 1 else "these resources"
    return [
        f"this log cannot be replayed: its jobs request {', '.join(never)}, but no node has any; "
        f"add {these} to a node type in the site file, or remove the requests from the log"
    ]


def print_types(console: Console, nodes: Nodes) -> None:
    """Print one row per node type."""
    table = tables.new_table("node type", "nodes", *nodes.resources)
    for index, kind in enumerate(nodes.types):
        amounts = [_amount(name, kind.resources.get(name, 0)) for name in nodes.resources]
        table.add_row(kind.name or f"type {index}", f"{kind.count:,}", *amounts)
    console.print(table)


def print_lacking(console: Console, trace: Trace, lacking: list[Lacking]) -> None:
    """Print one line per reason, with the first jobs and the resource that the first one lacks."""
    for each in lacking:
        more = ", …" if each.jobs > len(each.examples) else ""
        jobs = ", ".join(str(trace.job_id[row]) for row in each.examples)
        which = f"job {jobs}" if each.jobs == 1 else f"jobs {jobs}{more}; the first"
        console.print(
            f"  {each.jobs:,}: {each.reason} ({which}: {each.text})", markup=False, soft_wrap=True
        )


def _amount(resource: str, amount: int) -> str:
    if amount == 0:
        return ""
    return written_memory(amount) if resource == "memory" else f"{amount:,}"
