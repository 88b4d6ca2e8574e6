"""Result of a replay: columns, metrics, groups."""

from __future__ import annotations

import gc
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import slotwise as sw
from slotwise import _core

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def trace() -> sw.Trace:
    # On 4 processors, job 0 starts at 0, job 1 (4 processors) at 20, and job 2 at 10, beside job 0.
    # Job 2 is killed at its limit of 5 s. Job 3 is wider than the machine.
    return sw.Trace.from_columns(
        [0, 0, 10, 40],
        [20, 7200, 9, 5],
        [3, 4, 1, 9],
        [20, 7200, 5, 5],
        user=[1, 2, 1, 2],
        max_processors=4,
        job_id=[7, 8, 9, 10],
    )


@pytest.fixture
def result(trace: sw.Trace) -> sw.Result:
    return sw.simulate(trace)


def test_columns_give_the_outcome_of_each_job(result: sw.Result) -> None:
    assert result.start.tolist() == [0, 20, 10, -1]
    assert result.end.tolist() == [20, 7220, 15, -1]
    assert result.wait.tolist() == [0, 20, 0, -1]
    assert [sw.State(code).name for code in result.state] == [
        "COMPLETED",
        "COMPLETED",
        "KILLED",
        "REJECTED",
    ]
    assert result.backfilled.tolist() == [False, False, True, False]
    assert len(result) == 4


def test_columns_have_the_documented_types_and_are_read_only(result: sw.Result) -> None:
    types = {"start": "int64", "end": "int64", "wait": "int64", "state": "uint8"}
    for name, dtype in (types | {"backfilled": "bool"}).items():
        column = getattr(result, name)
        assert column.dtype == dtype
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_columns_are_the_engines_memory_and_outlive_the_result(trace: sw.Trace) -> None:
    result = sw.simulate(trace)
    start = result.start
    assert start.ctypes.data == result.start.ctypes.data
    del result
    gc.collect()
    assert start.tolist() == [0, 20, 10, -1]


def test_states_of_python_and_core_are_the_same() -> None:
    assert [(state.name.lower(), int(state)) for state in sw.State] == _core.states()


def test_states_counts_every_state(result: sw.Result) -> None:
    counted = {sw.State.COMPLETED: 2, sw.State.KILLED: 1, sw.State.REJECTED: 1}
    assert result.states() == dict.fromkeys(sw.State, 0) | counted


def test_metrics_counts_the_lines_the_reader_dropped(tmp_path: Path) -> None:
    # The second line has a negative run time.
    path = tmp_path / "log.swf"
    job = " 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1"
    path.write_text(f"; MaxProcs: 4\n1 0 -1 20{job}\n2 0 -1 -5{job}\n")
    assert sw.simulate(sw.read_swf(path)).metrics()["n_dropped"] == 1


def test_metrics_by_user_groups_by_the_column(result: sw.Result) -> None:
    by_user = result.metrics_by("user")
    assert list(by_user) == [1, 2]
    assert by_user[1]["n_started"] == 2
    assert by_user[2]["mean_wait"] == 20
    assert by_user[2]["n_rejected"] == 1


def test_utilisations_of_groups_add_up(result: sw.Result) -> None:
    shares = [row["utilisation"] for row in result.metrics_by("user").values()]
    assert sum(shares) == pytest.approx(result.metrics()["utilisation"], rel=1e-15)


def test_classes_are_size_by_length(result: sw.Result) -> None:
    by_class = result.metrics_by("class", sizes=(1, 3), lengths=(60, 3600))
    assert {name: row["n_jobs"] for name, row in by_class.items()} == {
        "up to 1 processors, up to 1 min": 1,
        "over 1 to 3 processors, up to 1 min": 1,
        "over 3 processors, up to 1 min": 1,
        "over 3 processors, over 1 h": 1,
    }


