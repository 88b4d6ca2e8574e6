"""Figures of the paper."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

SHARES = (10, 20, 30, 40, 50)
"""Values of alpha and of beta, percent."""

SOLVERS = ("branch-and-bound", "greedy")
METRICS = ("utilisation", "wait", "response")

WINDOW = 5
PERIOD = "30s"
SDSC_JOBS = 4830
INTREPID_JOBS = 2612
INTREPID_SIZES = (256, 8192)
"""Fewest and most nodes of a job, from section V.B."""


@dataclass(frozen=True)
class PaperTable:
    """One of Tables I to VI: improvement over FCFS + EASY, percent.

    Attributes
    ----------
    trace, metric : str
    cells : dict of (solver, alpha, beta) to float
    """

    trace: str
    metric: str
    cells: dict[tuple[str, int, int], float]


@cache
def paper_tables() -> dict[str, PaperTable]:
    """Return Tables I to VI by number."""
    text = resources.files(__package__).joinpath("paper.toml").read_text(encoding="utf-8")
    tables = {}
    for name, table in tomllib.loads(text)["tables"].items():
        cells = {
            (solver, alpha, beta): value
            for solver in SOLVERS
            for beta, line in zip(SHARES, table[solver], strict=True)
            for alpha, value in zip(SHARES, line, strict=True)
        }
        tables[name] = PaperTable(table["trace"], table["metric"], cells)
    return tables
