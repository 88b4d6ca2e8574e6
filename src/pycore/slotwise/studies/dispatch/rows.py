"""The rows of the study, and its pictures."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.studies import Row
from slotwise.studies.dispatch import objectives, paper, workloads
from slotwise.studies.dispatch.checker import faults
from slotwise.studies.dispatch.findings import findings
from slotwise.studies.dispatch.measures import BIN_NAMES, Measures
from slotwise.studies.dispatch.models import models_of
from slotwise.studies.dispatch.per_node import PerNode
from slotwise.studies.dispatch.replays import BY_ENGINE, OURS, of_run, replay
from slotwise.studies.dispatch.sites import check_room, read_site
from slotwise.studies.dispatch.solver import Limits, solve, version
from slotwise.studies.dispatch.workloads import batch
from slotwise.text import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.figure import Figure

    from slotwise.studies import StudyRun
    from slotwise.studies.dispatch.sites import DispatchSite
    from slotwise.trace import Trace

QUICK_JOBS = 40
SERIES = {"jobs running": "a", "cores active": "b", "jobs waiting": "a"}
_PROVING = Limits(work=60.0)


def example_values() -> list[int]:
    """Return the makespan of the paper's printed solution, and the proven optimum.

    Raises
    ------
    RuntimeError
        If the printed solution is infeasible, or the optimum is not proved.
    """
    problem, printed = workloads.example(), workloads.printed_solution()
    model = PerNode(problem, printed)
    model.timing.aim(objectives.MAKESPAN)
    status, solved = solve(model.model, _PROVING)
    wrong = [*faults(problem, printed), *faults(problem, model.plan(solved))]
    if wrong or status != "OPTIMAL":
        raise RuntimeError(f"the paper's example ended with status {status}: {'; '.join(wrong)}")
    value = objectives.value(problem, objectives.MAKESPAN, printed.start)
    return [value, round(solved.objective_value)]


class Tables:
    """The replays of a run and the rows made from them.

    Parameters
    ----------
    run : StudyRun
    work : float
        Deterministic time per solve.
    batches : sequence of int
        Batches to replay. Tables 4 and 5 describe the first batch.
    site : DispatchSite
        The replayed site; a tenth of it under ``--quick``.
    place : str
        The source of the site, for messages.
    """

    def __init__(
        self,
        run: StudyRun,
        work: float,
        batches: Sequence[int],
        site: DispatchSite,
        place: str,
    ) -> None:
        self._run = run
        self._work = work
        self._batches = batches
        self._n_jobs = QUICK_JOBS if run.quick else None
        self._site = site
        for number in () if run.quick else batches:
            for seed in run.seeds:
                check_room(site, self._batch(number, seed), f"BATCH{number} (seed {seed})", place)

    def _batch(self, number: int, seed: int) -> Trace:
        site = of_run(self._site, self._n_jobs)
        return batch(number, seed, self._n_jobs, site.machine)

    def _dispatchers(self) -> tuple[str, ...]:
        return (*models_of(self._run.quick), "PBS", *OURS)

    @cached_property
    def _replays(self) -> dict[tuple[int, str, int], dict[str, Any]]:
        wanted = [(n, name) for n in self._batches for name in self._dispatchers()]
        keys = [(number, name, seed) for seed in self._run.seeds for number, name in wanted]
        cells = [
            {
                "number": number, "dispatcher": name, "seed": seed, "n_jobs": self._n_jobs,
                "work": self._work, "site": self._site.to_dict(),
            }
            for number, name, seed in keys
        ]  # fmt: skip
        found = self._run.map("replays of batches", replay, cells, inputs=version(), processes=True)
        return dict(zip(keys, found, strict=True))

    def _measured(self, number: int, name: str) -> list[Measures]:
        return [
            Measures(
                self._batch(number, seed),
                np.array(self._replays[number, name, seed]["start"], dtype=np.int64),
                of_run(self._site, self._n_jobs),
            )
            for seed in self._run.seeds
        ]

    def rows(self) -> list[Row]:
        """Return every row, and register the pictures."""
        rows = [*self._example()]
        if 1 in self._batches:
            rows += [*self._queue_times(), *self._loads()]
        for number in self._batches:
            rows += self._figures(number)
            if number != 1:  # Tables 4 and 5 cover BATCH1
                rows += self._by_batch(number)
            for name, letter in SERIES.items():
                figure = 2 * number - (name != "jobs waiting")
                self._run.picture(f"figure-{figure}{letter}", self._draw(number, name))
            self._run.picture(f"figure-{2 * number}b", self._draw_bars(number))
            rows += self._cost(number)
        self._notes()
        for said in findings(self._batches, self._measured):
            self._run.conclude(said)
        return rows

    def _example(self) -> Iterator[Row]:
        printed, optimum = self._run.cell("the paper's example", example_values, inputs=version())
        yield Row("2", {"solution": "printed"}, printed, paper=15000)
        yield Row("2", {"solution": "optimum"}, optimum, paper=None)

    def _of_paper(self, figures: tuple[float, ...] | None, column: int) -> float | None:
        """Return a value from the paper; None for quick runs, which use a tenth of the machine."""
        return None if figures is None or self._run.quick else figures[column]

    def _queue_times(self) -> Iterator[Row]:
        for name in self._dispatchers():
            measured = [m.queue_times() for m in self._measured(1, name)]
            for column, queue in enumerate(paper.QUEUE_COLUMNS):
                printed = self._of_paper(paper.QUEUE_TIMES.get(name), column)
                for reading in ("contribution", "mean"):
                    yield Row.of_seeds(
                        "4",
                        {"model": name, "reading": reading, "queue": queue},
                        [m[queue][reading] for m in measured],
                        printed if reading == "contribution" or queue == "all" else None,
                    )

    def _loads(self) -> Iterator[Row]:
        for name in self._dispatchers():
            measured = [m.loads() for m in self._measured(1, name)]
            for column, figure in enumerate(paper.LOAD_COLUMNS):
                printed = self._of_paper(paper.LOADS.get(name), column)
                yield Row.of_seeds(
                    "5",
                    {"model": name, "figure": figure},
                    [m[figure] for m in measured],
                    printed,
                )

    def _by_batch(self, number: int) -> Iterator[Row]:
        for name in self._dispatchers():
            measured = self._measured(number, name)
            keys: dict[str, str | int] = {"batch": number, "model": name}
            waits = [m.queue_times() for m in measured]
            for queue in paper.QUEUE_COLUMNS:
                values = [w[queue]["mean"] for w in waits]
                yield Row.of_seeds("waits by batch", {**keys, "queue": queue}, values)
            loads = [m.loads() for m in measured]
            for figure in paper.LOAD_COLUMNS:
                printed = paper.IN_THE_TEXT.get((number, name, figure))
                yield Row.of_seeds(
                    "load by batch",
                    {**keys, "figure": figure},
                    [load[figure] for load in loads],
                    None if self._run.quick else printed,
                )

    def _figures(self, number: int) -> Iterator[Row]:
        """Yield the data of Figures 1 to 6: means of the curves, and the histograms' bars."""
        for name in self._dispatchers():
            measured = self._measured(number, name)
            for series, letter in SERIES.items():
                figure = 2 * number - (series != "jobs waiting")
                yield Row.of_seeds(
                    f"figure {figure}{letter}",
                    {"model": name, "mean of": series},
                    [m.mean_over_window(series) for m in measured],
                )
            bars = np.array([m.histogram() for m in measured])
            for bounds, counts in zip(BIN_NAMES, bars.T, strict=True):
                yield Row.of_seeds(
                    f"figure {2 * number}b",
                    {"model": name, "wait": bounds},
                    [int(c) for c in counts],
                )

    def _cost(self, number: int) -> Iterator[Row]:
        for name in self._dispatchers():
            replays = [self._replays[number, name, seed] for seed in self._run.seeds]
            figures = {"CPU ms": [1000 * t["seconds"] for t in replays]}
            if name not in BY_ENGINE:
                figures["activations"] = [t["activations"] for t in replays]
            for event in sorted({event for t in replays for event in t["events"]}):
                figures[event] = [t["events"].get(event, 0) for t in replays]
            for figure, values in figures.items():
                yield Row.of_seeds(
                    "cost", {"batch": number, "model": name, "figure": figure}, values
                )

    def _notes(self) -> None:
        run = self._run
        run.note(
            "Batches are generated with the counts of Table 6; run times, memory and arrivals are "
            "our own choices, so waits can be compared qualitatively, not in seconds."
        )
        run.note(
            "Models are named after their objective: makespan (MKS), weighted tardiness (WT), "
            "number of late jobs (NL). A composite model has several; it minimises the first and "
            "limits each of the others to 1.2 times its optimum. 'lists' is the best of about "
            "forty list schedules for the named objective."
        )
        run.note(
            "Cost: 'bound' counts list schedules that met the lower bound, so that no solve was "
            "needed. Among the solves, 'proved' counts optimal plans, and 'kept' plans no better "
            "than a known one. 'infeasible', 'undecided' and 'broken' count composite models "
            "replaced by their pure model."
        )
        run.note(
            f"Solved by {version()}; a different version may find other plans within the same work "
            "limit."
        )
        if 1 not in self._batches:
            run.note("Tables 4 and 5 cover BATCH1, which --batch leaves out.")
        run.note(
            "In Table 4, 'contribution' is a queue's part of the overall mean, as in the paper; "
            "'mean' is the mean over the jobs in the queue."
        )
        run.note("Table 5 prints 46 % for PBS, but 447.98 cores are 43.7 % of 1,024.")
        if self._site != read_site():
            run.note(
                "The site differs from the study's own (--site, --nodes-first); the paper's "
                "figures are for EURORA."
            )
        if run.quick:
            models = models_of(run.quick)
            types = of_run(self._site, self._n_jobs).machine.types
            nodes = " and ".join(
                f"{plural(kind.count, 'node')} of type {kind.name or number}"
                for number, kind in enumerate(types)
            )
            run.note(
                f"--quick replays {QUICK_JOBS} jobs of a batch on a tenth of the machine "
                f"({nodes}), with only {' and '.join(models)} of the six models; it omits the "
                "paper's figures, which are for the full size."
            )

    def _of_seeds(self, number: int) -> dict[str, list[Measures]]:
        return {name: self._measured(number, name) for name in self._dispatchers()}

    def _title(self, number: int, shown: str) -> str:
        part = f", {QUICK_JOBS} jobs" if self._run.quick else ""
        seeds = len(self._run.seeds)
        of = "seed 1" if seeds == 1 else f"mean, minimum and maximum of {seeds} seeds"
        return f"BATCH{number}{part}: {shown}, {of}"

    def _draw(self, number: int, series: str) -> Callable[[], Figure]:
        def draw() -> Figure:
            from slotwise.studies.dispatch.figures import curves

            return curves(self._title(number, series), series, self._of_seeds(number))

        return draw

    def _draw_bars(self, number: int) -> Callable[[], Figure]:
        def draw() -> Figure:
            from slotwise.studies.dispatch.figures import bars

            title = self._title(number, "waits divided by the expected wait")
            return bars(title, self._of_seeds(number))

        return draw
