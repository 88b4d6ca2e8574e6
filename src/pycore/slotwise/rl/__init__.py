"""Gymnasium environments in which an agent decides which waiting job goes first.

Importing this package registers ``slotwise/Queue-v0`` (``pip install 'slotwise[rl]'``).
"""

from __future__ import annotations

from slotwise.extras import load

_gymnasium = load("gymnasium")

from slotwise.rl.environment import SchedulingEnv  # noqa: E402
from slotwise.rl.faults import MaskedActionError, RefusedPlacementError  # noqa: E402
from slotwise.rl.state import JobColumns, QueueState, Totals  # noqa: E402
from slotwise.rl.vector_environment import SchedulingVectorEnv  # noqa: E402

ENVIRONMENT = "slotwise/Queue-v0"

if ENVIRONMENT not in _gymnasium.registry:
    _gymnasium.register(
        ENVIRONMENT,
        entry_point="slotwise.rl.environment:SchedulingEnv",
        vector_entry_point="slotwise.rl.vector_environment:SchedulingVectorEnv",
    )

__all__ = [
    "ENVIRONMENT",
    "JobColumns",
    "MaskedActionError",
    "QueueState",
    "RefusedPlacementError",
    "SchedulingEnv",
    "SchedulingVectorEnv",
    "Totals",
]
