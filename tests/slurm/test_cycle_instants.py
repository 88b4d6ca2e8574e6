"""Instants of backfill cycles: rule 4 of docs/slurm_rules.md."""

from __future__ import annotations

import dataclasses

import pytest

from reference.slurm.rules import Rules
from slurm.case import RECORDINGS, Case
from slurm.instants import Cycles

# In `complete_wait`, completing jobs hold back cycles as well (rule 13).
WITH_EVENTS = sorted(
    {path.name.split(".")[0] for path in RECORDINGS.glob("*.events.gz")} - {"complete_wait"}
)


@pytest.mark.parametrize("name", WITH_EVENTS)
def test_cycles_follow_the_interval_or_a_later_change(name: str) -> None:
    cycles = Cycles(Case.named(name))
    assert cycles.count > 100
    assert (cycles.early, cycles.late) == ([], [])
    assert len(cycles.unlogged) <= 0.06 * cycles.count


@pytest.mark.parametrize("name", WITH_EVENTS)
def test_cycles_are_late_unless_they_wait_for_a_change(name: str) -> None:
    cycles = Cycles(Case.named(name), dataclasses.replace(Rules(), quiet_cycles=False))
    assert len(cycles.late) >= 5


def test_cycles_are_late_if_the_interval_begins_with_the_previous_cycle() -> None:
    # With the rule, no cycle of `memory` is late, and 13 cycles follow unlogged changes.
    assert len(Cycles(Case.named("memory")).unlogged) == 13
    cycles = Cycles(Case.named("memory"), dataclasses.replace(Rules(), interval_after_end=False))
    assert (len(cycles.late), len(cycles.unlogged)) == (1, 41)
