"""Policies: orders and backfill rules with their parameters, and functions that users write."""

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
