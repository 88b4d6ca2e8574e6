"""Dispatchers: Python callables that choose the jobs to start."""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import slotwise as sw
from reference.simulations import HURRIED, Case, move, simulated


def first_fit(queue: Any, machine: Any) -> list[int]:
    free, chosen = machine.free, []
    for job_id, processors in zip(queue.job_id, queue.processors, strict=True):
        if processors <= free:
            chosen.append(int(job_id))
            free -= processors
    return chosen


def external(case: Case, dispatch: Any = first_fit) -> sw.Site:
    policy = case.site.policy
    return sw.Site(
        machine=case.site.machine,
        policy=sw.External(dispatch, passes=policy.passes, kill_at_limit=policy.kill_at_limit),
        interruption=case.site.interruption,
    )


def starts(result: sw.Result) -> list[list[int]]:
    return [result.start.tolist(), result.end.tolist(), result.state.tolist()]


FIRST_FIT = simulated(
    ending_now="busy",
    backfill="first-fit",
    order="fcfs",
    backfill_order=None,
    event_order="completions-first",
)


@HURRIED
@given(case=FIRST_FIT, data=st.data())
def test_a_first_fit_dispatcher_gives_the_schedule_of_first_fit(
    case: Case, data: st.DataObject
) -> None:
    expected = starts(sw.simulate(case.trace, case.site))
    site = external(case)
    assert starts(sw.simulate(case.trace, site)) == expected
    sim = sw.Simulation(case.trace, site)
    for _ in range(data.draw(st.integers(0, 6))):
        move(sim, data.draw)
    data_of = sim.snapshot().to_bytes()
    again = sw.Simulation.restore(sw.Snapshot.from_bytes(data_of, dispatch=first_fit))
    for other in (copy.copy(sim), again, sim):
        other.run()
        assert starts(other.result()) == expected


def two_jobs() -> sw.Trace:
    """Return a log: job 7 holds the machine from 3 to 13; job 8 needs 3 processors at 5."""
    return sw.Trace.from_columns(
        [3, 5], [10, 10], [4, 3], [20, 20], job_id=[7, 8], user=[1, 2], max_processors=4
    )


def test_a_dispatcher_sees_the_queue_and_the_machine() -> None:
    seen = []

    def look(queue: Any, machine: Any) -> list[int]:
        seen.append(
            {
                "now": machine.now,
                "free": (machine.free, machine.processors),
                "ended": machine.ended.tolist(),
                "arrived": machine.arrived.tolist(),
                "queue": queue.job_id.tolist(),
                "user": queue.user.tolist(),
                "running": machine.running.job_id.tolist(),
                "start": machine.running.start.tolist(),
            }
        )
        return first_fit(queue, machine)

    sw.simulate(two_jobs(), sw.Site(policy=sw.External(look)))
    assert seen == [
        {
            "now": 3, "free": (4, 4), "ended": [], "arrived": [7], "queue": [7], "user": [1],
            "running": [], "start": [],
        },
        {
            "now": 5, "free": (0, 4), "ended": [], "arrived": [8], "queue": [8], "user": [2],
            "running": [7], "start": [3],
        },
        {
            "now": 13, "free": (4, 4), "ended": [7], "arrived": [], "queue": [8], "user": [2],
            "running": [], "start": [],
        },
        {
            "now": 23, "free": (4, 4), "ended": [8], "arrived": [], "queue": [], "user": [],
            "running": [], "start": [],
        },
    ]  # fmt: skip


@pytest.mark.parametrize(
    "answer",
    [[7], (7,), {7}, np.array([7]), np.array([7], np.uint32), iter([7]), (n for n in [7])],
    ids=lambda answer: type(answer).__name__,
)
def test_any_iterable_of_numbers_is_an_answer(answer: Any) -> None:
    answers = iter([answer, None, [8], ()])
    site = sw.Site(policy=sw.External(lambda queue, machine: next(answers)))
    assert sw.simulate(two_jobs(), site).start.tolist() == [3, 13]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ([9], r"job 9: the trace has no such job"),
        ([7], r"job 7: the job is not in the queue"),
        ([8, 8], r"job 8: the answer lists the job twice"),
        (itertools.repeat(8), r"job 8: the answer lists the job twice"),  # an endless answer
        ([8], r"job 8: the job needs more processors \(3\) than are free \(0\)"),
        ([(8, [0, 1, 2])], r"returned \(8, \[0, 1, 2\]\); this machine has no nodes"),
        ([8.0], r"returned 8.0; return the numbers"),
        ([True], r"returned True; return the numbers"),
        (8, r"returned 8; return the numbers"),
        ("8", r"returned '8'; return the numbers"),
    ],
)
def test_an_impossible_answer_is_refused_as_a_whole(answer: Any, why: str) -> None:
    wrong = True

    def dispatch(queue: Any, machine: Any) -> Any:
        return answer if machine.now == 5 and wrong else first_fit(queue, machine)

    site = sw.Site(policy=sw.External(dispatch))
    with pytest.raises(sw.ReplayError, match=why):
        sw.simulate(two_jobs(), site)
    sim = sw.Simulation(two_jobs(), site)
    with pytest.raises(sw.ReplayError, match=why):
        sim.run()
    assert (sim.now, sim.queue.job_id.tolist(), sim.running.job_id.tolist()) == (5, [8], [7])
    wrong = False
    sim.run()
    assert sim.result().start.tolist() == [3, 13]


