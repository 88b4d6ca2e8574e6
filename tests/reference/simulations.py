"""Simulations drawn by Hypothesis: workloads, sites, and what is done to a simulation as it goes."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import slotwise as sw
from reference.workloads import cases
from slotwise.policy_checks import unread

if TYPE_CHECKING:
    from reference.policy import Policy

GIVEN = os.environ.get("SLOTWISE_EXAMPLES")
HURRIED = settings(
    max_examples=int(GIVEN or 200),
    derandomize=GIVEN is None,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
Columns = list[tuple[int, int, int, bool]]


@dataclass(frozen=True)
class Case:
    trace: sw.Trace
    site: sw.Site

    def __repr__(self) -> str:
        names = ("submit", "run_time", "requested_time", "processors", "user")
        columns = "\n".join(f"  {name} {getattr(self.trace, name).tolist()}" for name in names)
        return f"{self.site}\n{columns}"


def site_of(policy: Policy, processors: int) -> sw.Site:
    values = asdict(policy)
    read = {name: value for name, value in values.items() if name not in unread(values)}
    return sw.Site(machine=sw.Processors(processors), policy=sw.Policy(**read))


@st.composite
def simulated(draw: st.DrawFn, **fixed: str) -> Case:
    """Draw a trace and a site."""
    workload, policy = draw(cases(**fixed))
    return Case(workload.trace(), site_of(policy, workload.processors))


def columns(result: sw.Result) -> Columns:
    return list(
        zip(
            result.start.tolist(),
            result.end.tolist(),
            result.state.tolist(),
            result.backfilled.tolist(),
            strict=True,
        )
    )


def move(sim: sw.Simulation, draw: st.DrawFn) -> None:
    """Step, or run through some time up to a little after what comes next."""
    next_event = sim.next_event
    if next_event is None or draw(st.booleans()):
        sim.step()
        return
    sim.run(until=max(sim.now, next_event + draw(st.integers(-2, 9))))
