"""The search: it resumes from its journal, and refuses impossible requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import optuna
import pytest

import slotwise as sw
from slotwise.advice.weights.formula import KRAKEN
from slotwise.advice.weights.ratios import same_order
from slotwise.advice.weights.search import Candidate, Search, search
from slotwise.studies.priority.sites import study_site

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def log() -> sw.Trace:
    """Draw a log of two weeks on a small machine."""
    return sw.generate("lublin", n_jobs=900, processors=128, duration="15d", load=0.9, seed=2)


def run(trace: sw.Trace, **options: Any) -> list[Candidate]:
    asked = Search(**{"trials": 24, "batch": 8, **options})
    return search(trace, study_site("strict", trace), asked, [0, 1], workers=2)


def trials_of(journal: Path) -> list[optuna.trial.FrozenTrial]:
    backend = optuna.storages.journal.JournalFileBackend(str(journal))
    storage = optuna.storages.JournalStorage(backend)
    (name,) = optuna.get_all_study_names(storage)
    return optuna.load_study(study_name=name, storage=storage).trials


def keys(candidates: list[Candidate]) -> list[tuple[float, float, float]]:
    return [same_order(c.weights) for c in candidates]


@pytest.mark.parametrize("sampler", ["tpe", "cma-es"])
def test_equal_seeds_give_equal_searches(log: sw.Trace, sampler: str) -> None:
    first, second = (run(log, sampler=sampler, seed=5) for _ in range(2))
    assert keys(first) == keys(second)
    assert keys(first) != keys(run(log, sampler=sampler, seed=6))
    assert keys(first)[0] == same_order(KRAKEN)


@pytest.mark.parametrize("sampler", ["tpe", "cma-es"])
def test_a_search_resumes_from_its_journal(log: sw.Trace, sampler: str, tmp_path: Path) -> None:
    journal = tmp_path / "search.log"
    first = run(log, sampler=sampler, trials=16, journal=journal)
    more = run(log, sampler=sampler, trials=32, journal=journal)
    assert keys(more)[: len(first)] == keys(first)
    assert len(more) > len(first)
    # The journal has all trials, so none is repeated.
    assert keys(run(log, sampler=sampler, trials=32, journal=journal)) == keys(more)
    assert len(trials_of(journal)) == 32


def test_two_processes_share_a_journal(log: sw.Trace, tmp_path: Path) -> None:
    journal = tmp_path / "shared.log"
    run(log, trials=8, journal=journal, seed=1)
    # The searches run as two processes would: each sees the other's trials.
    other = run(log, trials=16, journal=journal, seed=2)
    assert keys(run(log, trials=16, journal=journal, seed=1)) == keys(other)


def test_reported_values_are_those_of_the_outcomes(log: sw.Trace, tmp_path: Path) -> None:
    journal = tmp_path / "told.log"
    found = run(log, trials=8, journal=journal, objectives=("mean_wait", "max_wait"))
    trials = trials_of(journal)
    for candidate in found:
        outcome = candidate.outcome
        assert trials[candidate.number].values == [
            outcome.value("mean_wait", [0, 1]), outcome.value("max_wait", [0, 1])
        ]  # fmt: skip


def test_the_journal_of_another_search_is_refused(log: sw.Trace, tmp_path: Path) -> None:
    journal = tmp_path / "mine.log"
    run(log, trials=8, journal=journal)
    other = sw.generate("lublin", n_jobs=900, processors=128, duration="15d", load=0.9, seed=3)
    with pytest.raises(ValueError, match=r"journal of another search, which differs in: trace"):
        run(other, trials=8, journal=journal)


def test_a_file_that_is_not_a_journal_is_refused(log: sw.Trace, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a journal\nat all\n")
    with pytest.raises(ValueError, match="is not an Optuna journal"):
        run(log, trials=8, journal=path)
    assert path.read_text() == "not a journal\nat all\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"objectives": ("speed",)}, "unknown objective 'speed'"),
        ({"sampler": "annealing"}, "unknown sampler 'annealing'; choose one of: tpe, cma-es"),
        (
            {"sampler": "cma-es", "objectives": ("utilisation", "mean_wait")},
            "sampler cma-es supports one objective",
        ),
        ({"trials": 0}, "trials is 0; use a whole number from 1"),
        ({"batch": 2}, "batch is 2; use a whole number from 4"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_impossible_searches_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Search(**options)


def test_the_verbosity_of_optuna_is_restored(log: sw.Trace) -> None:
    before = optuna.logging.get_verbosity()
    run(log, trials=8)
    assert optuna.logging.get_verbosity() == before
