"""Guarantees that hold for every registered backfill and order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import numpy as np
import pytest

import slotwise as sw
from reference.workloads import crowd

BACKFILLS = [backfill.name for backfill in sw.backfills()]
ORDERS = [order.name for order in sw.orders()]
PLANNED = [name for name in BACKFILLS if name != "as-logged"]
WITH_PASSES = [name for name in PLANNED if name != "slurm"]  # slurm has its own intervals
CROWD = crowd(3)
# Some jobs in CROWD request 0 s, which means no time limit and causes a warning.
pytestmark = pytest.mark.filterwarnings("ignore:the log has no time limit:slotwise.SiteWarning")

TRACE = sw.Trace.from_columns(
    [job.submit for job in CROWD.jobs],
    [job.run_time for job in CROWD.jobs],
    [job.processors for job in CROWD.jobs],
    [job.requested_time for job in CROWD.jobs],
    wait=[job.position % 7 for job in CROWD.jobs],
)


def replay(trace: sw.Trace, processors: int = CROWD.processors, **policy: Any) -> sw.Result:
    site = sw.Site(machine=sw.Processors(processors), policy=sw.Policy(**policy))
    return sw.simulate(trace, site)


def columns(result: sw.Result) -> list[list[int]]:
    return [
        column.tolist() for column in (result.start, result.end, result.state, result.backfilled)
    ]


def busy_after_each_change(result: sw.Result) -> np.ndarray:
    """Count the processors in use after each instant at which jobs start or end."""
    ran = result.start >= 0
    width = result.trace.processors[ran]
    times = np.concatenate([result.start[ran], result.end[ran]])
    change = np.concatenate([width, -width])
    instants, at = np.unique(times, return_inverse=True)
    return np.cumsum(np.bincount(at, weights=change, minlength=len(instants)))


@pytest.mark.parametrize(("backfill", "order"), list(product(PLANNED, ORDERS)))
def test_every_policy_obeys_the_machine(backfill: str, order: str) -> None:
    result = replay(TRACE, backfill=backfill, order=order)
    fits = TRACE.processors <= CROWD.processors
    # Every job that can run starts at or after its submit time, and runs for its full length. The
    # others never run.
    length = np.minimum(TRACE.run_time, TRACE.requested_time)
    assert np.array_equal(result.start >= 0, fits)
    assert (result.start[fits] >= TRACE.submit[fits]).all()
    assert np.array_equal(result.end[fits] - result.start[fits], length[fits])
    assert (result.end[~fits] == -1).all()
    assert (result.state[~fits] == sw.State.REJECTED).all()
    killed = result.state[fits] == sw.State.KILLED
    assert np.array_equal(killed, (TRACE.run_time > TRACE.requested_time)[fits])
    assert busy_after_each_change(result).max() <= CROWD.processors


@pytest.mark.parametrize("backfill", WITH_PASSES)
@pytest.mark.parametrize("passes", ["per-instant", "per-event", "30s"])
def test_capacity_holds_when_jobs_overrun(backfill: str, passes: str) -> None:
    result = replay(TRACE, backfill=backfill, passes=passes, kill_at_limit=False)
    assert np.array_equal(result.start >= 0, TRACE.processors <= CROWD.processors)
    assert busy_after_each_change(result).max() <= CROWD.processors


@pytest.mark.threads
@pytest.mark.parametrize("backfill", BACKFILLS)
def test_the_same_input_gives_the_same_schedule_on_any_number_of_threads(backfill: str) -> None:
    once = ORDERS if backfill in PLANNED else ["fcfs"]
    orders = once * 2
    alone = [columns(replay(TRACE, backfill=backfill, order=order)) for order in orders]
    with ThreadPoolExecutor(max_workers=8) as threads:
        together = list(
            threads.map(
                lambda order: columns(replay(TRACE, backfill=backfill, order=order)), orders
            )
        )
    assert alone[: len(once)] == alone[len(once) :]
    assert together == alone


@pytest.mark.parametrize(("backfill", "order"), list(product(PLANNED, ORDERS)))
def test_jobs_of_length_0_and_of_the_whole_machine_take_turns(backfill: str, order: str) -> None:
    # At 7, two jobs of length 0 and two of 5 s arrive, and each needs the whole machine. The longer
    # ones run from 7 and from 12; those of length 0 run before, between or after them.
    trace = sw.Trace.from_columns([7] * 4, [0, 5, 0, 5], [4] * 4, [1, 5, 1, 5])
    # With an Epilog, Slurm's main scheduler runs as soon as a job ends.
    rule = {"name": "slurm", "has_epilog": True} if backfill == "slurm" else backfill
    result = replay(trace, 4, backfill=rule, order=order)
    assert sorted(result.start[[1, 3]].tolist()) == [7, 12]
    assert set(result.start[[0, 2]].tolist()) <= {7, 12, 17}


@pytest.mark.parametrize("backfill", PLANNED)
def test_without_competition_every_job_starts_at_once(backfill: str) -> None:
    # One job arrives per minute and runs for at most half a minute, so no job ever waits.
    submit = np.arange(50) * 60
    trace = sw.Trace.from_columns(submit, submit % 31, np.full(50, 8), np.full(50, 30))
    result = replay(trace, 8, backfill=backfill)
    assert np.array_equal(result.start, trace.submit)
    assert not result.backfilled.any()


def test_without_backfilling_first_come_is_first_served() -> None:
    result = replay(TRACE, backfill="none")
    assert (np.diff(result.start[result.start >= 0]) >= 0).all()
    assert not result.backfilled.any()


def test_conservative_backfilling_delays_no_job_beyond_strict_order() -> None:
    """With exact estimates, no job starts later than if the queue were served strictly in order.

    By induction: let job j start at t in strict order. By t, every earlier job has started under
    conservative backfilling too, and ends no later. So j fits from t onwards, its promise is t or
    earlier, and promises never move later. (Jobs of length 0, planned as 1 s, are left out.)
    """
    lasting = TRACE[TRACE.run_time > 0]
    in_order = replay(lasting, backfill="none")
    promised = replay(lasting, backfill="conservative", estimates="exact")
    assert (promised.start <= in_order.start).all()


@pytest.mark.parametrize("backfill", PLANNED)
def test_what_happened_long_ago_changes_nothing(backfill: str) -> None:
    """The same jobs, submitted again after a long gap, get the same schedule."""
    gap = 1_000_800  # a multiple of the intervals of Slurm's schedulers
    twice = sw.Trace.from_columns(
        np.concatenate([TRACE.submit, TRACE.submit + gap]),
        np.tile(TRACE.run_time, 2),
        np.tile(TRACE.processors, 2),
        np.tile(TRACE.requested_time, 2),
    )
    result = replay(twice, backfill=backfill)
    half = len(TRACE)
    ran = result.start[:half] >= 0
    assert np.array_equal(result.start[half:][ran], result.start[:half][ran] + gap)


@pytest.mark.parametrize(
    "info",
    [info for info in sw.backfills() if info.name != "slurm"],  # slurm uses Slurm's names
    ids=lambda info: info.name,
)
def test_parameters_of_a_backfill_are_fields_of_a_policy(info: sw.PolicyInfo) -> None:
    for parameter in info.parameters:
        assert parameter.name in sw.Policy.__doc__  # type: ignore[operator]
        default = getattr(sw.Policy(backfill=info.name), parameter.name)
        if default is None:
            assert isinstance(parameter.default, str)  # the default is described in words
        else:
            as_shown = str(default).lower() if isinstance(default, bool) else default
            assert as_shown == parameter.default


@pytest.mark.parametrize("info", sw.orders(), ids=lambda info: info.name)
def test_every_parameter_of_an_order_may_be_given(info: sw.PolicyInfo) -> None:
    whole = {"name": info.name} | {p.name: p.default for p in info.parameters}
    given = replay(TRACE, order=whole)
    assert columns(given) == columns(replay(TRACE, order=info.name))
    assert given.site.policy.to_dict()["order"] == (whole if info.parameters else info.name)


@pytest.mark.parametrize("info", [*sw.orders(), *sw.backfills()], ids=lambda info: info.name)
def test_every_name_explains_itself(info: sw.PolicyInfo) -> None:
    assert info.name == info.name.lower().strip()
    assert len(info.doc) > 20
    for parameter in info.parameters:
        assert parameter.name
        assert parameter.doc
        if not isinstance(parameter.default, str | dict):
            assert parameter.minimum <= parameter.default
