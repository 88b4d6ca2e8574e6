"""Jobs on whole nodes of one type are replayed as jobs on processors.

A stepped replay always plans node by node. It must give the same starts, flags and places.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import slotwise as sw
from reference.one_core_nodes import TRACE

BACKFILLS: list[Any] = [
    "none",
    "first-fit",
    "easy",
    {"name": "depth", "depth": 3},
    "replan",
    "conservative",
]
CORES = 4
COLUMNS = ("start", "end", "state", "backfilled", "queue", "reject_reason")


def with_lengths(trace: sw.Trace) -> sw.Trace:
    """Give every job at least one second; jobs of length 0 are always planned node by node."""
    run = np.maximum(trace.run_time, 1)
    request = np.maximum(trace.requested_time, 1)
    return sw.Trace.from_columns(trace.submit, run, trace.processors, request)


def lublin(seed: int) -> sw.Trace:
    return with_lengths(
        sw.generate("lublin", n_jobs=600, processors=64 * CORES, load=1.1, seed=seed)
    )


def machine(nodes: int, rule: str = "least-scarce") -> sw.Nodes:
    return sw.Nodes([sw.NodeType(count=nodes, cores=CORES)], rule, whole_nodes=True)


def assert_planned_as_by_node(trace: sw.Trace, site: sw.Site) -> None:
    found = sw.simulate(trace, site)
    stepped = sw.Simulation(trace, site)
    stepped.run()
    expected = stepped.result()
    for column in COLUMNS:
        assert np.array_equal(getattr(found, column), getattr(expected, column)), column
    for row in range(len(trace)):
        for one, other in zip(found.places(row), expected.places(row), strict=True):
            assert np.array_equal(one, other), row
    assert found.metrics() == expected.metrics()


@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_lublin_log_is_planned_as_by_node(backfill: Any, seed: int) -> None:
    site = sw.Site(machine(64), policy=sw.Policy(backfill=backfill))
    assert_planned_as_by_node(lublin(seed), site)


@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
def test_a_crowd_of_one_instant_is_planned_as_by_node(backfill: Any) -> None:
    nodes = -(-int(TRACE.processors.max()) // CORES)
    site = sw.Site(machine(nodes + 1), policy=sw.Policy(backfill=backfill))
    assert_planned_as_by_node(with_lengths(TRACE), site)
    assert_planned_as_by_node(TRACE, site)  # includes jobs of length 0


@pytest.mark.parametrize("rule", ["first-fit", "best-fit"])
def test_units_of_all_cores_are_planned_as_by_node(rule: str) -> None:
    trace = lublin(4)
    units = -(-trace.processors // CORES)
    trace = sw.Trace.from_columns(
        trace.submit, trace.run_time, units * CORES, trace.requested_time
    ).with_demands(sw.Demands(units, cores=np.full(len(trace), CORES)))
    assert_planned_as_by_node(trace, sw.Site(machine(64, rule)))


def test_places_are_the_lowest_idle_nodes() -> None:
    # Job 0 has node 0 until 40, and job 1 has nodes 1 and 2 until 100. At 50, nodes 0 and 3 are
    # idle, and job 2 takes both.
    trace = sw.Trace.from_columns([0, 0, 50], [40, 100, 10], [4, 8, 8], [40, 100, 10])
    result = sw.simulate(trace, sw.Site(machine(4)))
    assert result.start.tolist() == [0, 0, 50]
    assert [result.places(row)[0].tolist() for row in range(3)] == [[0], [1, 2], [0, 3]]
