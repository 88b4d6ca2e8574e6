"""State of a replay that is driven step by step, shared by simulations and snapshots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from slotwise.trace import Trace
from slotwise.trace.demand_rules import Exclusive
from slotwise.trace.demands import Demands

if TYPE_CHECKING:
    from slotwise._core import Simulation as CoreSimulation
    from slotwise.site import Site
    from slotwise.site.policy import Policy


@dataclass(frozen=True)
class SteppedReplay:
    """One replay at rest between two instants.

    Attributes
    ----------
    core : _core.Simulation
    trace : Trace
    site : Site
        The present machine and policy.
    processors : int
    seconds : float
        The wall time spent so far.
    policies : tuple of Policy
        The first policy, and each that replaced it.
    """

    core: CoreSimulation
    trace: Trace
    site: Site
    processors: int
    seconds: float
    policies: tuple[Policy, ...]

    def copy(self) -> SteppedReplay:
        """Return an independent copy."""
        return replace(self, core=self.core.copy())


def current_trace(core: CoreSimulation, trace: Trace) -> Trace:
    """Return the trace with the jobs submitted since; the same trace if there are none."""
    jobs = core.table()
    if jobs is trace._jobs:
        return trace
    demands = None if trace.demands is None else _grown(core, trace.demands)
    return Trace._make(jobs, trace._header, trace.report, trace.source, demands, trace.labels)


def _grown(core: CoreSimulation, before: Demands) -> Demands:
    """Give the demands of the present jobs; one that was submitted asks a core per processor."""
    units, each, per_node, nodes, exclusive, constraint = core.demands()
    names = core.resources()
    words = np.array([kind.name.lower() for kind in Exclusive])
    return Demands(
        units,
        per_node=per_node,
        nodes=nodes,
        exclusive=words[exclusive],
        constraint=np.array(before.constraints)[np.maximum(constraint, 0)],
        **{name: each[:, column] for column, name in enumerate(names)},
    )
