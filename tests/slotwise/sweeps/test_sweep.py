"""Sweeps give the same rows as single replays, with any number of workers."""

from __future__ import annotations

import json
import multiprocessing
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from reference.workloads import crowd

if TYPE_CHECKING:
    from pathlib import Path

CROWD = crowd(5)
TRACE = CROWD.trace()
SITES = [
    sw.Site(machine=sw.Processors(processors), policy=sw.Policy(order=order, backfill=backfill))
    for processors in (CROWD.processors, 2 * CROWD.processors)
    for order in ("fcfs", "sjf", "wfp3")
    for backfill in ("none", "first-fit", "easy", "conservative")
]


def rows_of(sweep: sw.Sweep) -> list[dict[str, float]]:
    return [sweep.row(number) for number in range(len(sweep))]


def one_by_one(sites: list[sw.Site] = SITES, **options: Any) -> list[dict[str, float]]:
    return [sw.simulate(TRACE, site).metrics(**options) for site in sites]


@pytest.mark.parametrize("workers", [None, 1, 2, 7])
def test_rows_equal_single_replays_in_the_order_of_the_sites(workers: int | None) -> None:
    sweep = sw.sweep(TRACE, SITES, workers)
    assert rows_of(sweep) == one_by_one()
    assert sweep.sites == tuple(SITES)
    assert sweep["site"].tolist() == list(range(len(SITES)))
    assert (sweep["seconds"] > 0).all()


def test_threshold_and_trim_are_those_of_the_metrics() -> None:
    sweep = sw.sweep(TRACE, SITES[:3], threshold=60, trim=(0.001, 0.3))
    assert rows_of(sweep) == one_by_one(SITES[:3], threshold=60, trim=(0.001, 0.3))


def test_whole_results_are_kept_on_request() -> None:
    sweep = sw.sweep(TRACE, SITES[:4], 2, keep_results=True)
    assert len(sweep.results) == 4
    for site, result in zip(SITES, sweep.results, strict=False):
        assert result.site == site
        assert np.array_equal(result.start, sw.simulate(TRACE, site).start)
    assert sw.sweep(TRACE, SITES[:4]).results == ()


def test_best_names_the_site_of_the_least_or_largest_value() -> None:
    sweep = sw.sweep(TRACE, SITES)
    waits = [row["mean_wait"] for row in one_by_one()]
    assert sweep.best("mean_wait") == waits.index(min(waits))
    assert sweep.best("mean_wait", largest=True) == waits.index(max(waits))


def test_dataframe_libraries_read_the_table() -> None:
    pa = pytest.importorskip("pyarrow")
    sweep = sw.sweep(TRACE, SITES[:3])
    table = pa.table(sweep)
    assert table.column_names[:2] == ["site", "seconds"]
    assert table["mean_wait"].to_pylist() == [row["mean_wait"] for row in one_by_one(SITES[:3])]


def test_progress_rises_to_the_end_and_may_end_the_sweep() -> None:
    seen: list[float] = []
    sw.sweep(TRACE, SITES, 2, progress=seen.append)
    assert seen == sorted(seen)
    assert all(0 <= part <= 1 for part in seen)

    def stop(_part: float) -> None:
        raise KeyboardInterrupt

    # The sweep is long enough for one call to `progress` before the end.
    long = sw.generate("lublin", n_jobs=200_000, processors=256, load=0.9)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        sw.sweep(long, [sw.Site(sw.Processors(256))] * 50, 2, progress=stop)
    assert threading.active_count() == before
    assert rows_of(sw.sweep(TRACE, SITES[:2])) == one_by_one(SITES[:2])


def test_the_first_site_that_fails_is_named() -> None:
    narrow = sw.Site(machine=sw.Processors(1))
    wide = sw.Trace.from_columns([0], [5], [4])
    with pytest.raises(sw.SiteError, match=r"site 2 of the sweep: none of the 1 jobs fits"):
        sw.sweep(wide, [sw.Site(sw.Processors(4)), narrow, narrow])
    with pytest.raises(sw.SiteError, match=r"site 1 of the sweep: .*size of the machine is unknow"):
        sw.sweep(wide, [sw.Site()])
    logged = sw.Site(sw.Processors(4), sw.Policy.preset("as-logged"))
    with pytest.raises(
        sw.TraceError, match=r"site 1 of the sweep: the log does not state how long"
    ):
        sw.sweep(wide, [logged])


UNSIZED = sw.Trace.from_columns(TRACE.submit, TRACE.run_time, TRACE.processors)


