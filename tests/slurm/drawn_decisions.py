"""Decisions of the oracle and of the core on a random state, compared exactly."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from reference.slurm.backfill import Backfill
from reference.slurm.cons_tres import ConsTres
from reference.slurm.main_scheduler import MainScheduler
from reference.slurm.node_sets import members
from reference.slurm.parameters import Parameters
from slurm.core_cycle import CoreJudge

if TYPE_CHECKING:
    from reference.slurm.drawing import DrawnState
    from reference.slurm.machine import Machine
    from reference.slurm.state import Decision

DECISIONS = ("backfill", "main depth", "main full")
MINUTES = {"bf_window", "over_time_limit"}  # parameters that the preset counts in minutes
NOT_OF_THE_PRESET = {
    "multifactor",
    "jobs_per_user",
    "limits",
    "submit_limits",
    "assoc_limit_stop",
    "enforces_part_limits",
}


def differences(drawn: DrawnState, kind: str) -> list[str]:
    """Return the differences between the oracle's and the core's decisions of one kind."""
    expected, weights = by_oracle(drawn, kind)
    found, core_weights = by_core(drawn, kind)
    values = [
        ("starts", _starts(expected), _starts(found)),
        ("plans", _plans(expected), _plans(found)),
        ("weights", weights, core_weights),
    ]
    return [
        f"{name}: the oracle {oracle}, the core {core}"
        for name, oracle, core in values
        if oracle != core
    ]


def by_oracle(drawn: DrawnState, kind: str) -> tuple[Decision, dict[int, int]]:
    """Return the oracle's decision, and by how much it lowers the weight of each node."""
    scheduler: Backfill | MainScheduler
    if kind == "backfill":
        scheduler = Backfill(drawn.machine, drawn.parameters)
    else:
        scheduler = MainScheduler(drawn.machine, drawn.parameters)
    selector = scheduler.selector
    if isinstance(selector, ConsTres):
        selector.lighter = dict(drawn.lighter)
    for job in drawn.submitted:
        selector.submitted(job)
    if isinstance(scheduler, MainScheduler):
        decision = scheduler.decide(drawn.state, full=kind == "main full")
    else:
        decision = scheduler.decide(drawn.state)
    lighter = selector.lighter if isinstance(selector, ConsTres) else {}
    return decision, {place: gpus for place, gpus in lighter.items() if gpus}


def by_core(drawn: DrawnState, kind: str) -> tuple[Decision, dict[int, int]]:
    """Return the core's decision, and by how much it lowers the weight of each node."""
    nodes = drawn.machine.nodes
    given = preset_parameters(drawn.machine, drawn.parameters)
    given["assoc_limit_stop"] = drawn.parameters.assoc_limit_stop
    judge = CoreJudge(drawn.machine, given)
    judge.limit(drawn.parameters)
    if any(node.gpus for node in nodes):
        judge.weights = [drawn.lighter.get(place, 0) for place in range(len(nodes))]
    judge.submitted = drawn.submitted
    decision = judge.decide(kind, drawn.state)
    return decision, {place: gpus for place, gpus in enumerate(judge.next_weights) if gpus}


def preset_parameters(machine: Machine, parameters: Parameters) -> dict[str, Any]:
    """Return parameters by their names in the preset."""
    given: dict[str, Any] = {"select_type": "cons_tres" if machine.shares else "linear"}
    for each in fields(Parameters):
        if each.name in NOT_OF_THE_PRESET:
            continue
        value = getattr(parameters, each.name)
        given[each.name] = value // 60 if each.name in MINUTES else value
    given["sched_min_interval"] = round(parameters.sched_min_interval * 1_000_000)
    return given


def _starts(decision: Decision) -> list[tuple[int, list[int]]]:
    return [(job.number, members(nodes)) for job, nodes in decision.starts]


def _plans(decision: Decision) -> list[tuple[int, int, int, list[int]]]:
    return [(plan.job.number, plan.begin, plan.end, members(plan.nodes)) for plan in decision.plans]
