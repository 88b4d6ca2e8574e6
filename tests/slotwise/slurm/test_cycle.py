"""One decision of Slurm's schedulers; the expected starts are derived from the rules."""

from __future__ import annotations

import re
from typing import Any

import pytest

import slotwise as sw
from slotwise import slurm

HOUR = 3600


def machine(n_nodes: int, cores: int = 1) -> sw.Nodes:
    return sw.Nodes([sw.NodeType(hosts=f"n[1-{n_nodes}]", cores=cores)])


def policy(select_type: str = "linear", **parameters: Any) -> sw.Policy:
    return sw.Policy.preset("slurm", version="22.05", select_type=select_type, **parameters)


def running(*jobs: tuple[int, int, list[int], int]) -> dict[str, Any]:
    """Return running jobs, each given as (start, limit, nodes, processors)."""
    first = [0]
    for job in jobs:
        first.append(first[-1] + len(job[2]))
    return {
        "start": [job[0] for job in jobs],
        "limit": [job[1] for job in jobs],
        "queue": [0] * len(jobs),
        "processors": [job[3] for job in jobs],
        "nodes_first": first,
        "nodes": [node for job in jobs for node in job[2]],
    }


def waiting(*jobs: tuple[int, int], **columns: Any) -> dict[str, Any]:
    """Return waiting jobs, each given as (nodes, limit), submitted one second apart."""
    return {
        "priority": [0] * len(jobs),
        "submit": list(range(-len(jobs), 0)),
        "job": list(range(1, len(jobs) + 1)),
        "limit": [job[1] for job in jobs],
        "queue": [0] * len(jobs),
        "nodes": [job[0] for job in jobs],
        "processors": [job[0] for job in jobs],
        **columns,
    }


def starts(result: slurm.CycleResult) -> dict[int, list[int]]:
    first = result.nodes_first.tolist()
    return {
        row: result.nodes[first[place] : first[place + 1]].tolist()
        for place, row in enumerate(result.rows.tolist())
    }


def cycle(
    nodes: sw.Nodes, run: dict[str, Any], wait: dict[str, Any], how: sw.Policy, **given: Any
) -> slurm.CycleResult:
    queues = given.pop("queues", (sw.Queue("batch"),))
    return slurm.cycle(nodes, queues, how, now=0, running=run, waiting=wait, **given)


def test_a_plan_names_nodes_which_others_may_not_use() -> None:
    # Nodes 0-1 are busy until 3600, and 2-3 are idle. The first job requests 3 nodes: it is planned
    # at 3600 on 0-2, the lowest nodes of the run 0-3. A second job, of 2 h, may use only node 3.
    run = running((0, HOUR, [0, 1], 2))
    found = cycle(machine(4), run, waiting((3, HOUR), (1, 2 * HOUR), (1, 2 * HOUR)), policy())
    assert starts(found) == {1: [3]}
    assert found.planned[0] == (0, HOUR, 2 * HOUR, [0, 1, 2])


@pytest.mark.parametrize(("limit", "begins"), [(3540, True), (3600, False)])
def test_a_job_ends_before_a_plan_begins_not_as_it_begins(limit: int, begins: bool) -> None:
    run = running((0, HOUR, [0], 1))
    found = cycle(machine(2), run, waiting((2, HOUR), (1, limit)), policy())
    assert (1 in starts(found)) is begins


def test_times_of_plans_are_cut_to_the_resolution() -> None:
    # The job on node 0 ends at 3659, so a plan on both nodes begins at 3600, rounded down. A job of
    # 59 minutes ends at 3540, before that plan. With a resolution of 1 s, a job of one hour fits as
    # well.
    run = running((-1, 3660, [0], 1))
    wait = waiting((2, HOUR), (1, HOUR))
    assert starts(cycle(machine(2), run, wait, policy())) == {}
    assert starts(cycle(machine(2), run, wait, policy(bf_resolution=1))) == {1: [1]}


