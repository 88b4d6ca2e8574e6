"""Messages about unknown keys of a site that exist under another name or in another table.

Example: ``PriorityTier`` of a ``slurm.conf`` is the key ``tier`` of a queue, and the weight ``age``
belongs to ``policy.order``, not to ``policy``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.site.names import unknown_name

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_IN_SITE = {
    "PriorityTier": "queue.NAME.tier",
    "PriorityJobFactor": "queue.NAME.priority",
    "MaxTime": "queue.NAME.walltime",
    "DefaultTime": "queue.NAME.default_walltime",
    "MinNodes": "queue.NAME.nodes_per_job",
    "MaxNodes": "queue.NAME.nodes_per_job",
    "OverSubscribe": "queue.NAME.exclusive",
    "PriorityWeightAge": "policy.order.age",
    "PriorityMaxAge": "policy.order.max_age",
    "PriorityWeightJobSize": "policy.order.job_size",
    "PriorityFavorSmall": "policy.order.favor_small",
    "PriorityWeightPartition": "policy.order.partition",
    "PriorityWeightFairshare": "policy.order.fairshare",
    "PriorityDecayHalfLife": "policy.order.half_life",
    "FairShareDampeningFactor": "policy.order.dampening",
    "PriorityUsageResetPeriod": "policy.order.usage_reset",
    "PriorityWeightQOS": "policy.order.qos",
    "PriorityWeightAssoc": "policy.order.association",
    "PriorityWeightTRES": "policy.order.tres",
    "PriorityCalcPeriod": "policy.priority_calc_period",
    "CompleteWait": "policy.complete_wait",
    "KillWait": "policy.kill_wait",
    "OverTimeLimit": "policy.over_time_limit",
    "EnforcePartLimits": "policy.enforce_part_limits",
    "SelectType": "policy.select_type",
    "GrpJobs": "limits.running",
    "MaxJobsPerUser": "limits.running_per_user",
    "MaxJobsPerAccount": "limits.running_per_account",
    "GrpSubmitJobs": "limits.submitted",
    "MaxSubmitJobsPerUser": "limits.submitted_per_user",
    "MaxSubmitJobsPerAccount": "limits.submitted_per_account",
    "GrpTRES": "limits.total",
    "MaxTRESPerUser": "limits.per_user",
    "MaxTRESPerAccount": "limits.per_account",
}
"""Settings of Slurm with their keys in a site."""

_BY_NAME = {name.lower(): (name, key) for name, key in _IN_SITE.items()}


def unknown_key(what: str, name: str, known: Sequence[str], of_order: Collection[str] = ()) -> str:
    """Return the message for an unknown key: the intended key, then all known keys.

    `of_order` contains the keys that belong to ``policy.order`` instead.
    """
    if name.lower() in _BY_NAME:
        slurm, key = _BY_NAME[name.lower()]
        meant = f"; Slurm's {slurm} is '{key}' here;"
    elif name in of_order:
        meant = f"; did you mean 'policy.order.{name}'?"
    else:
        return unknown_name(what, name, known)
    return f"unknown {what} '{name}'{meant} known names are: {', '.join(known)}"
