"""Simulations whose policy fails in a pass: the pass has no effect, and the replay continues."""

from __future__ import annotations

import copy
import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from reference.workloads import crowd

if TYPE_CHECKING:
    from slotwise.site.policy.order_functions import WaitingJobs

BACKFILLS = [info.name for info in sw.backfills() if info.name != "as-logged"]
CROWD = crowd(21, n_jobs=60)
TRACE = CROWD.trace()
WHEN = int(TRACE.submit[30])


class Failing:
    """Shortest job first; raises `fault` once, in the first pass at or after `when`."""

    def __init__(self, fault: BaseException, when: int = WHEN) -> None:
        self.fault, self.when, self.failed_at = fault, when, -1

    def __call__(self, jobs: WaitingJobs, now: int) -> Any:
        if now >= self.when and self.failed_at < 0:
            self.failed_at = now
            raise self.fault
        return -jobs.requested_time


def site_of(order: Any, **fields: Any) -> sw.Site:
    policy = {name: fields.pop(name) for name in ("backfill", "passes") if name in fields}
    return sw.Site(sw.Processors(CROWD.processors), sw.Policy(order=order, **policy), **fields)


def rows(result: sw.Result) -> list[list[int]]:
    return [result.start.tolist(), result.end.tolist(), result.backfilled.tolist()]


KINDS: list[dict[str, Any]] = [
    *({"backfill": backfill} for backfill in BACKFILLS),
    {"passes": "30s"},
    {"passes": "per-event"},
    {"queues": (sw.Queue("q", running=9),), "backfill": "easy"},
    {"crashes": sw.Crashes(times=(int(TRACE.submit[20]),), repair=100)},
]


@pytest.mark.parametrize("fields", KINDS)
@pytest.mark.parametrize("by_steps", [False, True])
def test_an_order_that_raised_is_called_again(fields: dict[str, Any], by_steps: bool) -> None:
    order = Failing(ZeroDivisionError("no weight"))
    expected = rows(sw.simulate(TRACE, site_of(Failing(ValueError(), 10**12), **fields)))
    sim = sw.Simulation(TRACE, site_of(order, **fields))

    def move() -> None:
        while by_steps and sim.step():
            pass
        sim.run()

    with pytest.raises(ZeroDivisionError, match="no weight") as caught:
        move()
    note = caught.value.__notes__[0]
    assert note.startswith("raised by order numpy (")
    assert f"at {order.failed_at} s while scoring" in note
    assert sim.now in (order.failed_at, order.failed_at - 1)
    assert order.failed_at not in sim.result().start
    move()
    assert rows(sim.result()) == expected


def test_a_further_pass_that_failed_is_run_again() -> None:
    for fields in ({}, {"queues": (sw.Queue("q", running=99),)}):
        order = Failing(KeyboardInterrupt(), when=5)
        trace = sw.Trace.from_columns([0, 3], [10, 10], [4, 4])
        sim = sw.Simulation(trace, sw.Site(4, sw.Policy(order=order), **fields))
        sim.run(until=3)
        sim.submit(processors=2, run_time=5, submit=5)
        sim.run(until=4)
        order.when = 4
        short = sim.submit(processors=2, run_time=4)
        sim.hold(2)
        with pytest.raises(KeyboardInterrupt):
            sim.run()
        assert (sim.now, order.failed_at) == (4, 4)
        assert short not in sim.running.job_id
        sim.run()
        # Job 2 is held; at 10 the two jobs of 4 and 5 s start side by side.
        assert sim.result().start.tolist() == [0, -1, 10, 10]


@pytest.mark.parametrize("backfill", ["easy", "conservative"])
def test_a_score_of_nan_names_order_and_job_and_another_policy_continues(
    backfill: str,
) -> None:
    # 200 - now is negative from 201 onwards.
    order = {"name": "expression", "key": "sqrt(200 - now) + submit"}
    trace = sw.Trace.from_columns([0, 10, 20], [300, 10, 5], [4, 4, 4], job_id=[7, 8, 9])
    sim = sw.Simulation(trace, sw.Site(4, sw.Policy(order=order, backfill=backfill)))
    for _ in range(2):
        with pytest.raises(sw.ReplayError, match=r"order expression .*gives job 8 .* the key NaN"):
            sim.run()
        assert sim.queue.job_id.tolist() == [8, 9]
    sim.set_policy(sw.Policy(order="sjf"))
    sim.run()
    assert sim.result().start.tolist() == [0, 305, 300]