def test_plans_from_the_end_of_the_table_on_do_not_overlap() -> None:
    # The window of 61 minutes is rounded down to a multiple of 600 s, so the table of plans ends at
    # 3600. The first job's plan holds node 0 from 1800 to 3600. The second job, on both nodes, is
    # planned at 3600.
    run = running((0, 1800, [0], 1), (0, HOUR, [1], 1))
    how = policy(bf_window=61, bf_resolution=600)
    found = cycle(machine(2), run, waiting((1, HOUR), (2, 300)), how)
    assert found.planned == [(0, 1800, 1800 + HOUR, [0]), (1, HOUR, HOUR + 300, [0, 1])]


def test_linear_takes_the_shortest_run_that_is_enough_or_the_longest() -> None:
    # Nodes 0-1, 3-5 and 7 are idle.
    run = running((0, HOUR, [2], 1), (0, HOUR, [6], 1))
    assert starts(cycle(machine(8), run, waiting((2, HOUR)), policy())) == {0: [0, 1]}
    assert starts(cycle(machine(8), run, waiting((4, HOUR)), policy())) == {0: [3, 4, 5, 7]}


def test_ends_count_one_by_one_under_linear_and_in_groups_under_cons_tres() -> None:
    # The jobs end at 600 and 630. Under cons_tres both ends belong to the first group, which
    # extends to 660.
    run = running((0, 600, [0], 1), (-30, 660, [1], 1))
    wait = waiting((1, HOUR))
    assert cycle(machine(2), run, wait, policy()).planned[0][1] == 600
    assert cycle(machine(2), run, wait, policy("cons_tres")).planned[0][1] == 630


