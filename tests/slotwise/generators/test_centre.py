"""The workload model of a centre with GPUs, and the site of that centre."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import slotwise as sw

SITE = Path(__file__).resolve().parents[3] / "examples" / "sites" / "gpu-centre.toml"


@pytest.fixture(scope="module")
def trace() -> sw.Trace:
    return sw.generate("centre", n_jobs=20_000, seed=1)


def test_cpu_nodes_and_gpus_have_the_requested_load() -> None:
    trace = sw.generate("centre", n_jobs=20_000, duration="6d", load=0.7, seed=2)
    demands = trace.demands
    seconds = 6 * 86_400
    gpus = demands.units * demands.each["gpus"]
    # The 150 nodes with 4 GPUs and the 50 with 8 have 1000 GPUs in total.
    assert float(gpus @ trace.run_time) / (1000 * seconds) == pytest.approx(0.7, rel=1e-3)
    part = np.maximum(demands.each["cores"] / 128, demands.each["memory"] / (256 << 20))
    nodes = demands.units * np.where(demands.exclusive == 1, 1, part) * (gpus == 0)
    assert float(nodes @ trace.run_time) / (1300 * seconds) == pytest.approx(0.7, rel=1e-3)


def test_shares_are_those_of_the_page(trace: sw.Trace) -> None:
    # Half of the jobs repeat the previous one, so 20,000 jobs count as only a third as many
    # independent ones. Three standard errors of a share of one third are then 0.017.
    assert (trace.demands.each["gpus"] > 0).mean() == pytest.approx(0.25, abs=0.02)
    assert (trace.demands.exclusive == 0).mean() == pytest.approx(1 / 3, abs=0.02)
    assert trace.submit[-1] == pytest.approx(6 * 86_400, rel=0.01)  # 30 days per 100,000 jobs
    assert np.unique(trace.user).max() == 300


def test_every_job_fits_its_partition(trace: sw.Trace) -> None:
    site = sw.Site.from_toml(SITE)
    longest = np.array([queue.walltime[1] for queue in site.queues])[trace.queue - 1]
    assert (trace.requested_time <= longest).all()
    assert (trace.run_time <= trace.requested_time).all()
    demands, machine = trace.demands, site.machine
    assert isinstance(machine, sw.Nodes)
    for number, queue in enumerate(site.queues, 1):
        partition = _nodes_of(machine, queue)
        rows = np.flatnonzero(trace.queue == number)
        asked = {(repr(demands.of_job(row)), repr(demands.rules_of(row))): row for row in rows}
        assert len(asked) > 3
        for row in asked.values():
            units, each = demands.of_job(row)
            assert partition.what_lacks(units, each, **demands.rules_of(row)) == ""


def _nodes_of(machine: sw.Nodes, queue: sw.Queue) -> sw.Nodes:
    counts = np.bincount(machine.type_of[machine.select(queue.nodes)], minlength=len(machine.types))
    return sw.Nodes(
        [
            sw.NodeType(count=int(n), **kind.resources, features=kind.features)
            for n, kind in zip(counts, machine.types, strict=True)
            if n
        ]
    )


def test_equal_seeds_give_equal_traces_and_other_seeds_others() -> None:
    first, again, other = (sw.generate("centre", n_jobs=500, seed=s) for s in (3, 3, 4))
    assert first == again
    assert first != other


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"load": 0}, "load=0: it must be a number from 0.001 to 2"),
        ({"gpu_share": 1.5}, "gpu_share=1.5: it must be a number from 0 to 1"),
        ({"n_jobs": 100, "duration": "30d"}, "set a smaller load, more jobs or a shorter"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sw.generate("centre", **options)
