"""The search for weights: Optuna proposes a batch, and one threaded sweep evaluates it.

Trials are stored in a journal file, from which an interrupted search resumes. Several processes, on
one machine or several, may share one file, and ``optuna-dashboard`` can display it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import warnings
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise._numbers import whole
from slotwise.advice.weights.formula import KRAKEN, Weights
from slotwise.advice.weights.outcomes import OBJECTIVES, Outcome, check_objectives, evaluate
from slotwise.advice.weights.ratios import (
    CORES_RATIO,
    EXPANSION_RATIO,
    SWITCHES,
    parameters_of,
    same_order,
    weights_of,
)
from slotwise.errors import SiteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from slotwise.executors.adapter import Adapter
    from slotwise.site import Site
    from slotwise.trace import Trace

SAMPLERS = ("tpe", "cma-es")
BATCH = 16
_STALE = timedelta(hours=1)
"""Age after which the process of an unfinished trial is assumed to have died."""


@dataclass(frozen=True)
class Candidate:
    """A set of weights and its outcome on the log.

    Attributes
    ----------
    number : int
        Number of the first trial with these ratios; for a grid, the position in the list of sets.
    weights : Weights
    outcome : Outcome
    """

    number: int
    weights: Weights
    outcome: Outcome


@dataclass(frozen=True)
class Search:
    """Objectives and settings of a search.

    Parameters
    ----------
    objectives : tuple of str, default ("utilisation",)
        Names from `OBJECTIVES`; with several, the result is a Pareto front.
    sampler : {"tpe", "cma-es"}, default "tpe"
        CMA-ES supports one objective.
    trials : int, default 500
        Total, including those of earlier runs in the journal.
    batch : int, default 16
        Trials proposed at a time; one sweep replays them all.
    seed : int, default 0
    journal : path-like, optional
        The file. Default: none; the search is not saved.

    Raises
    ------
    SiteError
        For an unknown objective or sampler, or several objectives under CMA-ES.
    ValueError
        For a number of trials, a batch or a seed out of range.
    """

    objectives: tuple[str, ...] = ("utilisation",)
    sampler: str = "tpe"
    trials: int = 500
    batch: int = BATCH
    seed: int = 0
    journal: str | os.PathLike[str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "objectives", check_objectives(self.objectives))
        if self.sampler not in SAMPLERS:
            raise SiteError(
                f"unknown sampler {self.sampler!r}; choose one of: {', '.join(SAMPLERS)}"
            )
        if self.sampler == "cma-es" and len(self.objectives) > 1:
            raise SiteError(
                f"sampler cma-es supports one objective, not {', '.join(self.objectives)}; choose "
                "sampler tpe, or one objective"
            )
        for name, low, high in (("trials", 1, 10**6), ("batch", 4, 4096), ("seed", 0, 2**31)):
            number = whole(getattr(self, name))
            if number is None or not low <= number <= high:
                raise ValueError(
                    f"{name} is {getattr(self, name)!r}; use a whole number from {low} to {high:,}"
                )


def search(
    trace: Trace,
    site: Site,
    asked: Search,
    weeks: Sequence[int],
    *,
    workers: int | None = None,
    progress: Callable[[float], object] | None = None,
    adapter: Adapter | None = None,
) -> list[Candidate]:
    """Search for the weights that score best on the objectives in the given weeks of a log.

    Parameters
    ----------
    trace : Trace
    site : Site
        The site whose order is replaced.
    asked : Search
    weeks : sequence of int
        Weeks that the objectives cover. Outcomes still contain every week.
    workers : int, optional
        Threads of the sweep. Default: one per processor.
    progress : callable, optional
        Called with the fraction of the trials done, 0 to 1.
    adapter : Adapter, optional
        The executor that runs the replays instead of threads.

    Returns
    -------
    list of Candidate
        Each set of ratios once, in trial order; Kraken's weights come first.

    Raises
    ------
    MissingExtraError
        If Optuna is not installed, or the sampler is CMA-ES and cmaes is not installed.
    ValueError
        If the journal is that of another search, or not an Optuna journal.
    """
    with _quiet() as optuna:
        study = _study(optuna, trace, site, asked, weeks)
        known: dict[tuple[float, float, float], Candidate] = {}
        while (done := _take_in(optuna, study, known)) < asked.trials:
            _answer(trace, site, study, asked, weeks, known, workers, adapter)
            if progress is not None:
                progress(min(1.0, (done + asked.batch) / asked.trials))
        return sorted(known.values(), key=lambda candidate: candidate.number)


def _answer(
    trace: Trace,
    site: Site,
    study: Any,
    asked: Search,
    weeks: Sequence[int],
    known: dict[tuple[float, float, float], Candidate],
    workers: int | None,
    adapter: Adapter | None,
) -> None:
    """Get a batch from Optuna, replay its new weights, and report the values of every trial."""
    trials = [study.ask(_distributions()) for _ in range(asked.batch)]
    # The weights depend only on the trial's parameters, so every process computes the same ones.
    weights = [weights_of(trial.params) for trial in trials]
    missing = {same_order(w): w for w in weights if same_order(w) not in known}
    found = evaluate(trace, site, list(missing.values()), workers=workers, adapter=adapter)
    outcomes = dict(zip(missing, found, strict=True))
    for trial, each in zip(trials, weights, strict=True):
        key = same_order(each)
        outcome = outcomes[key] if key in outcomes else known[key].outcome
        trial.set_user_attr("outcome", outcome.to_dict())
        study.tell(trial, [outcome.value(name, weeks) for name in asked.objectives])


def _take_in(optuna: Any, study: Any, known: dict[tuple[float, float, float], Candidate]) -> int:
    """Collect the finished trials, including those of other processes; return their number."""
    finished = study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.COMPLETE,))
    for trial in finished:
        weights = weights_of(trial.params)
        if same_order(weights) not in known:
            outcome = Outcome.from_dict(trial.user_attrs["outcome"])
            known[same_order(weights)] = Candidate(trial.number, weights, outcome)
    return len(finished)


def _distributions() -> dict[str, Any]:
    from optuna.distributions import FloatDistribution, IntDistribution

    ratios = {
        "expansion_ratio": FloatDistribution(*EXPANSION_RATIO),
        "cores_ratio": FloatDistribution(*CORES_RATIO),
    }
    return ratios | {name: IntDistribution(0, 1) for name in SWITCHES}


def _study(optuna: Any, trace: Trace, site: Site, asked: Search, weeks: Sequence[int]) -> Any:
    """Open or begin the study, with Kraken's weights as the first trial."""
    storage = None
    if asked.journal is not None:
        backend = optuna.storages.journal.JournalFileBackend(os.fspath(asked.journal))
        try:
            storage = optuna.storages.JournalStorage(backend)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(
                f"{asked.journal} is not an Optuna journal; choose another name, or remove the file"
            ) from None
    study = optuna.create_study(
        study_name="weights of the priority formula",
        storage=storage,
        directions=["maximize" if OBJECTIVES[o][0] else "minimize" for o in asked.objectives],
        load_if_exists=True,
    )
    subject = _subject(trace, site, asked, weeks)
    begun = study.user_attrs.get("subject")
    if begun is None:
        study.set_user_attr("subject", subject)
        study.enqueue_trial(parameters_of(KRAKEN))
    elif begun != subject:
        differing = ", ".join(name for name in subject if begun.get(name) != subject[name])
        raise ValueError(
            f"{asked.journal} is the journal of another search, which differs in: {differing}; "
            "choose another name, or remove the file"
        )
    _give_up_stale(optuna, study)
    study.sampler = _sampler(optuna, asked, len(study.get_trials(deepcopy=False)))
    return study


