"""An independent check of a plan, which shares no code with the models or the core."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from slotwise.studies.dispatch.problem import Plan, Problem


def faults(problem: Problem, plan: Plan) -> list[str]:
    """Return descriptions of the faults of a plan; an empty list if the plan is feasible.

    Every job must start at `now` or later with all its units on existing nodes. The units on a
    node, including those of running jobs, must never use more of a resource than the node has.
    """
    found = []
    stays = []  # (begin, end, node, amounts)
    for running in problem.running:
        for node, units in zip(running.node, running.units, strict=True):
            amounts = np.array(running.each, dtype=np.int64) * int(units)
            stays.append((problem.now, running.end, int(node), amounts))
    for job in range(len(problem)):
        start = int(plan.start[job])
        nodes, units = plan.places(job)
        if start < problem.now:
            found.append(f"job {job} starts at {start}, before the current time, {problem.now}")
        if int(units.sum()) != problem.units[job] or (units < 1).any():
            found.append(
                f"job {job} has {int(units.sum())} of its {problem.units[job]} units placed"
            )
        for node, count in zip(nodes, units, strict=True):
            if not 0 <= node < problem.nodes.n_nodes:
                found.append(f"job {job} is on node {node}, which does not exist")
                continue
            end = start + int(problem.duration[job])
            stays.append((start, end, int(node), problem.each[job] * int(count)))
    return found + _overfull(problem, stays)


def _overfull(problem: Problem, stays: list[tuple[int, int, int, np.ndarray]]) -> list[str]:
    by_node: dict[int, list[tuple[int, int, int, np.ndarray]]] = {}
    for stay in stays:
        by_node.setdefault(stay[2], []).append(stay)
    found = []
    for node, its in sorted(by_node.items()):
        capacity = problem.nodes.capacities[problem.nodes.type_of[node]]
        for time in sorted({stay[0] for stay in its}):  # usage rises only when a job starts
            used = sum((s[3] for s in its if s[0] <= time < s[1]), np.zeros_like(capacity))
            for r in np.flatnonzero(used > capacity):
                resource = problem.nodes.resources[r]
                found.append(
                    f"node {node} at {time}: {used[r]} {resource} used, but it has {capacity[r]}"
                )
    return found
