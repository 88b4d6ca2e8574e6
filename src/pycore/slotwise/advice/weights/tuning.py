"""The best weights for a log, and their significance: Table 2 of the thesis for any log."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.advice.weights.comparison import Gain, Split, gain_of, pareto_front, ranked
from slotwise.advice.weights.formula import KRAKEN, Weights
from slotwise.advice.weights.outcomes import OBJECTIVES, Outcome, evaluate, weeks_of
from slotwise.advice.weights.ratios import distinct_weights
from slotwise.advice.weights.search import Candidate, Search, search
from slotwise.executors.clusters import adapter_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from slotwise.site import Site
    from slotwise.trace import Trace

PLACES = 10


@dataclass(frozen=True)
class Tuning:
    """Result of a search.

    Attributes
    ----------
    objectives : tuple of str
    split : Split
    candidates : list of Candidate
        Every set of ratios tried.
    current : Outcome
        Outcome of Kraken's weights.
    mean_job : float, core hours
    """

    objectives: tuple[str, ...]
    split: Split
    candidates: list[Candidate]
    current: Outcome
    mean_job: float

    def value(self, candidate: Candidate, objective: str) -> float:
        """Return the value of an objective for a candidate, on the weeks that the search used."""
        return candidate.outcome.value(objective, self.split.train)

    def best(self, objective: str | None = None) -> Candidate:
        """Return the best candidate; if several tie, the first of them."""
        return self.top(objective, 1)[0][1]

    def top(
        self, objective: str | None = None, places: int = PLACES
    ) -> list[tuple[int, Candidate]]:
        """Return the `places` best candidates with their ranks, and any that tie with the last."""
        name = objective or self.objectives[0]
        values = [self.value(candidate, name) for candidate in self.candidates]
        return [
            (rank, self.candidates[position])
            for rank, position in ranked(values, more_is_better=OBJECTIVES[name][0], places=places)
        ]

    def gain(self, candidate: Candidate, objective: str | None = None) -> Gain:
        """Compare a candidate with Kraken's weights."""
        return gain_of(
            candidate.outcome,
            self.current,
            objective or self.objectives[0],
            self.split,
            self.mean_job,
        )

    def front(self) -> list[Candidate]:
        """Return the candidates that no other dominates, sorted by the first objective."""
        values = [[self.value(c, name) for name in self.objectives] for c in self.candidates]
        positions = pareto_front(values, [OBJECTIVES[name][0] for name in self.objectives])
        positions.sort(key=lambda position: values[position][0])
        return [self.candidates[position] for position in positions]

    def points(self) -> dict[str, Any]:
        """Return the data for a plot of several objectives, as plain values."""
        train = self.split.train
        return {
            "objectives": list(self.objectives),
            "tried": [[self.value(c, n) for n in self.objectives] for c in self.candidates],
            "front": [[self.value(c, n) for n in self.objectives] for c in self.front()],
            "current": [self.current.value(n, train) for n in self.objectives],
        }

    def to_dict(self, places: int = PLACES) -> dict[str, Any]:
        """Return the best candidates, their gains and the Pareto front as plain values for JSON."""

        def described(candidate: Candidate) -> dict[str, Any]:
            values = {name: self.value(candidate, name) for name in self.objectives}
            return {"number": candidate.number} | readable(candidate.weights) | values

        gains = [self.gain(self.best(name), name) for name in self.objectives]
        return {
            "objectives": list(self.objectives),
            "weeks": len(self.split.train),
            "held_out": len(self.split.held_out),
            "tried": len(self.candidates),
            "current": {n: self.current.value(n, self.split.train) for n in self.objectives},
            "top": {
                name: [{"rank": rank} | described(c) for rank, c in self.top(name, places)]
                for name in self.objectives
            },
            "gain": [vars(gain) | {"verdict": gain.verdict} for gain in gains],
            "front": [described(c) for c in self.front()] if len(self.objectives) > 1 else [],
        }


def tune(
    trace: Trace,
    site: Site,
    asked: Search | None = None,
    *,
    grid: bool = False,
    sets: Mapping[str, Iterable[int]] | None = None,
    hold_out: int | None = None,
    workers: int | None = None,
    progress: Callable[[float], object] | None = None,
    executor: Any = None,
    shared_folder: str | os.PathLike[str] | None = None,
) -> Tuning:
    """Find the weights of the formula that suit a log best, and compare them with Kraken's.

    Parameters
    ----------
    trace : Trace
        A log of at least one week.
    site : Site
        Any site, such as one that `study_site` returns. Its order is replaced; its maintenance and
        user limits apply.
    asked : Search, optional
        Objectives, and settings of the search. Default: utilisation, 500 trials of TPE.
    grid : bool, default False
        Instead of a search, try every set of the integer grid (C 0 to 10, Q 1 to 10, X 10 to 150 by
        10); sets with equal ratios are tried once.
    sets : mapping of str to iterable of int, optional
        Values of a different grid, for ``cores``, ``queue_time`` and ``expansion``.
    hold_out : int, weeks, optional
        Number of weeks at the end of the log that the search does not use. Default: a quarter of
        the weeks, but at least one; none for a log of one week.
    workers : int, optional
        Threads. Default: one per processor.
    progress : callable, optional
        Called with the fraction of the work done, 0 to 1.
    executor, shared_folder : optional
        Executor for the replays, as in `slotwise.sweep`; `workers` then has no effect.

    Raises
    ------
    TraceError
        For a log shorter than a week.
    ValueError
        If no week is left for the search.
    """
    asked = asked or Search()
    split = Split.of(weeks_of(trace), hold_out)
    with nullcontext() if executor is None else adapter_of(executor, shared_folder) as adapter:
        current = evaluate(trace, site, [KRAKEN], workers=workers, adapter=adapter)[0]
        options: dict[str, Any] = {"workers": workers, "progress": progress, "adapter": adapter}
        if grid:
            distinct = distinct_weights(**(sets or {}))
            found = evaluate(trace, site, [each.weights for each in distinct], **options)
            candidates = [
                Candidate(number, each.weights, outcome)
                for number, (each, outcome) in enumerate(zip(distinct, found, strict=True))
            ]
        else:
            weeks = [int(week) for week in split.train]
            candidates = search(trace, site, asked, weeks, **options)
    return Tuning(asked.objectives, split, candidates, current, mean_job_of(trace))


def readable(weights: Weights) -> dict[str, int | float]:
    """Return Q, X and C, scaled and rounded unless all of them are whole numbers.

    The first one above 0 becomes Kraken's Q; the others are scaled by the same factor and rounded
    to four significant digits. Rounding can only reorder jobs whose scores differ by a few points.
    """
    given = {
        "queue_time": weights.per_minute,
        "expansion": weights.per_inverse_minute,
        "cores": weights.per_core,
    }
    if all(value == int(value) for value in given.values()):
        return {name: int(value) for name, value in given.items()}
    unit = next(value for value in given.values() if value) / KRAKEN.queue_time
    shown = {name: float(f"{value / unit:.4g}") for name, value in given.items()}
    return {name: int(value) if value == int(value) else value for name, value in shown.items()}


def mean_job_of(trace: Trace) -> float:
    """Return the mean core hours per job, with run times capped at the requested times."""
    run = np.minimum(trace.run_time, trace.requested_time).astype(np.float64)
    return float(np.dot(run, trace.processors) / max(len(trace), 1) / 3600)
