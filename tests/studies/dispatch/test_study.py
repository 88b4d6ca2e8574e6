"""The dispatch study as a whole, at its quick size."""

from __future__ import annotations

import sys
from importlib import metadata

import numpy as np
import pytest

import slotwise as sw
from slotwise.studies import StudyRun, run_study
from slotwise.studies.dispatch import paper
from slotwise.studies.dispatch.figures import curves
from slotwise.studies.dispatch.measures import Measures
from slotwise.studies.dispatch.rows import example_values
from slotwise.studies.dispatch.sites import read_site


@pytest.fixture(scope="module")
def quick():
    return run_study("dispatch", quick=True, work=0.02, workers=1)


def test_the_papers_example_is_reproduced(quick) -> None:
    rows = {row.keys["solution"]: row for row in quick.table("2")}
    assert rows["printed"].ours == rows["printed"].paper == 15_000
    assert rows["optimum"].ours == 14_400


def test_a_quick_run_replays_two_models_pbs_and_our_dispatchers(quick) -> None:
    models = list(dict.fromkeys(row.keys["model"] for row in quick.table("5")))
    assert models == [
        "MKS", "MKS WT/NL", "PBS", "easy", "conservative", "lists MKS", "lists WT",
    ]  # fmt: skip


def test_the_papers_figures_appear_only_for_the_whole_machine(quick, monkeypatch) -> None:
    beside = [row for row in quick.rows if row.paper is not None]
    assert [row.table for row in beside] == ["2"]
    # If the whole batch is replayed (here with arbitrary starts), the paper's figures are shown
    # too.
    starts = {"start": [0] * 437, "seconds": 0.0, "activations": 0, "events": {}}
    cells_of = StudyRun.map

    def at_once(self, name, of, cells, **options):
        if name == "replays of batches":
            return [starts] * len(cells)
        return cells_of(self, name, of, cells, **options)

    monkeypatch.setattr(StudyRun, "map", at_once)
    whole = run_study("dispatch", batch=1, workers=1)
    found = {
        (row.keys["model"], row.keys["queue"]): row.paper
        for row in whole.table("4")
        if row.keys["reading"] == "contribution"
    }
    # These waits are printed in Table 4 of the paper.
    assert found["MKS", "all"] == 187.14
    assert found["PBS", "longpar"] == 3600.40
    assert found["easy", "all"] is None
    assert {
        row.keys["model"]: row.paper for row in whole.table("5") if row.keys["figure"] == "cores"
    }["PBS"] == 447.98


def test_the_queue_columns_of_table_4_are_contributions() -> None:
    # The queue columns of Table 4 are contributions to its first column; minor queues add the rest.
    for name, (whole, *queues) in paper.QUEUE_TIMES.items():
        assert sum(queues) <= whole + 0.01, name


def test_dispatching_beats_pbs_on_waits(quick) -> None:
    waits = {
        row.keys["model"]: row.ours
        for row in quick.table("4")
        if row.keys["queue"] == "all" and row.keys["reading"] == "mean"
    }
    # The batch is submitted at noon. Under PBS, longpar jobs wait for the night, which is hours
    # away.
    assert waits["PBS"] > 3 * waits["MKS WT/NL"]


def test_the_verdict_compares_the_best_model_with_every_other_dispatcher(quick) -> None:
    (said,) = quick.conclusions
    assert said.startswith("On BATCH1, the mean wait is ")
    for name in ("PBS", "easy", "conservative", "lists MKS", "lists WT"):
        assert f"under {name}" in said
    # The waits match those in the table to the second.
    waits = {
        row.keys["model"]: row.ours
        for row in quick.table("4")
        if row.keys["queue"] == "all" and row.keys["reading"] == "mean"
    }
    assert f"{waits['PBS'] - waits['MKS WT/NL']:,.0f} s less than under PBS" in said


