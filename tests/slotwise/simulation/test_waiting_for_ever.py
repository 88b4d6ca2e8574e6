"""Jobs that can never start: the replay still ends, and reports them as waiting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import slotwise as sw

DAY = 86400
YEARS = 10 * 366 * DAY  # how long a replay waits: see docs/concepts/calendar.md
# Time 0 is 7:59, so the queue first opens after 60 s.
HOURS: dict[str, Any] = {
    "queues": [sw.Queue("q", hours="08:00-09:00")],
    "clock": sw.Clock(start="2020-01-01T07:59:00"),
}
WAITING = int(sw.State.WAITING)


def two_jobs(**columns: Any) -> sw.Trace:
    return sw.Trace.from_columns([0, 5], [10, 10], [4, 4], **columns)


def chain() -> sw.Trace:
    """Return two jobs, of which the second depends on the first."""
    return two_jobs(preceding_job=[-1, 1])


def site(**values: Any) -> sw.Site:
    return sw.Site(8, **(HOURS | values))


@pytest.mark.parametrize("change", ["hold", "cancel"])
def test_a_job_that_depends_on_one_that_never_runs_opens_no_queue(change: str) -> None:
    sim = sw.Simulation(chain(), site(dependencies=True))
    getattr(sim, change)(1)
    sim.run()
    assert sim.result().start.tolist() == [-1, -1]
    assert sim.now == 5  # the last arrival; the replay does not wait for openings
    assert sim.next_event is None


def test_a_job_that_depends_on_a_held_one_starts_after_its_release() -> None:
    # The first job is released at time 5, which is 55 s before 08:00, and runs from 60 to 70. The
    # second runs from 70 onwards.
    sim = sw.Simulation(chain(), site(dependencies=True))
    sim.hold(1)
    sim.run()
    sim.release(1)
    sim.run()
    assert sim.result().start.tolist() == [60, 70]


def test_a_job_released_after_more_than_ten_years_starts() -> None:
    # The queue opens 60 s after the start of each day, and `late` is a whole number of days.
    late = 2 * YEARS
    sim = sw.Simulation(chain()[:1], site(outages=[sw.Outage(0, 30, 8, every=DAY)]))
    sim.hold(1)
    sim.run(until=late)
    sim.release(1)
    sim.run()
    assert sim.result().start.tolist() == [late + 60]


def test_no_start_is_estimated_for_a_job_that_depends_on_a_cancelled_one() -> None:
    sim = sw.Simulation(chain()[:1], site(dependencies=True))
    sim.cancel(1)
    assert sim.estimate_start(processors=4, requested_time=10, preceding_job=1) is None


def test_a_job_that_names_itself_as_its_preceding_one_is_explained() -> None:
    own = sw.Trace.from_columns([0], [10], [4], preceding_job=[1])
    result = sw.simulate(own, site(dependencies=True))
    assert result.start.tolist() == [60]
    explanation = result.explain(1)
    assert [part.reason for part in explanation.parts] == ["opening hours"]
    # The start is estimated for a copy of job 1. The copy depends on the original, which is
    # cancelled, so it never starts.
    assert explanation.estimated_start is None


def test_a_dispatcher_that_starts_no_job_is_asked_for_ten_years() -> None:
    asked: list[int] = []

    def nobody(queue: Any, machine: Any) -> None:
        asked.append(machine.now)

    result = sw.simulate(two_jobs(), site(policy=sw.External(nobody)))
    assert result.state.tolist() == [WAITING, WAITING]
    # Passes run at 0, at 5, and at each opening, 60 s into every day. The last pass is at the first
    # opening more than ten years (3660 days) after the last arrival at 5.
    assert asked == [0, 5, *(60 + n * DAY for n in range(3661))]


@pytest.mark.parametrize(
    "policy",
    [
        sw.Policy(),
        sw.Policy(backfill="conservative"),
        sw.Policy(order="wfp3", passes="600s"),
        sw.Policy(backfill="conservative", passes="600s"),
        sw.Policy(backfill="relaxed", passes="600s"),
    ],
    ids=str,
)
def test_a_machine_that_is_always_out_leaves_its_jobs_waiting(policy: sw.Policy) -> None:
    always_out = site(policy=policy, outages=[sw.Outage(0, DAY, 8, every=DAY)])
    assert sw.simulate(two_jobs(), always_out).state.tolist() == [WAITING, WAITING]


@pytest.mark.parametrize("backfill", ["easy", "conservative"])
def test_an_outage_in_every_pass_is_not_waited_for_change_by_change(backfill: str) -> None:
    # There is an outage in [4 n, 4 n + 1) for each n, and a pass every 1000 s, so each pass falls
    # in an outage.
    policy = sw.Policy(backfill=backfill, passes="1000s")
    met = sw.Site(4, policy=policy, outages=[sw.Outage(0, 1, 1, every=4)])
    trace = sw.Trace.from_columns([0], [10], [4])
    assert sw.simulate(trace, met).state.tolist() == [WAITING]


def test_a_job_in_several_pools_is_not_waited_for() -> None:
    policy = sw.Policy(passes="1000s")
    met = sw.Site(
        4,
        policy=policy,
        pools=[sw.Pool("a", 2), sw.Pool("b", 2)],
        queues=[sw.Queue("q", spanning=True), sw.Queue("r", spanning=True, trace_queues=[2])],
        outages=[sw.Outage(0, 1, 1, pool="a", every=4)],
    )
    trace = sw.Trace.from_columns([0, 0], [10, 10], [4, 4], queue=[1, 2])
    assert sw.simulate(trace, met).state.tolist() == [WAITING, WAITING]


def test_later_arrivals_meet_the_present_state_of_the_site() -> None:
    # All 8 processors are down for 20 years, so no job can start. The third job arrives after 15
    # years, when the replay no longer waits for the first two. Its arrival starts a new waiting
    # period.
    out = sw.Site(8, outages=[sw.Outage(0, 2 * YEARS, 8), sw.Outage(0, 1, 1, every=DAY)])
    submit = np.array([0, 5, 3 * YEARS // 2])
    trace = sw.Trace.from_columns(submit, [10] * 3, [4, 4, 8])
    assert sw.simulate(trace, out).start.tolist() == [2 * YEARS, 2 * YEARS + 1, 2 * YEARS + 11]


def test_a_gap_with_too_many_changes_of_the_calendar_is_refused() -> None:
    # In the 2^40 s before the second arrival, outages begin or end about 5 · 10^11 times: at 4 n
    # and 4 n + 1.
    trace = sw.Trace.from_columns([0, 2**40], [10, 10], [4, 4])
    often = sw.Site(8, outages=[sw.Outage(0, 1, 1, every=4)])
    with pytest.raises(sw.ReplayError, match=r"no job runs or waits from second \d+ to 1099511"):
        sw.simulate(trace, often)
    # Outages that end before the trace begins are not counted, however long they last.
    late = sw.Trace.from_columns([2**40], [10], [4])
    old = sw.Outage(0, 2**40 + 7, 8)
    assert sw.simulate(late, often.replace(outages=[old, *often.outages])).start.tolist() == [
        2**40 + 7
    ]
