"""State of a replay that is driven step by step: what simulations and snapshots share."""

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
        Machine and policy as they stand.
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
        """Return one that goes on by itself."""
        return replace(self, core=self.core.copy())


def current_trace(core: CoreSimulation, trace: Trace) -> Trace:
    """Return the trace with the jobs submitted since; the same where there is none."""
    jobs = core.table()
    if jobs is trace._jobs:
        return trace
    return Trace._make(jobs, trace._header, trace.report, trace.source)
