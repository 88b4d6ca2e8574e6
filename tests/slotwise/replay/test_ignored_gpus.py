"""GPUs that a log gives only as totals are not replayed, and a warning says so."""

from __future__ import annotations

import pytest

import slotwise as sw

GPU_NODE = sw.Nodes([sw.NodeType(count=1, cores=32, gpus=4)])


def test_gpus_without_demands_are_warned_of() -> None:
    """Two jobs of 4 GPUs start together on a node of 4, since only their cores count."""
    trace = sw.Trace.from_columns([0, 0], [60, 60], [1, 1], gpus=[4, 4])
    with pytest.warns(sw.SiteWarning, match="GPUs of 2 jobs only as totals"):
        result = sw.simulate(trace, sw.Site(machine=GPU_NODE))
    assert result.start.tolist() == [0, 0]


def test_demands_replay_the_gpus_without_a_warning() -> None:
    trace = sw.Trace.from_columns([0, 0], [60, 60], [1, 1], gpus=[4, 4])
    result = sw.simulate(
        trace.with_demands(sw.Demands([1, 1], cores=[1, 1], gpus=[4, 4])), sw.Site(machine=GPU_NODE)
    )
    assert result.start.tolist() == [0, 60]


def test_machines_without_gpus_are_not_warned_of() -> None:
    trace = sw.Trace.from_columns([0, 0], [60, 60], [1, 1], gpus=[4, 4])
    assert sw.simulate(trace, sw.Site(machine=sw.Processors(2))).start.tolist() == [0, 0]


def test_a_stepped_replay_warns_too() -> None:
    trace = sw.Trace.from_columns([0, 0], [60, 60], [1, 1], gpus=[4, 4])
    with pytest.warns(sw.SiteWarning, match="GPUs of 2 jobs only as totals"):
        sw.Simulation(trace, sw.Site(machine=GPU_NODE))
