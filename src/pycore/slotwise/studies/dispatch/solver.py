"""OR-tools' CP-SAT solver under deterministic limits."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from slotwise import extras

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


@dataclass(frozen=True)
class Limits:
    """Limit on the work of each solve. It is not a clock time, so replays are exactly repeatable.

    Parameters
    ----------
    work : float, default 0.2
        Deterministic time of CP-SAT. On scheduling models, one unit takes 4 to 12 s on one core.
    seed : int, default 0
    """

    work: float = 0.2
    seed: int = 0


def version() -> str:
    """Return the solver's version; another version may find different plans within the limit."""
    return f"OR-tools {metadata.version('ortools')}"


def solve(
    model: cp_model.CpModel, limits: Limits, *, first: bool = False
) -> tuple[str, cp_model.CpSolver]:
    """Solve a model; with `first`, stop at the first solution and skip presolve.

    The status is OPTIMAL, FEASIBLE, INFEASIBLE or UNKNOWN.
    """
    cp_model = extras.load("ortools.sat.python.cp_model")
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = limits.seed
    solver.parameters.max_deterministic_time = limits.work
    solver.parameters.stop_after_first_solution = first
    solver.parameters.cp_model_presolve = not first
    solver.parameters.catch_sigint_signal = False  # Ctrl-C must end the program, not only the solve
    status = solver.solve(model)
    if status == cp_model.MODEL_INVALID:
        raise RuntimeError(f"CP-SAT rejects the model: {model.validate()}")
    return solver.status_name(status), solver
