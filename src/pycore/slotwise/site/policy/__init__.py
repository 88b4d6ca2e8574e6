"""Policies: order, backfill and their parameters, and functions that users provide."""

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
