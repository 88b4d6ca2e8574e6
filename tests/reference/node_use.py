"""Checks that a schedule on nodes breaks no rule on capacity, queues, limits or downtimes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.trace.demand_rules import Exclusive

if TYPE_CHECKING:
    from numpy.typing import NDArray

    import slotwise as sw

    Column = NDArray[np.int64]


def most_at_once(holder: Column, start: Column, end: Column, amount: Column) -> dict[int, int]:
    """Return the peak amount that each holder has in use; at equal times, ends precede starts."""
    lasting = end > start
    holder, start, end, amount = (each[lasting] for each in (holder, start, end, amount))
    who, time = np.tile(holder, 2), np.concatenate([start, end])
    change = np.concatenate([amount, -amount])
    order = np.lexsort((change, time, who))
    who, total = who[order], change[order].cumsum()
    first = np.flatnonzero(np.diff(who, prepend=-1))
    before = np.concatenate([[0], total[first[1:] - 1]])
    peaks = np.maximum.reduceat(total, first) - before
    return dict(zip(who[first].tolist(), peaks.tolist(), strict=True))


def places(result: sw.Result) -> tuple[Column, Column, Column]:
    """Return row, node and number of units, for every node of every started job."""
    stored: Any = result._places
    first, node, units = (np.asarray(column, np.int64) for column in stored)
    return np.repeat(np.arange(len(result)), np.diff(first)), node, units


def check_room(result: sw.Result, machine: sw.Nodes) -> None:
    """Check that no node exceeds its capacity, and that each started job has all its units.

    A job that requests whole nodes counts as using all of each node.
    """
    row, node, units = places(result)
    demands: Any = result.trace.demands
    each = demands.on(machine)
    capacity = machine.capacities[machine.type_of]
    whole = demands.exclusive[row] == Exclusive.JOB
    for column, name in enumerate(machine.resources):
        amount = np.where(whole, capacity[node, column], units * each[row, column])
        peaks = most_at_once(node, result.start[row], result.end[row], amount)
        above = [at for at, peak in peaks.items() if peak > capacity[at, column]]
        assert not above, f"{name} on nodes {above[:5]}"
    started = result.start >= 0
    n_units = np.bincount(row, units, minlength=len(result)).astype(np.int64)
    assert (n_units[started] == demands.units[started]).all()


def check_places(result: sw.Result, machine: sw.Nodes) -> None:
    """Check that no job is on a node that its queue or its constraint excludes."""
    row, node, _ = places(result)
    demands: Any = result.trace.demands
    for number, queue in enumerate(result.site.queues):
        may = np.zeros(len(machine.type_of), dtype=bool)
        may[machine.select(queue.nodes)] = True
        assert may[node[result.queue[row] == number]].all(), queue.name
    for number, constraint in enumerate(demands.constraints):
        may = machine.allowed(constraint)
        assert may[node[demands.constraint_id[row] == number]].all(), constraint


def check_limits(result: sw.Result) -> None:
    """Check that no user has more running jobs, or more of a resource, than is allowed."""
    demands: Any = result.trace.demands
    started = result.start >= 0
    user, start, end = (c[started] for c in (result.trace.user, result.start, result.end))
    one = np.ones(len(user), np.int64)
    holders = [(result.site.limits, np.ones(len(user), dtype=bool))]
    holders += [
        (queue, result.queue[started] == number) for number, queue in enumerate(result.site.queues)
    ]
    for limits, own in holders:
        columns = user[own].astype(np.int64), start[own], end[own]
        if limits.running_per_user is not None:
            peaks = most_at_once(*columns, one[own])
            assert max(peaks.values(), default=0) <= limits.running_per_user
        for resource, most in limits.per_user.items():
            amount = (demands.units * demands.each[resource])[started][own]
            peaks = most_at_once(*columns, amount)
            assert max(peaks.values(), default=0) <= int(most), resource


def check_drains(result: sw.Result, windows: list[tuple[int, int]]) -> None:
    """Check that no started job's requested time overlaps a drain of the whole machine."""
    started = result.start >= 0
    start = result.start[started]
    asked = start + np.maximum(result.requested_time[started], 1)
    for first, last in windows:
        assert not ((start < last) & (asked > first)).any(), (first, last)
