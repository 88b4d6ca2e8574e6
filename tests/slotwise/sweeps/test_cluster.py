"""Sweeps on a Dask cluster of processes on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from reference.workloads import crowd

if TYPE_CHECKING:
    from collections.abc import Iterator

distributed = pytest.importorskip("distributed", reason="needs pip install 'slotwise[cluster]'")

CROWD = crowd(6)
TRACE = CROWD.trace()
SITES = [
    sw.Site(sw.Processors(n), sw.Policy(backfill=backfill))
    for n in range(CROWD.processors, CROWD.processors + 20)
    for backfill in ("none", "easy")
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client


@pytest.mark.filterwarnings("ignore")
def test_a_client_and_its_executor_give_the_rows_of_single_replays(cluster: Any) -> None:
    expected = [sw.simulate(TRACE, site).metrics() for site in SITES]
    for executor in (cluster, cluster.get_executor()):
        sweep = sw.sweep(TRACE, SITES, executor=executor)
        assert [sweep.row(number) for number in range(len(SITES))] == expected


@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_dies_loses_nothing(cluster: Any) -> None:
    killed: list[str] = []

    def kill_one(_part: float) -> None:
        if not killed:
            worker = next(iter(cluster.cluster.workers.values()))
            killed.append(str(worker.address))
            cluster.sync(worker.kill)

    sweep = sw.sweep(TRACE, SITES * 4, executor=cluster, progress=kill_one)
    assert len(killed) == 1
    expected = [sw.simulate(TRACE, site).metrics() for site in SITES] * 4
    assert [sweep.row(number) for number in range(len(expected))] == expected


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_loses_the_trace_loses_no_row(cluster: Any) -> None:
    """Under high load, a worker that dies may have the only copy of the scattered trace."""
    lost: list[Any] = []

    def lose_the_trace(_part: float) -> None:
        if not lost:
            lost.extend(key for key in list(cluster.futures) if str(key).startswith("Trace-"))
            cluster.cancel([distributed.Future(key, cluster) for key in lost], force=True)

    sweep = sw.sweep(TRACE, SITES * 4, executor=cluster, progress=lose_the_trace)
    assert lost != []
    expected = [sw.simulate(TRACE, site).metrics() for site in SITES] * 4
    assert [sweep.row(number) for number in range(len(expected))] == expected
