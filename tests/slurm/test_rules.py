"""Each observed rule is switched off; a recording is then no longer reproduced."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest


from reference.slurm.fair_share import read_accounts
from reference.slurm.kills import killed_at, minutes_rounded_up
from reference.slurm.node_sets import members
from reference.slurm.rules import Rules
from slurm.case import Case
from slurm.priorities import Priorities
from slurm.recording import Recording, node_numbers
from slurm.strict import judged
from slurm.test_priorities import WITHOUT_FACTOR

RECORDINGS = Path(__file__).parent / "recordings"

# The rule, the recording, the scheduler, and the kind and number of faults without the rule.
WITHOUT = [
    ("tiers", "tiers", "backfill", "too_many", 5),
    ("closed_partitions", "test_depth", "main", "too_many", 183),
    ("queue_depth", "test_depth", "main", "too_many", 2),
    ("tested_jobs", "job_test", "backfill", "too_many", 49),
    ("plan_table", "test_depth", "backfill", "too_many", 31),
    ("user_limit", "user_limit", "backfill", "missing", 8),
    ("every_job_planned", "test_depth", "backfill", "too_many", 50),
    ("named_nodes", "test_depth", "backfill", "missing", 12),
    ("cut_times", "features", "backfill", "too_many", 4),
    ("touching", "features", "backfill", "missing", 2),
    ("single_ends", "test_depth", "backfill", "too_many", 2),
    ("lumped_ends", "memory", "backfill", "missing", 4),
    ("later_tries", "test_depth", "backfill", "too_many", 7),
    ("tight_runs", "test_depth", "backfill", "other_nodes", 10),
    ("light_nodes", "features", "backfill", "other_nodes", 8),
    ("lighter_gpu_nodes", "memory_gpus", "backfill", "too_many", 7),
    ("partial_resets", "memory_gpus", "backfill", "plans_differ", 51),
    ("gpu_cpus", "memory_gpus", "backfill", "plans_differ", 4),
    ("larger_runs", "exclusive", "main", "other_nodes", 1),
    ("partition_limits", "limits", "backfill", "missing", 21),
    ("whole_node_plans", "case_whole_node", "backfill", "missing", 1),
    ("completing_nodes", "test_depth", "backfill", "too_many", 9),
]


def without(rule: str) -> Rules:
    """Return the rules with one switched off."""
    return dataclasses.replace(Rules(), **{rule: False})


@pytest.mark.parametrize(("rule", "name", "kind", "fault", "count"), WITHOUT)
def test_a_recording_is_missed_without_the_rule(
    rule: str, name: str, kind: str, fault: str, count: int
) -> None:
    score = judged(name, without(rule))[kind]
    assert len(getattr(score, fault)) == count


def test_every_switch_has_its_recording() -> None:
    of_priorities = {rule for rule, *_ in WITHOUT_FACTOR} | {"job_size", "renewal", "usage_reset"}
    tested = {rule for rule, *_ in WITHOUT} | of_priorities
    assert {each.name for each in dataclasses.fields(Rules)} == tested


def test_nodes_are_in_the_order_of_their_names() -> None:
    # node_order: the lines of slurm.conf name n[10-12], then n[5-9], then n[1-4]. In that order,
    # n10 would be the first node, and the runs of neighbouring nodes would be different.
    for rules, numbers in (
        (Rules(), [*range(1, 13)]),
        (without("nodes_by_name"), [10, 11, 12, 5, 6, 7, 8, 9, 1, 2, 3, 4]),
    ):
        nodes = Case.named("node_order", rules).machine.nodes
        assert [int(node.name[1:]) for node in nodes] == numbers


def priorities(name: str, rules: Rules) -> list[int]:
    """Return recorded minus computed priority, for all submissions and changes."""
    case = Case.named(name)
    assert case.parameters.multifactor is not None
    compared = Priorities(
        case.recording, case.machine, case.parameters.multifactor, rules, case.shares
    )
    return [each.recorded - each.computed for each in compared]


def test_priorities_of_job_size_and_partition_are_the_recorded_ones() -> None:
    assert priorities("tiers", Rules()) == [0] * 130
    without = priorities("tiers", dataclasses.replace(Rules(), job_size=False))
    assert sum(each != 0 for each in without) == 130


def test_priorities_of_age_and_fair_share_are_the_recorded_ones() -> None:
    # 15 of 1,386 differ by one, because Slurm sums usage in a different order.
    differences = priorities("fairshare", Rules())
    assert len(differences) == 1386
    assert sum(each == 0 for each in differences) == 1371
    assert {abs(each) for each in differences} == {0, 1}
    without = priorities("fairshare", dataclasses.replace(Rules(), renewal=False))
    assert sum(abs(each) > 1 for each in without) > 500


def test_jobs_are_killed_at_the_check_after_their_limit() -> None:
    # In case_limits, limits are 60, 60, 120 and 180 s. One check is at 271 s, the others are at
    # multiples of 30 s from it.
    jobs = Recording(RECORDINGS / "case_limits.csv").jobs.values()
    ends = [killed_at(each.start, each.job.limit, check=271) for each in jobs]
    assert [each.end for each in jobs] == [271, 301, 361, 422]
    # The last check came a second late: the 30 s begin at the end of the previous check.
    assert ends == [271, 301, 361, 421]
    assert [each.start + each.job.limit for each in jobs] == [266, 272, 339, 406]


def test_limits_are_whole_minutes_rounded_up() -> None:
    # In the lab, two jobs submitted with 0:30 and 1:30 got limits of one and two minutes.
    assert [minutes_rounded_up(each) for each in (30, 60, 90)] == [60, 60, 120]
