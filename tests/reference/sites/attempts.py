"""Computes how long an attempt with checkpoints takes, and how much work an interruption spares."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference.sites.values import Interruption


def _checkpoints(rule: Interruption, work: int, done: int) -> list[int]:
    """Return how many seconds into this attempt's work each checkpoint is written.

    No checkpoint is written at the very end of the work.
    """
    if rule.checkpoint_every:
        return list(range(rule.checkpoint_every, work, rule.checkpoint_every))
    if rule.checkpoint_at and done < rule.checkpoint_at < done + work:
        return [rule.checkpoint_at - done]
    return []


def seconds_of(rule: Interruption, work: int, done: int) -> int:
    """Return the length of an attempt with `work` seconds left, after `done` seconds were saved."""
    return work + len(_checkpoints(rule, work, done)) * rule.checkpoint_cost


def saved_by(rule: Interruption, work: int, done: int, elapsed: int) -> int:
    """Return the work that need not be repeated if the attempt ends after `elapsed` seconds.

    The n-th checkpoint is complete once the work before it and n checkpoint writes are done.
    """
    if rule.requeue != "from-checkpoint":
        return 0
    points = _checkpoints(rule, work, done)
    written = [
        point
        for number, point in enumerate(points, start=1)
        if point + number * rule.checkpoint_cost <= elapsed
    ]
    return max(written, default=0)
