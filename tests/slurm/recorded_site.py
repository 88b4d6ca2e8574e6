"""A recording as a trace, and its slurm.conf as the site that `slotwise site from-slurm` writes."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import slotwise as sw
from reference.slurm.standing import Standing, read_standing
from slotwise.formats.slurm_site import describe_site
from slurm.case import RECORDINGS, Case

if TYPE_CHECKING:
    from random import Random

KILOBYTES = 1024  # kilobytes in a megabyte
ZERO = 1_767_225_600  # 2026-01-01, from which recordings count seconds


def standing_of(name: str) -> Standing:
    """Return the priorities of QOS and associations, and the accounts of users."""
    path = RECORDINGS / f"{name}.accounts"
    return read_standing(path.read_text(encoding="utf-8").splitlines() if path.exists() else [])


def site_of(name: str) -> sw.Site:
    """Return the site of the slurm.conf, with what the accounting database adds to it."""
    site = describe_site(RECORDINGS / f"{name}.conf", version="22.05").site
    standing = standing_of(name)
    if most := Case.named(name).parameters.jobs_per_user:
        site = site.replace(limits=sw.Limits(running_per_user=most))
    order = site.policy.order
    weighs = not isinstance(order, str) and "fairshare" in order.to_dict()
    if weighs and (shares := Case.named(name).shares):
        users = {f"{account}/{user}": n for user, (account, n) in shares.users.items()}
        site = with_order(site, shares=shares.accounts | users)
    if not (standing.qos or standing.accounts or standing.users):
        return site
    associations = standing.accounts | {
        f"{account}/{user}": priority for (account, user), priority in standing.users.items()
    }
    return with_order(site, qos_priority=standing.qos, association_priority=associations)


def with_order(site: sw.Site, **changes: Any) -> sw.Site:
    """Return the site with some parameters of its order changed."""
    order = site.policy.order.to_dict() | changes
    return site.replace(policy=dataclasses.replace(site.policy, order=order))


def with_rule(site: sw.Site, **changes: Any) -> sw.Site:
    """Return the site with some parameters of the preset changed."""
    rule = site.policy.backfill.to_dict() | changes
    return site.replace(policy=dataclasses.replace(site.policy, backfill=rule))


def trace_of(
    name: str,
    first_submit: int | None = None,
    *,
    whole_memory: bool = False,
    delays: Random | None = None,
) -> sw.Trace:
    """Return the recorded jobs, in order of submission, with their recorded run times.

    With `first_submit`, a copy of the first job is submitted at that time, as job 0. With
    `whole_memory`, jobs without a memory request request as much as the largest node has, because
    Slurm gives them all memory of their nodes.
    `delays` draws a delay of up to 3 s for each submission.
    """
    case = Case.named(name)
    recorded = [
        dataclasses.replace(each.job, run=each.end - each.start if each.start >= 0 else 0)
        for each in case.recording.jobs.values()
    ]
    if delays is not None:
        recorded = [
            dataclasses.replace(job, submit=job.submit + delays.randint(0, 3)) for job in recorded
        ]
    if first_submit is not None:
        recorded.append(dataclasses.replace(recorded[0], number=0, submit=first_submit))
    jobs = sorted(recorded, key=lambda job: (job.submit, job.number))
    accounts = standing_of(name).account_of
    each_node: dict[str, Any] = {"cores": [job.cpus_per_node for job in jobs]}
    most = max(node.memory for node in case.machine.nodes) if whole_memory else 0
    if case.machine.counts_memory:
        each_node["memory"] = [(job.memory or most) * KILOBYTES for job in jobs]
    if any(node.gpus for node in case.machine.nodes):
        each_node["gpus"] = [job.gpus for job in jobs]
    demands = sw.Demands(
        [job.nodes for job in jobs],
        nodes=[job.nodes for job in jobs],
        exclusive=["job" if job.exclusive else "no" for job in jobs],
        constraint=[job.feature for job in jobs],
        **each_node,
    )
    trace = sw.Trace.from_columns(
        [job.submit for job in jobs],
        [job.run for job in jobs],
        demands.processors,
        [job.limit for job in jobs],
        job_id=[job.number for job in jobs],
        user=[job.user for job in jobs],
        account=[accounts.get(job.user, "") for job in jobs],
        partition=[job.partition for job in jobs],
        qos=[job.qos or "normal" for job in jobs],
        nice=[job.nice for job in jobs],
        site_factor=[job.site_factor for job in jobs],
        unix_start_time=ZERO,
    )
    return trace.with_demands(demands)
