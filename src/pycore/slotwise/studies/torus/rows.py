"""Tables I to VI, and variants of them for points that the paper leaves open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.studies.torus.comparison import Contest, compare, rows_of
from slotwise.studies.torus.paper import SHARES, SOLVERS, paper_tables
from slotwise.studies.torus.sites import DEFAULT, window
from slotwise.studies.torus.table_names import table_name

if TYPE_CHECKING:
    from slotwise.studies.row import Keys, Row
    from slotwise.studies.run import StudyRun
    from slotwise.studies.torus.workloads import Workload

GRID = [(alpha, beta) for beta in SHARES for alpha in SHARES]


def table_rows(
    run: StudyRun, workload: Workload, trace: str, variant: str = "", *, backfilling: bool = False
) -> list[Row]:
    """Return the three tables for one of the paper's traces.

    Parameters
    ----------
    run : StudyRun
    workload : Workload
    trace : {"sdsc-blue", "anl-intrepid"}
        Selects Tables I to III, or Tables IV to VI.
    variant : str, optional
        Name of a deviation from the paper; rows of a variant have no figure from the paper.
    backfilling : bool, default False
        Also let jobs behind the window start, and reserve nodes for a window job that has waited
        for an hour; see `window`.
    """
    contests = {
        solver: Contest(window(solver, backfilling=backfilling), DEFAULT) for solver in SOLVERS
    }
    pairs = compare(run, workload, contests, GRID)
    rows = []
    for number, table in paper_tables().items():
        if table.trace != trace:
            continue
        for solver in SOLVERS:
            for alpha, beta in GRID:
                keys: Keys = {
                    "trace": workload.name,
                    "solver": solver,
                    "beta": beta,
                    "alpha": alpha,
                }
                paper = None if variant else table.cells[solver, alpha, beta]
                rows += rows_of(
                    table_name(number, variant), keys, pairs[solver, alpha, beta],
                    [table.metric], paper,
                )  # fmt: skip
    return rows
