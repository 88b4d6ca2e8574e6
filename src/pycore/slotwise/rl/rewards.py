"""Rewards of a step: named presets and their formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slotwise.rl.state import Totals

PRESETS = ("wait", "area", "bounded_slowdown", "rlscheduler", "deeprm", "utilisation")


def reward_of(preset: str, before: Totals, after: Totals, processors: int, done: bool) -> float:
    """Return the reward of a step, from the totals before and after it."""
    n_jobs, machine_hours = max(after.n_jobs, 1), 3600.0 * processors
    if preset == "wait":
        return -(after.waited - before.waited) / (3600 * n_jobs)
    if preset == "area":
        return -(after.waited_area - before.waited_area) / machine_hours
    if preset == "bounded_slowdown":
        return -(after.bounded_slowdown - before.bounded_slowdown) / n_jobs
    if preset == "rlscheduler":
        return -after.bounded_slowdown / n_jobs if done else 0.0
    if preset == "deeprm":
        return -(after.presence - before.presence)
    return (after.busy_area - before.busy_area) / machine_hours
