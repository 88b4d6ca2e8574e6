"""Explanations on nodes with queues, limits and a calendar; comments derive the reasons."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw

CENTRE = sw.Nodes(
    [
        sw.NodeType(hosts="gpu[1-2]", cores=4, gpus=2, features=["a100"]),
        sw.NodeType(hosts="cpu[1-2]", cores=4),
    ],
    "first-fit",
)


def replay(
    jobs: list[tuple[int, int, int, int]], demands: dict[str, Any], **site: Any
) -> sw.Result:
    """Replay jobs of one unit: (submit, length, cores, user), numbered from 1."""
    submit, length, cores, user = (list(column) for column in zip(*jobs, strict=True))
    queue = site.pop("queue", [0] * len(jobs))
    asked = sw.Demands([1] * len(jobs), cores=cores, **demands)
    trace = sw.Trace.from_columns(submit, length, asked.processors, length, user=user, queue=queue)
    trace = trace.with_columns(account=[7] * len(jobs)).with_demands(asked)
    return sw.simulate(trace, sw.Site(machine=CENTRE, **site))


def test_only_nodes_of_the_queue_count() -> None:
    # Job 1 has gpu1 until 10, and job 2 has gpu2 until 20. The queue of job 3 allows only these two
    # nodes, so job 3 waits for gpu1 although two other nodes are idle.
    queues = [sw.Queue("gpu", trace_queues=[1], nodes=["gpu[1-2]"]), sw.Queue("all")]
    jobs = [(0, 10, 4, 1), (0, 20, 4, 2), (1, 5, 4, 3)]
    told = replay(jobs, {}, queues=queues, queue=[1, 1, 1]).explain(3)
    assert told.seconds == {"nodes": 9}
    assert [(held.resource, held.nodes) for held in told.resources] == [("cores", "gpu[1-2]")]
    assert {blocker.job_id for blocker in told.blockers} == {1, 2}


def test_only_nodes_of_the_constraint_count() -> None:
    jobs = [(0, 10, 4, 1), (0, 20, 4, 2), (1, 5, 4, 3)]
    told = replay(jobs, {"constraint": ["a100", "a100", "a100"]}).explain(3)
    assert told.seconds == {"nodes": 9}
    assert told.resources[0].nodes == "gpu[1-2]"


def test_nodes_taken_whole_are_full() -> None:
    # Four one-core jobs each have a whole node; the fifth waits until the first of these jobs ends,
    # at 10.
    jobs = [(0, 10 + 10 * row, 1, row) for row in range(4)] + [(1, 5, 1, 9)]
    told = replay(jobs, {"exclusive": ["job"] * 4 + ["no"]}).explain(5)
    assert told.seconds == {"nodes": 9}
    assert told.resources[0].nodes == "gpu[1-2],cpu[1-2]"


def test_nodes_for_another_user_are_full() -> None:
    jobs = [(0, 10 + 10 * row, 1, row) for row in range(4)] + [(1, 5, 1, 9)]
    told = replay(jobs, {"exclusive": ["user"] * 5}).explain(5)
    assert told.seconds == {"nodes": 9}
    assert len(told.blockers) == 4


@pytest.mark.parametrize("mode", ["sudden", "drain"])
def test_nodes_that_are_away_are_a_drain(mode: Any) -> None:
    # The only job requests a GPU node, but the GPU nodes are down until 30.
    outage = sw.Outage(start=0, duration=30, nodes=["gpu[1-2]"], mode=mode)
    told = replay([(1, 5, 1, 1)], {"constraint": ["a100"]}, outages=[outage]).explain(1)
    assert told.seconds == {"drain": 29}


def test_an_outage_ahead_is_a_drain() -> None:
    # From 10 to 30 all nodes are down; if started at 1, the job of 20 s would overlap this period.
    maintenance = sw.Maintenance(start=10, duration=20)
    told = replay([(1, 20, 1, 1)], {}, maintenance=[maintenance]).explain(1)
    assert told.seconds == {"drain": 29}


def test_nodes_reserved_for_others_are_a_fence() -> None:
    reservation = sw.Reservation("course", start=0, duration=30, nodes=["gpu[1-2]"], users=[5])
    told = replay([(1, 5, 1, 1)], {"constraint": ["a100"]}, reservations=[reservation]).explain(1)
    assert told.seconds == {"fence": 29}


@pytest.mark.parametrize(
    ("limits", "name", "whose", "unit", "peak", "most"),
    [
        ({"per_user": {"gpus": 2}}, "limits.per_user.gpus", "user 1", "gpus", 2, 2),
        ({"total": {"gpus": 3}}, "limits.total.gpus", "all jobs", "gpus", 2, 3),
        ({"per_account": {"nodes": 1}}, "limits.per_account.nodes", "account 7", "nodes", 1, 1),
        ({"running_per_account": 1}, "limits.running_per_account", "account 7", "jobs", 1, 1),
    ],
)
def test_limits_on_resources_and_accounts_are_named(
    limits: Any, name: str, whose: str, unit: str, peak: int, most: int
) -> None:
    # Job 1 has 2 GPUs until 10; job 2 of the same user and account requests 2 as well.
    jobs = [(0, 10, 1, 1), (1, 5, 1, 1)]
    told = replay(jobs, {"gpus": [2, 2]}, limits=sw.Limits(**limits)).explain(2)
    assert told.seconds == {"limit": 9}
    (held,) = told.limits
    assert (held.name, held.whose, held.unit) == (name, whose, unit)
    assert (held.seconds, held.peak, held.most, held.jobs) == (9, peak, most, (1,))


def test_limits_of_a_queue_count_its_jobs() -> None:
    queues = [sw.Queue("gpu", trace_queues=[1], per_user={"gpus": 2}), sw.Queue("all")]
    jobs = [(0, 10, 1, 1), (1, 5, 1, 1)]
    told = replay(jobs, {"gpus": [2, 2]}, queues=queues, queue=[1, 1]).explain(2)
    assert [(held.name, held.seconds) for held in told.limits] == [("queue.gpu.per_user.gpus", 9)]
