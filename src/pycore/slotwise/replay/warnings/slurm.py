"""Warnings about Slurm settings without effect, unknown time limits, and slow replays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.site.policy import Policy, flat, policy_defaults
from slotwise.site.policy.backfill_facts import name_of

if TYPE_CHECKING:
    from slotwise.site import Site
    from slotwise.trace import Trace

_MANY_CYCLES = 1_000_000


def slurm_parameters(site: Site) -> dict[str, Any]:
    """Return all fields of a policy with the ``slurm`` backfill; return {} for other policies."""
    if not isinstance(site.policy, Policy) or name_of(site.policy.backfill) != "slurm":
        return {}
    return {**policy_defaults(), **flat(site.policy.to_dict())}


def slurm_warnings(site: Site, trace: Trace) -> list[str]:
    """Return warnings about a site and a trace, if the policy has the ``slurm`` backfill."""
    values = slurm_parameters(site)
    if not values:
        return []
    found = []
    if values["complete_wait"] and not values["epilog_time"]:
        found.append(
            f"policy.complete_wait {values['complete_wait']} has no effect, because nodes are "
            "free as soon as their job ends; set policy.epilog_time, the seconds that nodes spend "
            "in the COMPLETING state"
        )
    if without := _without_request(site, trace):
        found.append(without)
    if len(trace) and (slow := _slow_job(values, trace)):
        found.append(slow)
    return found


def _without_request(site: Site, trace: Trace) -> str:
    """Warn about jobs whose time limit is not in the log."""
    count = int(np.count_nonzero(trace.has_request == 0))
    if count == 0:
        return ""
    n_defaults = sum(queue.default_walltime is not None for queue in site.queues)
    perfect = ", so backfill has perfect estimates"
    remedy = (
        "export Timelimit with sacct, unless it is UNLIMITED, or set default_walltime in each "
        "[[queue]]"
    )
    if n_defaults == 0:
        rule = f"its run time{perfect}"
    elif n_defaults < len(site.queues):
        rule = f"its queue's default_walltime or, if the queue has none, its run time{perfect}"
    else:
        rule = "its queue's default_walltime, or its run time if that is longer"
        remedy = "export Timelimit with sacct if Slurm knows the limits"
    return (
        f"the log has no time limit for {count:,} of {len(trace):,} jobs. In the replay, the limit "
        f"of such a job is {rule}: {remedy}"
    )


def _slow_job(values: dict[str, Any], trace: Trace) -> str:
    """Warn about the longest job if the schedulers would run a million times during it."""
    length = trace.run_time
    if values["kill_at_limit"]:
        length = np.minimum(length, trace.requested_time)
    row = int(np.argmax(length))
    intervals = [values["sched_interval"], values["bf_interval"]]
    interval = min(each for each in intervals if each > 0)
    cycles = int(length[row]) // interval
    if cycles < _MANY_CYCLES:
        return ""
    return (
        f"job {trace.job_id[row]} runs for {int(length[row]):,} s. While other jobs wait, Slurm's "
        f"schedulers run every {interval} s, up to {cycles:,} times during this job. The replay "
        "may take a long time; check the run times in the log"
    )