def test_pictures_show_every_dispatcher_and_their_units(quick) -> None:
    assert list(quick.pictures) == ["figure-1a", "figure-1b", "figure-2a", "figure-2b"]
    others = ["MKS", "MKS WT/NL", "easy", "conservative", "lists MKS", "lists WT"]
    for name, series in (("1a", "jobs running"), ("1b", "cores active"), ("2a", "jobs waiting")):
        figure = quick.pictures[f"figure-{name}"]()
        assert figure.get_supylabel() == series
        assert figure.get_supxlabel()
        panels = [axes for axes in figure.axes if axes.get_visible()]
        assert [axes.get_title() for axes in panels] == others
        for axes in panels:
            lines = axes.get_lines()
            assert lines[0].get_label() == "PBS"
            assert axes.get_title() in [line.get_label() for line in lines]
            assert axes.get_ylim()[1] >= max(line.get_ydata().max() for line in lines[:-1])
    beside, models = quick.pictures["figure-2b"]().axes
    assert beside.get_ylabel() == "jobs that wait"
    for axes, names in (
        (beside, ["MKS WT/NL", "PBS", "easy", "conservative", "lists WT"]),
        (models, ["MKS", "MKS WT/NL"]),
    ):
        assert [text.get_text() for text in axes.get_legend().get_texts()] == names
        assert axes.get_xlabel()


def test_curves_are_means_of_the_seeds_within_a_band_from_minimum_to_maximum() -> None:
    # One job of 4 cores runs from 0 to 1,000 s with one seed, and from 1,000 to 2,000 s with the
    # other.
    demands = sw.Demands([1], cores=[4], gpus=[0], mics=[0])
    trace = sw.Trace.from_columns([0], [1000], demands.processors, [1000], queue=[1]).with_demands(
        demands
    )
    measured = {
        "PBS": [Measures(trace, np.array([3000]), read_site())],
        "easy": [Measures(trace, np.array([start]), read_site()) for start in (0, 1000)],
    }
    (axes,) = curves("title", "cores active", measured).axes
    pbs, easy = axes.get_lines()[:2]
    assert pbs.get_linestyle() == "--"
    assert easy.get_ydata()[[0, 30, 60, 66, 67]].tolist() == [2, 2, 2, 2, 0]  # every 30 s
    (band,) = axes.collections
    assert band.get_paths()[0].vertices[:, 1].max() == 4


def test_one_batch_alone_can_be_replayed() -> None:
    found = run_study("dispatch", quick=True, work=0.02, workers=1, batch=2)
    tables = list(dict.fromkeys(row.table for row in found.rows))
    assert tables == [
        "2", "figure 3a", "figure 3b", "figure 4a", "figure 4b", "waits by batch", "load by batch",
        "cost",
    ]  # fmt: skip
    assert {row.keys["batch"] for row in found.table("load by batch")} == {2}
    assert "Tables 4 and 5 cover BATCH1, which --batch leaves out." in found.notes
    with pytest.raises(ValueError, match="batch=4: use 1, 2 or 3"):
        run_study("dispatch", quick=True, batch=4)


def test_cells_depend_on_the_version_of_the_solver(monkeypatch) -> None:
    told = {}
    replayed = {"start": [0] * 40, "seconds": 0.0, "activations": 0, "events": {}}

    def at_once(self, name, of, cells, *, inputs="", **options):
        told[name] = inputs
        return [[15_000, 14_400] if of is example_values else replayed] * len(cells)

    monkeypatch.setattr(StudyRun, "map", at_once)
    found = run_study("dispatch", quick=True, workers=1)
    version = f"OR-tools {metadata.version('ortools')}"
    assert told == {"the paper's example": version, "replays of batches": version}
    assert any(note.startswith(f"Solved by {version};") for note in found.notes)


def test_activations_are_reported_for_dispatchers_and_not_for_the_engine(quick) -> None:
    asked = [r.keys["model"] for r in quick.table("cost") if r.keys["figure"] == "activations"]
    assert asked == ["MKS", "MKS WT/NL", "lists MKS", "lists WT"]


def test_work_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="work=0: use a number from"):
        run_study("dispatch", quick=True, work=0)


def test_without_the_solver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    with pytest.raises(sw.MissingExtraError, match=r"pip install 'slotwise\[dispatch\]'"):
        run_study("dispatch", quick=True)
