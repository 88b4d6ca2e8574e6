"""Slurm's priority of a job at an instant of a replay, with its parts as ``sprio -l`` prints them.

Example: age weight 1000, maximum age 7 days, no other weight: after a wait of 3.5 days the
priority is 500, all of it age.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise._numbers import whole
from slotwise.explain.dependencies import dependencies_of
from slotwise.explain.site_core import core_of
from slotwise.replay.placements import row_of
from slotwise.site.machine.nodes import Nodes
from slotwise.site.policy.backfill_facts import backfill_facts, name_of
from slotwise.site.policy.order_spec import OrderSpec, own_orders
from slotwise.trace.node_demands import amount_asked, demands_of
from slotwise.written_values import shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData


class SlurmPriority(NamedTuple):
    """The priority of a job, and the parts that add up to it.

    Attributes
    ----------
    priority : int
        The sum, rounded down to a whole number; at least 1.
    age, fairshare, job_size, partition : float
        Weight times factor.
    renewed : int
        The instant for which the parts are valid: the last multiple of PriorityCalcPeriod, or the
        submit time.
    """

    priority: int
    age: float
    fairshare: float
    job_size: float
    partition: float
    renewed: int


def priority_at(data: ReplayData, row: int, time: int) -> SlurmPriority:
    """Return the parts of the priority of a job; see `Result.priority_at`."""
    job, at = row_of(data, row), whole(time)
    if at is None:
        raise ValueError(f"time {shown(time)}: must be a whole number of seconds, as row.submit")
    time = at
    weights = _weights(data)
    submit = int(data.trace.submit[job])
    if time < submit:
        raise ValueError(
            f"time {time}: job {row} is submitted at {submit}; give that time or a later one"
        )
    first, period = int(data.trace.submit[0]), _period(data)
    since = _eligible_from(data, job)
    renewed = max(first + (time - first) // period * period, since if since <= time else submit)
    age = weights["age"] * min(max(renewed - since, 0) / weights["max_age"], 1.0)
    fair = weights["fairshare"] and weights["fairshare"] * _fairshare(data, job, renewed, weights)
    size = weights["job_size"] and weights["job_size"] * _size(data, job, weights)
    partition = weights["partition"] * _partition(data, job)
    total = age + fair + size + partition
    return SlurmPriority(max(int(total), 1), age, fair, size, partition, renewed)


def weighted_parts(data: ReplayData) -> tuple[str, ...]:
    """Return the names of the parts that have a weight; empty unless `priority_at` applies."""
    try:
        weights = _weights(data)
    except ValueError:
        return ()
    return tuple(name for name in SlurmPriority._fields[1:-1] if weights[name])


def _weights(data: ReplayData) -> dict[str, float]:
    order = getattr(data.site.policy, "order", None)
    name = order.name if isinstance(order, OrderSpec) else order
    if name != "multifactor" or name_of(getattr(data.site.policy, "backfill", "")) != "slurm":
        raise ValueError(
            "priority_at needs the order multifactor under backfill slurm; this replay has order "
            f"{name}"
        )
    given: dict[str, Any] = dict(order.parameters) if isinstance(order, OrderSpec) else {}
    known = own_orders()["multifactor"].parameters
    return {each.name: float(given.get(each.name, each.default)) for each in known}


def _eligible_from(data: ReplayData, job: int) -> int:
    """Return when the job was submitted or, if later, its dependencies were met."""
    submit = int(data.trace.submit[job])
    if not data.site.dependencies:
        return submit
    found = [held.until for held in dependencies_of(data, core_of(data), job)]
    return max([submit, *(until + _seconds(data, "epilog_time") for until in found)])


def _period(data: ReplayData) -> int:
    return _seconds(data, "priority_calc_period")


def _seconds(data: ReplayData, parameter: str) -> int:
    facts = backfill_facts()["slurm"].parameters[parameter]
    given = dict(getattr(data.site.policy.backfill, "parameters", ()))
    return int(given.get(parameter, facts.default))


def _size(data: ReplayData, job: int, weights: dict[str, float]) -> float:
    processors = int(data.trace.processors[job]) / data.processors
    machine = data.site.machine
    nodes = processors
    if isinstance(machine, Nodes):
        asked = amount_asked(demands_of(data.trace, machine), job, "nodes")
        nodes = asked / machine.n_nodes
    part = (nodes + processors) / 2
    if weights["relative_to_time"]:
        part = processors / -(-max(int(data.trace.requested_time[job]), 1) // 60)
    return min(max(1 - part if weights["favor_small"] else part, 0.0), 1.0)


def _partition(data: ReplayData, job: int) -> float:
    factors = [queue.priority for queue in data.site.queues]
    queue = int(data.schedule.queue[job]) if len(data.schedule.queue) else -1
    return factors[queue] / max(factors) if factors and queue >= 0 and max(factors) > 0 else 0.0


def _fairshare(data: ReplayData, job: int, now: int, weights: dict[str, float]) -> float:
    """Return the classic factor 2^(-usage / share), with equal shares."""
    used = _usage(data, now, weights["half_life"])
    account = _column(data, "account")
    user = _column(data, "user")
    if not used.sum() > 0:
        return 1.0
    same_account = account == account[job]
    of_account = used[same_account].sum() / used.sum()
    of_user = used[same_account & (user == user[job])].sum() / used.sum()
    n_users = len(np.unique(user[same_account]))
    counted = of_user + (of_account - of_user) / n_users
    return float(2.0 ** (-counted * len(np.unique(account)) * n_users / weights["dampening"]))


def _column(data: ReplayData, name: str) -> NDArray[np.int64]:
    column = getattr(data.trace, name, None)
    missing = np.full(len(data.trace), -1, dtype=np.int64)
    return missing if column is None else np.asarray(column, dtype=np.int64)


def _usage(data: ReplayData, now: int, half_life: float) -> NDArray[np.float64]:
    """Return the decayed processor-seconds of each job up to `now`."""
    start, end = data.start, np.minimum(data.end, now)
    ran = (start >= 0) & (start < now)
    rate = half_life / np.log(2) * np.asarray(data.trace.processors, dtype=np.float64)
    begun = np.exp2(-(now - np.where(ran, start, now)) / half_life)
    ended = np.exp2(-(now - np.where(ran, end, now)) / half_life)
    used: NDArray[np.float64] = rate * (ended - begun) * ran
    return used
