"""Each observed rule is switched off; a recording is then no longer reproduced."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import slotwise as sw
from reference.slurm.kills import killed_at, minutes_rounded_up
from reference.slurm.queue_order import is_refused
from reference.slurm.rules import Rules
from slotwise.formats.slurm_site import describe_site
from slurm.case import RECORDINGS, Case
from slurm.priorities import Priorities
from slurm.recording import Recording
from slurm.strict import judged
from slurm.test_priorities import WITHOUT_FACTOR

# The rule, the recording, the scheduler, and the kind and number of faults without the rule.
WITHOUT = [
    ("tiers", "tiers", "backfill", "too_many", 5),
    ("closed_partitions", "test_depth", "main", "too_many", 183),
    ("queue_depth", "test_depth", "main", "too_many", 2),
    ("one_job_deeper", "test_depth", "main", "missing", 6),
    ("user_limit", "user_limit", "backfill", "missing", 8),
    ("tested_jobs", "job_test", "backfill", "too_many", 49),
    ("only_sought_jobs", "short_window", "backfill", "plans_differ", 7),
    ("plan_table", "test_depth", "backfill", "too_many", 31),
    ("one_more_plan", "test_depth", "backfill", "plans_differ", 190),
    ("cut_cycles", "memory_gpus", "backfill", "too_many", 1),
    ("every_job_planned", "test_depth", "backfill", "too_many", 50),
    ("plan_window", "short_window", "backfill", "plans_too_many", 111),
    ("named_nodes", "test_depth", "backfill", "missing", 12),
    ("cut_times", "features", "backfill", "too_many", 4),
    ("touching", "features", "backfill", "missing", 2),
    ("single_ends", "test_depth", "backfill", "too_many", 2),
    ("lumped_ends", "memory", "backfill", "missing", 4),
    ("common_origin", "memory", "backfill", "too_many", 5),
    ("longer_groups", "memory", "backfill", "too_many", 5),
    ("later_tries", "test_depth", "backfill", "too_many", 7),
    ("tries_within_reach", "features", "backfill", "plans_differ", 84),
    ("tries_after_overlap", "test_depth", "backfill", "too_many", 14),
    ("started_jobs_run", "test_depth", "backfill", "too_many", 15),
    ("merged_spans", "user_limit", "backfill", "plans_differ", 25),
    ("tight_runs", "test_depth", "backfill", "other_nodes", 10),
    ("longest_runs", "test_depth", "backfill", "other_nodes", 2),
    ("nodes_by_name", "node_order", "backfill", "too_many", 30),
    ("nodes_by_name", "node_order", "main", "other_nodes", 15),
    ("runs_of_cpus", "exclusive", "backfill", "other_nodes", 5),
    ("larger_runs", "exclusive", "main", "other_nodes", 1),
    ("tight_last_node", "exclusive", "main", "other_nodes", 4),
    ("tight_last_node", "memory", "main", "other_nodes", 1),
    ("whole_memory", "memory_gpus", "backfill", "plans_differ", 4),
    ("light_nodes", "features", "backfill", "other_nodes", 8),
    ("light_nodes", "memory", "backfill", "missing", 7),
    ("heavier_nodes_added", "features", "main", "other_nodes", 7),
    ("weightless_plans", "features", "backfill", "plans_differ", 664),
    ("lighter_gpu_nodes", "memory_gpus", "backfill", "too_many", 7),
    ("partial_resets", "memory_gpus", "backfill", "plans_differ", 51),
    ("gpu_cpus", "memory_gpus", "backfill", "plans_differ", 4),
    ("whole_node_plans", "case_whole_node", "backfill", "missing", 1),
    ("partition_limits", "limits", "backfill", "missing", 21),
    ("completing_nodes", "test_depth", "backfill", "too_many", 9),
    ("held_back", "running_limit", "backfill", "missing", 13),
    ("held_back_at_depth", "running_limit", "main", "too_many", 9),
    ("held_back_untested", "running_limit", "backfill", "missing", 10),
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


# Rules that the tests below and tests in other files switch off.
OF_OTHER_TESTS = {
    "age_once_considered",
    "decay_by_second",
    "interval_after_end",
    "late_kills",
    "quiet_cycles",
    "refused_jobs",
    "renewal",
    "usage_reset",
}


def test_every_switch_has_its_recording() -> None:
    tested = {rule for rule, *_ in [*WITHOUT, *WITHOUT_FACTOR]} | OF_OTHER_TESTS
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
    assert sum(each != 0 for each in priorities("tiers", without("job_size"))) == 130


def test_priorities_of_age_and_fair_share_are_the_recorded_ones() -> None:
    # 15 of 1,386 priorities differ by one, because Slurm sums usage in a different order.
    differences = priorities("fairshare", Rules())
    assert len(differences) == 1386
    assert sum(each == 0 for each in differences) == 1371
    assert {abs(each) for each in differences} == {0, 1}
    at_any_time = priorities("fairshare", without("renewal"))
    assert sum(abs(each) > 1 for each in at_any_time) == 657
    smoothly = priorities("fairshare", without("decay_by_second"))
    assert sum(each != 0 for each in smoothly) == 19


def test_jobs_are_killed_at_the_check_after_their_limit() -> None:
    # In case_limits, limits are 60, 60, 120 and 180 s. One check is at 271 s, the others are at
    # multiples of 30 s from it.
    jobs = Recording(RECORDINGS / "case_limits.csv").jobs.values()
    ends = [killed_at(each.start, each.job.limit, check=271) for each in jobs]
    assert [each.end for each in jobs] == [271, 301, 361, 422]
    # The last check came a second late: the 30 s begin at the end of the previous check.
    assert ends == [271, 301, 361, 421]
    at_limits = [
        killed_at(each.start, each.job.limit, 271, rules=without("late_kills")) for each in jobs
    ]
    assert at_limits == [266, 272, 339, 406]


def test_jobs_beyond_the_limits_of_their_partition_are_refused() -> None:
    # `refused` has EnforcePartLimits=ALL: Slurm refused job 5 (too many nodes) and job 24
    # (too long).
    case = Case.named("refused")
    recording = case.recording
    jobs = [*(each.job for each in recording.jobs.values()), *recording.refused]

    def refused(rules: Rules) -> list[int]:
        given = case.parameters
        return [job.number for job in jobs if is_refused(job, case.machine, given, rules)]

    assert [job.number for job in recording.refused] == [5, 24]
    assert refused(Rules()) == [5, 24]
    assert refused(without("refused_jobs")) == []


def test_the_preset_refuses_the_jobs_that_slurm_refused() -> None:
    recording = Recording(RECORDINGS / "refused.csv")
    jobs = [*(each.job for each in recording.jobs.values()), *recording.refused]
    jobs.sort(key=lambda job: job.submit)
    trace = sw.Trace.from_columns(
        submit=[job.submit for job in jobs],
        run_time=[60] * len(jobs),
        processors=[job.nodes for job in jobs],
        requested_time=[job.limit for job in jobs],
        partition=[job.partition for job in jobs],
    )
    site = describe_site(RECORDINGS / "refused.conf", version="22.05").site
    for enforced, expected in (("all", [5, 24]), ("no", [])):
        rule = site.policy.backfill.to_dict() | {"enforce_part_limits": enforced}
        policy = dataclasses.replace(site.policy, backfill=rule)
        result = sw.simulate(trace, site.replace(policy=policy))
        rejected = np.flatnonzero(result.state == sw.State.REJECTED)
        assert [jobs[row].number for row in rejected] == expected


def test_limits_are_whole_minutes_rounded_up() -> None:
    # In the lab, two jobs submitted with 0:30 and 1:30 got limits of one and two minutes.
    assert [minutes_rounded_up(each) for each in (30, 60, 90)] == [60, 60, 120]
