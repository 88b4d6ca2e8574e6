"""The factors of the ``multifactor`` order; scores and starts are derived in the comments."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw

JOBS = sw.Trace.from_columns(
    submit=[0, 0, 0, 0],
    run_time=[60, 60, 60, 60],
    processors=[1, 1, 1, 1],
    qos=["normal", "high", "low", "odd"],
    account=["a", "a", "b", "c"],
    user=["x", "y", "x", "z"],
)
QOS = {"normal": 0, "high": 100, "low": 10, "top": 250}
ASSOCIATIONS = {"a": 20, "a/x": 50, "b": 10}


def scores(trace: sw.Trace = JOBS, now: int = 0, **parameters: Any) -> list[float]:
    return sw.scores(trace, {"name": "multifactor", **parameters}, now).tolist()


def test_the_qos_factor_is_the_priority_over_the_largest_of_all() -> None:
    # The scores are 1000 · 100/250 = 400 and 1000 · 10/250 = 40. The highest priority is that of
    # the `top` QOS, which no job has. The `odd` QOS has no priority. A score is at least 1.
    assert scores(qos=1000, qos_priority=QOS) == [1, 400, 40, 1]


def test_the_association_of_a_user_inherits_the_priority_of_its_account() -> None:
    # User x of account a has a priority of 50. The other users of account a have 20, and those of
    # account b have 10. The scores are 500 · 50/50, 500 · 20/50 and 500 · 10/50. Account c has no
    # priority.
    assert scores(association=500, association_priority=ASSOCIATIONS) == [500, 200, 100, 1]


def test_codes_name_owners_of_a_log_without_names() -> None:
    trace = sw.Trace.from_columns([0, 0], [9, 9], [1, 1], qos=[3, 4], account=[7, 7], user=[1, 2])
    assert scores(trace, qos=100, qos_priority={"3": 1, "4": 2}) == [50, 100]
    assert scores(trace, association=100, association_priority={"7": 1, "7/2": 4}) == [25, 100]


def test_nice_is_taken_off_and_the_site_factor_added() -> None:
    trace = JOBS.with_columns(nice=[0, 30, -5, 5000], site_factor=[7, 0, -100, 0])
    # The sums are 7, 400 - 30, 40 + 5 - 100 and -5000, but a score is at least 1.
    assert scores(trace, qos=1000, qos_priority=QOS) == [7, 370, 1, 1]


def test_a_priority_has_32_bits() -> None:
    trace = JOBS.with_columns(site_factor=[2**40, 0, 0, 0])
    assert scores(trace)[0] == 2**32 - 1


def test_without_priorities_above_0_the_factor_is_0() -> None:
    assert scores(qos=1000, qos_priority={"high": 0}) == [1, 1, 1, 1]
    assert scores(association=1000) == [1, 1, 1, 1]


@pytest.mark.parametrize("backfill", ["none", "first-fit", "easy", "slurm"])
def test_the_job_of_the_better_qos_starts_first(backfill: str) -> None:
    # The only processor is in use until 60. Job 3 has the `high` QOS and job 2 the `low` QOS; the
    # others have no priority. Jobs run for 60 s each.
    order = {"name": "multifactor", "qos": 100, "qos_priority": QOS}
    policy = sw.Policy(order=order, backfill=backfill)
    trace = sw.Trace.from_columns(
        submit=[0, 1, 2, 3],
        run_time=[60] * 4,
        processors=[1] * 4,
        requested_time=[60] * 4,
        qos=["odd", "odd", "low", "high"],
    )
    assert sw.simulate(trace, sw.Site(1, policy)).start.tolist() == [0, 180, 120, 60]


# Nodes n1 and n2 have GPUs, and nodes n3 to n6 have none. The gpu partition has the first two
# nodes: 32 cores and 8 GPUs. The "all" partition has 96 cores, 8 GPUs and 6 nodes.
MACHINE = sw.Nodes(
    [
        sw.NodeType(hosts="n[1-2]", cores=16, memory="64GB", gpus=4),
        sw.NodeType(hosts="n[3-6]", cores=16, memory="32GB"),
    ]
)
QUEUES = [
    sw.Queue("all", trace_queues=[1]),
    sw.Queue("gpu", trace_queues=[2], nodes="n[1-2]"),
]


def on_nodes(order: dict[str, Any], queue: list[int], **each: list[int]) -> sw.Result:
    """Replay jobs on one node each, submitted at 1 while another job holds every node."""
    n_jobs = len(queue)
    demands = sw.Demands(
        [6] + [1] * n_jobs,
        nodes=[6] + [1] * n_jobs,
        cores=[16, *each.get("cores", [1] * n_jobs)],
        memory=[0, *each.get("memory", [1] * n_jobs)],
        gpus=[0, *each.get("gpus", [0] * n_jobs)],
    )
    trace = sw.Trace.from_columns(
        [0] + [1] * n_jobs,
        [60] * (n_jobs + 1),
        demands.processors,
        [60] * (n_jobs + 1),
        queue=[1, *queue],
    ).with_demands(demands)
    policy = sw.Policy.preset("slurm", version="25.11", order={"name": "multifactor", **order})
    return sw.simulate(trace, sw.Site(machine=MACHINE, policy=policy, queues=QUEUES))


def test_tres_are_shares_of_the_partition() -> None:
    # Job 1 requests 8 of the 96 cores of "all". Job 2 requests 8 of the 32 cores of gpu, and 2 of
    # its 8 GPUs.
    tres = {"cores": 960, "gpus": 400, "nodes": 60, "memory": 0}
    result = on_nodes({"tres": tres}, [1, 2], cores=[8, 8], gpus=[0, 2])
    assert result.priority_at(1, 1).tres == {"cores": 80, "memory": 0, "nodes": 10, "gpus": 0}
    assert result.priority_at(1, 1).priority == 90
    assert result.priority_at(2, 1).tres == {"cores": 240, "memory": 0, "nodes": 30, "gpus": 100}
    assert result.priority_at(2, 1).priority == 370


def test_a_job_without_memory_counts_that_of_the_partitions_first_node() -> None:
    # The "all" partition has 2 · 64 + 4 · 32 = 256 GB, and its first node has 64 GB; gpu has 128
    # GB.
    result = on_nodes({"tres": {"memory": 1024}}, [1, 2], memory=[0, 0])
    assert result.priority_at(1, 1).tres == {"memory": 256}
    assert result.priority_at(2, 1).tres == {"memory": 512}
    explicit = on_nodes({"tres": {"memory": 1024}}, [1], memory=[32 << 20])
    assert explicit.priority_at(1, 1).tres == {"memory": 128}


def test_a_negative_weight_of_a_resource_ranks_large_jobs_last() -> None:
    # Because of their memory, jobs 1 to 3 take a whole node each. The gpu queue has two nodes, so
    # two jobs start when job 0 ends at 60, and one at 120. Cores give 1000 · 8/32 = 250 and 1000 ·
    # 16/32 = 500. If the only weight is negative, every priority is 1. With favor_small, jobs of 8
    # cores get 10,000 · (5/6 + 88/96)/2 = 8,750 for their size, and jobs of 16 cores get 10,000 ·
    # (5/6 + 80/96)/2 = 8,333.
    def starts(cores: list[int], **order: Any) -> list[int]:
        result = on_nodes(order, [2, 2, 2], cores=cores, memory=[64 << 20] * 3)
        return [int(start) for start in result.start[1:]]

    assert starts([8, 16, 16], tres={"cores": 1000}) == [120, 60, 60]
    assert starts([16, 16, 8], tres={"cores": -1000}) == [60, 60, 120]
    small = {"job_size": 10_000, "favor_small": 1}
    assert starts([16, 16, 8], tres={"cores": -1000}, **small) == [60, 120, 60]


def test_the_size_relative_to_time_counts_the_cores_of_whole_nodes() -> None:
    # In Slurm, a job on 1 node counts as 96 cores / 6 nodes = 16 cores, even if it requests 1 core.
    # Its limit is 1 minute, so its size is 16 / 1 / 96 = 1/6.
    result = on_nodes({"job_size": 600, "relative_to_time": 1}, [1])
    assert result.priority_at(1, 1).job_size == pytest.approx(100)


def test_a_static_order_reads_all_factors_on_independent_pools() -> None:
    # Pool a has 4 processors, in use until 100. Job 2 precedes job 1, first because of its queue's
    # priority, then because of job 1's nice value.
    trace = sw.Trace.from_columns(
        [0, 1, 2], [100, 50, 50], [4, 4, 4], [100, 50, 50], queue=[1, 1, 2]
    )
    site = sw.Site(
        8,
        sw.Policy(order={"name": "multifactor", "partition": 1000}, backfill="easy"),
        pools=[sw.Pool("a", 4), sw.Pool("b", 4)],
        queues=[
            sw.Queue("low", trace_queues=[1], priority=1, pools=["a"]),
            sw.Queue("high", trace_queues=[2], priority=10, pools=["a"]),
            sw.Queue("other", trace_queues=[3], pools=["b"]),
        ],
    )
    assert sw.simulate(trace, site).start.tolist() == [0, 150, 100]
    nice = trace.with_columns(queue=[1, 1, 1], nice=[0, 5, 0])
    by_size = sw.Policy(order={"name": "multifactor", "job_size": 1000}, backfill="easy")
    assert sw.simulate(nice, site.replace(policy=by_size)).start.tolist() == [0, 150, 100]
