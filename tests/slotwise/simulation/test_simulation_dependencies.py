"""Lists of dependencies, and limits on job arrays, in replays that are run step by step."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw

SITE = sw.Site(4, dependencies=True)


def one_job(**columns: Any) -> sw.Trace:
    return sw.Trace.from_columns([0], [50], [2], **columns)


def starts(sim: sw.Simulation) -> dict[int, int]:
    result = sim.result()
    return dict(zip(sim.trace.job_id.tolist(), result.start.tolist(), strict=True))


def test_a_submitted_job_waits_for_the_jobs_that_it_names() -> None:
    # Job 1 runs from 0 to 50. The others are submitted at 10; job 3 follows job 2, which runs for 5
    # s.
    sim = sw.Simulation(one_job(), SITE)
    sim.run(until=10)
    sim.submit(processors=1, run_time=5, dependency="afterok:1")
    sim.submit(processors=1, run_time=5, dependency="afterany:1:2")
    sim.submit(processors=1, run_time=5, dependency="afterok:1")
    assert sim.trace.names("dependency") == ["", "afterok:1", "afterany:1:2", "afterok:1"]
    sim.run()
    assert starts(sim) == {1: 0, 2: 50, 3: 55, 4: 50}
    assert starts(sim) == dict(enumerate(sw.simulate(sim.trace, SITE).start.tolist(), 1))


@pytest.mark.parametrize(
    ("dependency", "start"), [("afterok:1", -1), ("afterany:1", 20), ("afternotok:1", 20)]
)
@pytest.mark.parametrize("is_running", [True, False])
def test_a_cancelled_job_has_ended_without_success(
    dependency: str, start: int, is_running: bool
) -> None:
    # Job 1 is cancelled at 20, while it runs, or while it waits behind job 7.
    columns = one_job() if is_running else one_job().with_columns(processors=[4])
    sim = sw.Simulation(columns[:0], SITE)
    if not is_running:
        sim.submit(processors=2, run_time=100, job_id=7)
    sim.submit(processors=2 if is_running else 4, run_time=50, job_id=1)
    sim.submit(processors=1, run_time=5, job_id=2, dependency=dependency)
    sim.run(until=20)
    sim.cancel(1)
    sim.run()
    assert starts(sim)[2] == start


def test_a_job_cancelled_before_it_arrives_opens_the_jobs_behind_it() -> None:
    trace = sw.Trace.from_columns(
        [0, 30, 40], [5, 5, 5], [1, 1, 1], dependency=["", "", "afterany:2"]
    )
    sim = sw.Simulation(trace, SITE)
    sim.run(until=10)
    sim.cancel(2)
    sim.run()
    assert sim.result().start.tolist() == [0, -1, 40]


def test_a_snapshot_keeps_dependencies_and_arrays() -> None:
    # Array 9 runs one task at a time; job 5 follows the whole array.
    trace = sw.Trace.from_columns(
        [0, 0, 0], [10, 10, 10], [1, 1, 1], array_id=[9] * 3, array_task=[1, 2, 3],
        array_limit=[1] * 3,
    )  # fmt: skip
    sim = sw.Simulation(trace, SITE)
    sim.run(until=5)
    sim.submit(processors=1, run_time=5, dependency="afterok:9", job_id=5)
    sim.run(until=12)
    sim.submit(processors=1, run_time=5, job_id=6, array_id=9, array_task=4, array_limit=1)
    again = sw.Snapshot.from_bytes(sim.snapshot().to_bytes()).simulation()
    for each in (sim, again):
        each.run()
        assert starts(each) == {1: 0, 2: 10, 3: 20, 5: 30, 6: 30}
    assert again.trace.names("dependency") == sim.trace.names("dependency")


def test_an_estimate_takes_jobs_to_succeed_and_end_at_their_request() -> None:
    trace = one_job(requested_time=[60], status=[0])
    sim = sw.Simulation(trace, SITE)
    sim.run(until=10)
    assert sim.estimate_start(processors=1, requested_time=5, dependency="afterok:1") == 60
    assert sim.estimate_start(processors=1, requested_time=5, dependency="afternotok:1") is None
    assert sim.trace.labels == {}


@pytest.mark.parametrize(
    "dependency", ["after:1", "afterok", "afterok:x", "afterok:1?afterok:2", 3]
)
def test_a_text_that_is_no_list_is_refused(dependency: Any) -> None:
    sim = sw.Simulation(one_job(), SITE)
    with pytest.raises(ValueError, match=r"depend|condition|number"):
        sim.submit(processors=1, run_time=5, dependency=dependency)
    assert len(sim.trace) == 1


def test_an_array_limit_binds_submitted_tasks() -> None:
    sim = sw.Simulation(one_job()[:0], SITE)
    for task in range(4):
        sim.submit(processors=1, run_time=10, array_id=3, array_task=task, array_limit=2)
    sim.run()
    assert sim.result().start.tolist() == [0, 0, 10, 10]
