"""Checks that rules marked "seen" in docs/slurm_rules.md are needed to explain recordings."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from reference.slurm.rules import Rules
from slurm.case import RECORDINGS
from slurm.test_priorities import WITHOUT_FACTOR
from slurm.test_rules import WITHOUT, WITHOUT_SHARES, WITHOUT_SIZE

TESTS = Path(__file__).parent
PAGE = TESTS.parents[1] / "docs" / "slurm_rules.md"
RECORDED = {path.stem for path in RECORDINGS.glob("*.conf")}
ALL = "all recordings with events"
PUBLIC = "the public run"

# Tests of single rules, each with the recordings for which it shows that the rule is needed.
TESTED = {
    "test_ages_are_missed_if_jobs_have_one_before_a_scheduler_considers_them": "factors",
    "test_priorities_after_sunday_are_missed_without_the_reset": "reset",
    "test_passes_have_no_cause_without_the_rule": ALL,
    "test_passes_are_early_or_late_with_another_delay": ALL,
    "test_passes_are_early_or_late_if_ends_are_treated_otherwise": "complete_wait memory tiers",
    "test_a_pass_is_early_if_the_delay_begins_with_any_pass": "complete_wait",
    "test_full_passes_are_early_if_the_interval_begins_with_any_pass": ALL,
    "test_cycles_are_late_unless_they_wait_for_a_change": ALL,
    "test_cycles_are_late_if_the_interval_begins_with_the_previous_cycle": "memory",
    "test_a_recording_is_missed_with_another_value": "part_limit user_part_limit count_reserve",
    "test_without_a_bound_cycles_make_plans_that_slurm_did_not": "max_time",
    "test_nearly_all_steps_of_the_run_are_explained": PUBLIC,
    "test_jobs_are_killed_at_the_check_after_their_limit": "case_limits",
    "test_jobs_beyond_the_limits_of_their_partition_are_refused": "refused",
    "test_a_completing_job_holds_both_schedulers": "complete_wait",
}

# For each rule on the page, one line for each of its marks, in order. A line lists switches of
# `Rules`, or tests in TESTED.
EVIDENCE = {
    1: ["tiers priority_order submit_order"],
    2: [
        "truncated",
        "qos_factor unused_qos",
        "association_factor account_priority",
        "tres_factor",
        "default_memory",
        "nice later_site_factor",
        "job_size",
        "favor_small",
        "test_nearly_all_steps_of_the_run_are_explained",
        "size_by_time",
        "largest_partition",
        "test_ages_are_missed_if_jobs_have_one_before_a_scheduler_considers_them",
        "damping",
        "renewal",
        "renewal_by_number",
        "renewed_usage",
        "test_priorities_after_sunday_are_missed_without_the_reset",
        "decay_by_second",
        "no_decay",
        "decayed_addition usage_at_end",
        "fixed_accounts fixed_users account_usage root_share",
    ],
    3: [
        "test_passes_have_no_cause_without_the_rule",
        "test_passes_have_no_cause_without_the_rule",
        "test_passes_are_early_or_late_with_another_delay",
        "test_passes_are_early_or_late_if_ends_are_treated_otherwise",
        "test_a_pass_is_early_if_the_delay_begins_with_any_pass",
        "queue_depth one_job_deeper",
        "test_full_passes_are_early_if_the_interval_begins_with_any_pass",
        "closed_partitions closed_nodes",
    ],
    4: [
        "test_cycles_are_late_if_the_interval_begins_with_the_previous_cycle",
        "test_cycles_are_late_unless_they_wait_for_a_change",
        "user_limit",
        "test_a_recording_is_missed_with_another_value",
        "test_a_recording_is_missed_with_another_value",
        "tested_jobs only_sought_jobs",
        "plan_table one_more_plan",
        "test_without_a_bound_cycles_make_plans_that_slurm_did_not",
        "cut_cycles",
    ],
    5: [
        "every_job_planned",
        "plan_window",
        "test_a_recording_is_missed_with_another_value",
    ],
    6: ["named_nodes"],
    7: ["cut_times", "touching"],
    8: [
        "later_tries tries_within_reach tries_after_overlap started_jobs_run",
        "merged_spans",
        "single_ends",
        "lumped_ends common_origin longer_groups",
    ],
    9: [
        "tight_runs longest_runs",
        "nodes_by_name",
        "runs_of_cpus larger_runs",
        "tight_last_node",
        "whole_memory",
        "light_nodes heavier_nodes_added weightless_plans",
        "light_nodes",
        "lighter_gpu_nodes partial_resets",
        "gpu_cpus",
        "test_nearly_all_steps_of_the_run_are_explained",
    ],
    10: ["whole_node_plans"],
    11: ["test_jobs_are_killed_at_the_check_after_their_limit"],
    12: ["partition_limits", "test_jobs_beyond_the_limits_of_their_partition_are_refused"],
    13: ["completing_nodes", "test_a_completing_job_holds_both_schedulers"],
    15: ["held_back", "held_back_at_depth", "held_back_untested"],
}


class Mark(NamedTuple):
    """A mark on the page: its rule, and its text without the brackets."""

    rule: int
    text: str

    @property
    def sources(self) -> set[str]:
        """The recordings that the mark names."""
        named = set(re.findall(r"`(\w+)`", self.text.split(" except ")[0])) & RECORDED
        return named | {each for each in (ALL, PUBLIC) if each in self.text}


def rules_of_the_page() -> str:
    """Return the sections of the page that contain rules, as one line."""
    text = PAGE.read_text(encoding="utf-8")
    first, last = text.index("\n## Order\n"), text.index("\n## Open questions\n")
    return " ".join(text[first:last].split())


def marks(word: str) -> list[Mark]:
    """Return the marks that begin with a word."""
    found = []
    rule = 0
    pattern = rf" (\d+)\. \*\*|\(({word}\b(?:[^()]|\([^()]*\))*)\)"
    for match in re.finditer(pattern, rules_of_the_page()):
        if match[1]:
            rule = int(match[1])
        else:
            found.append(Mark(rule, match[2]))
    return found


def missed_by(name: str) -> set[str]:
    """Return the recordings that require a switch, or those listed for a test."""
    if name in TESTED:
        return {TESTED[name]} if TESTED[name] in (ALL, PUBLIC) else set(TESTED[name].split())
    pairs = [(rule, recording) for rule, recording, *_ in [*WITHOUT, *WITHOUT_FACTOR]]
    pairs += [(rule, "tiers") for rule, _ in WITHOUT_SIZE]
    pairs += [(rule, "fairshare") for rule, _ in WITHOUT_SHARES]
    return {recording for rule, recording in pairs if rule == name}


def test_every_mark_that_says_seen_is_found() -> None:
    assert len(re.findall(r"\bseen\b", rules_of_the_page())) == len(marks("seen"))
    assert len(marks("seen")) > 50


@pytest.mark.parametrize("rule", sorted({mark.rule for mark in marks("seen")}))
def test_every_rule_marked_seen_is_missed_in_the_recordings_that_it_names(rule: int) -> None:
    found = [mark for mark in marks("seen") if mark.rule == rule]
    evidence = EVIDENCE.get(rule, [])
    assert len(evidence) == len(found), f"rule {rule}: one line of EVIDENCE for each mark"
    for mark, names in zip(found, evidence, strict=True):
        missed = {recording for name in names.split() for recording in missed_by(name)}
        assert mark.sources, f"rule {rule} names no recording: {mark.text}"
        assert mark.sources <= missed, f"rule {rule}: {mark.text}, tested with {missed}"


def test_every_switch_is_evidence_for_its_rule() -> None:
    lines = (TESTS.parent / "reference" / "slurm" / "rules.py").read_text(encoding="ascii")
    rule_of = dict(re.findall(r"(\w+): bool = \(?\s*True  # (\d+):", lines))
    assert rule_of.keys() == {each.name for each in dataclasses.fields(Rules)}
    written = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.glob("test_*.py"))
    for switch, rule in rule_of.items():
        names = " ".join(EVIDENCE[int(rule)]).split()
        turned_off = re.compile(rf'"{switch}"|\b{switch}=False')
        tests = [
            name for name in names if name in TESTED and turned_off.search(source_of(name, written))
        ]
        assert switch in names or tests, switch
        assert missed_by(switch) or tests, switch


def source_of(test: str, text: str) -> str:
    """Return a test with its decorators; two blank lines separate the functions in `text`."""
    return next(part for part in text.split("\n\n\n") if f"def {test}(" in part)


def test_every_named_test_names_its_recordings() -> None:
    for test, recordings in TESTED.items():
        file = next(
            path.read_text(encoding="utf-8")
            for path in sorted(TESTS.glob("test_*.py"))
            if f"def {test}(" in path.read_text(encoding="utf-8")
        )
        if recordings == ALL:
            assert '("name", WITH_EVENTS)' in source_of(test, file)
        elif recordings != PUBLIC:
            assert all(re.search(rf'["/]{name}[".]', file) for name in recordings.split())


def test_the_first_lines_define_every_mark() -> None:
    head = PAGE.read_text(encoding="utf-8").split("\n## ")[0]
    defined = set(re.findall(r"^- \*\*(\w+)\*\*:", head, flags=re.MULTILINE))
    assert defined == {"seen", "read", "unconfirmed"}
    for word in defined:
        assert marks(word), word


def test_the_list_of_each_rule_is_indented() -> None:
    # A line at the margin would end the list, and the next rule would begin a new one.
    text = PAGE.read_text(encoding="utf-8")
    for section in text[text.index("\n## Order\n") : text.index("\n## Open")].split("\n## ")[1:]:
        lines = section[section.index(". **") :].splitlines()[1:]
        assert [line for line in lines if line and not re.match(r"\d+\. |   ", line)] == []
