"""State of a replay that is driven step by step, shared by simulations and snapshots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from slotwise.trace import Trace

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
    return Trace._make(jobs, trace._header, trace.report, trace.source)
