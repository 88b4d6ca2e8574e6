"""A random workload with priorities, replayed by the oracle and under the preset."""

from __future__ import annotations

import calendar
from typing import TYPE_CHECKING, Any

import slotwise as sw
from reference.slurm.node_sets import members
from reference.slurm.preset_replay import PresetReplay
from reference.slurm.replay_priorities import ReplayPriorities
from slurm.drawn_replays import site_of, trace_of

if TYPE_CHECKING:
    from reference.slurm.drawing_priorities import DrawnPriorities
    from reference.slurm.fair_share import Shares
    from reference.slurm.parameters import Weights
    from reference.slurm.standing import Standing

RESOURCES = {"cpu": "cores", "mem": "memory", "node": "nodes", "gres/gpu": "gpus"}


def differences(drawn: DrawnPriorities) -> list[str]:
    """Return the jobs whose start, nodes or priority differ."""
    replay = drawn.replay
    priorities = ReplayPriorities(
        replay.machine, drawn.weights, drawn.standing, replay.jobs, drawn.zero, drawn.shares
    )
    oracle = PresetReplay(replay.machine, replay.parameters, replay.jobs, replay.epilog, priorities)
    starts = oracle.run()
    if not starts:
        return []  # the core refuses a trace in which no job starts
    result = by_core(drawn)
    found = []
    for number in range(len(replay.jobs)):
        own = starts.get(number)
        expected = (own[0], members(own[1])) if own else None
        start = int(result.start[number])
        core = (start, sorted(result.places(number)[0].tolist())) if start >= 0 else None
        if core != expected:
            found.append(f"job {number}: the oracle {expected}, the core {core}")
    if found:
        return found
    return [
        f"priority of job {number}: the oracle {priorities.priority[number]}, Slotwise {said}"
        for number, (start, _) in starts.items()
        if (said := result.priority_at(number, start).priority) != priorities.priority[number]
    ]


def by_core(drawn: DrawnPriorities) -> sw.Result:
    """Replay the workload under the preset."""
    replay = drawn.replay
    site = site_of(
        replay,
        order=order_of(drawn.weights, drawn.standing) | shares_of(drawn.shares),
        priority_calc_period=drawn.weights.period,
    )
    jobs = replay.jobs
    trace = trace_of(replay, calendar.timegm(drawn.zero.timetuple())).with_columns(
        account=[job.account for job in jobs],
        qos=[job.qos for job in jobs],
        nice=[job.nice for job in jobs],
        site_factor=[job.site_factor for job in jobs],
    )
    return sw.simulate(trace, site)


def shares_of(shares: Shares | None) -> dict[str, Any]:
    """Return the shares in the form that slotwise uses; shares of 1 are left out."""
    if shares is None:
        return {}
    table = {name: share for name, share in shares.accounts.items() if share != 1 or name == "d"}
    users = {"/".join(owner): n for owner, (_, n) in shares.users.items()}
    table |= {name: share for name, share in users.items() if share != 1 or name.endswith("/4")}
    return {"shares": table if shares.root == 1 else {"root": shares.root, **table}}


def order_of(weights: Weights, standing: Standing) -> dict[str, Any]:
    """Return the order in the form that slotwise uses."""
    associations = {
        **standing.accounts,
        **{f"{account}/{user}": n for (account, user), n in standing.users.items()},
    }
    return {
        "name": "multifactor",
        "age": weights.age,
        "max_age": weights.max_age,
        "job_size": weights.job_size,
        "favor_small": int(weights.favor_small),
        "relative_to_time": int(weights.relative_to_time),
        "partition": weights.partition,
        "fairshare": weights.fair_share,
        "half_life": weights.half_life,
        "dampening": weights.damping,
        "usage_reset": weights.reset.lower(),
        "qos": weights.qos,
        "qos_priority": standing.qos,
        "association": weights.association,
        "association_priority": associations,
        "tres": {RESOURCES[name]: weight for name, weight in weights.tres.items()},
    }
