"""Limits on submitted jobs under the ``slurm`` preset: jobs are rejected as they are submitted."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw
from slotwise.replay.reject_reason import RejectReason


def replay(
    submit: list[int], limits: dict[str, Any], policy: dict[str, Any] | None = None, **columns: Any
) -> sw.Result:
    """Replay jobs of 100 s on one node."""
    n_jobs = len(submit)
    trace = sw.Trace.from_columns(
        submit,
        [100] * n_jobs,
        [1] * n_jobs,
        columns.pop("requested_time", [600] * n_jobs),
        queue=[1] * n_jobs,
        **columns,
    )
    machine = sw.Nodes([sw.NodeType(hosts="n1", cores=1)], whole_nodes=True)
    return sw.simulate(
        trace,
        sw.Site(
            machine=machine,
            policy=sw.Policy.preset("slurm", version="22.05", **(policy or {})),
            queues=[sw.Queue("a", walltime=(0, 600), trace_queues=[1])],
            limits=sw.Limits(**limits),
            dependencies="dependency" in columns,
        ),
    )


def rejected(result: sw.Result) -> list[int]:
    over = int(RejectReason.OVER_SUBMITTED)
    return [row for row, reason in enumerate(result.reject_reason.tolist()) if reason == over]


def test_a_job_above_the_limit_is_rejected_until_another_ends() -> None:
    # Job 0 runs from 0 to 100 and job 1 waits, so job 2 would be the third job of user 1. Job 3
    # belongs to user 2. Job 4 is submitted as job 0 ends, and waits for jobs 1 and 3.
    result = replay([0, 1, 2, 3, 100], {"submitted_per_user": 2}, user=[1, 1, 1, 2, 1])
    assert rejected(result) == [2]
    assert result.start.tolist() == [0, 100, -1, 200, 300]
    assert result.rejections() == {RejectReason.OVER_SUBMITTED: 1}


def test_tasks_of_an_array_are_rejected_together() -> None:
    # The array has three tasks, but only two more jobs may be submitted, so all three tasks are
    # rejected. The job that follows is accepted.
    result = replay(
        [0, 5, 5, 5, 6],
        {"submitted": 3},
        array_id=[-1, 7, 7, 7, -1],
        array_task=[-1, 1, 2, 3, -1],
    )
    assert rejected(result) == [1, 2, 3]
    assert result.start.tolist() == [0, -1, -1, -1, 100]


@pytest.mark.parametrize(
    ("enforced", "starts", "over"), [("all", [-1, 0, 100], []), ("no", [-1, 0, -1], [2])]
)
def test_a_job_that_its_partition_rejects_does_not_count(
    enforced: str, starts: list[int], over: list[int]
) -> None:
    # Job 0 exceeds the time limit of the partition, 600 s. If it is not rejected, it waits for
    # ever, and counts as one of the two jobs that may be submitted.
    result = replay(
        [0, 0, 1],
        {"submitted": 2},
        {"enforce_part_limits": enforced},
        requested_time=[900, 600, 600],
    )
    assert result.start.tolist() == starts
    assert rejected(result) == over


def test_a_dependent_job_counts_and_a_rejected_one_delays_nobody() -> None:
    # Job 1 waits for job 0 and counts towards the limit, so job 2 is rejected. Job 3 is submitted
    # after the end of job 0. It depends on the rejected job 2, but waits only for the node.
    result = replay(
        [0, 1, 2, 101],
        {"submitted": 2},
        dependency=["", "afterok:1", "", "afterany:3"],
    )
    assert rejected(result) == [2]
    assert result.start.tolist() == [0, 100, -1, 200]
