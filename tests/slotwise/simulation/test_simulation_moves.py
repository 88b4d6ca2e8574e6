"""Simulations that are stepped through, copied and inspected match an uninterrupted replay."""

from __future__ import annotations

import copy
import threading

import numpy as np
import pytest
from hypothesis import given, strategies as st

import slotwise as sw
from reference.simulations import HURRIED, Case, columns, move, simulated


@HURRIED
@given(case=simulated(), data=st.data())
def test_any_steps_give_the_replay_in_one_go(case: Case, data: st.DataObject) -> None:
    expected = columns(sw.simulate(case.trace, case.site))
    sim = sw.Simulation(case.trace, case.site)
    copies = []
    for _ in range(data.draw(st.integers(0, 12))):
        move(sim, data.draw)
        copies.append(copy.copy(sim))
    sim.run()
    assert sim.done
    assert columns(sim.result()) == expected
    for other in copies:
        other.run()
        assert columns(other.result()) == expected


@HURRIED
@given(case=simulated(), data=st.data())
def test_states_on_the_way_agree_with_the_schedule(case: Case, data: st.DataObject) -> None:
    final = sw.simulate(case.trace, case.site)
    sim = sw.Simulation(case.trace, case.site)
    for _ in range(data.draw(st.integers(1, 12))):
        if not sim.step():
            break
        begun = (final.start >= 0) & (final.start <= sim.now)
        runs = begun & (final.end > sim.now)
        assert sorted(sim.running.row.tolist()) == np.flatnonzero(runs).tolist()
        assert sim.machine.free == sim.machine.processors - int(case.trace.processors[runs].sum())
        arrived = (case.trace.submit <= sim.now) & (final.start > sim.now)
        if "per" in case.site.policy.passes:  # unless passes are periodic, jobs are queued at once
            assert sim.queue.row.tolist() == np.flatnonzero(arrived).tolist()
        seen = sim.result()
        assert np.array_equal(seen.start, np.where(begun, final.start, -1))
        assert (seen.state[runs] == sw.State.RUNNING).all()
        assert (seen.state[arrived] == sw.State.WAITING).all()


def three_jobs() -> sw.Simulation:
    """Return a simulation of three jobs submitted at 10, 20 and 30; the first fills the machine."""
    trace = sw.Trace.from_columns(
        [10, 20, 30], [100, 50, 5], [4, 3, 1], [100, 60, 10], user=[7, 8, 9], max_processors=4
    )
    return sw.Simulation(trace)


def test_run_until_includes_that_second() -> None:
    sim = three_jobs()
    assert (sim.now, sim.next_event, len(sim.running)) == (10, 10, 0)
    sim.run(until=10)
    assert (sim.now, sim.next_event, sim.running.job_id.tolist()) == (10, 20, [1])
    sim.run(until=29)
    assert (sim.now, sim.queue.job_id.tolist()) == (29, [2])
    sim.run(until=30)
    assert sim.queue.job_id.tolist() == [2, 3]


def test_step_goes_from_pass_to_pass_and_returns_false_at_the_end() -> None:
    sim = three_jobs()
    seen = []
    while sim.step():
        seen.append((sim.now, sim.queue.job_id.tolist(), sim.running.job_id.tolist()))
    # At 110, job 1 ends; job 2 holds 3 processors until 160, and job 3 the last one until 115.
    assert seen == [
        (10, [], [1]),
        (20, [2], [1]),
        (30, [2, 3], [1]),
        (110, [], [2, 3]),
        (115, [], [2]),
        (160, [], []),
    ]
    assert sim.done
    assert not sim.step()


def test_columns_show_the_jobs_and_cannot_be_written() -> None:
    sim = three_jobs()
    sim.run(until=30)
    queue = sim.queue
    assert queue.row.tolist() == [1, 2]
    assert queue.submit.tolist() == [20, 30]
    assert queue.processors.tolist() == [3, 1]
    assert queue.requested_time.tolist() == [60, 10]
    assert queue.user.tolist() == [8, 9]
    assert queue.group.tolist() == [-1, -1]
    assert queue.start.tolist() == [-1, -1]
    assert queue.held.tolist() == [False, False]
    assert sim.running.start.tolist() == [10]
    with pytest.raises(ValueError, match="read-only"):
        queue.processors[0] = 1


def test_columns_read_before_a_step_keep_their_values() -> None:
    sim = three_jobs()
    sim.run(until=30)
    before = sim.queue.job_id
    assert sim.queue.job_id is before  # a column is not copied again between steps
    sim.run()
    assert before.tolist() == [2, 3]
    assert sim.queue.job_id.tolist() == []
    del sim
    assert before.tolist() == [2, 3]


def test_a_view_outlives_the_simulation_it_shows() -> None:
    sim = three_jobs()
    sim.run(until=30)
    queue = sim.queue
    del sim
    assert queue.job_id.tolist() == [2, 3]


def test_before_the_first_submit_nothing_happens() -> None:
    sim = three_jobs()
    sim.run(until=3)
    assert (sim.now, sim.next_event) == (10, 10)


@pytest.mark.parametrize("until", [9, 2**53, 1.5, "soon", True])
def test_an_impossible_time_to_run_to_is_refused(until: object) -> None:
    sim = three_jobs()
    sim.run(until=10)
    with pytest.raises(
        ValueError, match=r"until is .*(use a whole number of seconds|cannot go back)"
    ):
        sim.run(until=until)  # type: ignore[arg-type]
    sim.run()
    assert sim.result().start.tolist() == [10, 110, 110]


def test_an_exception_of_progress_ends_the_run_between_two_instants() -> None:
    trace = sw.generate("lublin", n_jobs=3000, processors=64, seed=1)
    expected = columns(sw.simulate(trace))
    sim = sw.Simulation(trace)

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sim.run(progress=stop)
    assert len(sim.running) + len(sim.queue) > 0
    sim.run()
    assert columns(sim.result()) == expected


@pytest.mark.threads
def test_two_threads_on_one_simulation_are_refused() -> None:
    sim = sw.Simulation(sw.generate("lublin", n_jobs=2000, processors=64, seed=1))
    inside, leave = threading.Event(), threading.Event()

    def wait(_: float) -> None:
        inside.set()
        leave.wait(60)

    mover = threading.Thread(target=sim.run, kwargs={"progress": wait})
    mover.start()
    assert inside.wait(60)
    try:
        for act in (sim.step, lambda: sim.now, lambda: len(sim.queue), lambda: copy.copy(sim)):
            with pytest.raises(RuntimeError, match="in the middle of a call"):
                act()
    finally:
        leave.set()
        mover.join()
    assert sim.done


def test_the_site_and_trace_are_checked() -> None:
    with pytest.raises(TypeError, match="is not a Trace"):
        sw.Simulation("log.swf")  # type: ignore[arg-type]
    trace = sw.Trace.from_columns([0], [1], [1])
    with pytest.raises(TypeError, match="is not a Site"):
        sw.Simulation(trace, "site.toml")  # type: ignore[arg-type]
    with pytest.raises(sw.SiteError, match="machine is unknown"):
        sw.Simulation(trace)
