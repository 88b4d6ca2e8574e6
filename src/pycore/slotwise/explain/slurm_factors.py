"""Factors of Slurm's priority that do not change while a job waits.

Example: the QOSes low and high have the priorities 10 and 100. A job in the QOS low has the QOS
factor 0.1. If it requests 8 of the 32 cores of its partition, its factor for cores is 0.25.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.site.machine.nodes import Nodes
from slotwise.site.policy.order_tables import BETWEEN, with_root
from slotwise.trace.node_demands import amount_asked, demands_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slotwise.replay.replay_data import ReplayData
    from slotwise.trace import Trace
    from slotwise.trace.demands import Demands


def qos_factor(trace: Trace, job: int, priorities: Mapping[str, float]) -> float:
    """Return the priority of the job's QOS, divided by the highest priority of any QOS."""
    return _over_largest(priorities, [_name(trace, "qos", job)])


def association_factor(trace: Trace, job: int, priorities: Mapping[str, float]) -> float:
    """Return the priority of the job's association, divided by the highest priority.

    An association without a priority has that of its account.
    """
    account = _name(trace, "account", job)
    return _over_largest(priorities, [account + BETWEEN + _name(trace, "user", job), account])


def shares_of(trace: Trace, job: int, table: Mapping[str, float]) -> tuple[float, float]:
    """Return the user's fraction of the account's shares, and the user's fraction of all shares.

    Accounts and users without an entry in the table have one share each. Those in the table count
    even if they have no jobs.
    """
    shares = with_root(table)
    pairs = trace._column("account").astype(np.int64) * 2**32 + trace._column("user") + 1
    logged = [(pair >> 32, pair % 2**32 - 1) for pair in np.unique(pairs).tolist()]
    accounts = {key.split(BETWEEN, 1)[0] for key in shares}
    accounts |= {_label(trace, "account", account) for account, _ in logged}
    own = _name(trace, "account", job)
    users = {key for key in shares if key.startswith(own + BETWEEN)}
    users |= {
        own + BETWEEN + _label(trace, "user", user)
        for account, user in logged
        if _label(trace, "account", account) == own
    }
    in_account = _part(shares, own + BETWEEN + _name(trace, "user", job), users)
    return in_account, _part(shares, own, accounts) * in_account


def _part(shares: Mapping[str, float], name: str, siblings: set[str]) -> float:
    total = sum(shares.get(each, 1) for each in siblings)
    return shares.get(name, 1) / total if total else 0.0


def _name(trace: Trace, column: str, job: int) -> str:
    return _label(trace, column, int(trace._column(column)[job]))


def _label(trace: Trace, column: str, code: int) -> str:
    return trace.labels.get(column, {}).get(code, str(code) if code >= 0 else "")


def _over_largest(priorities: Mapping[str, float], names: list[str]) -> float:
    largest = max(priorities.values(), default=0)
    own = next((priorities[name] for name in names if name in priorities), 0)
    return own / largest if largest else 0.0


def partition_factor(data: ReplayData, job: int) -> float:
    """Return the priority of the job's queue, divided by the highest priority of any queue."""
    factors = [queue.priority for queue in data.site.queues]
    queue = _queue(data, job)
    return factors[queue] / max(factors) if factors and queue >= 0 and max(factors) > 0 else 0.0


def _queue(data: ReplayData, job: int) -> int:
    queue = int(data.schedule.queue[job]) if len(data.schedule.queue) else -1
    return queue if 0 <= queue < len(data.site.queues) else -1


def size_factor(data: ReplayData, job: int, *, favor_small: bool, relative: bool) -> float:
    """Return the mean of the job's shares of the machine's nodes and processors.

    If `relative`, return the larger share instead, divided by the requested minutes. If
    `favor_small`, return 1 minus that value.
    """
    trace, machine = data.trace, data.site.machine
    cpus = nodes = int(trace.processors[job])
    all_cpus = all_nodes = data.processors
    if isinstance(machine, Nodes):
        nodes = _nodes_asked(trace, demands_of(trace, machine), job)
        all_nodes = machine.n_nodes
    factor = (nodes / all_nodes + cpus / all_cpus) / 2
    if relative:
        minutes = -(-max(int(trace.requested_time[job]), 1) // 60)
        factor = max(nodes * all_cpus / all_nodes, cpus) / minutes / all_cpus
        factor = 1 - factor if favor_small else factor
    elif favor_small:
        factor = ((all_nodes - nodes) / all_nodes + (all_cpus - cpus) / all_cpus) / 2
    return min(max(factor, 0.0), 1.0)


def _nodes_asked(trace: Trace, demands: Demands, job: int) -> int:
    """Return the number of nodes that the job requested or, if unknown, the fewest it may get."""
    given = int(trace.requested_nodes[job])
    return given if given > 0 else amount_asked(demands, job, "nodes")


def tres_parts(data: ReplayData, job: int, weights: Mapping[str, float]) -> dict[str, float]:
    """Return, for each weighted resource, its weight times the job's share of the partition."""
    return {
        name: _share(data, job, name) * weights[name]
        for name in _in_slurms_order(data)
        if name in weights
    }


def _in_slurms_order(data: ReplayData) -> list[str]:
    machine = data.site.machine
    others = machine.resources if isinstance(machine, Nodes) else ("cores",)
    return list(dict.fromkeys(("cores", *({"memory"} & {*others}), "nodes", *others)))


def _share(data: ReplayData, job: int, name: str) -> float:
    machine, queue = data.site.machine, _queue(data, job)
    if not isinstance(machine, Nodes):
        pools = data.site.queues[queue].pools if queue >= 0 else ()
        sizes = {pool.name: pool.processors for pool in data.site.pools}
        total = sum(sizes[pool] for pool in pools or ()) or data.processors
        return int(data.trace.processors[job]) / total
    demands = demands_of(data.trace, machine)
    chosen = data.site.queues[queue].nodes if queue >= 0 else ()
    types = machine.type_of[machine.select(chosen)] if chosen else machine.type_of
    nodes = _nodes_asked(data.trace, demands, job)
    asked = nodes if name == "nodes" else amount_asked(demands, job, name)
    if name == "nodes":
        return asked / len(types)
    capacity = machine.capacities[types, machine.resources.index(name)]
    if name == "memory" and asked == 0:  # without a request, a job uses all memory of its nodes
        asked = nodes * int(capacity[0])
    total = int(capacity.sum())
    return asked / total if total else 0.0
