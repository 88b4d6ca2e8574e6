"""Long queues under conservative backfilling: the plain planner against the one for sites.

Once there are 768 promises, the plain planner compresses them by another method, until fewer than
384 are left. It never does so under orders whose scores change over time. A limit on submitted jobs
makes a replay use the planner for sites, which tries every promise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from reference.workloads import crowd

if TYPE_CHECKING:
    from numpy.typing import NDArray

MANY = 768
PROCESSORS = 24
BURST = 2_000
APART = 100_000  # seconds; the first burst has ended before the second begins


def two_bursts(seed: int) -> sw.Trace:
    """Return two bursts of 2,000 jobs each; the queue becomes long, then short, then long again."""
    first, second = (
        crowd(burst, n_jobs=BURST, processors=PROCESSORS).trace() for burst in (seed, seed + 1)
    )

    def joined(column: str) -> NDArray[Any]:
        return np.concatenate([getattr(first, column), getattr(second, column)])

    return sw.Trace.from_columns(
        np.concatenate([first.submit, second.submit + APART]),
        joined("run_time"),
        joined("processors"),
        joined("requested_time"),
        user=joined("user"),
        max_processors=PROCESSORS,
    )


def site(**policy: Any) -> sw.Site:
    return sw.Site(
        machine=sw.Processors(PROCESSORS),
        policy=sw.Policy(backfill="conservative", **policy),
    )


def most_waiting(result: sw.Result) -> int:
    ran = result.start >= 0  # the other jobs are larger than the machine
    submitted, started = np.sort(result.trace.submit[ran]), np.sort(result.start[ran])
    begun = np.searchsorted(started, submitted, side="right")
    return int(np.max(np.arange(1, len(submitted) + 1) - begun))


@pytest.mark.parametrize(
    "policy",
    [
        {},
        {"order": "sjf"},
        {"order": "wfp3"},
        {"estimates": "exact"},
        {"estimates": "user-history"},
        {"kill_at_limit": False},
        {"passes": "30s"},
    ],
    ids=lambda policy: "-".join(map(str, policy.values())) or "fcfs",
)
def test_many_promises_start_as_under_the_planner_for_sites(policy: dict[str, Any]) -> None:
    for seed in (5, 11):
        trace = two_bursts(seed)
        result = sw.simulate(trace, site(**policy))
        assert most_waiting(result) > MANY
        tried_one_by_one = sw.simulate(
            trace, site(**policy).replace(limits=sw.Limits(submitted=10**6))
        )
        assert np.array_equal(result.start, tried_one_by_one.start)
        assert np.array_equal(result.backfilled, tried_one_by_one.backfilled)


def test_many_promises_survive_cancellations_and_a_snapshot() -> None:
    """Cancel every tenth waiting job, take a snapshot, and finish both the replay and its copy."""
    trace = two_bursts(5)
    results = []
    for limits in (sw.Limits(), sw.Limits(submitted=10**6)):
        simulation = sw.Simulation(trace, site().replace(limits=limits))
        simulation.run(until=int(trace.submit[BURST - 1]))
        waiting = simulation.queue.job_id
        assert len(waiting) > MANY
        for job_id in waiting[::10]:
            simulation.cancel(int(job_id))
        copy = sw.Simulation.restore(simulation.snapshot())
        for moved in (copy, simulation):
            moved.run()
        results.append(copy.result())
        assert np.array_equal(simulation.result().start, results[-1].start)
    assert np.array_equal(results[0].start, results[1].start)
    assert np.array_equal(results[0].backfilled, results[1].backfilled)
