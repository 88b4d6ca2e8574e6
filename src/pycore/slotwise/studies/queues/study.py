"""One run of the study: its cells, rows, notes and pictures."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise.advice.queue_design.parameters import Parameters
from slotwise.studies import Row, StudyRun
from slotwise.studies.queues import curves, figures as pictures
from slotwise.studies.queues.findings import findings
from slotwise.studies.queues.replays import decide, evaluate, evaluate_carrying
from slotwise.studies.queues.rows import claim_rows, figure_rows, month_rows, sensitivity_rows
from slotwise.studies.queues.sites import STRATEGIES
from slotwise.studies.queues.variations import AS_PRINTED, NOT_DECIDING, variations_for
from slotwise.studies.queues.workloads import Workload, workload_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from slotwise.studies.queues.rows import Months

QUICK_MONTHS = 4


class _Plan:
    """Computes the cells of a run, from one workload per seed and parameters common to all seeds.

    The parameters are scaled to the machine: on the paper's 35,232 processors, for example,
    partitions give up processors in chunks of 5.
    """

    def __init__(
        self,
        run: StudyRun,
        workload: str,
        load: float | None,
        months: int | None,
        traces: str | None,
    ) -> None:
        self.run = run
        self.name, self.load, self.traces = workload, load, traces
        first = self.workload(1)
        machine = first.base.machine_for(first.trace).count
        n = len(first.months) - 1
        wanted = (min(QUICK_MONTHS, n) if run.quick else n) if months is None else months
        if not 1 <= wanted <= n:
            raise ValueError(
                f"months={months}: use a number from 1 to {n}; only {n} months can be judged"
            )
        self.count = wanted
        self.months = [month.name for month in first.months[1 : wanted + 1]]
        self.parameters = Parameters.for_machine(machine)
        if run.quick:
            chunk = 10 * self.parameters.chunk
            self.parameters = Parameters(chunk=chunk, samples=60, search_replays=200)
        self.inputs = first.trace.replay_hash

    def workload(self, seed: int) -> Workload:
        return workload_of(self.name, seed if self.name == "serc" else 1, self.load, self.traces)

    def parameters_of(self, seed: int, changes: Mapping[str, Any] | None = None) -> Parameters:
        return self.parameters.replace(**{"seed": seed - 1, **(changes or {})})

    def decide_all(
        self, seeds: Sequence[int], changes: Mapping[str, Any] | None = None
    ) -> list[list[Any]]:
        """Return the decisions for every month, by seed."""
        cells = [{"seed": s, "month": m} for s in seeds for m in range(1, self.count + 1)]
        found = self.run.map(
            "configurations",
            lambda seed, month: decide(
                self.workload(seed), month, self.parameters_of(seed, changes)
            ),
            cells,
            inputs=self._inputs(changes),
        )
        return [found[k * self.count : (k + 1) * self.count] for k in range(len(seeds))]

    def evaluate_all(
        self,
        seeds: Sequence[int],
        decided: Sequence[Sequence[Any]],
        changes: Mapping[str, Any] | None = None,
    ) -> list[Months]:
        """Return the figures of every month and strategy, by seed."""
        by_cell = {
            (s, m): decided[k][m - 1] for k, s in enumerate(seeds) for m in range(1, self.count + 1)
        }
        found = self.run.map(
            "months under them",
            lambda seed, month: evaluate(
                self.workload(seed), month, by_cell[seed, month], self.parameters_of(seed, changes)
            ),
            [{"seed": s, "month": m} for s, m in by_cell],
            inputs=self._inputs(changes),
        )
        return [
            dict(zip(self.months, found[k * self.count : (k + 1) * self.count], strict=True))
            for k in range(len(seeds))
        ]

    def carry_all(
        self,
        seeds: Sequence[int],
        decided: Sequence[Sequence[Any]],
        changes: Mapping[str, Any] | None = None,
    ) -> list[Months]:
        """Return the figures of every month and strategy, by seed, with jobs carried over."""
        by_seed = dict(zip(seeds, decided, strict=True))

        def carrying(seed: int, strategy: str) -> list[dict[str, Any]]:
            whole = self.workload(seed)
            some = Workload(whole.trace, whole.base, whole.months[: self.count + 1])
            chosen = self.parameters_of(seed, changes)
            return evaluate_carrying(some, by_seed[seed], chosen, strategy)

        cells = [{"seed": s, "strategy": name} for s in seeds for name in STRATEGIES]
        found = iter(
            self.run.map("months, carrying on", carrying, cells, inputs=self._inputs(changes))
        )
        return [
            {
                name: {strategy: by_month[strategy][k] for strategy in STRATEGIES}
                for k, name in enumerate(self.months)
            }
            for by_month in ({strategy: next(found) for strategy in STRATEGIES} for _ in seeds)
        ]

    def _inputs(self, changes: Mapping[str, Any] | None = None) -> str:
        parameters = asdict(self.parameters.replace(**(changes or {})))
        return json.dumps([self.inputs, self.load, parameters], sort_keys=True)


def run_queues(
    run: StudyRun,
    workload: str,
    load: float | None,
    months: int | None,
    carry: bool,
    sensitivity: bool,
    traces: str | None,
) -> list[Row]:
    """Run the study; see `slotwise.studies.queues.queues`."""
    extras.load("scipy.optimize")
    plan = _Plan(run, workload, load, months, traces)
    seeds = list(run.seeds)
    decided = plan.decide_all(seeds)
    judge = plan.carry_all if carry else plan.evaluate_all
    judged = judge(seeds, decided)
    is_paper = workload == "serc"
    facts = run.cell(
        "facts of the workload",
        lambda: curves.facts(plan.workload(1), plan.parameters),
        inputs=plan._inputs(),
    )
    rows = [*curves.rows(facts), *figure_rows(judged), *_program_rows(plan, decided)]
    rows += month_rows(judged)
    if sensitivity:
        rows += _sensitivity(plan, judge, seeds[0], decided[0], judged[0], is_paper)
    rows += claim_rows(judged, is_paper)
    _notes(run, judged, decided, plan, carry)
    for text in findings(judged, decided, is_paper):
        run.conclude(text)
    for name, draw in pictures.pictures_of(judged, facts).items():
        run.picture(name, draw)
    return rows


def _sensitivity(
    plan: _Plan,
    judge: Callable[..., list[Months]],
    seed: int,
    decided: Sequence[Any],
    usual: Months,
    is_paper: bool,
) -> list[Row]:
    """Return mean waits under each variation, and the gains under the paper's merge condition.

    `judge` is the function that computed the `usual` figures: `evaluate_all` or `carry_all`.
    """
    rows = []
    for name, change in variations_for(len(plan.workload(seed).base.queues)).items():
        same = not set(change) - NOT_DECIDING
        changes = change if same else {**change, "search_replays": 0}
        anew = [decided] if same else plan.decide_all([seed], changes)
        (varied,) = judge([seed], anew, changes)
        rows += sensitivity_rows(name, usual, varied)
        if name == AS_PRINTED:
            months = {
                month: {s: f for s, f in figures.items() if s != "search"}
                for month, figures in varied.items()
            }
            rows += claim_rows([months], is_paper, "claims as printed")
    return rows


def _program_rows(plan: _Plan, decided: Sequence[Sequence[Any]]) -> list[Row]:
    """Return rows with the fit of the surrogates, and the predicted and the replayed waits."""
    rows = []
    figures: dict[str, Callable[[Mapping[str, Any]], float]] = {
        "R²": lambda p: float(np.min(p["r2"], initial=1.0)),
        "R² left out": lambda p: float(np.min(p["r2_left_out"], initial=1.0)),
        "predicted": lambda p: float(p["predicted"]) / 3600,
        "replayed": lambda p: float(p["replayed"]) / 3600,
        "best sampled": lambda p: float(p["best_sampled"]) / 3600,
    }
    for k, month in enumerate(plan.months):
        for figure, take in figures.items():
            values = [take(each[k]["program"]) for each in decided]
            rows.append(Row.of_seeds("programs", {"month": month, "figure": figure}, values))
    return rows


def _notes(
    run: StudyRun,
    judged: Sequence[Months],
    decided: Sequence[Sequence[Any]],
    plan: _Plan,
    carry: bool,
) -> None:
    if run.quick:
        run.note(
            f"Quick: {plan.count} months, chunks of {plan.parameters.chunk} processors, "
            f"{plan.parameters.samples} sampled partitions."
        )
    if carry:
        run.note("Jobs that run or wait at the end of a month continue in the next month.")
    else:
        run.note("Every month begins with an empty machine.")
    rejected = sum(
        figures["rejected"]
        for months in judged for month in months.values() for figures in month.values()
    )  # fmt: skip
    if rejected:
        run.note(
            f"Over all strategies, {rejected} jobs did not fit into any partition and were left "
            "out."
        )
    for note in dict.fromkeys(
        n for each in decided for month in each for n in month["notes"] if "bounds" in n
    ):
        run.note(f"{note[0].upper()}{note[1:]}.")