def late_fault(waiting: Any, _now: int) -> Any:
    time.sleep(0.001)
    late = waiting.submit > UNSIZED.submit[len(UNSIZED) * 3 // 4]
    return np.where(late, np.nan, -waiting.submit)


@pytest.mark.threads
@pytest.mark.parametrize("how", ["one thread", "threads", "journal", "executor"])
def test_the_first_of_several_sites_that_fail_is_named_however_late_it_fails(
    how: str, tmp_path: Path
) -> None:
    # Site 3 fails late in its replay, long after site 5 has failed at the beginning of its own.
    # Site 6 does not suit the trace at all, which is detected before any replay.
    late = sw.Policy(order=sw.NumPyOrder(late_fault))
    early = sw.Policy(order={"name": "expression", "key": "0/0*submit"})
    sites = [
        *SITES[:2],
        sw.Site(SITES[0].machine, late),
        SITES[2],
        sw.Site(SITES[0].machine, early),
        sw.Site(),
    ]
    options: dict[str, Any] = {"one thread": {"workers": 1}, "threads": {"workers": 4}}.get(how, {})
    if how == "journal":
        options = {"journal": tmp_path / "sweep.jsonl"}
    with ThreadPoolExecutor(4) as pool:
        if how == "executor":
            options = {"executor": pool}
        with pytest.raises(sw.ReplayError, match=r"^site 3 of the sweep: order numpy"):
            sw.sweep(UNSIZED, sites * 2, **options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sites": []}, "a sweep needs at least one site"),
        ({"workers": 0}, "workers is 0; it must be a number of threads"),
        ({"workers": "two"}, "workers is 'two'"),
        ({"threshold": 0}, "threshold is 0"),
        ({"executor": object()}, "must be a concurrent.futures.Executor"),
        ({"executor": ThreadPoolExecutor(1), "workers": 2}, "cannot be combined"),
        ({"keep_results": True, "journal": "x"}, "leave journal out"),
        ({"sites": ["easy"]}, "site 1 of the sweep is 'easy'"),
    ],
)
def test_impossible_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        sw.sweep(TRACE, **{"sites": SITES[:1], **arguments})


def test_a_path_instead_of_a_trace_is_refused_with_the_call_that_reads_it() -> None:
    message = r"'log\.swf' is not a Trace; pass sw\.read_swf\('log\.swf'\)"
    path: Any = "log.swf"
    with pytest.raises(TypeError, match=message):
        sw.sweep(path, SITES[:1])


@pytest.mark.threads
def test_a_thread_pool_gives_the_same_rows() -> None:
    with ThreadPoolExecutor(3) as pool:
        assert rows_of(sw.sweep(TRACE, SITES, executor=pool)) == one_by_one()


def test_a_process_pool_gives_the_same_rows() -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        seen: list[float] = []
        sweep = sw.sweep(TRACE, SITES, executor=pool, progress=seen.append)
    assert rows_of(sweep) == one_by_one()
    assert seen[-1] == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_faults_of_a_site_on_nodes_are_one_line_with_its_number(workers: int) -> None:
    nodes = sw.Nodes([sw.NodeType(count=2, cores=16)])
    dated = sw.Site(nodes, queues=[sw.Queue("night", hours=["20:00-06:00"])])
    undated = sw.Trace.from_columns([0], [5], [1])
    message = r"^site 2 of the sweep: queue\[0\]\.hours: .* of its time 0$"
    with pytest.raises(sw.SiteError, match=message):
        sw.sweep(undated, [sw.Site(nodes), dated], workers)
    with pytest.raises(sw.SiteError, match=message):
        sw.sweep(undated, [sw.Site(4), dated], workers)


def test_a_sweep_resumes_from_a_journal_and_checks_it(tmp_path: Path) -> None:
    journal = tmp_path / "sweep.jsonl"
    told: list[float] = []

    def stop_half_way(part: float) -> None:
        told.append(part)
        if part >= 0.5:
            raise KeyboardInterrupt

    class Stopping(ThreadPoolExecutor):
        """An external executor, for which a sweep reports progress after each batch."""

    with Stopping(1) as pool, pytest.raises(KeyboardInterrupt):
        sw.sweep(TRACE, SITES, executor=pool, progress=stop_half_way, journal=journal)
    kept = journal.read_text().count("\n") - 1
    assert 0 < kept < len(SITES)
    # A process was killed and left an incomplete line.
    journal.write_text(journal.read_text() + '{"site": 3, "sec')
    again: list[float] = []
    with Stopping(1) as pool:
        sweep = sw.sweep(TRACE, SITES, executor=pool, progress=again.append, journal=journal)
    assert rows_of(sweep) == one_by_one()
    assert again[0] > kept / len(SITES)
    assert journal.read_text().count("\n") - 1 == len(SITES)
    with pytest.raises(ValueError, match="journal of another sweep, which differs in: threshold"):
        sw.sweep(TRACE, SITES, threshold=60, journal=journal)
    journal.write_text("job,start\n")
    with pytest.raises(ValueError, match="is not a sweep journal"):
        sw.sweep(TRACE, SITES, journal=journal)


