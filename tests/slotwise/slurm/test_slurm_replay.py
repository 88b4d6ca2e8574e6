"""Replays under the ``slurm`` preset: its intervals, limits, priorities and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import slotwise as sw

NODES = sw.Nodes([sw.NodeType(hosts="n[1-2]", cores=1)], whole_nodes=True)


def trace(
    submit: list[int], run: list[int], limit: list[int], nodes: list[int], **columns: Any
) -> sw.Trace:
    return sw.Trace.from_columns(
        submit=submit, run_time=run, requested_time=limit, processors=nodes, **columns
    )


def site(**changes: Any) -> sw.Site:
    policy = sw.Policy.preset("slurm", version="22.05", **changes)
    return sw.Site(machine=NODES, policy=policy)


def test_the_main_scheduler_follows_a_submission_after_its_delay() -> None:
    # The pass at 0 starts job 0; batch_sched_delay is 3 s, and the next backfill cycle is at 30.
    result = sw.simulate(trace([0, 1], [100, 100], [600, 600], [1, 1]), site())
    assert result.start.tolist() == [0, 3]
    # defer has no effect on submissions, as the recording `defer` shows.
    deferred = sw.simulate(trace([0, 1], [100, 100], [600, 600], [1, 1]), site(defer=True))
    assert deferred.start.tolist() == [0, 3]


def test_the_main_scheduler_runs_at_each_end() -> None:
    result = sw.simulate(trace([0, 0], [77, 10], [600, 600], [2, 1]), site())
    assert result.start.tolist() == [0, 77]


def test_a_pass_runs_at_once_only_after_an_epilog_without_defer() -> None:
    # The end of job 0 at 77 requests a pass, which runs at 90, 30 s after the full pass at 60.
    jobs = trace([0, 0], [77, 10], [600, 600], [2, 1])
    given = {"batch_sched_delay": 30, "bf_interval": 600}
    assert sw.simulate(jobs, site(**given)).start.tolist() == [0, 90]
    assert sw.simulate(jobs, site(has_epilog=True, **given)).start.tolist() == [0, 77]
    deferred = site(has_epilog=True, defer=True, **given)
    assert sw.simulate(jobs, deferred).start.tolist() == [0, 90]


def test_full_passes_run_at_their_interval_however_many_jobs_are_submitted() -> None:
    # Passes after submissions consider only two jobs, and both wait for node n1. So the job for n2
    # does not start before the full pass at 60.
    submit, nodes = [0, 1, 1, 1, 21, 41, 61], [1] * 7
    queue = [1, 1, 1, 2, 1, 1, 1]
    jobs = trace(submit, [900] * 7, [900] * 7, nodes, queue=queue)
    queues = [sw.Queue(name, nodes=f"n{k}", trace_queues=[k]) for k, name in ((1, "a"), (2, "b"))]
    given = site(default_queue_depth=1, bf_interval=0).replace(queues=queues)
    assert sw.simulate(jobs, given).start.tolist()[3] == 60


@pytest.mark.parametrize(
    ("microseconds", "start"),
    [
        (2, 3),
        (999_999, 3),  # no effect below one second
        (3_000_000, 3),
        (3_000_001, 4),  # rounded up to whole seconds
        (20_000_000, 20),
    ],
)
def test_passes_are_at_least_their_least_interval_apart(microseconds: int, start: int) -> None:
    # The pass at 0 starts job 0. Because of job 1, a pass is due at 3.
    jobs = trace([0, 1], [100, 100], [600, 600], [1, 1])
    result = sw.simulate(jobs, site(sched_min_interval=microseconds))
    assert result.start.tolist() == [0, start]


def test_passes_that_become_due_too_soon_run_as_one_full_pass() -> None:
    # Only a full pass starts the job for n2, because other passes consider only two jobs. With 25 s
    # between passes, those due at 3 and 21 run at 25, and the one due at 41 runs at 50. The full
    # pass due at 60 runs at 75, together with the one due at 63.
    submit, nodes = [0, 1, 1, 1, 21, 41, 61], [1] * 7
    queue = [1, 1, 1, 2, 1, 1, 1]
    jobs = trace(submit, [900] * 7, [900] * 7, nodes, queue=queue)
    queues = [sw.Queue(name, nodes=f"n{k}", trace_queues=[k]) for k, name in ((1, "a"), (2, "b"))]
    given = site(default_queue_depth=1, bf_interval=0, sched_min_interval=25_000_000)
    assert sw.simulate(jobs, given.replace(queues=queues)).start.tolist()[3] == 75


@pytest.mark.parametrize(
    ("seconds", "submit", "start"),
    [
        # The end of a job at 10 makes a pass due, which runs at 25. The next one runs at 50.
        (25, 26, 50),
        # The full pass due at 60 runs at 60, so the one due at 63 runs at 85.
        (25, 61, 85),
        # The pass due at 10 and the full one due at 60 run at 100, the full ones due at 120 and 180
        # at 200, and the one due at 210 at 300.
        (100, 210, 300),
    ],
)
def test_passes_while_no_job_waits_delay_later_ones(seconds: int, submit: int, start: int) -> None:
    jobs = trace([0, submit], [10, 10], [600, 600], [1, 1])
    given = site(bf_interval=0, sched_min_interval=seconds * 1_000_000)
    assert sw.simulate(jobs, given).start.tolist() == [0, start]


def test_backfill_keeps_to_the_plan_of_the_first_job() -> None:
    # Job 1 is planned on both nodes at 3600. Job 2, of one hour, would end after that. Job 3 ends
    # before it, and starts in the cycle at 30, because the main scheduler stops at job 1.
    jobs = trace([0, 2, 2, 2], [3000, 60, 60, 60], [3600, 600, 3600, 1800], [1, 2, 1, 1])
    result = sw.simulate(jobs, site())
    assert result.start.tolist()[3] == 30
    assert result.start.tolist()[1] == 3000
    assert result.start.tolist()[2] > 3000


def test_limits_are_whole_minutes_and_jobs_are_killed_at_the_next_check() -> None:
    # A limit of 45 s counts as a minute. The first job starts at 0 and reaches its limit at 60, the
    # time of a check. The other starts at 3 and reaches its limit at 63, so the check at 90 ends it
    # after 87 s.
    jobs = trace([0, 1], [900, 900], [45, 60], [1, 1])
    result = sw.simulate(jobs, site())
    assert (result.end - result.start).tolist() == [60, 87]
    assert [sw.State(int(state)) for state in result.state] == [sw.State.KILLED] * 2
    longer = sw.simulate(jobs, site(over_time_limit=1))
    assert (longer.end - longer.start).tolist() == [120, 147]


def test_nodes_complete_for_the_epilog() -> None:
    jobs = trace([0, 0], [100, 10], [600, 600], [2, 2])
    assert sw.simulate(jobs, site()).start.tolist() == [0, 100]
    # The pass of the main scheduler follows when the nodes are free, at 110.
    assert sw.simulate(jobs, site(epilog_time=10)).start.tolist() == [0, 110]


@pytest.mark.parametrize(
    ("epilog", "wait", "start"),
    [
        (10, 0, 101),  # the previous pass was the full one at 60
        (10, 20, 110),  # the nodes are free at 110
        (40, 20, 121),  # job 1 ended more than 20 s ago
    ],
)
def test_a_completing_job_holds_both_schedulers(epilog: int, wait: int, start: int) -> None:
    # Job 1 ends at 100 on n2. Job 2 is submitted at 101, and would start on n1.
    jobs = trace([0, 0, 101], [50, 100, 10], [600, 600, 600], [1, 1, 1])
    result = sw.simulate(jobs, site(epilog_time=epilog, complete_wait=wait))
    assert result.start.tolist() == [0, 0, start]


def test_enforced_limits_reject_and_others_wait_for_ever() -> None:
    jobs = trace([0, 0], [60, 60], [600, 60], [2, 1], queue=[1, 1])
    queues = [sw.Queue("short", trace_queues=[1], walltime=(0, 300))]
    for enforced, state in (("no", sw.State.WAITING), ("all", sw.State.REJECTED)):
        result = sw.simulate(jobs, site(enforce_part_limits=enforced).replace(queues=queues))
        assert [sw.State(int(s)) for s in result.state] == [state, sw.State.COMPLETED]


def test_priorities_are_renewed_every_period_and_come_in_parts() -> None:
    # Weights: age 1000 (reached after 1000 s), job size 100. At 450, the last renewal was at 300,
    # when the job submitted at 50 had waited 250 s: 1000 · 0.25 = 250. Half the machine gives 50
    # more.
    order = {"name": "multifactor", "age": 1000, "max_age": 1000, "job_size": 100}
    jobs = trace([0, 50], [2000, 10], [3000, 600], [2, 1])
    result = sw.simulate(jobs, site(order=order))
    parts = result.priority_at(1, 450)
    assert (parts.priority, parts.age, parts.job_size, parts.renewed) == (300, 250.0, 50.0, 300)
    # The job starts at 2000 and keeps the priority that it had then.
    assert result.start.tolist() == [0, 2000]
    assert result.priority_at(1, 9999) == result.priority_at(1, 2000)
    assert result.priority_at(1, 2000).renewed == 1800
    with pytest.raises(ValueError, match=r"row 1 is submitted at 50; use that time or a later one"):
        result.priority_at(1, 49)


def test_classic_fair_share_halves_with_each_share_used() -> None:
    # Two users have equal shares. User 1 has all usage so far: U = 1, S = 1/2, factor 2^-2. User 2
    # has used nothing, in an account of two users: U = 0 + (1 - 0) / 2, factor 2^-1.
    order = {"name": "multifactor", "fairshare": 1000}
    jobs = trace([0, 5, 5], [1000, 10, 10], [1200, 600, 600], [2, 2, 2], user=[1, 1, 2])
    result = sw.simulate(jobs, site(order=order))
    assert result.start.tolist()[2] == 1000
    assert result.priority_at(1, 900).fairshare == pytest.approx(1000 * 2**-2)
    assert result.priority_at(2, 900).fairshare == pytest.approx(1000 * 2**-1)


def test_a_bare_preset_names_the_versions() -> None:
    with pytest.raises(sw.SiteError, match=r'set version="22\.05" or "25\.11"'):
        sw.Policy.preset("slurm")
    with pytest.raises(sw.SiteError, match=r"version '17\.11'"):
        sw.Policy.preset("slurm", version="17.11")
    with pytest.raises(sw.SiteError, match="preset 'pyss' has no versions"):
        sw.Policy.preset("pyss", version="22.05")
    assert sw.Policy.preset("slurm-25.11") == sw.Policy.preset("slurm", version="25.11")


def test_the_preset_survives_a_site_file(tmp_path: Any) -> None:
    made = site(bf_interval=60, order={"name": "multifactor", "age": 5}).replace(
        queues=[sw.Queue("a", tier=3, exclusive=True)]
    )
    path = tmp_path / "site.toml"
    made.to_toml(path)
    assert sw.Site.from_toml(path) == made
    path.write_text('[policy]\npreset = "slurm-22.05"\nbf_interval = 60\n')
    assert sw.Site.from_toml(path).policy == sw.Policy.preset("slurm-22.05", bf_interval=60)


@pytest.mark.parametrize(
    "part",
    [
        {"limits": sw.Limits(queued_per_user=3)},
        {"limits": sw.Limits(running=3, over_submitted="hold")},
        {"limits": sw.Limits(running=3, lifted_when_idle=True)},
        {"maintenance": [sw.Maintenance(start=5, duration=10)]},
        {"queues": [sw.Queue("a", hours="08:00-20:00")]},
        {"queues": [sw.Queue("a", queued_per_user=2)]},
    ],
)
def test_parts_that_are_not_replayed_are_refused(part: dict[str, Any]) -> None:
    with pytest.raises(sw.SiteError, match="backfill 'slurm' does not support this yet"):
        site().replace(**part)


def test_equal_replays_have_equal_starts() -> None:
    rng = np.random.default_rng(5)
    submit = np.sort(rng.integers(0, 20000, 200))
    run = rng.integers(1, 4000, 200)
    jobs = trace(
        submit.tolist(), run.tolist(), (run + 60).tolist(), rng.integers(1, 3, 200).tolist()
    )
    first, second = sw.simulate(jobs, site()), sw.simulate(jobs, site())
    assert (first.start == second.start).all()
    assert (first.start >= jobs.submit).all()


@pytest.mark.parametrize(
    ("row", "time", "told"),
    [("x", 0, "row 'x' is not a whole number"), (0, "x", "time 'x' is not a whole number")],
)
def test_a_priority_needs_numbers(row: Any, time: Any, told: str) -> None:
    policy = sw.Policy.preset("slurm", version="25.11")
    result = sw.simulate(trace([0], [60], [60], [1]), sw.Site(machine=NODES, policy=policy))
    with pytest.raises(ValueError, match=told):
        result.priority_at(row, time)


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("23.02", r'nearest is "22\.05": both have the defaults PriorityType=priority/basic'),
        ("23.11.5", r'nearest is "25\.11": both have the defaults PriorityType=priority/multi'),
        ("24.05", r'nearest is "25\.11"'),
        ("new", r"version 'new' of Slurm is not known; use .22\.05. or .25\.11.$"),
    ],
)
def test_a_version_without_rules_names_the_nearest(version: str, told: str) -> None:
    # According to slurm.conf(5), Slurm 23.11 changed two defaults that the preset uses.
    with pytest.raises(sw.SiteError, match=told):
        sw.Policy.preset("slurm", version=version)


def test_an_unknown_parameter_of_a_preset_has_a_short_message() -> None:
    with pytest.raises(sw.SiteError, match=r"did you mean 'bf_max_time_jobs'") as raised:
        sw.Policy.preset("slurm", version="25.11", bf_max_time=2)
    assert len(str(raised.value)) < 250


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"epilog_time": 2**31}, "epilog_time 2147483648: .* of seconds, 0 to 65533$"),
        ({"bf_min_age_reserve": 10**9}, "bf_min_age_reserve 1000000000: .*0 to 2592000$"),
        ({"bf_window": 10**6}, "bf_window 1000000: .* of minutes, 1 to 43200$"),
    ],
)
def test_values_beyond_the_bounds_of_slurm_are_refused(changes: Any, told: str) -> None:
    # slurm.conf(5) allows at most 65533 s for waits, and 30 days for minimum ages and the window.
    with pytest.raises(sw.SiteError, match=told):
        sw.Policy.preset("slurm", version="25.11", **changes)


def test_bare_processors_with_queues_are_refused_by_the_name_of_the_backfill() -> None:
    policy = sw.Policy.preset("slurm", version="25.11")
    with pytest.raises(sw.SiteError, match=r"policy\.backfill: 'slurm' does not support pools"):
        sw.Site(4, policy=policy, queues=[sw.Queue("q")])


@pytest.mark.parametrize("interval", [0, -1])
def test_no_interval_means_no_backfill(interval: int) -> None:
    # Job 2 is short enough for backfill, which would start it at 30, but waits behind job 1 until
    # 3000 + 60.
    jobs = trace([0, 2, 2], [3000, 60, 60], [3600, 600, 1800], [1, 2, 1])
    assert sw.simulate(jobs, site(bf_interval=interval)).start.tolist() == [0, 3000, 3060]
