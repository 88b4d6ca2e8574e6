"""The end of a job at its limit: rule 11 of docs/slurm_rules.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference.slurm.rules import Rules

CHECK = 30


def minutes_rounded_up(limit: int) -> int:
    """Return a limit as Slurm counts it: whole minutes, rounded up, in seconds."""
    return -(-limit // 60) * 60


def killed_at(
    start: int, limit: int, check: int, over_time: int = 0, rules: Rules | None = None
) -> int:
    """Return the time at which a job that exceeds its limit is killed.

    Slurm checks every 30 s; `check` is the instant of any one of these checks.
    """
    due = start + minutes_rounded_up(limit) + over_time
    if rules is not None and not rules.late_kills:
        return due
    return due + (check - due) % CHECK