def test_own_labels_make_groups(result: sw.Result) -> None:
    assert list(result.metrics_by(["b", "a", "b", "a"])) == ["a", "b"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"by": "colour"}, "unknown grouping 'colour'; known names are: user"),
        ({"by": [1, 2]}, "pass one label for each of the 4 jobs"),
        ({"by": "class", "sizes": (8, 4)}, r"sizes is \(8, 4\)"),
        ({"by": "class", "lengths": (0,)}, r"lengths is \(0,\)"),
        ({"by": "user", "trim": 3}, "trim is 3; use two numbers"),
    ],
)
def test_an_impossible_grouping_is_refused(
    result: sw.Result, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        result.metrics_by(**arguments)  # type: ignore[arg-type]


def test_a_schedule_of_another_trace_is_refused(trace: sw.Trace) -> None:
    schedule = _core.Schedule(np.array([0]), np.array([20]))
    with pytest.raises(ValueError, match="start has 1 values and submit has 4"):
        sw.Result(trace, sw.Site(), schedule, 4, 0.0)


def test_a_schedule_can_be_built_from_arrays(result: sw.Result, trace: sw.Trace) -> None:
    again = _core.Schedule(result.start, result.end, result.state, result.backfilled.view(np.uint8))
    assert sw.Result(trace, sw.Site(), again, 4, 0.0).metrics() == result.metrics()
    assert _core.Schedule(result.start, result.end).state.tolist() == [0, 0, 0, 2]


def test_a_result_survives_pickling(result: sw.Result) -> None:
    assert len(result.jobs) == 4
    again = pickle.loads(pickle.dumps(result))
    assert again.metrics() == result.metrics()
    assert again.start.tolist() == result.start.tolist()
    assert again.site == result.site


def test_repr_shows_what_was_left_out(result: sw.Result) -> None:
    assert "3 of 4 started" in repr(result)
    assert "1 rejected" in repr(result)
    assert "threshold 10 s" in repr(result)
    assert "<th" in result._repr_html_()


@pytest.mark.threads
def test_threads_sharing_one_result_agree(result: sw.Result) -> None:
    with ThreadPoolExecutor(4) as pool:
        all_metrics = list(pool.map(lambda _: result.metrics(), range(20)))
    assert all(metrics == all_metrics[0] for metrics in all_metrics)


def test_every_metric_is_documented_and_every_documented_metric_is_returned(
    result: sw.Result,
) -> None:
    # Some metrics exist only on sites with a calendar, or on a torus.
    placed = sw.simulate(result.trace, sw.Site(machine=sw.Torus((result.processors,))))
    away = sw.simulate(result.trace, result.site.replace(outages=[sw.Outage(0, 1, 1)]))
    held = sw.simulate(result.trace.with_columns(eligible=result.trace.submit + 1), result.site)
    nodes = sw.Nodes([sw.NodeType(count=result.processors, cores=1, gpus=1)])
    with_gpus = result.trace.with_columns(gpus=result.trace.processors)
    on_nodes = sw.simulate(with_gpus, sw.Site(machine=nodes))
    text = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    documented = set()
    for row in re.findall(r"^\| (`.*?) \|", text, flags=re.MULTILINE):
        for name in re.findall(r"`([^`]+)`", row):
            kinds = ("mean", "median", "p95", "max") if name.startswith("*_") else (None,)
            documented |= {name.replace("*", kind) if kind else name for kind in kinds}
    returned = set(result.metrics(fair_start=result.fair_start()))
    returned |= set(held.metrics())
    others = (away, placed, on_nodes)
    assert documented == returned.union(*(other.metrics() for other in others))
    assert set(result.metrics_by("user")[1]) < documented


@pytest.mark.parametrize(
    ("log", "processors", "mean_wait", "mean_bounded_slowdown", "utilisation", "max_wait"),
    [
        ("KTH-SP2", 100, 6837.49, 92.7299, 0.697121, 262_194),
        ("SDSC-BLUE", 1152, 7870.27, 37.4134, 0.765402, 428_774),
    ],
)
def test_textbook_easy_has_the_published_figures(
    shared_traces: Path,
    log: str,
    processors: int,
    mean_wait: float,
    mean_bounded_slowdown: float,
    utilisation: float,
    max_wait: int,
) -> None:
    # The README of these logs gives the figures, rounded to as many digits as here.
    trace = sw.read_swf(shared_traces / "reference" / f"{log}.normalised.swf.gz")
    metrics = sw.simulate(trace, sw.Site(machine=sw.Processors(processors))).metrics()
    assert round(metrics["mean_wait"], 2) == mean_wait
    assert round(metrics["mean_bounded_slowdown"], 4) == mean_bounded_slowdown
    assert round(metrics["utilisation"], 6) == utilisation
    assert metrics["max_wait"] == max_wait
