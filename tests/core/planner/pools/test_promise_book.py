"""Conservative backfilling on sites: events that move a promise, and events that break one."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

PROMISING = sw.Policy(backfill="conservative")
BOUNDLESS = sw.Limits(running=10**6)  # a limit that no job reaches


def starts(site: sw.Site, **columns: Any) -> list[int]:
    return sw.simulate(sw.Trace.from_columns(**columns), site).start.tolist()


MAINTENANCE = [sw.Maintenance(start=100, duration=50)]
BEFORE_IT: dict[str, Any] = {
    "submit": [0, 1, 2, 3, 4],
    "processors": [4, 2, 4, 2, 2],
    "run_time": [80, 30, 20, 30, 10],
}


def test_promises_are_made_around_a_maintenance() -> None:
    # The first job ends at 80, and the maintenance begins at 100. The third job, of 20 s, fits in
    # between. The second and fourth jobs, of 30 s each, have promises from 150 onwards, and the
    # machine is full until 180. The last job ranks first. If all jobs were planned again, the last
    # job would start at 80, and the third job at 150.
    for backfill, expected in (
        ("conservative", [0, 150, 80, 150, 180]),
        ("replan", [0, 170, 150, 170, 80]),
    ):
        policy = sw.Policy(order="sjf", backfill=backfill)
        assert starts(sw.Site(4, policy, maintenance=MAINTENANCE), **BEFORE_IT) == expected


def test_a_sudden_outage_breaks_only_the_promises_it_overlaps() -> None:
    # B (4 processors) is promised a start at 50, and C (2 processors for 60 s) at 80. From 10 to
    # 110, two of four processors are lost. C keeps its promise, and B gets a new one, after C.
    outage = sw.Outage(start=10, duration=100, processors=2, mode="sudden")
    site = sw.Site(4, PROMISING, outages=[outage])
    columns = {"submit": [0, 1, 5], "processors": [2, 4, 2], "run_time": [50, 30, 60]}
    assert starts(site, **columns) == [0, 140, 80]


def test_a_promise_is_withdrawn_when_a_limit_is_full() -> None:
    # B and C belong to a user who may run one job at a time. Both are promised a start at 10, and D
    # at 20. When B starts at 10, C loses its promise, and D starts at 10 instead. C starts at 20,
    # when B ends.
    site = sw.Site(4, PROMISING, limits=sw.Limits(running_per_user=1))
    columns: dict[str, Any] = {
        "submit": [0, 1, 1, 1],
        "processors": [4, 2, 2, 2],
        "run_time": [10] * 4,
    }
    assert starts(site, **columns, user=[2, 1, 1, 3]) == [0, 10, 20, 10]


def test_a_promise_lies_within_the_hours_of_its_queue() -> None:
    # Time 0 is noon. The night queue's job is promised a start at 20:00. The first job ends at
    # 13:00. A job of 7 h then fits before 20:00, and one of 8 h does not.
    queues = [sw.Queue("night", trace_queues=[1], hours="20:00-08:00"), sw.Queue("any")]
    site = sw.Site(2, PROMISING, queues=queues, clock=sw.Clock("2024-03-01T12:00"))
    hours = [1, 1, 8, 7]
    columns = {"submit": [0, 10, 20, 30], "processors": [2] * 4, "queue": [2, 1, 2, 2]}
    found = starts(site, run_time=[3600 * h for h in hours], **columns)
    assert found == [0, 8 * 3600, 9 * 3600, 3600]


def test_a_starving_job_takes_the_place_of_one_that_does_not_starve() -> None:
    # B is promised a start at 100, and C at 110. At 52, C starves. C is now promised a start at
    # 100, and B a start after C.
    queues = [sw.Queue("patient", trace_queues=[1]), sw.Queue("hasty", starvation=50)]
    columns = {"submit": [0, 1, 2], "processors": [4] * 3, "run_time": [100, 10, 20]}
    site = sw.Site(4, PROMISING, queues=queues)
    assert starts(site, **columns, queue=[1, 1, 2]) == [0, 120, 100]


def test_a_job_above_a_threshold_loses_its_promise() -> None:
    # B, C and D, in their own pool, are promised starts at 1000, 1100 and 1150. C passes the
    # threshold after 101 s, and B after 201 s. Each then gives up its promise, and D moves up.
    site = sw.Site(
        8,
        PROMISING,
        pools=[sw.Pool("own", 4), sw.Pool("common", 4, threshold=2.0)],
        queues=[
            sw.Queue("passing", trace_queues=[1], priority=1, pools=["own", "common"]),
            sw.Queue("staying", priority=1, pools=["own"]),
        ],
    )
    columns = {"submit": [0, 0, 0, 1], "processors": [4] * 4, "run_time": [1000, 100, 50, 10]}
    assert starts(site, **columns, queue=[1, 1, 1, 2]) == [0, 201, 101, 1000]


def test_an_advance_reservation_displaces_promises() -> None:
    # B (3 processors in a) is promised a start at 50. The wide job takes all processors of both
    # pools at 60, when the other job in b ends. B, of 20 s, would overlap the wide job, so it is
    # promised a start at 70.
    queues = [
        sw.Queue("in a", trace_queues=[1], pools=["a"]),
        sw.Queue("in b", trace_queues=[2], pools=["b"]),
        sw.Queue("wide", pools=["a", "b"], spanning=True),
    ]
    pools = [sw.Pool("a", 4), sw.Pool("b", 4)]
    columns: dict[str, Any] = {
        "submit": [0, 0, 1, 2],
        "processors": [4, 4, 3, 8],
        "run_time": [50, 60, 20, 10],
    }
    site = sw.Site(8, PROMISING, pools=pools, queues=queues)
    assert starts(site, **columns, queue=[1, 2, 1, 3]) == [0, 0, 70, 60]


def test_a_held_job_loses_its_promise_and_returns_behind_the_others() -> None:
    trace = sw.Trace.from_columns([0, 1, 2], [100, 50, 10], [4, 4, 4])
    sim = sw.Simulation(trace, sw.Site(4, PROMISING, limits=BOUNDLESS))
    sim.run(until=10)
    sim.hold(2)
    sim.run(until=20)
    sim.release(2)
    sim.run()
    assert sim.result().start.tolist() == [0, 110, 100]


def test_an_estimate_of_a_start_counts_on_promises() -> None:
    sim = sw.Simulation(
        sw.Trace.from_columns(**BEFORE_IT), sw.Site(4, PROMISING, maintenance=MAINTENANCE)
    )
    sim.run(until=2)
    # Two jobs are waiting. The one on 2 processors is promised a start at 150, and the one on 4 a
    # start at 80.
    assert sim.estimate_start(processors=2, requested_time=10) == 150
    assert sim.estimate_start(processors=4, requested_time=10) == 180


def test_a_wait_behind_a_promise_is_a_wait_for_a_reservation() -> None:
    # From 2 onwards, C would fit beside A, but the whole machine is promised to B at 50. So C waits
    # until B ends at 60.
    trace = sw.Trace.from_columns([0, 1, 2], [50, 10, 60], [2, 4, 2])
    result = sw.simulate(trace, sw.Site(4, PROMISING, limits=BOUNDLESS))
    parts = [(part.start, part.end, part.reason) for part in result.explain(3).parts]
    assert parts == [(2, 50, "reservation"), (50, 60, "processors")]


@pytest.mark.parametrize("compression", ["early-end", "every-end"])
def test_a_copy_and_a_snapshot_keep_what_is_promised(compression: str) -> None:
    trace = sw.generate("lublin", n_jobs=400, processors=64, load=1.1, seed=3)
    site = sw.Site(
        64,
        sw.Policy(backfill="conservative", compression=compression),
        pools=[sw.Pool("a", 40), sw.Pool("b", 24)],
        queues=[
            sw.Queue("small", processors=(1, 8), pools=["a", "b"], starvation=40_000),
            sw.Queue("large", processors=(9, 40), pools=["a"]),
        ],
        limits=sw.Limits(running=30),
    )
    expected = sw.simulate(trace, site)
    sim = sw.Simulation(trace, site)
    sim.run(until=int(np.median(trace.submit)))
    assert len(sim.queue.job_id) > 0
    for other in (copy.copy(sim), sw.Simulation.restore(sim.snapshot())):
        other.run()
        np.testing.assert_array_equal(other.result().start, expected.start)
        np.testing.assert_array_equal(other.result().pool, expected.pool)


@pytest.mark.parametrize(
    "values",
    [{}, {"order": "wfp3"}, {"compression": "every-end"}, {"passes": "5m"}],
    ids=lambda values: next(iter(values), "default"),
)
def test_a_log_starts_as_on_a_plain_machine(shared_traces: Path, values: dict[str, Any]) -> None:
    log = sw.read_swf(shared_traces / "KTH-SP2-1996-2.1-cln.swf.gz")
    policy = sw.Policy(backfill="conservative", **values)
    plain = sw.simulate(log, sw.Site(policy=policy))
    ruled = sw.simulate(log, sw.Site(policy=policy, limits=BOUNDLESS))
    np.testing.assert_array_equal(plain.start, ruled.start)
    np.testing.assert_array_equal(plain.backfilled, ruled.backfilled)
