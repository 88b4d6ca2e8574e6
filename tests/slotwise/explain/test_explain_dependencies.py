"""Explanations of waits for other jobs, and for tasks of the same array."""

from __future__ import annotations

import pytest

import slotwise as sw

SITE = sw.Site(4, dependencies=True)


def test_the_jobs_that_held_it_are_named_the_latest_first() -> None:
    # Job 3, submitted at 5, depends on job 1, which ends at 30, job 2, which ends at 50, and job 4,
    # which ended at 2.
    trace = sw.Trace.from_columns(
        [0, 0, 0, 5], [30, 50, 2, 5], [1, 1, 1, 1], job_id=[1, 2, 4, 3],
        dependency=["", "", "", "afterok:1:4,afterany:2"],
    )  # fmt: skip
    told = sw.simulate(trace, SITE).explain(3)
    assert told.seconds == {"dependency": 45}
    assert [(held.job_id, held.kind, held.until) for held in told.dependencies] == [
        (2, "afterany", 50),
        (1, "afterok", 30),
    ]
    assert told.to_dict()["dependencies"][0] == {"job_id": 2, "kind": "afterany", "until": 50}
    assert told.estimated_start == 50


def test_the_preceding_job_is_named_with_its_think_time() -> None:
    trace = sw.Trace.from_columns(
        [0, 5], [30, 5], [1, 1], preceding_job=[-1, 1], think_time=[-1, 7]
    )
    told = sw.simulate(trace, SITE).explain(2)
    assert [(held.job_id, held.kind, held.until) for held in told.dependencies] == [
        (1, "preceding_job", 37)
    ]


def test_the_limit_of_an_array_is_a_limit_with_its_tasks() -> None:
    trace = sw.Trace.from_columns(
        [0, 0, 0], [10, 20, 5], [1, 1, 1], array_id=[9] * 3, array_task=[1, 2, 3],
        array_limit=[2] * 3,
    )  # fmt: skip
    told = sw.simulate(trace, SITE).explain(3)
    assert told.seconds == {"limit": 10}
    (held,) = told.limits
    assert (held.name, held.whose, held.most, held.seconds) == ("array_limit", "array 9", 2, 10)
    assert sorted(held.jobs) == [1, 2]


def test_a_job_whose_condition_can_never_hold_is_told_apart() -> None:
    trace = sw.Trace.from_columns(
        [0, 0], [10, 20], [1, 1], status=[0, 1], dependency=["", "afterok:1"]
    )
    result = sw.simulate(trace, SITE)
    assert result.state.tolist() == [sw.State.COMPLETED, sw.State.WAITING]
    with pytest.raises(ValueError, match="afterok:1 can no longer be met, as that job did not suc"):
        result.explain(2)
