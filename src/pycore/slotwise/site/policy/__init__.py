"""Policies: order, backfill and their parameters, and the functions that a user may give."""

from slotwise.site.policy.policy import (
    PRESETS,
    ParameterInfo,
    Policy,
    PolicyInfo,
    backfills,
    flat,
    orders,
    policy_defaults,
)

__all__ = [
    "PRESETS",
    "ParameterInfo",
    "Policy",
    "PolicyInfo",
    "backfills",
    "flat",
    "orders",
    "policy_defaults",
]
