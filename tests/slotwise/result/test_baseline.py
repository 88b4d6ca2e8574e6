"""The log's own figures next to a replay's, and possible causes of the differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.result.baseline import Baseline, baseline_of

HOUR, DAY = 3600, 86400


def compared(trace: sw.Trace, machine: int = 8, **site: Any) -> Baseline:
    result = sw.simulate(trace, sw.Site(machine, **site))
    found = baseline_of(result, result.metrics(), 10, (0, 0))
    assert found is not None
    return found


def causes(found: Baseline) -> dict[str, dict[str, float]]:
    return {cause.name: cause.figures for cause in found.causes}


def test_the_logged_figures_have_the_formulas_of_the_replayed_ones() -> None:
    # Two jobs run on all 8 processors for 100 s each. The second waited 150 s in the log, and waits
    # 100 s in the replay.
    trace = sw.Trace.from_columns([0, 0], [100, 100], [8, 8], [100, 100], wait=[0, 150])
    found = compared(trace)
    assert found.n_jobs == 2
    assert found.logged["mean_wait"] == 75
    assert found.replayed["mean_wait"] == 50
    # Jobs use 2 x 100 s x 8 processors, out of 250 s x 8 in the log and 200 s x 8 in the replay.
    # One job is queued, for 150 s in the log.
    assert found.logged["utilisation"] == pytest.approx(200 / 250)
    assert found.replayed["utilisation"] == 1
    assert found.logged["mean_queue_length"] == pytest.approx(150 / 250)
    # All 8 processors are idle for 50 s, although the waiting job requests 8.
    assert found.logged["loss_of_capacity"] == pytest.approx(50 / 250)


def test_jobs_without_a_logged_start_are_left_out_of_the_logged_figures() -> None:
    trace = sw.Trace.from_columns([0, 0], [9, 9], [8, 8], [9, 9], wait=[4, -1])
    found = compared(trace)
    assert (found.n_jobs, found.logged["mean_wait"]) == (1, 4)


def test_without_logged_starts_there_is_nothing_to_compare() -> None:
    result = sw.simulate(sw.Trace.from_columns([0], [9], [8]), sw.Site(8))
    assert baseline_of(result, result.metrics(), 10, (0, 0)) is None


def test_a_replay_that_repeats_the_log_names_no_cause() -> None:
    draw = np.random.default_rng(2)
    submit = np.sort(draw.integers(0, 30 * DAY, 2000))
    run = draw.integers(60, 8 * HOUR, 2000)
    trace = sw.Trace.from_columns(
        submit, run, draw.integers(1, 9, 2000), run, user=draw.integers(0, 5, 2000)
    )
    logged = trace.with_columns(wait=sw.simulate(trace, sw.Site(8)).wait)
    found = compared(logged)
    assert found.logged == found.replayed
    assert causes(found) == {}


def one_at_a_time(n: int = 40) -> sw.Trace:
    """Return a log in which each of four users runs at most two one-processor jobs at a time."""
    submit = np.zeros(n, dtype=np.int64)
    user = np.arange(n) % 4
    wait = (np.arange(n) // 8) * HOUR
    return sw.Trace.from_columns(
        submit, np.full(n, HOUR), np.ones(n, np.int64), np.full(n, HOUR), user=user, wait=wait
    )


def test_a_number_that_users_reach_and_never_exceed_speaks_for_a_limit() -> None:
    # Each user has ten jobs. In the log, each user runs two at a time. In the replay, jobs run
    # first come first served on all 16 processors, so each user runs four at a time.
    found = causes(compared(one_at_a_time(), 16))
    assert found["limits"] == {"most_processors": 2, "users": 4, "most_processors_replayed": 4}


def test_limits_of_the_site_that_the_log_exceeds_are_named_worst_first() -> None:
    # In the log, four users run two jobs each at a time, eight in total. The site allows six in
    # total, and one for ann.
    users = {0: "ann", 1: "bob", 2: "eve", 3: "joe"}
    log = one_at_a_time().with_labels({"user": users})
    found = causes(
        compared(
            log,
            16,
            limits=sw.Limits(running=6, processors_per_user=2),
            named_limits=[sw.NamedLimits(users=["ann"], running_per_user=1)],
        )
    )
    # Ann runs twice as many jobs as her limit of 1 allows, and all users together run 8 where 6 are
    # allowed, so ann's limit is listed first. The log keeps to the limit of 2 processors per user.
    assert found["limits of the site"] == {"most_logged": 2, "allowed": 1, "limits": 2}
    queues = [sw.Queue("all", running=4)]
    assert causes(compared(log, 16, queues=queues))["limits of the site"]["most_logged"] == 8
    assert "limits of the site" not in causes(compared(log, 16, limits=sw.Limits(running=8)))


def test_processors_that_were_never_in_use_while_jobs_waited() -> None:
    # In the log, 8 of 16 processors are in use from 0 to 100 h, and jobs wait until 99 h, for 99 %
    # of the time. The replay uses all processors.
    found = causes(compared(one_at_a_time(800), 16))["nodes away"]
    assert found["unused_logged"] == 8
    assert found["unused_replayed"] == 0
    assert found["share_of_time"] == pytest.approx(0.99)


@pytest.mark.parametrize(("n_jobs", "is_named"), [(499, False), (500, True)])
def test_a_log_of_few_starts_names_no_processors_out_of_use(n_jobs: int, is_named: bool) -> None:
    # At least 500 starts are needed: five for each of the 100 parts of the log.
    assert ("nodes away" in causes(compared(one_at_a_time(n_jobs), 16))) == is_named


def test_a_replay_in_which_no_job_waits_has_no_number_of_unused_processors() -> None:
    # 800 processors start all 800 jobs immediately.
    result = sw.simulate(one_at_a_time(800), sw.Site(800))
    found = baseline_of(result, result.metrics(), 10, (0, 0))
    assert found is not None
    (cause,) = [cause for cause in found.causes if cause.name == "nodes away"]
    assert cause.sentence == (
        "jobs waited throughout 99 of 100 equal periods of the log, but on average, 792 of 800 "
        "processors were not used at all in such a period (in the replay, there was no such "
        "period): nodes were unavailable or left idle"
    )


def test_equal_jobs_in_another_order_speak_for_priorities() -> None:
    # Job 1 came first but started after two later jobs of the same size and request, so one of four
    # jobs was overtaken. The job of another size is not compared.
    trace = sw.Trace.from_columns(
        [0, 1, 2, 3], [9] * 4, [8, 8, 8, 4], [9] * 4, wait=[40, 0, 10, 0], user=[1, 2, 3, 4]
    )
    found = causes(compared(trace))["priorities"]
    assert found == {"overtaken_logged": 0.25, "overtaken_replayed": 0}


def test_jobs_of_one_submit_time_overtake_no_other() -> None:
    trace = sw.Trace.from_columns([5, 5], [9, 9], [8, 8], [9, 9], wait=[9, 0])
    assert "priorities" not in causes(compared(trace))


def test_a_first_day_of_little_use_speaks_for_a_cut() -> None:
    # The whole machine is in use from the second day onwards, in the log and in the replay.
    days = np.arange(1, 11) * DAY
    trace = sw.Trace.from_columns(
        [0, *days], [60, *[DAY] * 10], [1, *[8] * 10], [60, *[DAY] * 10], wait=[0] * 11
    )
    figures = causes(compared(trace))["cut"]
    assert figures["use_between"] == 1
    # On the first day, one of 8 processors is in use for 60 s.
    assert figures["first_use"] == pytest.approx(60 / (DAY * 8))


def test_work_that_the_replay_cuts_or_rejects() -> None:
    # The jobs use 300, 100 and 100 processor-seconds. The first job exceeds its request by 100 s,
    # and the last job is too wide.
    trace = sw.Trace.from_columns(
        [0, 0, 0], [300, 100, 10], [1, 1, 10], [200, 100, 10], wait=[0, 0, 0]
    )
    found = causes(compared(trace))
    assert found["requests"] == {"jobs": 1, "share_of_work": pytest.approx(100 / 400)}
    assert found["rejected"] == {"jobs": 1, "share_of_work": pytest.approx(100 / 500)}
    assert found["larger machine"]["peak_processors"] == 12


def test_a_nearly_idle_machine_speaks_for_no_cut() -> None:
    # 1 of 1,000 processors is in use from the second day onwards: 0.1 % of the machine.
    days = np.arange(1, 11) * DAY
    trace = sw.Trace.from_columns(
        [0, *days], [60, *[DAY] * 10], [1] * 11, [60, *[DAY] * 10], wait=[0] * 11
    )
    result = sw.simulate(trace, sw.Site(1000))
    found = baseline_of(result, result.metrics(), 10, (0, 0))
    assert found is not None
    assert "cut" not in {cause.name for cause in found.causes}
