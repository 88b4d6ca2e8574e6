"""The study `dispatch`: nodes with several resources and proactive dispatching (EURORA)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise import extras
from slotwise._numbers import real
from slotwise.studies import Row, StudyRun, study
from slotwise.studies.dispatch.paper import PAPER

if TYPE_CHECKING:
    from collections.abc import Sequence

BEST = "MKS WT/NL"
"""The model the paper chooses for its comparison on all batches."""


@study(
    "dispatch",
    paper=PAPER,
    seeds=3,
    quick_seeds=1,
    titles={
        "2": "the paper's example: makespan of its printed solution, and the optimum",
        "4": "queue times on BATCH1, seconds",
        "5": "load on BATCH1, averages over two hours",
        "load by batch": "as Table 5, on every batch",
        "cost": "CPU seconds and activations of a replay",
    },
    across={"4": "queue", "5": "figure", "load by batch": "figure", "cost": "figure"},
)
def dispatch(run: StudyRun, *, work: float = 0.05) -> list[Row]:
    """Proactive dispatching by constraint programming on EURORA, beside PBS and heuristics.

    Parameters
    ----------
    work : float
        Deterministic time of CP-SAT a solve may take, about seconds of an idle core.
    """
    number = real(work)
    if number is None or not 0.001 <= number <= 3600:
        raise ValueError(f"work={work!r}: it must be a number from 0.001 to 3600; 0.05 is usual")
    from slotwise.studies.dispatch.tables import Tables

    extras.load("ortools.sat.python.cp_model")
    return Tables(run, number).rows()


def models_of(quick: bool) -> Sequence[str]:
    """Return the models of Tables 4 and 5 that a run replays; under ``--quick`` two of the six."""
    from slotwise.studies.dispatch.models import MODELS

    return ("MKS", BEST) if quick else tuple(MODELS)
