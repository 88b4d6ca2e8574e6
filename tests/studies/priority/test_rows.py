"""The priority study as a whole, on a small log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.studies import StudyResult, run_study

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    path = tmp_path_factory.mktemp("study") / "log.swf"
    trace = sw.generate("lublin", n_jobs=700, processors=128, duration="15d", load=0.9, seed=2)
    sw.write_swf(trace, path)
    return run_study("priority", quick=True, seeds=1, log=str(path), trials=16)


def test_table_1_and_figure_8_exactly(found: StudyResult) -> None:
    assert len(found.table("1")) == 7
    for row in found.table("1"):
        assert row.ours == pytest.approx(row.paper, abs=5e-8)
    assert [(row.keys["job"], row.ours) for row in found.table("figure 8")] == [
        (7, 3), (6, 4), (3, 8), (5, 11), (4, 11)
    ]  # fmt: skip
    assert all(row.ours == row.paper for row in found.table("figure 8"))


def test_equations_4_and_5_tie_in_the_simulator(found: StudyResult) -> None:
    for table in ("eq. 4", "eq. 5"):
        for row in found.table(table):
            # Submit times and instants are whole seconds; a second is worth at most 105/60 points.
            assert abs(row.more["points_apart"]) < 1.8


def test_every_table_of_the_thesis_is_present(found: StudyResult) -> None:
    tables = dict.fromkeys(row.table for row in found.rows)
    assert list(tables) == list(found.study.titles)


def test_another_log_is_not_compared_with_the_thesis(found: StudyResult) -> None:
    assert len(found.table("2")) == 11
    for table in ("log", "2", "gain"):
        assert all(row.paper is None for row in found.table(table))


def test_equal_ratios_of_table_2_have_equal_figures(found: StudyResult) -> None:
    by_run = {row.keys["run"]: row.ours for row in found.table("2")}
    # The weights (3, 50), (6, 100) and (9, 150) have equal ratios.
    assert by_run[134] == by_run[109] == by_run[135]


def test_closed_form_and_engine_agree(found: StudyResult) -> None:
    for row in found.table("eqs. 7-9"):
        assert row.ours is not None
        assert abs(row.ours - row.more["by_engine"]) < 4 * row.more["standard_error"]


def test_the_best_of_each_search_is_at_least_as_good_as_krakens(found: StudyResult) -> None:
    on_train = [r for r in found.table("gain") if r.keys["what"] == "on the searched weeks"]
    assert len(on_train) == 5
    assert all(
        row.ours is not None and row.ours >= 0 for row in on_train if row.keys["by"] != "grid"
    )


def test_rows_and_pictures_are_written(found: StudyResult, tmp_path: Path) -> None:
    written = {path.name for path in found.write(tmp_path / "out")}
    assert {"rows.json", "pareto-front.png", "checkpoints.svg", "figure-2.png"} <= written


@pytest.mark.parametrize(
    ("options", "message"),
    [({"site": "titan"}, "site='titan'"), ({"trials": 3}, "trials=3: use a whole number from 16")],
)
def test_options_out_of_their_range_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run_study("priority", quick=True, **options)
