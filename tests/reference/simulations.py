"""Simulations drawn by Hypothesis: workloads, sites, and changes made during the replay."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from hypothesis import strategies as st

import slotwise as sw
from reference.examples import hurried
from reference.workloads import cases
from slotwise.site.policy.policy_checks import unread

if TYPE_CHECKING:
    from reference.policy import Policy

HURRIED = hurried(120)
PLANNERS = ["none", "first-fit", "easy", "depth", "replan", "relaxed", "conservative"]
CHECKPOINTS = [
    sw.Interruption(),
    sw.Interruption(requeue="from-checkpoint", checkpoint_every=2, checkpoint_cost=1),
    sw.Interruption(requeue="from-checkpoint", checkpoint_at=3, checkpoint_cost=4),
]
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


def with_checkpoints(site: sw.Site, rule: sw.Interruption) -> sw.Site:
    """Let jobs write checkpoints, except under policies that do not support them."""
    try:
        return site.replace(interruption=rule)
    except sw.SiteError:
        return site


@st.composite
def simulated(draw: st.DrawFn, **fixed: str) -> Case:
    workload, policy = draw(cases(**fixed))
    site = site_of(policy, workload.processors)
    return Case(workload.trace(), with_checkpoints(site, draw(st.sampled_from(CHECKPOINTS))))


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
    """Step, or run until shortly before or after the next event."""
    next_event = sim.next_event
    if next_event is None or draw(st.booleans()):
        sim.step()
        return
    sim.run(until=max(sim.now, next_event + draw(st.integers(-2, 9))))


def change(sim: sw.Simulation, draw: st.DrawFn) -> None:
    """Make one change that the simulation allows."""
    what = draw(st.sampled_from(["submit", "cancel", "hold", "release", "priority", "policy"]))
    waiting = sim.queue.job_id.tolist()
    held = sim.queue.job_id[sim.queue.held].tolist()
    if what == "submit":
        sim.submit(
            processors=draw(st.integers(1, sim.machine.processors)),
            run_time=draw(st.integers(0, 9)),
            requested_time=draw(st.integers(1, 9)),
            submit=sim.now + draw(st.sampled_from((0, 0, 1, 5))),
        )
    elif what == "policy":
        kill_at_limit = sim.site.policy.kill_at_limit
        backfill = draw(st.sampled_from(PLANNERS))
        sim.set_policy(sw.Policy(backfill=backfill, kill_at_limit=kill_at_limit))
    elif what == "release" and held:
        sim.release(draw(st.sampled_from(held)))
    elif what == "priority" and waiting:
        sim.set_priority(draw(st.sampled_from(waiting)), draw(st.integers(-1, 2)))
    elif what in ("cancel", "hold") and waiting:
        getattr(sim, what)(draw(st.sampled_from(waiting)))
