"""Remarks on ``slurm.conf`` settings that have no effect, or only with other settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_OF_THE_DATABASE = {
    "qos": ("each QOS", "sacctmgr show qos format=name,priority"),
    "association": (
        "each account or account/user",
        "sacctmgr show assoc format=account,user,priority",
    ),
}

_LEAST_MIN_INTERVAL = 1_000_000
"""The smallest sched_min_interval, in microseconds, that affects a replay."""


def priority_remarks(
    order: Mapping[str, Any], has_fair_tree: bool, has_shares: bool
) -> Iterator[str]:
    """State which priorities and shares the site lacks."""
    if order.get("fairshare") and has_fair_tree:
        yield "Fair Tree is not supported. Classic fair share is used instead."
    if order.get("fairshare") and not has_shares:
        yield (
            "All accounts have equal shares, and so do all users within an account. To use "
            "other shares, run 'sacctmgr dump CLUSTER file=FILE' and pass --accounts FILE."
        )
    elif has_shares and not order.get("fairshare"):
        yield (
            "Shares of accounts are left out, because they have no effect without a fair-share "
            "weight."
        )
    for weight, (owners, command) in _OF_THE_DATABASE.items():
        if order.get(weight):
            yield (
                f"The weight {weight} has no effect without the priority of {owners}, which "
                f"slurm.conf does not contain; add {weight}_priority to order in [policy], with "
                f"the priorities that '{command}' prints."
            )
    if order.get("usage_reset"):
        yield (
            "usage_reset needs the date of the log's time 0; if the log has none, set [clock] "
            "start."
        )


def planner_remarks(fields: Mapping[str, Any]) -> Iterator[str]:
    """State which parameters of the preset have no effect."""
    if fields.get("complete_wait"):
        yield (
            "CompleteWait has no effect unless [policy] has epilog_time, the seconds that "
            "nodes spend in state COMPLETING; slurm.conf does not say how long an epilog "
            "takes."
        )
    if fields.get("defer") and not fields.get("has_epilog"):
        yield (
            "defer has no effect without an Epilog, because the main scheduler then waits for "
            "batch_sched_delay after the end of a job in any case."
        )
    if "bf_continue" in fields:
        yield "bf_continue has no effect, because the cycles of a replay take no time."
    if fields.get("sched_min_interval", _LEAST_MIN_INTERVAL) < _LEAST_MIN_INTERVAL:
        yield "sched_min_interval has no effect, because it is below one second."
