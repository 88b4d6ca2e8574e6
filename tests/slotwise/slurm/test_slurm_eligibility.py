"""Jobs that Slurm's schedulers pass over: dependencies, limits on arrays and on running jobs."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw

FOUR = sw.Nodes([sw.NodeType(hosts="n[1-4]", cores=4, gpus=2)])


def site(changes: dict[str, Any] | None = None, **parts: Any) -> sw.Site:
    policy = sw.Policy.preset("slurm", version="22.05", **(changes or {}))
    return sw.Site(machine=FOUR, policy=policy, **parts)


def trace(
    submit: list[int], run: list[int], nodes: list[int], limit: int = 600, **columns: Any
) -> sw.Trace:
    """Return jobs that request whole nodes."""
    jobs = sw.Trace.from_columns(
        submit=submit,
        run_time=run,
        requested_time=[limit] * len(run),
        processors=[4 * n for n in nodes],
        **columns,
    )
    gpus = [2] * len(run)
    return jobs.with_demands(sw.Demands(nodes, nodes=nodes, cores=[4] * len(run), gpus=gpus))


def test_a_dependent_job_enters_the_queue_when_its_dependency_ends() -> None:
    # Job 2 depends on job 1, which ends at 100, when the main scheduler runs.
    jobs = trace([0, 0, 0], [100, 10, 10], [1, 1, 1], dependency=["", "afterany:1", ""])
    result = sw.simulate(jobs, site(dependencies=True))
    assert result.start.tolist() == [0, 100, 0]
    assert sw.simulate(jobs, site()).start.tolist() == [0, 0, 0]


def test_a_dependent_job_has_no_plan_and_closes_no_partition() -> None:
    # Job 2 needs all nodes, but has to wait for job 1. Job 3 runs from 3 to 603. If job 2 were
    # eligible, it would close the partition, and be planned at 600.
    jobs = trace([0, 1, 1], [500, 10, 600], [1, 4, 1], dependency=["", "afterok:1", ""])
    result = sw.simulate(jobs, site(dependencies=True))
    assert result.start.tolist() == [0, 603, 3]


def test_a_dependency_is_met_once_the_nodes_are_free() -> None:
    jobs = trace([0, 0], [100, 10], [1, 1], dependency=["", "afterany:1"])
    result = sw.simulate(jobs, site({"epilog_time": 20}, dependencies=True))
    assert result.start.tolist() == [0, 120]
    assert result.explain(2).seconds == {"dependency": 120}


def test_a_job_whose_condition_fails_waits_for_ever() -> None:
    jobs = trace([0, 0], [100, 10], [1, 1], dependency=["", "afterok:1"], status=[0, 1])
    result = sw.simulate(jobs, site(dependencies=True))
    assert sw.State(int(result.state[1])) is sw.State.WAITING
    with pytest.raises(ValueError, match="afterok:1 can no longer be met"):
        result.explain(2)


def test_a_think_time_delays_the_job_after_its_preceding_one() -> None:
    # Job 2 is eligible from 100 + 7 onwards. A pass over all jobs is then due, as the last was at
    # 0.
    jobs = trace([0, 0], [100, 10], [1, 1], preceding_job=[-1, 1], think_time=[-1, 7])
    assert sw.simulate(jobs, site(dependencies=True)).start.tolist() == [0, 107]


def test_a_rejected_job_delays_no_other() -> None:
    queues = [sw.Queue("a", walltime=(0, 300), trace_queues=[1])]
    columns = {"queue": [1, 1], "dependency": ["", "afterok:1"]}
    jobs = sw.Trace.from_columns([0, 0], [10, 10], [4, 4], [600, 60], **columns)
    jobs = jobs.with_demands(sw.Demands([1, 1], cores=[4, 4]))
    for enforced, start in (("all", 0), ("no", -1)):
        given = site({"enforce_part_limits": enforced}, queues=queues, dependencies=True)
        assert sw.simulate(jobs, given).start.tolist() == [-1, start]


def test_the_age_counts_from_eligibility() -> None:
    # The age part grows to 1000 within 1000 s. Job 2 becomes eligible at 400, and its age is 0
    # until then. At the renewal at 1200, its age is 800 s.
    order = {"name": "multifactor", "age": 1000, "max_age": 1000}
    jobs = trace([0, 0, 1], [400, 10, 1400], [3, 4, 1], 3000, dependency=["", "afterany:1", ""])
    result = sw.simulate(jobs, site({"order": order}, dependencies=True))
    assert result.start.tolist() == [0, 1403, 3]
    assert [result.priority_at(1, time).age for time in (350, 400, 650, 1250)] == [0, 0, 200, 800]


def test_few_tasks_of_an_array_run_at_a_time() -> None:
    # Only two of the three tasks may run at once. The third starts when the first ends, at 50.
    arrays = {"array_id": [9, 9, 9], "array_task": [1, 2, 3], "array_limit": [2, 2, 2]}
    jobs = trace([0, 0, 0], [50, 100, 10], [1, 1, 1], **arrays)
    assert sw.simulate(jobs, site(dependencies=True)).start.tolist() == [0, 0, 50]


def test_both_schedulers_pass_over_a_job_that_a_limit_holds_back() -> None:
    # Each user may run only one job at a time. Job 2, of the same user as job 1, waits until 100.
    # Job 3, of user 2, starts immediately, although it is behind job 2.
    jobs = trace([0, 0, 0], [100, 10, 10], [1, 4, 1], user=[1, 1, 2])
    result = sw.simulate(jobs, site(limits=sw.Limits(running_per_user=1)))
    assert result.start.tolist() == [0, 100, 0]
    explained = result.explain(2)
    assert explained.seconds == {"limit": 100}
    assert [held.name for held in explained.limits] == ["limits.running_per_user"]


def test_assoc_limit_stop_closes_the_partition_in_passes_of_the_main_scheduler() -> None:
    # Without backfill, job 3 waits behind job 2, until both start in the pass at 100.
    jobs = trace([0, 0, 0], [100, 10, 10], [1, 1, 1], user=[1, 1, 2])
    limits = sw.Limits(running_per_user=1)
    changes = {"bf_interval": 0, "assoc_limit_stop": True}
    assert sw.simulate(jobs, site(changes, limits=limits)).start.tolist() == [0, 100, 100]
    # The backfill scheduler, whose first cycle is at 0, passes over job 2.
    backfilled = site({"assoc_limit_stop": True}, limits=limits)
    assert sw.simulate(jobs, backfilled).start.tolist() == [0, 100, 0]


@pytest.mark.parametrize(
    "limits",
    [
        sw.Limits(per_user={"gpus": 4}),  # two nodes
        sw.Limits(per_user={"nodes": 2}),
        sw.Limits(processors_per_user=8),
        sw.Limits(total={"gpus": 4}),
    ],
)
def test_amounts_in_use_are_limited(limits: sw.Limits) -> None:
    # Three jobs request one node each, and the limit allows two jobs. The third starts at 50.
    jobs = trace([0, 0, 0], [50, 100, 10], [1, 1, 1], user=[1, 1, 1])
    assert sw.simulate(jobs, site(limits=limits)).start.tolist() == [0, 0, 50]


def test_limits_of_a_partition_and_of_named_users_apply() -> None:
    jobs = trace([0, 0, 0], [50, 100, 10], [1, 1, 1], user=[1, 1, 2], queue=[1, 1, 1])
    queues = [sw.Queue("a", running=2, trace_queues=[1])]
    assert sw.simulate(jobs, site(queues=queues)).start.tolist() == [0, 0, 50]
    named = [sw.NamedLimits(users=[1], running=1)]
    assert sw.simulate(jobs, site(named_limits=named)).start.tolist() == [0, 50, 0]
