"""Figures of the paper, as entered in the data file."""

from __future__ import annotations

from slotwise.studies.torus import TABLES
from slotwise.studies.torus.paper import METRICS, SHARES, SOLVERS, paper_tables


def test_every_table_has_fifty_cells_and_the_trace_and_metric_of_its_title() -> None:
    tables = paper_tables()
    assert list(tables) == list(TABLES) == ["I", "II", "III", "IV", "V", "VI"]
    for name, table in tables.items():
        assert (table.trace, table.metric) == TABLES[name]
        assert len(table.cells) == 50
        assert table.metric in METRICS


def test_cells_are_in_the_papers_positions() -> None:
    # Each cell has a figure for each of two solvers. Table I, beta 10 %, alpha 50 %: 1.92 and 1.84.
    # Table II, beta 50 %, alpha 10 %: 19.35 and 18.52. Table V, beta 20 %, alpha 30 %: 8.87 and
    # 8.59.
    tables = paper_tables()
    assert [tables["I"].cells[solver, 50, 10] for solver in SOLVERS] == [1.92, 1.84]
    assert [tables["II"].cells[solver, 10, 50] for solver in SOLVERS] == [19.35, 18.52]
    assert [tables["V"].cells[solver, 30, 20] for solver in SOLVERS] == [8.87, 8.59]


def test_the_largest_figures_are_those_in_the_text() -> None:
    # The paper: "reduce average job wait time by up to 28 % and average job response time by 30 %".
    # Its section V.A says 27 %. Section V.B says that utilisation "can be as much as 4.8 %".
    largest = {name: max(table.cells.values()) for name, table in paper_tables().items()}
    assert largest == {"I": 3.83, "II": 27.33, "III": 28.83, "IV": 4.84, "V": 11.68, "VI": 10.85}
    assert SHARES == (10, 20, 30, 40, 50)
