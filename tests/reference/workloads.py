"""Small, difficult workloads and policies for Hypothesis, and the core's replays of them."""

from __future__ import annotations

import math
import random
from dataclasses import asdict, dataclass
from typing import Any

from hypothesis import strategies as st

import slotwise as sw
from reference.jobs import Job, Outcome
from reference.orders import ORDERS
from reference.policy import Policy
from reference.simulate import simulate
from slotwise.site.policy.policy_checks import unread

# All times of a workload are multiples of one unit. A unit of 1 s leads to ties. With longer units,
# jobs outlive their estimates, which are then corrected.
UNITS = (1, 1, 40, 700)


@dataclass(frozen=True)
class Workload:
    """Jobs in trace order, and the size of the machine."""

    processors: int
    jobs: tuple[Job, ...]

    def __repr__(self) -> str:
        columns = "submit run_time requested_time processors user"
        rows = [
            f"    {j.position:3} {j.submit:6} {j.run_time:8} {j.requested_time:14}"
            f" {j.processors:10} {j.user:4}"
            for j in self.jobs
        ]
        return "\n".join([f"machine of {self.processors}", f"    job {columns}", *rows])

    def trace(self) -> sw.Trace:
        return sw.Trace.from_columns(
            [job.submit for job in self.jobs],
            [job.run_time for job in self.jobs],
            [job.processors for job in self.jobs],
            [job.requested_time for job in self.jobs],
            user=[job.user for job in self.jobs],
            max_processors=self.processors,
        )


@st.composite
def workloads(draw: st.DrawFn, unit: int, max_processors: int = 8) -> Workload:
    """Draw bursts, ties, zero-length jobs, overruns, and jobs as wide as the machine or wider."""
    processors = draw(st.integers(1, max_processors))
    gaps = st.sampled_from((0, 0, 0, 1, 1, 2, 3, 7))
    lengths = st.sampled_from((0, 1, 1, 2, 3, 4, 6, 9))
    widths = st.one_of(st.integers(1, processors), st.sampled_from((processors, processors + 1)))
    rows = st.tuples(gaps, lengths, lengths, widths, st.sampled_from((-1, 1, 1, 2)))
    submit = draw(st.sampled_from((0, 5)))
    jobs: list[Job] = []
    for gap, run_time, requested, width, user in draw(st.lists(rows, min_size=1, max_size=14)):
        submit += gap * unit
        # A request of 0 means that none was made: the run time replaces it
        # (docs/concepts/replay.md).
        request = (requested or run_time) * unit
        jobs.append(Job(len(jobs), submit, run_time * unit, request, width, user))
    if all(job.processors > processors for job in jobs):
        jobs.append(Job(len(jobs), submit, unit, unit, processors))
    return Workload(processors, tuple(jobs))


def crowd(seed: int, n_jobs: int = 220, processors: int = 160) -> Workload:
    """Create a burst so long that queued and running jobs fill several blocks of a container."""
    draw = random.Random(seed)
    jobs: list[Job] = []
    submit = 0
    for position in range(n_jobs):
        submit += draw.choice((0, 0, 0, 1, 2, 5))
        run_time = draw.choice((0, 1, 5, 20, 60, 90, draw.randint(1, 300)))
        asked = draw.choice((run_time, 60, 120, 300, draw.randint(1, 300))) or run_time
        width = draw.choice((1, 1, 1, 1, 2, 2, 3, 5, 8, 40, processors, processors + 1))
        jobs.append(Job(position, submit, run_time, asked, width, draw.choice((-1, 1, 2, 3))))
    return Workload(processors, tuple(jobs))


def periods(unit: int) -> list[str]:
    return [f"{seconds}s" for seconds in (unit, 3 * unit, 5 * unit + 1)]


@st.composite
def policies(draw: st.DrawFn, /, unit: int, **fixed: Any) -> Policy:
    """Draw a policy, with some fields `fixed`; switches that would have no effect stay off."""
    if fixed.get("passes") == "periodic":
        fixed["passes"] = draw(st.sampled_from(periods(unit)))
    chosen: dict[str, Any] = dict(fixed)

    def choose(name: str, *values: Any) -> None:
        if name not in chosen:
            chosen[name] = draw(st.sampled_from(values))

    choose("backfill", "none", "first-fit", "easy", "depth", "conservative", "replan", "relaxed")
    choose("order", *ORDERS)
    choose("backfill_order", None, *ORDERS)
    choose("estimates", "requested", "exact", "user-history")
    choose("passes", "per-instant", "per-event", *periods(unit))
    choose("kill_at_limit", True, False)
    choose("event_order", "completions-first", "arrivals-first")
    choose("ending_now", "busy", "free")
    backfill = chosen["backfill"]
    if backfill == "depth":
        choose("depth", 1, 2, 3)
    if backfill == "relaxed":
        choose("relaxation", 0.0, 0.3, 0.5, 2.0)
    if backfill in ("easy", "relaxed"):
        choose("spare_processors", True, False)
        choose("strict_end", True, False)
    if backfill == "easy":
        choose("frozen_reservation", True, False)
    if backfill == "conservative":
        choose("compression", "early-end", "every-end")
        choose("promises", "per-pass", "per-arrival")
    elif backfill != "none":
        choose("waiting_estimates", None, "requested", "exact", "user-history")
    return Policy(**chosen)


@st.composite
def cases(draw: st.DrawFn, /, max_processors: int = 8, **fixed: Any) -> tuple[Workload, Policy]:
    """Draw a workload, and a policy whose period of passes suits the times of the workload."""
    unit = draw(st.sampled_from(UNITS))
    workload = draw(workloads(unit, max_processors))
    return workload, draw(policies(unit, **fixed))


def core_outcomes(workload: Workload, policy: Policy) -> list[Outcome]:
    """Replay the workload with slotwise; omit switches without effect, which slotwise rejects."""
    values = asdict(policy)
    read = {name: value for name, value in values.items() if name not in unread(values)}
    site = sw.Site(machine=sw.Processors(workload.processors), policy=sw.Policy(**read))
    result = sw.simulate(workload.trace(), site)
    columns = (result.start, result.end, result.state, result.backfilled)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [Outcome(start, end, state, backfilled) for start, end, state, backfilled in rows]


def assert_core_agrees(workload: Workload, policy: Policy) -> None:
    """Compare every job's start, end, state and `backfilled`; on failure, show jobs and policy."""
    expected = simulate(workload.jobs, workload.processors, policy)
    actual = core_outcomes(workload, policy)
    rows = zip(workload.jobs, expected, actual, strict=True)
    lines = [f"    {job.position:3} {e}\n        {a}" for job, e, a in rows if e != a]
    shown = [repr(workload), repr(policy), "    job oracle, then core", *lines]
    assert not lines, "\n".join(shown)


@st.composite
def boxes(draw: st.DrawFn, longest: int = 4, most_nodes: int = 72) -> list[int]:
    """Draw the sides of a box of one to six dimensions."""
    sides: list[int] = []
    for _ in range(draw(st.integers(1, 6))):
        sides.append(draw(st.integers(1, max(1, min(longest, most_nodes // math.prod(sides))))))
    return sides
