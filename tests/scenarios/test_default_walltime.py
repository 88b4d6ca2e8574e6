"""Requested times that a queue gives to jobs for which the log has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from slotwise.formats.job_files import write_trace

if TYPE_CHECKING:
    from pathlib import Path


def three_jobs() -> sw.Trace:
    """Return three jobs on 4 processors; the first has no requested time."""
    return sw.Trace.from_columns(
        submit=[0, 1, 2],
        run_time=[10, 5, 50],
        processors=[3, 4, 1],
        requested_time=[-1, 5, 50],
        max_processors=4,
    )


def site_with(default: str | None, **more: object) -> sw.Site:
    return sw.Site(4, queues=[sw.Queue("all", default_walltime=default)], **more)  # type: ignore[arg-type]


def test_a_default_is_the_request_of_a_job_without_one() -> None:
    # The first job runs until 10. If its request defaults to 100 s, the second job has its
    # reservation at 100. The third overtakes the second, which starts when the third ends at 52.
    # Without a default, the run time is the estimate: the reservation is at 10, and the third waits
    # until 15.
    assert sw.simulate(three_jobs(), site_with("100s")).start.tolist() == [0, 52, 2]
    assert sw.simulate(three_jobs(), site_with(None)).start.tolist() == [0, 10, 15]


@pytest.mark.parametrize("backfill", ["none", "easy", "depth", "replan", "conservative", "relaxed"])
def test_a_longer_run_keeps_its_run_time(backfill: str) -> None:
    trace = sw.Trace.from_columns(submit=[0, 0], run_time=[200, 20], processors=[4, 4])
    site = site_with("100s", policy=sw.Policy(backfill=backfill))
    result = sw.simulate(trace, site)
    assert result.end.tolist() == [200, 220]
    assert result.jobs["requested_time"].tolist() == [200, 100]


def test_jobs_with_a_request_keep_it() -> None:
    result = sw.simulate(three_jobs(), site_with("1h"))
    assert result.jobs["requested_time"].tolist() == [3600, 5, 50]
    assert result.trace.requested_time.tolist() == [10, 5, 50]


def test_a_job_without_a_request_is_routed_by_its_run_time() -> None:
    queues = [
        sw.Queue("short", walltime=(0, 60), default_walltime=300),
        sw.Queue("long", walltime=(60, None)),
    ]
    trace = sw.Trace.from_columns(submit=[0, 0], run_time=[60, 61], processors=[1, 1])
    result = sw.simulate(trace, sw.Site(2, queues=queues))
    assert result.queue.tolist() == [0, 1]
    assert result.jobs["requested_time"].tolist() == [300, 61]


def test_pools_that_are_replayed_apart_take_the_default() -> None:
    pools = [sw.Pool("a", 4), sw.Pool("b", 4)]
    queues = [
        sw.Queue("a", trace_queues=[1], pools=["a"], default_walltime="100s"),
        sw.Queue("b", trace_queues=[2], pools=["b"]),
    ]
    trace = three_jobs().with_columns(queue=[1, 1, 1])
    assert sw.simulate(trace, sw.Site(8, pools=pools, queues=queues)).start.tolist() == [0, 52, 2]


def test_a_machine_of_nodes_takes_the_default() -> None:
    nodes = sw.Nodes([sw.NodeType(count=4, cores=1)])
    site = sw.Site(nodes, queues=[sw.Queue("all", default_walltime="100s")])
    assert sw.simulate(three_jobs(), site).start.tolist() == [0, 52, 2]


def test_stepping_shows_the_default_and_submits_without_a_request() -> None:
    sim = sw.Simulation(three_jobs(), site_with("100s"))
    sim.run(until=0)
    assert sim.running.requested_time.tolist() == [100]
    job = sim.submit(processors=4, run_time=7)
    sim.run(until=1)
    assert dict(zip(sim.queue.job_id, sim.queue.requested_time, strict=True))[job] == 100
    restored = sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes()))
    sim.run()
    restored.run()
    assert sim.result().start.tolist() == restored.result().start.tolist()


def test_a_dispatcher_sees_the_default() -> None:
    seen = []

    def dispatch(queue: object, machine: object) -> None:
        seen.append(queue.requested_time.tolist())  # type: ignore[attr-defined]

    sim = sw.Simulation(three_jobs(), site_with("100s", policy=sw.External(dispatch)))
    sim.run(until=0)
    assert seen == [[100]]


def test_explain_plans_with_the_default() -> None:
    # The second job is estimated to start at 100, when the first job's default walltime ends.
    result = sw.simulate(three_jobs(), site_with("100s"))
    assert result.explain(2).estimated_start == 100


@pytest.mark.parametrize("suffix", [".csv", ".swf", ".parquet"])
def test_files_keep_which_jobs_had_no_request(tmp_path: Path, suffix: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"log{suffix}"
    write_trace(three_jobs(), path)
    again = sw.read_trace(path)
    assert again.has_request.tolist() == [0, 1, 1]
    assert again.requested_time.tolist() == [10, 5, 50]
    assert sw.simulate(again, site_with("100s")).start.tolist() == [0, 52, 2]


def test_columns_tell_which_jobs_had_no_request() -> None:
    trace = three_jobs()
    assert trace.has_request.tolist() == [0, 1, 1]
    assert trace[1:].has_request.tolist() == [1, 1]
    assert trace.with_columns(user=[1, 2, 3]).has_request.tolist() == [0, 1, 1]
    assert trace.with_columns(requested_time=[9, 9, 9]).has_request.tolist() == [1, 1, 1]
    assert sw.Trace.from_columns([0], [5], [1]).has_request.tolist() == [0]
    assert sw.Trace.from_columns([0], [5], [1], [5]).has_request.dtype == np.int32