def test_a_dispatchers_exception_is_passed_on_and_the_pass_repeated() -> None:
    class TiredError(ValueError):
        pass

    tired, arrivals = True, []

    def dispatch(queue: Any, machine: Any) -> Any:
        arrivals.append(machine.arrived.tolist())
        if machine.now == 5 and tired:
            raise TiredError("not now")
        return first_fit(queue, machine)

    site = sw.Site(policy=sw.External(dispatch))
    with pytest.raises(TiredError, match=r"^not now$"):
        sw.simulate(two_jobs(), site)
    sim = sw.Simulation(two_jobs(), site)
    arrivals.clear()
    for _ in range(2):
        with pytest.raises(TiredError):
            sim.run()
    tired = False
    sim.run()
    assert sim.result().start.tolist() == [3, 13]
    assert arrivals == [[7], [8], [8], [8], [], []]  # one pass calls the dispatcher three times


def test_the_views_are_reused_and_readable_only_during_the_call() -> None:
    shown: list[Any] = []

    def dispatch(queue: Any, machine: Any) -> Any:
        shown.append((queue, machine, queue.job_id))
        return first_fit(queue, machine)

    sw.simulate(two_jobs(), sw.Site(policy=sw.External(dispatch)))
    assert len({(id(queue), id(machine)) for queue, machine, _ in shown}) == 1
    assert [column.tolist() for *_, column in shown] == [[7], [8], [8], []]
    with pytest.raises(RuntimeError, match="read only during a call to the dispatcher"):
        len(shown[0][0])
    with pytest.raises(RuntimeError, match="read only during a call to the dispatcher"):
        shown[0][1].free  # noqa: B018


def test_a_dispatcher_cannot_step_its_own_simulation() -> None:
    def dispatch(queue: Any, machine: Any) -> Any:
        sim.run()

    sim = sw.Simulation(two_jobs(), sw.Site(policy=sw.External(dispatch)))
    with pytest.raises(RuntimeError, match="in the middle of a call"):
        sim.run()


def test_interventions_under_a_dispatcher() -> None:
    sim = sw.Simulation(two_jobs(), sw.Site(policy=sw.External(first_fit)))
    sim.run(until=6)
    sim.cancel(7)
    sim.hold(8)
    number = sim.submit(processors=4, run_time=2)
    sim.step()
    assert sim.running.job_id.tolist() == [number]
    sim.set_policy(sw.Policy())
    sim.release(8)
    sim.set_policy(sw.External(first_fit))
    sim.run()
    assert sim.result().start.tolist() == [3, 8, 6]


def test_external_is_a_value_and_is_refused_by_sweeps() -> None:
    policy = sw.External(first_fit)
    assert policy == sw.External(first_fit)
    assert policy != sw.External(first_fit, passes="30s")
    assert policy != sw.Policy(backfill="none")
    assert hash(policy) == hash(sw.External(first_fit))
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert policy.replace(passes="30s").passes == "30s"
    assert policy.to_dict() == {"external": "first_fit"}
    with pytest.raises(TypeError, match="is not callable"):
        sw.External("easy")  # type: ignore[arg-type]
    site = sw.Site(machine=4, policy=policy)
    with pytest.raises(sw.SiteError, match="only simulate and Simulation support"):
        sw.simulate(two_jobs(), site).fair_start()
    snapshot = sw.Simulation(two_jobs(), site).snapshot()
    with pytest.raises(TypeError, match="pass it as dispatch="):
        sw.Snapshot.from_bytes(snapshot.to_bytes())
    sim = pickle.loads(pickle.dumps(sw.Simulation(two_jobs(), site)))
    sim.run()
    assert sim.result().start.tolist() == [3, 13]
