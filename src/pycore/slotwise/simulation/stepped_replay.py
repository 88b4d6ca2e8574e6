"""State of a stepped replay, shared by simulations and snapshots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.replay.dependencies_to_core import core_conditions
from slotwise.trace import Trace
from slotwise.trace.demand_rules import Exclusive
from slotwise.trace.demands import Demands

if TYPE_CHECKING:
    from slotwise._core import Condition, Simulation as CoreSimulation
    from slotwise.site import Site
    from slotwise.site.policy import Policy


@dataclass(frozen=True)
class SteppedReplay:
    """One replay, stopped between two instants.

    Attributes
    ----------
    core : _core.Simulation
    trace : Trace
    site : Site
        The current machine and policy.
    processors : int
    seconds : float
        The wall time spent so far.
    policies : tuple of Policy
        Every policy so far, in the order of use.
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
    """Return the trace, with any jobs submitted during the replay added."""
    jobs = core.table()
    if jobs is trace._jobs:
        return trace
    demands = None if trace.demands is None else _grown(core, trace.demands)
    return Trace._make(jobs, trace._header, trace.report, trace.source, demands, trace.labels)


def with_dependency(
    trace: Trace, given: dict[str, Any]
) -> tuple[Trace, dict[str, Any], list[Condition]]:
    """Replace the text of a job's dependency with a code, and parse the text.

    Returns the trace, whose labels map the code to the text, the job's fields with the code, and
    the conditions in the core's form.

    Raises
    ------
    ValueError
        For a string that is not a list of conditions.
    """
    text = given["dependency"]
    if not isinstance(text, str):
        raise ValueError(f"dependency is {text!r}; pass a string such as afterok:12")
    conditions = core_conditions(text)
    if not conditions:
        return trace, given | {"dependency": -1}, []
    words = trace.labels.get("dependency", {})
    code = next((code for code, word in words.items() if word == text), None)
    if code is None:
        code = max(words, default=0) + 1
        labels = trace.labels | {"dependency": words | {code: text}}
        parts = (trace._header, trace.report, trace.source, trace.demands, labels)
        trace = Trace._make(trace._jobs, *parts)
    return trace, given | {"dependency": code}, conditions


def _grown(core: CoreSimulation, before: Demands) -> Demands:
    """Return the current jobs' demands; jobs added by the user request one core per processor."""
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
