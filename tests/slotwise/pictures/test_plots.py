"""Charts of schedules, and tables of traces, results, sweeps and comparisons."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.pictures.plots.pareto import is_front
from slotwise.pictures.plots.queue import means
from slotwise.pictures.plots.style import COLOURS

if TYPE_CHECKING:
    from pathlib import Path

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")
pytest.importorskip("matplotlib")

# Three jobs of 100 s need 4, 1 and 2 of 4 processors. Under fcfs they start at 0, 100 and 100,
# after waits of 0, 90 and 80 s.
TRACE = sw.Trace.from_columns(
    [0, 10, 20], [100, 100, 100], [4, 1, 2], max_processors=4, user=["ann", "bob", "ann"],
    wait=[0, 90, 180],
)  # fmt: skip


@pytest.fixture(scope="module")
def result() -> sw.Result:
    return sw.simulate(TRACE)


def labels(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_a_chart_of_waits_has_the_share_of_jobs_at_each_wait(result: sw.Result) -> None:
    (curve,) = result.plot.waits().lines
    at, share = curve.get_data()
    # A third of the jobs wait 0 s, two thirds at most 80 s, and all at most 90 s.
    assert list(zip(at.tolist(), share.round(3).tolist(), strict=True)) == [
        (0, 0), (0, 0.333), (80, 0.667), (90, 1), (90, 1),
    ]  # fmt: skip
    assert curve.get_color() == COLOURS[0]


def test_a_chart_of_slowdowns_has_them_bounded(result: sw.Result) -> None:
    (curve,) = result.plot.slowdowns(threshold=200).lines
    # The bounded slowdown is (wait + 100) / 200, but at least 1.
    assert curve.get_xdata().tolist() == [1, 1, 1, 1, 1]
    (curve,) = result.plot.slowdowns().lines
    assert curve.get_xdata()[1:-1].tolist() == [1, 1.8, 1.9]


def test_a_chart_of_the_queue_has_means_of_machine_and_queue(result: sw.Result) -> None:
    axes = result.plot.queue()
    busy, queued = axes.patches
    # Until 100, all 4 processors are busy, then 3 until 200. Waiting jobs request 1 processor from
    # 10, and 3 from 20.
    assert busy.get_data().values[[0, 99, 100, 199]].tolist() == [4, 4, 3, 3]
    assert queued.get_data().values[[9, 10, 20, 99, 100]].tolist() == [0, 1, 3, 3, 0]
    assert labels(axes) == ["busy", "requested by waiting jobs", "4 in the machine"]
    assert axes.get_xlim() == (0, 200)


def test_a_long_replay_is_drawn_as_means() -> None:
    time, values = np.array([0, 300, 1200]), np.array([6, 0, 0])
    edges, mean = means(time, values, 0, 1200)
    # There are 600 intervals of 2 s. Their means are 6 until 300 s, and then 0.
    assert (len(edges), mean[149], mean[150]) == (601, 6, 0)


def test_a_gantt_chart_has_a_box_per_interval_of_processors(result: sw.Result) -> None:
    boxes = result.plot.gantt().collections[0]
    corners = sorted(path.get_extents().extents.tolist() for path in boxes.get_paths())
    # Job 0 holds all 4 processors for 100 s; then two jobs run side by side.
    assert corners[0] == [0, 0, 100, 4]
    assert [c[0::2] for c in corners[1:]] == [[100, 200], [100, 200]]
    assert sum(c[3] - c[1] for c in corners[1:]) == 3
    assert sorted(boxes.get_array().tolist()) == [0, 80, 90]


def test_a_gantt_chart_of_many_jobs_is_an_image() -> None:
    trace = sw.generate("lublin", n_jobs=4000, processors=64, seed=1)
    axes = sw.simulate(trace).plot.gantt()
    (image,) = axes.images
    assert image.get_array().shape == (64, 1600)


def test_a_gantt_chart_of_a_torus_has_the_positions_of_nodes() -> None:
    trace = sw.Trace.from_columns([0, 0], [10, 30], [2, 3], max_processors=8)
    replay = sw.simulate(trace, sw.Site(machine=sw.Torus((2, 4), order="row")))
    boxes = replay.plot.gantt().collections[0]
    assert sorted(path.get_extents().extents.tolist() for path in boxes.get_paths()) == [
        [0, 0, 10, 2], [0, 2, 30, 5],
    ]  # fmt: skip


def test_a_chart_of_groups_has_mean_and_tail_of_each(result: sw.Result) -> None:
    axes = result.plot.by("user")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["ann (2)", "bob (1)"]
    means_of, tails = (line.get_xdata() for line in axes.lines)
    # ann waits 0 and 80 s, bob 90 s; the 95th percentile of 0 and 80 is 76.
    assert np.round(np.array(means_of) * 3600, 6).tolist() == [40, 90]
    assert np.round(np.array(tails) * 3600, 6).tolist() == [76, 90]


def test_charts_of_a_trace_are_of_its_own_schedule() -> None:
    (curve,) = TRACE.plot.waits().lines
    assert curve.get_xdata().tolist() == [0, 0, 90, 180, 180]
    unlogged = sw.Trace.from_columns([0], [10], [1], max_processors=1)
    with pytest.raises(sw.TraceError, match=r"has no start times.*sw.simulate\(trace\).plot"):
        unlogged.plot  # noqa: B018
    # Without a machine size, the chart shows the largest number of processors in use: 4.
    sizeless = sw.Trace.from_columns([0, 10], [100, 100], [4, 1], wait=[0, 90])
    assert labels(sizeless.plot.queue())[-1] == "4 in the machine"


def test_charts_of_a_comparison_have_both_schedules(result: sw.Result) -> None:
    compared = sw.compare(result, result)
    axes = compared.plot.waits()
    assert labels(axes) == ["first, mean 0:00:57", "second, mean 0:00:57"]  # (0 + 80 + 90) / 3
    assert {line.get_linestyle() for line in axes.lines} == {"-", "--"}
    assert len(compared.plot.slowdowns().lines) == 2


def test_the_front_of_a_sweep_has_the_sites_that_none_betters() -> None:
    x, y = np.array([1.0, 2, 2, 3, np.nan, 1]), np.array([5.0, 5, 1, 2, 0, 5])
    # If lower is better for x and y, the front is (1, 5), which occurs twice, and (2, 1).
    assert is_front(x, y, (-1, -1)).tolist() == [True, False, True, False, False, True]
    # If higher is better for y, the two points (1, 5) are the front, as they have the least x and
    # the greatest y.
    assert is_front(x, y, (-1, 1)).tolist() == [True, False, False, False, False, True]


def test_a_chart_of_a_sweep_names_its_front() -> None:
    sites = [sw.Site(policy=sw.Policy(order=order)) for order in ("fcfs", "ljf")]
    swept = sw.sweep(TRACE, sites)
    axes = swept.plot.pareto("mean_wait", "max_wait", names=["a", "b"])
    assert {text.get_text() for text in axes.texts} <= {"a", "b"}
    assert axes.get_xlabel() == "mean wait in hours, less is better"
    with pytest.raises(ValueError, match="n_jobs: neither higher nor lower values are better"):
        swept.plot.pareto("n_jobs")
    with pytest.raises(ValueError, match="names has 1 values for 2 sites"):
        swept.plot.pareto(names=["a"])


def test_a_chart_is_drawn_on_axes_of_the_caller(result: sw.Result) -> None:
    from matplotlib.figure import Figure

    panels = Figure().subplots(1, 2)
    assert result.plot.waits(panels[0]) is panels[0]
    assert result.plot.queue(ax=panels[1]) is panels[1]


def test_a_schedule_without_a_start_is_not_drawn() -> None:
    none = sw.Result(
        TRACE, sw.Site(), sw.simulate(TRACE).schedule.__class__(*np.full((2, 3), -1)), 4, 0.0
    )
    for draw in (none.plot.waits, none.plot.slowdowns, none.plot.queue, none.plot.gantt):
        with pytest.raises(ValueError, match="nothing to draw"):
            draw()


def test_a_script_gets_axes_without_pyplot() -> None:
    code = (
        "import sys, slotwise as sw; log = sw.generate('lublin', n_jobs=50, processors=8, seed=1);"
        "sw.simulate(log).plot.queue(); print('matplotlib.pyplot' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "False\n"


def test_a_trace_is_a_table_that_reads_back() -> None:
    table = pa.table(TRACE)
    assert table["user"].to_pylist() == ["ann", "bob", "ann"]
    back = sw.Trace.from_table(table)
    for name in ("submit", "run_time", "processors", "requested_time", "wait", "job_id"):
        assert getattr(back, name).tolist() == getattr(TRACE, name).tolist()
    assert back.names("user") == TRACE.names("user")


def test_results_and_comparisons_are_tables(result: sw.Result, tmp_path: Path) -> None:
    assert pa.table(result)["wait"].to_pylist() == [0, 90, 80]
    assert pa.schema(result).names == result.jobs.column_names
    compared = pa.table(sw.compare(result, result)).to_pylist()[0]
    assert (compared["n_jobs"], compared["mean"], compared["sooner"]) == (3, 0, 0)
    result.to_parquet(tmp_path / "jobs")
    assert pa.parquet.read_table(tmp_path / "jobs").equals(pa.table(result))


def test_notebooks_show_tables(result: sw.Result) -> None:
    swept = sw.sweep(TRACE, [sw.Site()] * 12)
    for shown, found in (
        (TRACE, "<td>3</td>"), (result, "mean wait"), (result.jobs, "<th>processors</th>"),
        (swept, "<p>12 rows, "), (sw.compare(result, result), "none: fewer than 4 weeks"),
    ):  # fmt: skip
        html = shown._repr_html_()
        assert html.startswith("<table>")
        assert found in html
    hostile = sw.Trace.from_columns([0], [1], [1], user=["<b>"])
    assert "&lt;b&gt;" in sw.simulate(hostile, sw.Site(1)).jobs._repr_html_()


def test_a_notebook_shows_every_chart_and_not_the_first_alone() -> None:
    # In notebooks, the backend makes pyplot interactive when the first figure is created. A style
    # context that ended afterwards undid this, and the charts of later cells were not shown.
    pytest.importorskip("matplotlib_inline", reason="ipykernel is not installed")
    program = (
        "import matplotlib, slotwise as sw\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "InteractiveShell.instance()\n"
        "trace = sw.Trace.from_columns([0, 0], [60, 60], [1, 1], max_processors=1)\n"
        "sw.simulate(trace).plot.waits()\n"
        "print(matplotlib.is_interactive())\n"
    )
    environment = {**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"
