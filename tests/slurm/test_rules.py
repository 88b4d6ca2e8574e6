"""Each observed rule is switched off; a recording is then no longer reproduced."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from collections.abc import Iterator

# The rule, the recording, the scheduler, and the kind and number of faults without the rule.
WITHOUT = [
    ("tiers", "tiers", "backfill", "too_many", 5),
    ("priority_order", "tiers", "main", "missing", 79),
    ("submit_order", "tiers", "main", "missing", 18),
    ("job_size", "prio", "backfill", "missing", 93),
    ("largest_partition", "prio", "backfill", "missing", 5),
    ("closed_partitions", "test_depth", "main", "too_many", 183),
    ("closed_nodes", "tiers", "main", "too_many", 40),
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
    ("later_tries", "user_limit", "backfill", "plans_differ", 997),
    ("tries_within_reach", "features", "backfill", "plans_differ", 84),
    ("tries_after_overlap", "test_depth", "backfill", "too_many", 14),
    ("started_jobs_run", "test_depth", "backfill", "too_many", 15),
    ("merged_spans", "user_limit", "backfill", "plans_differ", 25),
    ("merged_spans", "fairshare", "backfill", "plans_differ", 2449),
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

# The rule, and the number of priorities of `tiers` that are wrong without it.
WITHOUT_SIZE = [("job_size", 130), ("largest_partition", 130)]

# The rule, and the number of priorities of `fairshare` that are wrong without it.
WITHOUT_SHARES = [
    ("renewal", 1011),
    ("renewal_by_number", 1165),
    ("decay_by_second", 19),
    ("decayed_addition", 556),
    ("usage_at_end", 1334),
    ("fixed_accounts", 782),
    ("fixed_users", 752),
    ("account_usage", 1381),
    ("root_share", 1381),
]


def without(rule: str) -> Rules:
    return dataclasses.replace(Rules(), **{rule: False})


@pytest.mark.parametrize(("rule", "name", "kind", "fault", "count"), WITHOUT)
def test_a_recording_is_missed_without_the_rule(
    rule: str, name: str, kind: str, fault: str, count: int
) -> None:
    score = judged(name, without(rule))[kind]
    assert len(getattr(score, fault)) == count


def test_no_recording_shows_the_order_of_jobs_with_the_same_submit_time() -> None:
    # Job IDs are in order of submission, and no two jobs of equal priority are submitted in the
    # same second.
    for path in RECORDINGS.glob("*.conf"):
        case = Case.named(path.stem)
        jobs = [case.recording.jobs[number].job for number in sorted(case.recording.jobs)]
        priority = dict(submitted(case.recording))
        for job, after in pairwise(jobs):
            assert job.submit <= after.submit
            if job.submit == after.submit:
                assert priority[job.number] != priority[after.number]


def submitted(recording: Recording) -> Iterator[tuple[int, int]]:
    """Yield the numbers and the first priorities of the jobs, where these are recorded."""
    for words in (line.split() for line in recording.events):
        if words[1] == "submit":
            yield int(words[2]), int(words[3])


def test_nodes_are_in_the_order_of_their_names() -> None:
    # In the recording `node_order`, slurm.conf lists n[10-12], then n[5-9], then n[1-4]. In that
    # order, n10 would be the first node, and the runs of neighbouring nodes would be different.
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


@pytest.mark.parametrize(("rule", "count"), WITHOUT_SIZE)
def test_priorities_of_tiers_are_missed_without_the_rule(rule: str, count: int) -> None:
    assert sum(each != 0 for each in priorities("tiers", without(rule))) == count


def test_priorities_of_age_and_fair_share_are_the_recorded_ones() -> None:
    # 15 of 1,386 priorities differ by one, because Slurm sums usage in a different order.
    differences = priorities("fairshare", Rules())
    assert len(differences) == 1386
    assert sum(each == 0 for each in differences) == 1371
    assert {abs(each) for each in differences} == {0, 1}


@pytest.mark.parametrize(("rule", "count"), WITHOUT_SHARES)
def test_priorities_of_fairshare_are_missed_without_the_rule(rule: str, count: int) -> None:
    assert sum(each != 0 for each in priorities("fairshare", without(rule))) == count


def test_jobs_are_killed_at_the_check_after_their_limit() -> None:
    # In case_limits, limits are 60, 60, 120 and 180 s. One check is at 271 s, and checks are 30 s
    # apart.
    jobs = Recording(RECORDINGS / "case_limits.csv").jobs.values()
    ends = [killed_at(each.start, each.job.limit, check=271) for each in jobs]
    assert [each.end for each in jobs] == [271, 301, 361, 422]
    # Slurm's last check came a second late, because the 30 s begin when the previous check ends.
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