def _give_up_stale(optuna: Any, study: Any) -> None:
    """Mark the unfinished trials of dead processes as failed."""
    running = study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.RUNNING,))
    for trial in running:
        if datetime.now() - trial.datetime_start > _STALE:
            study.tell(trial.number, state=optuna.trial.TrialState.FAIL, skip_if_finished=True)


def _subject(trace: Trace, site: Site, asked: Search, weeks: Sequence[int]) -> dict[str, Any]:
    plain = site.to_dict()
    plain["policy"] = {name: v for name, v in plain["policy"].items() if name != "order"}
    text = json.dumps(plain, sort_keys=True, default=str)
    return {
        "trace": trace.replay_hash,
        "site": hashlib.sha256(text.encode()).hexdigest(),
        "objectives": list(asked.objectives),
        "weeks": [int(week) for week in weeks],
    }


def _sampler(optuna: Any, asked: Search, begun: int) -> Any:
    # A resumed search must not draw the same random numbers as before the interruption.
    seed = int(np.random.SeedSequence([asked.seed, begun]).generate_state(1)[0])
    if asked.sampler == "cma-es":
        extras.load("cmaes")
        return optuna.samplers.CmaEsSampler(
            seed=seed, popsize=asked.batch, with_margin=True, warn_independent_sampling=False
        )
    return optuna.samplers.TPESampler(seed=seed, multivariate=True, n_startup_trials=2 * BATCH)


@contextlib.contextmanager
def _quiet() -> Iterator[Any]:
    """Yield Optuna; inside the block, it logs only errors to stderr."""
    optuna = extras.load("optuna")
    verbosity = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with warnings.catch_warnings():
            # Optuna marks CMA-ES with margin, which supports integers, as experimental.
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            yield optuna
    finally:
        optuna.logging.set_verbosity(verbosity)
