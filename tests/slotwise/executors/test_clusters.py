"""Executors from other packages: Dask, submitit and Ray, each tested if installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TRACE = sw.generate("lublin", n_jobs=2000, processors=64, seed=6)
SITES = [
    sw.Site(policy=sw.Policy(order=order, backfill=backfill))
    for order in ("fcfs", "sjf", "wfp3")
    for backfill in ("none", "easy")
]
EXPECTED = [sw.simulate(TRACE, site).metrics() for site in SITES]


def rows_of(sweep: sw.Sweep) -> list[dict[str, float]]:
    return [sweep.row(number) for number in range(len(sweep))]


@pytest.mark.filterwarnings("ignore")
def test_submitit_runs_batches_as_jobs(tmp_path: Path) -> None:
    submitit = pytest.importorskip("submitit", reason="needs pip install submitit")
    executor = submitit.LocalExecutor(folder=tmp_path)
    found: list[Path] = []

    def look(_part: float) -> None:
        found.extend(tmp_path.rglob("*.trace"))

    assert rows_of(sw.sweep(TRACE, SITES, executor=executor, progress=look)) == EXPECTED
    assert len(set(found)) == 1  # the trace is written only once


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_job_of_submitit_that_dies_is_a_typed_error(tmp_path: Path) -> None:
    submitit = pytest.importorskip("submitit", reason="needs pip install submitit")
    executor = submitit.LocalExecutor(folder=tmp_path)
    killer = sw.Site(policy=sw.Policy(order=_end_the_process))
    with pytest.raises(sw.WorkerError, match="lost 3 times"):
        sw.sweep(TRACE, [killer], executor=executor)


def _end_the_process(_jobs: Any, _now: int) -> Any:
    import os

    os._exit(9)


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    module = pytest.importorskip("ray", reason="needs pip install ray")
    module.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield module
    module.shutdown()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_ray_gives_the_same_rows_and_survives_its_workers(ray: Any) -> None:
    assert rows_of(sw.sweep(TRACE, SITES, executor=ray)) == EXPECTED
    bad = sw.Site(policy=sw.Policy(order={"name": "expression", "key": "0/0*submit"}))
    with pytest.raises(sw.ReplayError, match=r"^site 2 of the sweep: order expression"):
        sw.sweep(TRACE, [SITES[0], bad], executor=ray)
    killer = sw.Site(policy=sw.Policy(order=_end_the_process))
    with pytest.raises(sw.WorkerError, match="lost 3 times"):
        sw.sweep(TRACE, [killer], executor=ray)