def test_a_plan_of_a_job_that_shares_nodes_keeps_them_whole() -> None:
    # 3 of 4 cores are busy for an hour; the first job requests 2 and waits. A job of one core and
    # two hours would overlap the first job's plan. A job of 30 minutes ends before that plan
    # begins.
    run = running((0, HOUR, [0], 3))
    wait = waiting((1, HOUR), (1, 2 * HOUR), (1, HOUR // 2), processors=[2, 1, 1])
    assert starts(cycle(machine(1, 4), run, wait, policy("cons_tres"))) == {2: [0]}


def test_the_main_scheduler_closes_the_partition_of_a_job_that_does_not_fit() -> None:
    # In partition a (nodes 0-3), node 0 is busy, so a job of 4 nodes waits and closes nodes 0-3.
    # For a job of partition b (nodes 2-5), nodes 4 and 5 are left. A second job of partition a
    # waits.
    queues = (sw.Queue("a", nodes="n[1-4]"), sw.Queue("b", nodes="n[3-6]"))
    run = running((0, HOUR, [0], 1))
    wait = waiting((4, HOUR), (1, HOUR), (2, HOUR), (1, HOUR), queue=[0, 0, 1, 1])
    found = cycle(machine(6), run, wait, policy(), queues=queues, scheduler="main")
    assert starts(found) == {2: [4, 5]}


@pytest.mark.parametrize(
    ("parameters", "rows"),
    [
        ({}, []),  # the first job closes the partition
        ({"bf_min_age_reserve": 3}, [1]),  # submitted 2 s ago, too young to close the partition
        ({"bf_min_age_reserve": 2}, []),
        ({"bf_min_prio_reserve": 8}, [1]),  # a priority of 7 is too low to close the partition
        ({"bf_min_prio_reserve": 7}, []),
        ({"bf_min_prio_reserve": 7, "bf_min_age_reserve": 3}, [1]),  # either one exempts the job
    ],
)
def test_a_job_below_the_reserve_does_not_close_its_partition(
    parameters: dict[str, int], rows: list[int]
) -> None:
    # Node 0 is busy and node 1 is idle. The first job needs both, and the second needs one.
    run = running((0, HOUR, [0], 1))
    wait = waiting((2, HOUR), (1, HOUR), priority=[7, 7])
    how = policy(**parameters)
    found = cycle(machine(2), run, wait, how, scheduler="main")
    assert starts(found) == {row: [1] for row in rows}


def test_a_job_that_needs_more_nodes_than_are_open_closes_its_partition_at_any_age() -> None:
    # The jobs were submitted 3, 2 and 1 s ago. The first, of queue a (nodes 0-2), is old enough to
    # close nodes 0-2. That leaves nodes 3 and 4 to queue b (nodes 2-4). The second job needs 3
    # nodes, so it closes b, whatever its age. The third job, of one node, waits behind the second.
    # If the second job needs only 2 nodes, it also waits, because node 4 is busy. As it is too
    # young to close b, the third job starts.
    queues = (
        sw.Queue("a", trace_queues=[1], nodes="n[1-3]"),
        sw.Queue("b", trace_queues=[2], nodes="n[3-5]"),
    )
    run = running((0, HOUR, [0], 1), (0, HOUR, [4], 1))
    for wide, expected in ((3, {}), (2, {2: [3]})):
        wait = waiting((3, HOUR), (wide, HOUR), (1, HOUR), queue=[0, 1, 1])
        how = policy(bf_min_age_reserve=3)
        found = cycle(machine(5), run, wait, how, scheduler="main", queues=queues)
        assert starts(found) == expected


def test_a_job_of_enough_priority_may_be_too_young_for_a_plan() -> None:
    # Node 0 is busy and node 1 is idle. If the first job gets no plan, the second may overtake it.
    run = running((0, HOUR, [0], 1))
    wait = waiting((2, HOUR), (1, 2 * HOUR), priority=[7, 7])
    for age, expected in ((2, {}), (3, {1: [1]})):
        how = policy(bf_min_prio_reserve=7, bf_min_age_reserve=age)
        assert starts(cycle(machine(2), run, wait, how)) == expected


def test_tier_goes_before_priority_and_priority_before_the_submit_time() -> None:
    queues = (sw.Queue("a"), sw.Queue("b", tier=2))
    wait = waiting((1, HOUR), (1, HOUR), (1, HOUR), queue=[0, 0, 1], priority=[1, 9, 0])
    found = cycle(machine(2), running(), wait, policy(), queues=queues, scheduler="main")
    assert list(starts(found)) == [2, 1]


def test_no_job_starts_on_completing_nodes() -> None:
    found = cycle(machine(2), running(), waiting((1, HOUR), (1, HOUR)), policy(), completing=[0])
    # The first job would take node 0, and is planned there; the second takes node 1.
    assert starts(found) == {1: [1]}
    assert found.planned[0][:2] == (0, 1)


def test_bounds_of_users_and_of_tested_jobs() -> None:
    wait = waiting((1, HOUR), (1, HOUR), (1, HOUR), user=[1, 1, 2])
    three = machine(3)
    assert list(starts(cycle(three, running(), wait, policy(bf_max_job_user=1)))) == [0, 2]
    assert list(starts(cycle(three, running(), wait, policy(bf_max_job_test=2)))) == [0, 1]


def test_a_job_beyond_the_limits_of_its_partition_is_passed_over() -> None:
    queues = (sw.Queue("short", walltime=(0, HOUR), nodes_per_job=(1, 1)),)
    wait = waiting((1, HOUR + 1), (2, HOUR), (1, HOUR))
    assert list(starts(cycle(machine(2), running(), wait, policy(), queues=queues))) == [2]


def test_memory_gpus_weight_and_features_choose_nodes() -> None:
    nodes = sw.Nodes([
        sw.NodeType(hosts="a1", cores=4, memory="8GB", weight=5),
        sw.NodeType(hosts="b1", cores=4, memory="4GB"),
        sw.NodeType(hosts="g1", cores=4, memory="8GB", gpus=2, features=["fast"], weight=9),
    ])  # fmt: skip
    how = policy("cons_tres")
    wait = waiting((1, HOUR), (1, HOUR), (1, HOUR), memory=[1024, 6000, 1024], gpus=[0, 0, 1])
    assert starts(cycle(nodes, running(), wait, how)) == {0: [1], 1: [0], 2: [2]}
    fast = waiting((1, HOUR), feature=["fast"])
    assert starts(cycle(nodes, running(), fast, how)) == {0: [2]}


def test_a_running_job_on_a_node_that_does_not_exist_is_named() -> None:
    with pytest.raises(ValueError, match="running job 1 is on node 7: nodes are numbered 0 to 1"):
        cycle(machine(2), running((0, 60, [0], 1), (0, 60, [7], 1)), waiting((1, 60)), policy())


def test_select_linear_counts_nodes_whatever_their_processors() -> None:
    # The nodes have 8, 4, 2 and 2 cores, and node 1 is busy. A job of one node takes the shortest
    # run of free nodes, which is node 0 alone, and not the run of the two smaller nodes. The next
    # job takes the lower of those two.
    sizes = {"n1": 8, "n2": 4, "n[3-4]": 2}
    nodes = sw.Nodes([sw.NodeType(hosts=name, cores=size) for name, size in sizes.items()])
    run = running((0, HOUR, [1], 4))
    found = cycle(nodes, run, waiting((1, HOUR), (1, HOUR)), policy())
    assert starts(found) == {0: [0], 1: [2]}


def test_a_job_beyond_partition_job_depth_does_not_count_for_the_queue_depth() -> None:
    # With a depth of 1, a pass considers two jobs, but only one per partition. Job 1 is the second
    # of its partition, so job 2, of the other partition, is the second job considered.
    how = policy(partition_job_depth=1, default_queue_depth=1)
    queues = (sw.Queue("a", nodes="n[1-2]"), sw.Queue("b", nodes="n[3-4]"))
    wait = waiting((1, HOUR), (1, HOUR), (1, HOUR), queue=[0, 0, 1])
    found = cycle(machine(4), running(), wait, how, queues=queues, scheduler="main")
    assert starts(found) == {0: [0], 2: [2]}


@pytest.mark.parametrize(
    ("depth", "full", "rows"), [(0, False, [0]), (1, False, [0, 1]), (0, True, [0, 1, 2])]
)
def test_a_pass_considers_one_job_more_than_the_queue_depth(
    depth: int, full: bool, rows: list[int]
) -> None:
    # Slurm tests the count before it increases it, so a depth of 0 allows one job. A full pass has
    # no limit. (job_scheduler.c: `!full_queue && (job_depth++ > def_job_limit)`)
    wait = waiting((1, HOUR), (1, HOUR), (1, HOUR))
    how = policy(default_queue_depth=depth)
    found = cycle(machine(4), running(), wait, how, scheduler="main", full=full)
    assert list(starts(found)) == rows


@pytest.mark.parametrize(("number", "node"), [(9, 0), (1, 1)])
def test_jobs_that_end_together_end_in_the_order_of_their_numbers(number: int, node: int) -> None:
    # Job 5 starts on node 0 and ends at 3600, like the running job on node 1. Job 6 is planned on
    # the node of the job with the lower number: node 0 if job 9 is running, node 1 if job 1 is.
    run = running((0, HOUR, [1], 1)) | {"job": [number]}
    wait = waiting((1, HOUR), (1, HOUR), job=[5, 6])
    found = cycle(machine(2), run, wait, policy())
    assert starts(found) == {0: [0]}
    assert found.planned == [(1, HOUR, 2 * HOUR, [node])]


@pytest.mark.parametrize("scheduler", ["backfill", "main"])
@pytest.mark.parametrize(
    ("limits", "rows"),
    [
        ({}, [0, 1, 2]),
        ({"running": 2}, [0]),  # one job is already running
        ({"running_per_user": 1}, [1]),
        ({"running_per_account": 2}, [0, 1]),  # jobs 0 and 2 have the running job's account
        ({"processors_per_user": 3}, [0, 1]),
        ({"processors_in_use": 4}, [0, 2]),  # with job 1, five would be in use
        ({"total": {"nodes": 2}}, [0]),
        ({"per_user": {"cores": 3}}, [0, 1]),
    ],
)
def test_limits_count_the_running_jobs_and_those_that_start(
    scheduler: str, limits: dict[str, Any], rows: list[int]
) -> None:
    # A job of user 7 in account "a" is running on two processors of node 0.
    run = running((0, HOUR, [0], 2)) | {"user": [7], "account": ["a"]}
    owners = {"user": [7, 8, 7], "account": ["a", "b", "a"]}
    wait = waiting((1, HOUR), (1, HOUR), (1, HOUR), **owners, processors=[1, 2, 1])
    given = {"limits": sw.Limits(**limits), "scheduler": scheduler}
    found = cycle(machine(4, 2), run, wait, policy("cons_tres"), **given)
    assert list(starts(found)) == rows


def test_a_held_back_job_gets_no_plan_and_closes_nothing_unless_limits_stop() -> None:
    run = running((0, HOUR, [0], 1)) | {"user": [7]}
    wait = waiting((1, HOUR), (1, HOUR), user=[7, 8])
    limits = sw.Limits(running_per_user=1)
    found = cycle(machine(3), run, wait, policy(), limits=limits)
    assert (starts(found), found.planned) == ({1: [1]}, [])
    for stops, expected in ((False, {1: [1]}), (True, {})):
        how = policy(assoc_limit_stop=stops)
        found = cycle(machine(3), run, wait, how, limits=limits, scheduler="main")
        assert starts(found) == expected


def test_limits_of_a_queue_count_its_jobs_only() -> None:
    # A job in queue a is running, and this queue may run only one job.
    queues = (sw.Queue("a", running=1), sw.Queue("b"))
    wait = waiting((1, HOUR), (1, HOUR), queue=[0, 1])
    run = running((0, HOUR, [0], 1))
    assert list(starts(cycle(machine(3), run, wait, policy(), queues=queues))) == [1]


def test_an_unknown_owner_is_not_limited() -> None:
    run = running((0, HOUR, [0], 1)) | {"user": [-1], "account": [""]}
    wait = waiting((1, HOUR), (1, HOUR), user=[-1, -1], account=["", ""])
    limits = sw.Limits(running_per_user=1, running_per_account=1)
    assert list(starts(cycle(machine(3), run, wait, policy(), limits=limits))) == [0, 1]


def test_a_limit_without_its_owners_or_without_support_is_named() -> None:
    run, wait = running((0, HOUR, [0], 1)), waiting((1, HOUR), user=[1])
    with pytest.raises(ValueError, match="running_per_user needs the column 'user' of the running"):
        cycle(machine(2), run, wait, policy(), limits=sw.Limits(running_per_user=1))
    with pytest.raises(sw.SiteError, match=r"limits\.queued_per_user.*does not support this"):
        cycle(machine(2), run, wait, policy(), limits=sw.Limits(queued_per_user=1))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"scheduler": "foo"}, "scheduler 'foo': it must be 'backfill' or 'main'"),
        ({"now": "x"}, "now 'x' must be a whole number of seconds"),
        ({"policy": sw.Policy()}, "policy: its backfill must be 'slurm'; use sw.Policy.preset"),
        ({"waiting": {"limit": [1]}}, "waiting has no column priority, submit, job, queue, nodes"),
        (
            {"waiting": waiting((1, 60), (1, 60), limit=[60])},
            "waiting: priority has 2 entries, but 1 are needed, because the column limit has 1",
        ),
        (
            {"waiting": waiting((1, 60), feature=["a", "b"])},
            "waiting: feature has 2 entries, but 1 are needed",
        ),
        ({"waiting": waiting((1, 60), nodes=["x"])}, "waiting: nodes must contain whole numbers"),
        ({"waiting": waiting((1, 60), queue=[7])}, "waiting job 0: queue 7 must be from 0 to 0"),
        ({"waiting": waiting((1, 60), (1, -1))}, "waiting job 1: limit -1 must be at least 0"),
        ({"running": running((0, -9, [0], 1))}, "running job 0: limit -9 must be at least 0"),
        (
            {"running": {**running((0, 9, [0], 1)), "nodes_first": [0, 2]}},
            "running: nodes_first must ascend from 0 to 1, the number of entries in nodes",
        ),
    ],
)
def test_a_state_that_slurm_cannot_have_is_named(changes: dict[str, Any], told: str) -> None:
    given = {"policy": policy(), "now": 0, "running": running(), "waiting": waiting((1, 60))}
    with pytest.raises(ValueError, match="^" + re.escape(told)):
        slurm.cycle(machine(2), [sw.Queue("a")], **{**given, **changes})
