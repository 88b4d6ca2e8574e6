"""Values of a policy's fields: allowed values, presets, and conversion to the core's type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from slotwise._core import (
    Allocation,
    Estimates,
    EventOrder,
    Passes,
    Policy as CorePolicy,
    Reserve,
)
from slotwise.site.policy.backfill_facts import backfill_facts
from slotwise.site.policy.order_spec import to_core

if TYPE_CHECKING:
    from collections.abc import Mapping


ESTIMATES = {
    "requested": Estimates.requested,
    "exact": Estimates.exact,
    "user-history": Estimates.user_history,
}
EVENT_ORDERS = {
    "completions-first": EventOrder.completions_first,
    "arrivals-first": EventOrder.arrivals_first,
}
PASSES = {
    "per-instant": Passes.per_instant,
    "per-event": Passes.per_event,
}
ALLOCATIONS = {
    "first": Allocation.first,
    "contiguous": Allocation.contiguous,
    "contiguous-best": Allocation.contiguous_best,
    "contiguous-worst": Allocation.contiguous_worst,
    "least-spread": Allocation.least_spread,
}
RESERVES = {"numbers": Reserve.numbers, "nodes": Reserve.nodes}
LONGEST_PERIOD = 366 * 86400
_USUAL_PERIOD = 30
"""Seconds between passes, from X. Yang et al. (CLUSTER 2014): their scheduler wakes every 10 to
30 s."""
_UNIT_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}

PRESETS: dict[str, dict[str, Any]] = {
    "pyss": {
        "passes": "per-event",
        "event_order": "arrivals-first",
        "ending_now": "free",
        "compression": "every-end",
        "promises": "per-arrival",
    },
    "cqsim": {"passes": "per-event", "waiting_estimates": "exact"},
    "rlscheduler": {
        "passes": "per-event",
        "event_order": "arrivals-first",
        "spare_processors": False,
        "strict_end": True,
        "frozen_reservation": True,
    },
    "as-logged": {"backfill": "as-logged", "kill_at_limit": False},
    "slurm-22.05": {"backfill": "slurm"},
    "slurm-25.11": {"backfill": "slurm"},
}
"""Fields that a published simulator or a version of Slurm fixes, by preset name."""

PRESET_DEFAULTS: dict[str, dict[str, Any]] = {
    "slurm-22.05": {"order": "fcfs", "select_type": "linear", "limit_check": 30},
    "slurm-25.11": {"order": "multifactor", "select_type": "cons_tres", "limit_check": 30},
}
"""Default values of a preset, for fields that are not given."""

SLURM_VERSIONS = ("22.05", "25.11")
"""Versions of Slurm whose defaults are known."""


def period_seconds(passes: str) -> int | None:
    """Return the seconds of a period such as ``"30s"`` or ``"5m"``; None for any other text."""
    if passes.strip() == "periodic":
        return _USUAL_PERIOD
    match = re.fullmatch(r"([0-9]{1,18})\s*([smhd]?)", passes.strip())
    return int(match[1]) * _UNIT_SECONDS[match[2] or "s"] if match else None


def core_value(policy: Any, values: Mapping[str, Any]) -> CorePolicy:
    """Convert a policy to the core's type.

    Parameters
    ----------
    policy : Policy
    values : mapping
        Every field, and every parameter of its backfill.
    """
    core = CorePolicy()
    core.order = to_core(policy.order)
    core.backfill = values["backfill"]
    core.parameters = {
        name: number
        for name, facts in backfill_facts()[core.backfill].parameters.items()
        if (number := facts.to_core(values[name])) is not None
    }
    if policy.backfill_order is not None:
        core.backfill_order = to_core(policy.backfill_order)
    core.estimates = ESTIMATES[policy.estimates]
    core.waiting_estimates = ESTIMATES[policy.waiting_estimates or policy.estimates]
    core.passes = PASSES.get(policy.passes, Passes.periodic)
    core.period = period_seconds(policy.passes) or 0
    core.kill_at_limit = policy.kill_at_limit
    core.allocation = ALLOCATIONS[policy.allocation]
    core.reserve = RESERVES[policy.reserve]
    core.event_order = EVENT_ORDERS[policy.event_order]
    core.ending_now_is_free = policy.ending_now == "free"
    core.spare_processors = policy.spare_processors
    core.strict_end = policy.strict_end
    core.frozen_reservation = policy.frozen_reservation
    core.compress_at_every_end = policy.compression == "every-end"
    core.promise_per_arrival = policy.promises == "per-arrival"
    return core
