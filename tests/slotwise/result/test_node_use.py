"""Metrics on machines with nodes: whole nodes kept by jobs, and the busy share of each resource."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw

NODES = sw.Nodes([sw.NodeType(count=2, cores=8, memory="16GB", gpus=4)], "first-fit")


def replay(**asked: Any) -> sw.Result:
    """Replay a job of 10 s and a job of 20 s, each with one unit on its own node."""
    demands = sw.Demands([1, 1], **({"cores": [2, 4]} | asked))
    trace = sw.Trace.from_columns([0, 0], [10, 20], demands.processors, [10, 20], user=[1, 2])
    return sw.simulate(trace.with_demands(demands), sw.Site(machine=NODES))


def test_jobs_that_share_nodes_use_the_cores_they_ask() -> None:
    # The jobs use (2 x 10 + 4 x 20) of 16 x 20 core-seconds.
    assert replay().metrics()["utilisation"] == pytest.approx(100 / 320)


def test_jobs_that_take_nodes_whole_use_all_their_cores() -> None:
    # Each job keeps a whole node: (8 x 10 + 8 x 20) of 16 x 20 core-seconds.
    result = replay(exclusive="job")
    found = result.metrics()
    assert found["utilisation"] == pytest.approx(240 / 320)
    assert found["mean_busy_processors"] == pytest.approx(12)
    assert result.timeline()["busy_processors"].max() == 16
    by_user = result.metrics_by("user")
    assert by_user[1]["utilisation"] == pytest.approx(80 / 320)
    assert by_user[2]["utilisation"] == pytest.approx(160 / 320)


def test_a_trace_on_whole_nodes_uses_all_their_cores() -> None:
    # The job keeps one of the two nodes, that is, half of the machine.
    trace = sw.Trace.from_columns([0], [10], [3], [10])
    machine = sw.Nodes([sw.NodeType(count=2, cores=8)], whole_nodes=True)
    assert sw.simulate(trace, sw.Site(machine=machine)).metrics()["utilisation"] == 0.5


def test_each_resource_has_a_busy_share() -> None:
    # GPUs: (1 x 10 + 2 x 20) of 8 x 20. Memory: 4 GB x 10 s of 32 GB x 20 s.
    found = replay(gpus=[1, 2], memory=[4 * 2**20, 0]).metrics()
    assert found["utilisation_of_gpus"] == pytest.approx(50 / 160)
    assert found["utilisation_of_memory"] == pytest.approx(40 / 640)


def test_whole_nodes_keep_all_their_resources() -> None:
    # One job keeps 4 GPUs for 10 s and the other keeps 4 for 20 s, out of 8 x 20 GPU-seconds.
    assert replay(exclusive="job").metrics()["utilisation_of_gpus"] == pytest.approx(120 / 160)


def test_interrupted_attempts_count() -> None:
    # The job of 2 GPUs runs on [0, 5), is killed by a crash, and runs again on [6, 16): it uses
    # 2 x 15 of 8 x 16 GPU-seconds.
    demands = sw.Demands([1], cores=[1], gpus=[2])
    trace = sw.Trace.from_columns([0], [10], [1], [10]).with_demands(demands)
    site = sw.Site(machine=NODES, crashes=sw.Crashes([5], repair=1))
    assert sw.simulate(trace, site).metrics()["utilisation_of_gpus"] == pytest.approx(30 / 128)


def test_processors_have_no_further_shares() -> None:
    trace = sw.Trace.from_columns([0], [10], [1], [10])
    found = sw.simulate(trace, sw.Site(2)).metrics()
    assert not [name for name in found if name.startswith("utilisation_of_")]
