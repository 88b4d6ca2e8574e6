"""Attempts of a result, and the metrics and change points computed from them."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import slotwise as sw
from slotwise import _core


def replay(rows: list[tuple[int, int, int]], **site: Any) -> sw.Result:
    """Replay rows of (submit, run_time, processors) on 10 processors under easy backfilling."""
    submit, run_time, processors = zip(*rows, strict=True)
    trace = sw.Trace.from_columns(submit, run_time, processors, job_id=[7 + i for i in submit])
    return sw.simulate(trace, sw.Site(machine=10, **site))


@pytest.fixture
def killed() -> sw.Result:
    """Run one job on 4 processors from 5 to 20 and from 30 to 50, with all down in between."""
    return replay([(5, 20, 4)], maintenance=[sw.Maintenance(20, 10, mode="kill")])


def test_end_reasons_of_python_and_core_are_the_same() -> None:
    assert [(r.name.lower(), int(r)) for r in sw.EndReason] == _core.end_reasons()


def test_attempts_are_a_table_any_dataframe_library_takes(killed: sw.Result) -> None:
    pa = pytest.importorskip("pyarrow")
    assert pa.table(killed.attempts).to_pylist() == [
        {
            "job": 0, "number": 1, "pool": 0, "start": 5, "end": 20, "reason": "outage",
            "lost": 60, "refunded": 0,
        },
        {
            "job": 0, "number": 2, "pool": 0, "start": 30, "end": 50, "reason": "completed",
            "lost": 0, "refunded": 0,
        },
    ]  # fmt: skip


def test_a_schedule_says_whether_an_attempt_was_interrupted(killed: sw.Result) -> None:
    assert killed.schedule.has_interruptions
    assert not replay([(5, 20, 4)]).schedule.has_interruptions


def test_without_a_calendar_every_job_that_ran_has_one_attempt() -> None:
    # The second job is killed at its limit and loses nothing; the third exceeds the machine.
    trace = sw.Trace.from_columns([0, 1, 2], [5, 9, 1], [1, 1, 11], [5, 4, 1])
    attempts = sw.simulate(trace, sw.Site(machine=10)).attempts
    assert attempts["job"].tolist() == [0, 1]
    assert attempts["number"].tolist() == [1, 1]
    assert attempts["pool"].tolist() == [0, 0]
    assert attempts["end"].tolist() == [5, 5]
    assert attempts["reason"].tolist() == [sw.EndReason.COMPLETED, sw.EndReason.KILLED]
    assert attempts["lost"].tolist() == [0, 0]


def test_metrics_count_what_every_attempt_ran(killed: sw.Result) -> None:
    # From 5 to 50, 10 processors provide 450 processor-seconds: 4 · 15 are lost, 4 · 20 are useful,
    # and 10 · 10 are unavailable. During the 10 s in the queue, no processor is free.
    metrics = killed.metrics()
    assert metrics["utilisation"] == pytest.approx(140 / 450)
    assert metrics["utilisation_of_available"] == pytest.approx(140 / 350)
    assert metrics["loss_of_capacity"] == 0
    assert metrics["mean_wait"] == 10
    assert metrics["mean_queue_length"] == pytest.approx(10 / 45)
    # Response time (45 s) divided by the 20 s of run time that did not have to be repeated.
    assert metrics["mean_slowdown"] == 45 / 20
    assert metrics["n_attempts"] == 2
    assert metrics["n_interrupted"] == 1
    assert metrics["lost_processor_hours"] == 60 / 3600
    assert metrics["refunded_processor_hours"] == 0


def test_groups_share_the_utilisation_of_all_attempts(killed: sw.Result) -> None:
    (row,) = killed.metrics_by("state").values()
    assert row["utilisation"] == killed.metrics()["utilisation"]
    assert row["n_attempts"] == 2


def test_without_a_calendar_there_are_no_figures_of_attempts() -> None:
    metrics = replay([(0, 5, 1)]).metrics()
    assert not {"n_attempts", "lost_processor_hours", "utilisation_of_available"} & set(metrics)


def test_change_points_show_the_queue_between_attempts_and_the_machine(
    killed: sw.Result,
) -> None:
    series = {name: column.tolist() for name, column in killed.series().items()}
    assert series == {
        "time": [5, 20, 30, 50],
        "queued_jobs": [0, 1, 0, 0],
        "queued_processors": [0, 4, 0, 0],
        "busy_processors": [4, 0, 4, 0],
        "available_processors": [10, 0, 10, 10],
    }


def test_work_saved_by_checkpoints_counts_as_run() -> None:
    # A job does 30 s of work, saved every 10 s. The crash at 15 leaves 20 s of work; the repair
    # ends at 20. So the job ends at 40.
    result = replay(
        [(0, 30, 2)],
        crashes=sw.Crashes(times=[15], repair=5),
        interruption=sw.Interruption("from-checkpoint", checkpoint_every=10),
    )
    assert result.end.tolist() == [40]
    assert result.metrics()["mean_slowdown"] == 40 / 30
    assert result.metrics()["lost_processor_hours"] == 2 * 5 / 3600


def test_jobs_interrupted_without_requeue_are_counted_by_state() -> None:
    result = replay(
        [(0, 30, 2), (16, 5, 2)],
        crashes=sw.Crashes(times=[15]),
        interruption=sw.Interruption("never"),
    )
    assert result.states()[sw.State.INTERRUPTED] == 1
    assert result.states()[sw.State.COMPLETED] == 1
    assert result.metrics()["n_attempts"] == 2


def test_a_result_keeps_its_attempts_when_pickled(killed: sw.Result) -> None:
    again = pickle.loads(pickle.dumps(killed))
    assert again.metrics() == killed.metrics()
    assert again.attempts.column_names == killed.attempts.column_names
    assert list(again.attempts) == list(killed.attempts)
    assert np.array_equal(again.wait, killed.wait)


def test_a_job_killed_forever_is_an_error() -> None:
    # The job is killed every 10 s, so it never completes its 20 s.
    with pytest.raises(sw.ReplayError, match=r"job 7 .* would never end; .* set requeue to never"):
        replay([(0, 20, 4)], outages=[sw.Outage(10, 1, 10, every=10, mode="kill")])


def test_equal_seeds_give_equal_crashes_and_other_seeds_others() -> None:
    rows = [(i * 50, 400, 3) for i in range(100)]
    crashes = sw.Crashes(law="weibull", mean=500, shape=0.7, seed=1, repair=20)
    first, again = replay(rows, crashes=crashes), replay(rows, crashes=copy.copy(crashes))
    assert first.metrics()["n_interrupted"] > 10
    assert first.start.tolist() == again.start.tolist()
    other = replay(rows, crashes=crashes.replace(seed=2))
    assert first.start.tolist() != other.start.tolist()


def test_checkpoints_cost_their_time_without_failures() -> None:
    rule = sw.Interruption("from-checkpoint", checkpoint_every=10, checkpoint_cost=2)
    policy = sw.Policy(kill_at_limit=False)
    assert replay([(0, 25, 1)], interruption=rule, policy=policy).end.tolist() == [29]


def test_attempts_of_a_plain_site_are_in_its_single_pool() -> None:
    result = replay([(0, 5, 4), (1, 5, 8)])
    assert result.attempts["pool"].tolist() == result.pool.tolist() == [0, 0]
    assert result.pool_names == ("machine",)


def test_fair_starts_are_those_of_first_attempts(killed: sw.Result) -> None:
    # The job starts at 5, is killed at 20 and starts again at 30: no job overtook it.
    fair = killed.fair_start()
    assert fair.tolist() == [5]
    assert killed.metrics(fair_start=fair)["mean_fair_start_missed"] == 0