def test_with_a_journal_the_sites_beside_one_that_fails_are_kept(tmp_path: Path) -> None:
    bad = sw.Site(SITES[0].machine, sw.Policy(order={"name": "expression", "key": "0/0*submit"}))
    sites = [*SITES[:7], bad, *SITES[7:9], bad, SITES[9]]
    message = r"^site 8 of the sweep: order expression .* gives job 1 .* key NaN"
    with pytest.raises(sw.ReplayError, match=message):
        sw.sweep(TRACE, sites, 1)
    journal = tmp_path / "sweep.jsonl"
    for _run in range(2):
        with pytest.raises(sw.ReplayError, match=message):
            sw.sweep(TRACE, sites, journal=journal)
        lines = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
        assert [line["site"] for line in lines] == [0, 1, 2, 3, 4, 5, 6, 8, 9, 11]
    with ThreadPoolExecutor(1) as pool, pytest.raises(sw.ReplayError, match=message):
        sw.sweep(TRACE, sites, executor=pool)


def test_a_function_that_raises_leaves_the_rows_of_the_other_sites(tmp_path: Path) -> None:
    def failing(_waiting: object, _now: int) -> object:
        raise ZeroDivisionError("no key")

    sites = [SITES[0], sw.Site(SITES[0].machine, sw.Policy(order=failing)), SITES[1]]
    journal = tmp_path / "sweep.jsonl"
    with pytest.raises(ZeroDivisionError, match="no key") as raised:
        sw.sweep(TRACE, sites, 1, journal=journal)
    assert raised.value.__notes__[-1] == "raised under site 2 of the sweep: "
    lines = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    assert [line["site"] for line in lines] == [0, 2]


def test_rows_from_a_journal_are_exact(tmp_path: Path) -> None:
    journal = tmp_path / "sweep.jsonl"
    sw.sweep(TRACE, SITES, journal=journal)
    assert rows_of(sw.sweep(TRACE, SITES, journal=journal)) == one_by_one()


def test_sites_cross_process_borders_unchanged() -> None:
    assert [asdict(site) for site in SITES] == [asdict(site.replace()) for site in SITES]


NODES = sw.Nodes([sw.NodeType(count=2, cores=4, gpus=1), sw.NodeType(count=2, cores=4)])
BATCH = sw.Trace.from_columns(
    submit=[0, 0, 5, 6, 7],
    run_time=[100, 50, 200, 10, 10],
    processors=[8, 4, 4, 2, 2],
    max_processors=16,
).with_demands(sw.Demands([2, 1, 1, 1, 1], cores=[4, 4, 4, 2, 2], gpus=[1, 0, 1, 1, 0]))
ON_NODES = [
    sw.Site(machine, sw.Policy(backfill=backfill))
    for backfill in ("none", "easy", "conservative")
    for machine in (NODES, sw.Processors(16))
]


@pytest.mark.parametrize("workers", [1, 3])
def test_machines_of_nodes_are_swept_beside_those_of_processors(workers: int) -> None:
    seen: list[float] = []
    found = sw.sweep(BATCH, ON_NODES, workers, keep_results=True, progress=seen.append)
    single = [sw.simulate(BATCH, site) for site in ON_NODES]
    assert rows_of(found) == [result.metrics() for result in single]
    assert [place.tolist() for place in found.results[2].places(0)] == [[0, 1], [1, 1]]
    assert seen == sorted(seen)


def test_the_first_site_at_fault_is_named_whatever_its_machine() -> None:
    none = sw.Site(sw.Nodes([sw.NodeType(count=1, cores=1, gpus=1)]))
    narrow = sw.Site(sw.Processors(1))
    with pytest.raises(sw.TraceError, match=r"site 2 of the sweep: none of the 5 jobs fits"):
        sw.sweep(BATCH, [ON_NODES[0], none, narrow], 2)
    with pytest.raises(sw.SiteError, match=r"site 2 of the sweep: none of the 5 jobs fits"):
        sw.sweep(BATCH, [ON_NODES[0], narrow, none], 2)


def test_what_progress_raises_ends_a_sweep_on_nodes() -> None:
    def stop(_part: float) -> None:
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        sw.sweep(BATCH, [ON_NODES[0]] * 50, 2, progress=stop)
    assert threading.active_count() == before
