"""Strict test of a recording: each scheduling step alone, from the recorded state before it.

    python tests/slurm/strict.py RECORDING.csv --conf slurm.conf [--by oracle|core]
        [--accounts FILE] [--first-renewal SECONDS]

A file of accounts has the sacctmgr commands that set shares, and the limit on the running jobs of a
user; by default, RECORDING.accounts is read if it exists. A recording without events does not show
when age and fair share were recalculated; it needs --first-renewal, the time of the first
recalculation after time 0. The default is the number in RECORDING.renewal.

Prints the numbers of correct starts, correct starts on the recorded nodes, missing starts and extra
starts. The exit code is 1 if any start is missing or extra.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from reference.slurm.backfill import Backfill
from reference.slurm.conf import unread_parameters
from reference.slurm.main_scheduler import MainScheduler
from reference.slurm.rules import Rules
from slurm.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters
    from reference.slurm.state import Decision, State
    from slurm.steps import Step

BY_PLAN = ("other_nodes", "plans_differ", "plans_too_many")


class Judge(Protocol):
    """Decides single steps; the oracle and the core each have a judge."""

    def begin(self, step: Step) -> None:
        """Prepare for the states of one step."""

    def decide(self, kind: str, state: State) -> Decision:
        """Return the decision of a step of the kind "backfill", "main full" or "main depth"."""


class OracleJudge:
    def __init__(self, machine: Machine, parameters: Parameters, rules: Rules) -> None:
        self.backfill = Backfill(machine, parameters, rules)
        self.main = MainScheduler(machine, parameters, rules)
        self.selector = self.main.selector = self.backfill.selector
        self.weights: dict[int, int] = {}

    def begin(self, step: Step) -> None:
        for job in step.submitted:
            self.selector.submitted(job)
        self.weights = dict(getattr(self.selector, "lighter", {}))

    def decide(self, kind: str, state: State) -> Decision:
        if self.weights or self.backfill.machine.shares:
            self.selector.lighter = dict(self.weights)
        if kind == "backfill":
            return self.backfill.decide(state)
        return self.main.decide(state, full=kind == "main full")


@dataclass
class Score:
    """Counts over all steps of one kind."""

    steps: int = 0
    right: int = 0
    same_nodes: int = 0
    missing: list[str] = field(default_factory=list)
    too_many: list[str] = field(default_factory=list)
    other_nodes: list[str] = field(default_factory=list)
    settling: list[str] = field(default_factory=list)
    open_orders: set[float] = field(default_factory=set)
    plans: int = 0
    plans_differ: list[str] = field(default_factory=list)
    plans_too_many: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """True if no start is missing or extra."""
        return not self.missing and not self.too_many

    def line(self, kind: str) -> str:
        text = f"{kind}: {self.steps} steps, {self.right} starts right, "
        text += f"{self.same_nodes} on the same nodes, {len(self.missing)} missing, "
        text += f"{len(self.too_many)} too many"
        if self.settling:
            text += f" (+{len(self.settling)} while nodes complete)"
        if self.open_orders:
            text += f"; {len(self.open_orders)} steps with another order within their second"
        if self.plans:
            text += f"; {self.plans - len(self.plans_differ)} of {self.plans} plans equal, "
            text += f"{len(self.plans_too_many)} too many"
        return text


def strict(steps: Iterable[Step], judge: Judge) -> dict[str, Score]:
    """Return the scores of "backfill" and "main"."""
    scores = {"backfill": Score(), "main": Score()}
    for step in steps:
        _judge(step, judge, scores[step.kind.split()[0]])
    return scores


def _judge(step: Step, judge: Judge, score: Score) -> None:
    """Score one step by the state that explains its starts best.

    In a tie, use the likeliest of these states.
    """
    score.steps += 1
    judge.begin(step)
    best: tuple[tuple[int, int, int], Decision] | None = None
    for place, state in enumerate(step.states):
        decision = judge.decide(step.kind, state)
        starts = {job.number: nodes for job, nodes in decision.starts}
        missing = len(step.starts.keys() - starts.keys())
        wrong = sum(starts.get(number) != nodes for number, nodes in step.starts.items())
        distance = missing, len(starts.keys() - step.starts.keys()), wrong
        if best is None or distance < best[0]:
            best = distance, decision
            if place:
                score.open_orders.add(step.instant)
        if not any(distance):
            break
    if best is not None:
        _count(step, best[1], score)


def _count(step: Step, decision: Decision, score: Score) -> None:
    """Add the comparison of one decision to the score."""
    starts = {job.number: nodes for job, nodes in decision.starts}
    at = f"at {step.instant:.3f} s"
    for number, nodes in step.starts.items():
        if number not in starts:
            score.missing.append(f"job {number} {at}")
        elif starts[number] == nodes:
            score.right += 1
            score.same_nodes += 1
        else:
            score.right += 1
            score.other_nodes.append(f"job {number} {at}")
    beyond = [f"job {number} {at}" for number in starts.keys() - step.starts.keys()]
    (score.settling if step.settling else score.too_many).extend(beyond)
    planned = {plan.job.number: plan for plan in decision.plans}
    for number, begin, end, nodes in step.plans:
        score.plans += 1
        plan = planned.get(number)
        same = plan is not None and (plan.end, plan.nodes) == (end, nodes)
        # The clock may advance by a second during a cycle.
        if not same or plan is None or not plan.begin <= begin <= plan.begin + 1:
            score.plans_differ.append(f"job {number} {at}")
    if step.has_plans:
        unknown = planned.keys() - {number for number, *_ in step.plans}
        score.plans_too_many.extend(f"job {number} {at}" for number in sorted(unknown))


def judged(name: str, rules: Rules | None = None, *, only_changed: bool = True) -> dict[str, Score]:
    """Return the oracle's scores on one of the repository's recordings."""
    rules = rules or Rules()
    case = Case.named(name, rules)
    judge = OracleJudge(case.machine, case.parameters, rules)
    return strict(case.steps(rules, only_changed=only_changed), judge)


def options() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description="Judge each scheduling step of a recording.")
    found.add_argument("recording", type=Path)
    found.add_argument("--conf", type=Path, required=True)
    found.add_argument("--by", choices=("oracle", "core"), default="oracle")
    found.add_argument("--accounts", type=Path, help="sacctmgr commands: shares, and a limit")
    found.add_argument("--first-renewal", type=int, metavar="SECONDS", help="of age and fair share")
    found.add_argument("--verbose", action="store_true", help="list the differences")
    return found


def main() -> int:
    given = options().parse_args()
    try:
        for warning in unread_parameters(given.conf):
            sys.stderr.write(f"strict.py: warning: {warning}\n")
        case = Case.read(given.recording, given.conf, given.accounts, given.first_renewal)
    except (OSError, KeyError, ValueError) as fault:
        options().error(str(fault))
    judge: Judge = OracleJudge(case.machine, case.parameters, Rules())
    if given.by == "core":
        from slurm.core_cycle import CoreJudge

        judge = CoreJudge.of_conf(given.conf, case.machine, case.parameters)
    scores = strict(case.steps(Rules()), judge)
    for kind, score in scores.items():
        if score.steps:
            sys.stdout.write(score.line(kind) + "\n")
        if given.verbose:
            for name in ("missing", "too_many", "settling", *BY_PLAN):
                sys.stdout.write(f"  {name}: {', '.join(getattr(score, name))}\n")
    return 0 if all(score.good for score in scores.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
