"""Hypothesis settings: the same examples in every run, or SLOTWISE_EXAMPLES=N new ones per test."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

GIVEN = os.environ.get("SLOTWISE_EXAMPLES")


def hurried(examples: int) -> settings:
    """Return settings with this many examples per test, and no time limit for an example."""
    return settings(
        max_examples=int(GIVEN or examples),
        derandomize=GIVEN is None,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