def test_a_c_function_that_fails_leaves_the_simulation_usable() -> None:
    score_function = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_double), ctypes.c_void_p,
    )  # fmt: skip
    faults = [3]

    @score_function
    def score(n: int, now: int, columns: Any, scores: Any, data: Any) -> int:
        for job in range(n):
            scores[job] = 0.0
        return faults.pop() if now >= 15 and faults else 0

    address = ctypes.cast(score, ctypes.c_void_p).value
    assert address is not None
    trace = sw.Trace.from_columns([0, 10, 20], [30, 10, 5], [4, 4, 4])
    sim = sw.Simulation(trace, sw.Site(4, sw.Policy(order=sw.CompiledOrder(address))))
    with pytest.raises(sw.ReplayError, match=r"returned the error code 3 at \d+ s"):
        sim.run()
    sim.run()
    assert sim.result().start.tolist() == [0, 30, 40]


def test_a_policy_that_cannot_rank_changes_nothing() -> None:
    def fails(jobs: WaitingJobs, now: int) -> Any:
        raise LookupError("no table")

    sim = sw.Simulation(TRACE, site_of("sjf"))
    sim.run(until=WHEN)
    expected = rows(sw.simulate(TRACE, site_of("sjf")))
    with pytest.raises(LookupError):
        sim.set_policy(sw.Policy(order=sw.NumPyOrder(fails, static=True)))
    assert sim.site == site_of("sjf")
    sim.run()
    assert rows(sim.result()) == expected


def test_a_number_beyond_64_bits_names_no_job() -> None:
    asked: list[Any] = [[2**70], [-(2**70)]]

    def dispatch(queue: Any, machine: Any) -> Any:
        return asked.pop(0) if asked else queue.job_id

    sim = sw.Simulation(TRACE[:1], sw.Site(CROWD.processors, sw.External(dispatch)))
    for number in (2**70, -(2**70)):
        with pytest.raises(
            sw.ReplayError, match=f"cannot start job {number}: the trace has no such job"
        ):
            sim.run()
    sim.run()
    assert np.array_equal(sim.result().start, TRACE.submit[:1])


def step_to_the_end(sim: sw.Simulation) -> None:
    while sim.step():
        pass


def test_a_job_interrupted_forever_is_named_by_its_number_in_the_log() -> None:
    # 60 s of work, killed every 50 s.
    trace = sw.Trace.from_columns([0], [60], [1], job_id=[77])
    away = sw.Outage(start=40, duration=1, processors=4, every=50, mode="kill")
    site = sw.Site(4, outages=(away,))
    endless = r"job 77 \(position 0 in the trace\) was interrupted"
    with pytest.raises(sw.ReplayError, match=endless):
        sw.simulate(trace, site)
    sim = sw.Simulation(trace, site)
    again = copy.copy(sim)
    with pytest.raises(sw.ReplayError, match=endless):
        sim.run()
    with pytest.raises(sw.ReplayError, match=endless):
        step_to_the_end(again)
    with pytest.raises(sw.ReplayError, match=endless):
        sw.sweep(trace, [site])
    assert len(sim.result().attempts) >= 10_000
    sim.cancel(77)
    sim.run()
    assert sim.result().states()[sw.State.CANCELLED] == 1


@pytest.mark.parametrize("backfill", ["easy", "conservative"])
def test_a_request_with_millions_of_reservations_ahead_is_refused(backfill: str) -> None:
    # A reservation every 31 s over 2^31 - 1 seconds: 69,273,666 reservations.
    always = sw.Reservation("r", start=0, duration=10, every=31, processors=3, users=[7])
    site = sw.Site(10, sw.Policy(backfill=backfill), reservations=[always])
    log = sw.Trace.from_columns([0], [5], [4], requested_time=[2**31 - 1])
    with pytest.raises(sw.ReplayError, match=r"more than 4000000 .*; make them less frequent"):
        sw.simulate(log, site)
    # The pass that failed has no effect on the simulation.
    sim = sw.Simulation(log, site)
    with pytest.raises(sw.ReplayError):
        sim.run()
    assert len(sim.running.start) == 0
