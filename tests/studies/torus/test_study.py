"""The torus study as a whole, on small logs."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.cli import main
from slotwise.studies import run_study
from slotwise.studies.torus import ACROSS, TABLES, TITLES
from slotwise.studies.torus.paper import SHARES, SOLVERS, paper_tables
from slotwise.studies.torus.replays import Asked, replay
from slotwise.studies.torus.sites import DEFAULT, window
from slotwise.studies.torus.workloads import INTREPID, SDSC, anl_intrepid, sdsc_blue
from yardstick import torus_tables

if TYPE_CHECKING:
    from pathlib import Path

    from slotwise.studies import StudyResult


@pytest.fixture(scope="module")
def found(small_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    cache = tmp_path_factory.mktemp("cells")
    return run_study("torus", quick=True, seeds=2, traces=str(small_logs), cache=cache)


def test_tables_one_to_six_compare_every_cell_of_the_paper(found: StudyResult) -> None:
    for name, table in paper_tables().items():
        rows = found.table(name)
        assert len(rows) == 2 * len(SHARES) ** 2
        for row in rows:
            solver, alpha, beta = (row.keys[key] for key in ("solver", "alpha", "beta"))
            assert row.paper == table.cells[solver, alpha, beta]  # type: ignore[index]
            assert row.keys["metric"] == table.metric
            assert row.ours is not None
            assert row.spread is not None
        assert ("points" in rows[0].more) == (table.metric == "utilisation")


def test_the_benchmark_computes_every_cell_and_seed_of_the_tables(small_logs: Path) -> None:
    figures = torus_tables.all_tables(str(small_logs))
    # The 6 tables have 25 cells for each of 2 solvers. On each trace, 25 cells are replayed with 5
    # seeds, by both solvers and by the default.
    assert figures["cells"] == 6 * 25 * 2
    assert figures["replays"] == 2 * 25 * 5 * 3
    assert figures["wall"] > 0


def test_variants_of_the_tables_have_no_figures_of_the_paper(found: StudyResult) -> None:
    for variant in ("I, with backfilling", "IV, load 0.7", "VI, load 0.85"):
        assert all(row.paper is None for row in found.table(variant))


def test_every_table_has_a_title_and_every_row_of_a_table_the_same_keys(found: StudyResult) -> None:
    names = {row.table for row in found.rows}
    assert names == set(TITLES)
    assert set(ACROSS) <= names
    for name in names:
        assert len({tuple(row.keys) for row in found.table(name)}) == 1
        keys = [tuple(row.keys.values()) for row in found.table(name)]
        assert len(set(keys)) == len(keys)


def test_without_an_effect_the_window_policy_changes_no_run_time(small_logs: Path) -> None:
    whole = anl_intrepid(str(small_logs))
    trace = whole.trace
    site = sw.Site(
        machine=sw.Torus(whole.shape, order="snake"), policy=sw.Policy(**window(SOLVERS[0]))
    )
    result = sw.simulate(trace, site)
    assert (result.end - result.start).tolist() == trace.run_time.tolist()


def test_utilisation_follows_equation_11(small_logs: Path) -> None:
    whole = sdsc_blue(str(small_logs))
    site = sw.Site(machine=sw.Torus(whole.shape, "hilbert", 8), policy=sw.Policy(**DEFAULT))
    result = sw.simulate(whole.trace, site)
    busy = sum(
        (end - start) * -(-processors // 8)
        for start, end, processors in zip(
            result.start.tolist(), result.end.tolist(), whole.trace.processors.tolist(), strict=True
        )
    )
    elapsed = result.end.max() - whole.trace.submit[0]
    outcome = replay(whole, **Asked(DEFAULT, 0, 0, 1).cell())
    assert outcome["utilisation"] == pytest.approx(100 * busy / (144 * elapsed))
    assert outcome["wait"] == pytest.approx(result.wait.mean())


def test_a_missing_log_is_left_out_and_named(small_logs: Path, tmp_path: Path) -> None:
    shutil.copy(small_logs / INTREPID, tmp_path)
    found = run_study("torus", quick=True, seeds=1, traces=str(tmp_path))
    assert {row.table for row in found.rows} & set(TABLES) == {"IV", "V", "VI"}
    assert found.notes[0] == f"{SDSC} is not in {tmp_path}: its rows are left out."


def test_without_logs_the_command_ends_with_code_3_and_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "torus", "--quick", "--fresh", "--traces", str(tmp_path)]) == 3
    assert "set the folder of the logs with --traces" in capsys.readouterr().err


def test_the_command_gives_rows_in_json_and_draws_every_table(
    found: StudyResult, small_logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    arguments = [
        "--traces",
        str(small_logs),
        "--quick",
        "--seeds",
        "1",
        "--json",
        "--out",
        str(out),
    ]
    assert main(["study", "torus", *arguments]) == 0
    given = json.loads(capsys.readouterr().out)
    assert given["study"] == "torus"
    assert given["rows"][0] == {
        "table": "I", "metric": "utilisation", "trace": "sdsc-blue 1 of 1",
        "solver": "branch-and-bound", "beta": 10, "alpha": 10, "ours": given["rows"][0]["ours"],
        "spread": None, "paper": 0.98, "points": given["rows"][0]["points"],
        "work_as_logged": given["rows"][0]["work_as_logged"],
    }  # fmt: skip
    drawn = {path.stem for path in out.glob("*.png")}
    assert {f"table-{number}" for number in TABLES} | {"window-sizes"} <= drawn
    assert found.pictures.keys() == drawn
