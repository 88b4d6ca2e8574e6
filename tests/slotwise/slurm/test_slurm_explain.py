"""Reasons for a wait under the ``slurm`` preset: plans of other jobs, and jobs not considered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import slotwise as sw

if TYPE_CHECKING:
    from slotwise.explain import Explanation

# There are two nodes. Job 1 runs on one until 3000, with a limit of 3600. Job 2 needs both, and is
# planned from 3600 onwards. Job 3 requests one node for 3600 s, and job 4 one for 1800 s.
JOBS = sw.Trace.from_columns(
    submit=[0, 2, 2, 2],
    run_time=[3000, 60, 60, 60],
    requested_time=[3600, 600, 3600, 1800],
    processors=[1, 2, 1, 1],
)


def explained(job_id: int, **changes: Any) -> Explanation:
    site = sw.Site(
        machine=sw.Nodes([sw.NodeType(hosts="n[1-2]", cores=1)], whole_nodes=True),
        policy=sw.Policy.preset("slurm", version="22.05", **changes),
    )
    return sw.simulate(JOBS, site).explain(job_id)


def test_a_plan_on_the_nodes_of_a_job_is_named() -> None:
    # The first cycle after the submission is at 30 and starts job 4, which has the second node
    # until 90. Then that node is free, but job 3 would end after the plan of job 2 begins. Job 2
    # runs on both nodes from 3000 to 3060, when job 3 starts.
    explanation = explained(3)
    assert explanation.start == 3060
    assert explanation.seconds == {"pass": 28, "plan": 2910, "nodes": 120}
    assert [(held.job_id, held.seconds) for held in explanation.plans] == [(2, 2910)]
    assert explanation.to_dict()["plans"] == [{"job_id": 2, "seconds": 2910}]


def test_a_job_that_cycles_do_not_come_to_is_untested() -> None:
    # Each cycle tests one job: job 2 until 3000, then job 3. The pass of the main scheduler at 3060
    # starts jobs 3 and 4.
    explanation = explained(4, bf_max_job_test=1)
    assert explanation.start == 3060
    assert explanation.seconds == {"pass": 28, "untested": 3030}
    assert explanation.plans == ()


ORDER = {"name": "multifactor", "age": 10_000, "max_age": 1000, "job_size": 200}


def test_priorities_of_a_job_and_of_the_job_with_the_plan_come_in_parts() -> None:
    # The weight of the job size is 200: jobs 3 and 4, on half the machine, get 100, and job 2 gets
    # 200. Priorities are recalculated every 300 s. Job 3 starts at 3060 with the priority
    # calculated at 3000, when its age exceeded the maximum. Job 4 runs from 30 to 90. After
    # that, job 3 waits because of the plan of job 2, whose age is 0.
    explanation = explained(3, order=ORDER)
    assert (explanation.submit, explanation.start) == (2, 3060)
    found = [(each.job_id, each.time, each.priority) for each in explanation.priorities]
    assert found == [(3, 2, 100), (3, 3060, 10_100), (2, 90, 200)]
    assert [each.parts for each in explanation.priorities] == [
        {"age": 0, "job_size": 100},
        {"age": 10_000, "job_size": 100},
        {"age": 0, "job_size": 200},
    ]
    assert explanation.to_dict()["priorities"][0] == {
        "job_id": 3,
        "time": 2,
        "priority": 100,
        "parts": {"age": 0.0, "job_size": 100.0},
    }


def test_every_factor_is_a_part_of_a_priority() -> None:
    # Job 3 requests one of two cores and one of two nodes: 60/2 and 40/2. Its QOS has priority 3;
    # the highest is 4. Its nice value of 5 is subtracted, and its site factor of 9 added:
    # 30 + 20 + 75 - 5 + 9 = 129.
    order = {
        "name": "multifactor",
        "qos": 100,
        "qos_priority": {"low": 3, "high": 4},
        "tres": {"nodes": 40, "cores": 60},
    }
    site = sw.Site(
        machine=sw.Nodes([sw.NodeType(hosts="n[1-2]", cores=1)], whole_nodes=True),
        policy=sw.Policy.preset("slurm", version="22.05", order=order),
    )
    trace = JOBS.with_columns(
        qos=["high", "high", "low", "high"], nice=[0, 0, 5, 0], site_factor=[0, 0, 9, 0]
    )
    own = sw.simulate(trace, site).explain(3).priorities[0]
    assert own.priority == 129
    assert own.parts == {
        "site": 9, "qos": 75, "nice": 5, "tres cores": 30, "tres nodes": 20
    }  # fmt: skip


def test_no_priorities_are_given_without_weights_or_under_another_order() -> None:
    assert explained(3).priorities == ()
    assert explained(3, order={"name": "multifactor"}).priorities == ()
    assert "priorities" not in explained(3).to_dict()


def test_a_job_that_starts_at_once_has_one_priority() -> None:
    assert [each.time for each in explained(1, order=ORDER).priorities] == [0]
