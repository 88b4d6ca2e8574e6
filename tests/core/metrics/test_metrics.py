"""Every metric, checked against derived values on small replays and a reference on random ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from reference import metrics as reference
from reference.replays import core_arguments, replay_of, replays
from slotwise import _core

if TYPE_CHECKING:
    from reference.metrics import Replay


def measured(
    replay: Replay, *, threshold: int = 10, trim: tuple[float, float] = (0, 0), **more: Any
) -> dict[str, float]:
    options = {"dropped": 0} | more
    return _core.metrics(*core_arguments(replay), threshold=threshold, trim=trim, **options)


# Five jobs on 4 processors. The times are submit -> start -> end.
#   job 0   3 processors   0 ->  0 -> 20      wait  0  response 20
#   job 1   4 processors   0 -> 20 -> 60      wait 20  response 60
#   job 2   1 processor   10 -> 10 -> 15      wait  0  response  5   backfilled, killed
#   job 3   2 processors  30 -> 60 -> 60      wait 30  response 30   of length 0
#   job 4   9 processors  40                  never: larger than the machine
BY_HAND = replay_of(
    [(0, 3, 0, 20), (0, 4, 20, 60), (10, 1, 10, 15), (30, 2, 60, 60), (40, 9, -1, -1)],
    machine=4,
    state=[0, 0, 1, 0, 2],
    backfilled=[0, 0, 1, 0, 0],
)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_jobs", 5),
        ("n_started", 4),
        ("n_rejected", 1),
        ("n_killed", 1),
        ("n_backfilled", 1),
        ("n_trimmed", 0),
        ("mean_wait", (0 + 20 + 0 + 30) / 4),
        ("median_wait", (0 + 20) / 2),  # the waits are 0, 0, 20, 30
        ("p95_wait", 20 + 0.85 * 10),  # the value at position 0.95 * 3 = 2.85
        ("max_wait", 30),
        ("mean_response", (20 + 60 + 5 + 30) / 4),
        ("max_response", 60),
        # slowdowns 1, 60/40, 1, 30; job 3, of length 0, counts as 1 s
        ("mean_slowdown", (1 + 1.5 + 1 + 30) / 4),
        ("max_slowdown", 30),
        # slowdowns if run times count as at least 10 s: 1, 1.5, max(1, 5/10), 30/10
        ("mean_bounded_slowdown", (1 + 1.5 + 1 + 3) / 4),
        # (wait + run time)/run time, if run times count as at least 10 s:
        # (0 + 20)/20, (20 + 40)/40, (0 + 10)/10, (30 + 10)/10
        ("mean_bounded_slowdown_floor", (1 + 1.5 + 1 + 4) / 4),
        # slowdowns per processor 20/60, 60/160, 5/10, 30/20, each at least 1
        ("mean_per_processor_bounded_slowdown", (1 + 1 + 1 + 1.5) / 4),
        # the areas are 60, 160, 5 and 0
        ("area_weighted_response", (60 * 20 + 160 * 60 + 5 * 5) / 225),
        ("area_weighted_wait", 160 * 20 / 225),
        ("makespan", 60),
        ("utilisation", 225 / (4 * 60)),
        # while job 1 waits, until 20, one processor is free from 0 to 10 and from 15 to 20
        ("loss_of_capacity", 15 / (4 * 60)),
        # job 1 waits for 20 s, and job 3 for 30 s
        ("mean_queue_length", 50 / 60),
        ("max_queue_length", 1),
        ("mean_queued_processors", (20 * 4 + 30 * 2) / 60),
        ("mean_busy_processors", 225 / 60),
        ("throughput", 4 * 3600 / 60),
        ("window_begin", 0),
        ("window_end", 60),
        ("processors", 4),
        ("threshold", 10),
    ],
)
def test_metric_has_the_value_worked_out_above(name: str, value: float) -> None:
    assert measured(BY_HAND)[name] == pytest.approx(value, rel=1e-15)


def test_threshold_is_the_least_run_time_of_bounded_slowdowns() -> None:
    # if run times count as at least 60 s, no slowdown is above 1
    assert measured(BY_HAND, threshold=60)["max_bounded_slowdown"] == 1
    assert measured(BY_HAND, threshold=60)["max_bounded_slowdown_floor"] == 90 / 60


def test_trim_leaves_out_jobs_submitted_and_time_passed_outside_the_window() -> None:
    # The first 10 s and the last quarter of the 60 s are cut. Jobs 2, 3 and 4 arrive in [10, 45].
    trimmed = measured(BY_HAND, trim=(10, 0.25))
    assert (trimmed["window_begin"], trimmed["window_end"]) == (10, 45)
    assert (trimmed["n_jobs"], trimmed["n_trimmed"], trimmed["n_started"]) == (3, 2, 2)
    assert trimmed["mean_wait"] == 15
    # processor-seconds in the window: 10 s x 3 by job 0, 25 s x 4 by job 1, 5 s x 1 by job 2
    assert trimmed["utilisation"] == (30 + 100 + 5) / (4 * 35)
    assert trimmed["makespan"] == 60


def test_a_job_rejected_after_the_last_end_counts_when_nothing_is_trimmed() -> None:
    late = replay_of([(0, 1, 0, 5), (9, 9, -1, -1)], machine=4)
    assert measured(late)["n_jobs"] == 2
    assert measured(late)["n_trimmed"] == 0


def test_utilisation_counts_from_a_first_submit_that_was_rejected() -> None:
    replay = replay_of([(0, 9, -1, -1), (10, 4, 10, 20)], machine=4)
    assert measured(replay)["utilisation"] == 40 / (4 * 20)


def test_metrics_without_a_started_job_are_nan_and_counted() -> None:
    nothing = measured(replay_of([(0, 9, -1, -1)], machine=4), dropped=3)
    assert math.isnan(nothing["mean_wait"])
    assert math.isnan(nothing["utilisation"])
    assert (nothing["n_jobs"], nothing["n_rejected"], nothing["n_dropped"]) == (1, 1, 3)


def test_no_capacity_is_lost_by_a_machine_used_beyond_its_size() -> None:
    # A logged schedule may use more processors than the machine has. Here 6 are busy on a machine
    # of 4 while job 1 waits.
    replay = replay_of([(0, 6, 0, 10), (0, 1, 10, 20)], machine=4)
    assert measured(replay)["loss_of_capacity"] == 0


def test_missed_fair_starts_are_averaged_over_the_jobs_they_are_known_for() -> None:
    # Job 1 starts 12 s late, and job 3 starts 5 s early. The fair starts of the others are unknown.
    fair = np.array([-1, 8, -1, 65, -1])
    figures = measured(BY_HAND, fair_start=fair)
    assert figures["n_fair_start"] == 2
    assert figures["mean_fair_start_missed"] == 6
    assert figures["share_fair_start_missed"] == 0.5


def test_means_do_not_depend_on_the_order_of_jobs() -> None:
    # The slowdowns differ so much in size that a plain sum of doubles would depend on their order.
    generator = np.random.default_rng(1)
    waits = (10 ** generator.uniform(0, 9, 2000)).astype(np.int64)
    runs = generator.integers(1, 5000, 2000)
    means = set()
    for _ in range(5):
        order = generator.permutation(2000)
        jobs = [(0, 1, int(w), int(w + r)) for w, r in zip(waits[order], runs[order], strict=True)]
        means.add(measured(replay_of(jobs, machine=1))["mean_slowdown"])
    assert len(means) == 1
    assert means.pop() == math.fsum((waits + runs) / runs) / 2000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0}, "threshold is 0; use a number of seconds from 1 to"),
        ({"trim": (-1, 0)}, "trim begin is -1"),
        ({"trim": (0, math.nan)}, "trim end is nan"),
        ({"trim": (0.5, 0.5)}, "removes the whole span of 60 s"),
        ({"fair_start": np.array([1, 2])}, "fair_start has 2 values and submit has 5"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        measured(BY_HAND, **options)


@pytest.mark.parametrize(
    ("jobs", "message"),
    [
        ([(5, 1, 4, 6)], r"start\[0\] is 4; a job must start at or after its submit time"),
        ([(5, 1, 5, 4)], r"end\[0\] is 4; a job must end at or after its start"),
        ([(5, 1, -1, 4)], r"end\[0\] is 4; a job that never started"),
        ([(5, 0, 5, 6)], r"processors\[0\] is 0"),
        ([(5, 1, 5, 6), (4, 1, 5, 6)], r"submit\[1\] is 4; rows must be sorted"),
    ],
)
def test_a_schedule_that_cannot_be_is_refused(
    jobs: list[tuple[int, int, int, int]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        measured(replay_of(jobs, machine=4))


def test_columns_are_never_converted_silently() -> None:
    submit, processors, schedule, machine = core_arguments(BY_HAND)
    with pytest.raises(TypeError):
        _core.series(submit.astype(np.float64), processors, schedule, machine)


@given(replays(), st.sampled_from([1, 10, 25]))
def test_metrics_equal_the_reference(replay: Replay, threshold: int) -> None:
    expected = reference.metrics(replay, threshold)
    actual = measured(replay, threshold=threshold)
    assert actual.keys() == expected.keys()
    assert actual == pytest.approx(expected, rel=1e-14, nan_ok=True)


@given(replays(), st.sampled_from([0, 0.1, 0.3, 5, 20]), st.sampled_from([0, 0.2, 7]))
def test_trimmed_metrics_equal_the_reference(replay: Replay, begin: float, end: float) -> None:
    since, until = reference.window(replay, (begin, end))
    if since >= until and (begin or end):
        if len(replay.submit):
            with pytest.raises(ValueError, match="removes the whole span"):
                measured(replay, trim=(begin, end))
        return
    actual = measured(replay, trim=(begin, end))
    assert actual == pytest.approx(
        reference.metrics(replay, trim=(begin, end)), rel=1e-14, nan_ok=True
    )


@settings(max_examples=25)
@given(st.integers(1, 5000), st.integers(0, 2**32))
def test_percentiles_are_numpys_to_the_last_bit(count: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    submit = np.sort(generator.integers(0, 10**6, count))
    start = submit + generator.integers(0, 10 ** generator.integers(1, 7), count)
    run = generator.integers(0, 10**5, count)
    replay = replay_of(np.array([submit, run % 9 + 1, start, start + run]).T.tolist(), machine=9)
    actual = measured(replay)
    expected = reference.job_metrics(replay, np.ones(count, dtype=bool), 0, 10)
    for name, value in expected.items():
        if name.startswith(("median", "p95", "max")):
            assert actual[name] == value


@given(replays(), st.integers(1, 4), st.data())
def test_metrics_of_groups_equal_the_reference(
    replay: Replay, groups: int, data: st.DataObject
) -> None:
    size = len(replay.submit)
    drawn = data.draw(st.lists(st.integers(-1, groups - 1), min_size=size, max_size=size))
    group = np.array(drawn, dtype=np.int32)
    rows = _core.metrics_by(*core_arguments(replay), group, groups, threshold=10, trim=(0, 0))
    span = reference.window(replay, (0, 0))
    for at, row in enumerate(rows):
        mine = group == at
        expected = reference.job_metrics(replay, mine, 0, 10)
        ran = mine & (replay.start >= 0)
        area = int((replay.processors * (replay.end - replay.start))[ran].sum())
        capacity = (span[1] - span[0]) * replay.machine
        expected["utilisation"] = area / capacity if capacity else math.nan
        assert row == pytest.approx(expected, rel=1e-14, nan_ok=True)


def test_a_group_beyond_the_number_of_groups_is_refused() -> None:
    group = np.array([0, 1, 2, 0, 0], dtype=np.int32)
    with pytest.raises(ValueError, match=r"group\[2\] is 2; it must be less than 2"):
        _core.metrics_by(*core_arguments(BY_HAND), group, 2, threshold=10, trim=(0, 0))
