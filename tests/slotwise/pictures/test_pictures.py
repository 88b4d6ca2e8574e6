"""Pictures of a torus: each job's colour is drawn on the job's nodes."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.pictures import fragmented_moment, plot_nodes, plot_occupancy, write_pictures
from slotwise.pictures.colours import FREE, job_colours
from slotwise.pictures.figure import new_figure, save
from slotwise.pictures.node_intervals import free_at, free_slots, intervals_at
from slotwise.pictures.occupancy import busy_share, occupancy

# Five jobs run on eight nodes in a row. From 0 to 10, job 0 holds nodes 0-1, job 1 nodes 2-4, and
# job 2 node 5. From 10 to 20, only job 1 runs. From 20 to 30, jobs 1, 3 and 4 run.
LOG = sw.Trace.from_columns(
    [0, 0, 0, 20, 20], [10, 30, 10, 10, 10], [2, 3, 1, 3, 2], max_processors=8
)


@pytest.fixture(scope="module")
def result() -> sw.Result:
    return sw.simulate(LOG, sw.Site(machine=sw.Torus((2, 4), order="row")))


def test_the_log_of_these_tests_has_the_stated_positions(result: sw.Result) -> None:
    places = [result.nodes(row).tolist() for row in range(5)]
    # Job 3 takes the free nodes 0-1 and 5, and job 4 the next two.
    assert places == [[[0, 2]], [[2, 5]], [[5, 6]], [[0, 2], [5, 6]], [[6, 8]]]


def test_at_a_moment_jobs_have_their_intervals_and_the_rest_are_slots(result: sw.Result) -> None:
    taken = intervals_at(result, 5)
    assert (taken.row.tolist(), taken.begin.tolist()) == ([0, 1, 2], [0, 2, 5])
    assert free_slots(taken, sw.Torus((2, 4))).tolist() == [2]
    # A job that ends at 10 holds no nodes at 10.
    assert free_slots(intervals_at(result, 10), sw.Torus((2, 4))).tolist() == [2, 3]


def test_the_fragmented_moment_is_the_start_with_most_slots() -> None:
    # Six one-node jobs start at 0 and leave no node free. From 3 onwards nodes 0, 2 and 3 are free,
    # and the job submitted at 4 takes node 0.
    log = sw.Trace.from_columns(
        [0, 0, 0, 0, 0, 0, 4], [3, 9, 3, 3, 9, 9, 1], [1] * 7, max_processors=6
    )
    torus = sw.Torus((6,), order="row")
    replay = sw.simulate(log, sw.Site(machine=torus))
    assert fragmented_moment(replay) == 4
    assert free_slots(intervals_at(replay, 4), torus).tolist() == [2]


def test_occupancy_paints_each_interval_from_its_start_to_its_end(result: sw.Result) -> None:
    picture = occupancy(result, 0, 30)
    assert picture.shape == (8, 30, 3)
    colours = job_colours(np.arange(5))
    for position, time, job in (
        (0, 0, 0),
        (1, 9, 0),
        (4, 29, 1),
        (5, 9, 2),
        (5, 20, 3),
        (7, 29, 4),
    ):
        assert picture[position, time].tolist() == colours[job].tolist()
    for position, time in ((0, 10), (5, 10), (6, 0), (7, 19)):
        assert picture[position, time].tolist() == list(FREE)
    # The busy node-seconds are 2·10 + 3·30 + 1·10 + 3·10 + 2·10, out of 8·30.
    assert (picture != FREE).any(axis=2).sum() == 170


def test_shares_of_busy_time_add_up_to_the_work(result: sw.Result) -> None:
    assert busy_share(result, 0, 30).sum() == pytest.approx(170)
    # Only busy time inside the window [15, 25) counts: position 0 is busy from 20 onwards, and
    # position 2 throughout.
    share = busy_share(result, 15, 25)
    assert share.shape == (8, 10)
    assert share[0].tolist() == pytest.approx([0] * 5 + [1] * 5)
    assert share[2].tolist() == pytest.approx([1] * 10)


def test_no_two_jobs_of_a_thousand_have_one_colour() -> None:
    assert len(np.unique(job_colours(np.arange(1000)), axis=0)) > 950
    assert not (job_colours(np.arange(1000)) == FREE).all(axis=1).any()


@pytest.mark.parametrize("shape", [(8,), (1, 8), (4, 4), (2, 3, 4), (2, 2, 2, 3), (3, 70, 2, 2)])
def test_a_slice_shows_the_nodes_where_they_are(shape: tuple[int, ...]) -> None:
    torus = sw.Torus(shape)
    log = sw.Trace.from_columns([0, 0], [10, 10], [3, 2], max_processors=torus.nodes)
    result = sw.simulate(log, sw.Site(machine=torus))
    figure = plot_nodes(result, 5)
    line, *slices = (axes for axes in _axes(figure) if axes.images)
    strip = np.asarray(line.images[0].get_array())[0]
    assert [tuple(c) for c in strip[:6].tolist()] == [
        *[tuple(job_colours(np.array([0]))[0].tolist())] * 3,
        *[tuple(job_colours(np.array([1]))[0].tolist())] * 2,
        FREE,
    ]
    if len(slices) == 0:
        assert sum(side > 1 for side in shape) == 1
        return
    shown = np.concatenate([np.asarray(s.images[0].get_array()).reshape(-1, 3) for s in slices])
    colours = strip[torus.position(np.stack(np.unravel_index(range(torus.nodes), shape), axis=1))]
    if len(shown) < torus.nodes:  # every fourth of 210 slices, since at most 64 are shown
        colours = colours.reshape(210, -1, 3)[::4].reshape(-1, 3)
    assert np.array_equal(shown, colours)


def _axes(figure: Any) -> list[Any]:
    """Return the axes of a figure: first the line of nodes, then the slices."""
    return list(figure.axes)


def test_pictures_are_written_as_png_and_svg_with_reproducible_bytes(
    result: sw.Result, tmp_path: Path
) -> None:
    paths = write_pictures(result, tmp_path / "one")
    kinds = ("nodes", "occupancy", "occupancy-near")
    assert {path.name for path in paths} == {f"{k}.{s}" for k in kinds for s in ("png", "svg")}
    again = save(plot_nodes(result, fragmented_moment(result)), tmp_path, "nodes")
    for first, second in zip(paths, again, strict=False):
        assert first.read_bytes() == second.read_bytes()
    assert paths[0].read_bytes().startswith(b"\x89PNG")


def test_many_jobs_are_drawn_as_shares(monkeypatch: pytest.MonkeyPatch, result: sw.Result) -> None:
    monkeypatch.setattr("slotwise.pictures.occupancy._MOST_JOBS", 4)
    figure = plot_occupancy(result)
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert "share of time busy" in labels


def test_free_nodes_are_counted_and_those_of_the_largest_slot(result: sw.Result) -> None:
    # At 5, jobs 0 to 2 leave nodes 6 and 7 free. At 15, only job 1 is running, on nodes 2 to 4.
    assert free_at(result, np.array([5, 15])).tolist() == [[2, 5], [2, 3]]


def test_a_moment_can_be_marked(result: sw.Result) -> None:
    for axes in plot_occupancy(result, 0, 30, mark=15).axes:
        assert [line.get_xdata() for line in axes.lines] == [[0.25, 0.25]]  # minutes


def test_a_machine_without_places_is_refused() -> None:
    plain = sw.simulate(LOG)
    for draw in (plot_nodes, plot_occupancy, fragmented_moment):
        with pytest.raises(ValueError, match="have no positions; replay on a torus"):
            draw(plain)


def test_an_end_before_the_start_is_refused(result: sw.Result) -> None:
    with pytest.raises(ValueError, match="end must be after begin"):
        plot_occupancy(result, 10, 10)


def test_a_schedule_of_jobs_without_length_has_no_moment() -> None:
    log = sw.Trace.from_columns([0], [0], [1], max_processors=2)
    result = sw.simulate(log, sw.Site(machine=sw.Torus((2,))))
    with pytest.raises(ValueError, match="nothing to draw"):
        fragmented_moment(result)


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(sw.MissingExtraError, match=r"pip install 'slotwise\[plot\]'"):
        new_figure(1, 1)
