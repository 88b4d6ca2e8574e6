"""Real logs on a torus: allocated nodes and slots are checked after every event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

POLICIES: dict[str, dict[str, Any]] = {
    "easy on the first free nodes": {},
    "easy, least spread": {"allocation": "least-spread"},
    "contiguous easy, best fit": {"allocation": "contiguous-best"},
    "window of the paper": {"backfill": "window", "passes": "30s"},
    "window with backfilling": {
        "backfill": "window", "solver": "greedy", "slots": "all", "beyond_window": True,
        "age_limit": "1h",
    },
}  # fmt: skip


def runs(free: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the first position and the end of each run of True values."""
    edges = np.flatnonzero(np.diff(free, prepend=False, append=False))
    return edges.reshape(-1, 2)


def assert_nodes_are_right_after_every_event(log: sw.Trace, site: sw.Site) -> None:
    torus = site.machine
    assert isinstance(torus, sw.Torus)
    needs = -(-log.processors // torus.processors_per_node)
    sim = sw.Simulation(log, site)
    free = np.ones(torus.nodes, dtype=bool)
    held: dict[int, NDArray[np.int64]] = {}
    n_started = 0
    while sim.step():
        running = set(sim.running.row.tolist())
        for row in held.keys() - running:
            free[held.pop(row)] = True
        if started := running - held.keys():
            so_far = sim.result()
            for row in started:
                nodes = np.concatenate([np.arange(*piece) for piece in so_far.nodes(row).tolist()])
                assert len(nodes) == needs[row]
                assert free[nodes].all(), f"job {row} at {sim.now} has a node of another"
                free[nodes] = False
                held[row] = nodes
            n_started += len(started)
        assert np.array_equal(sim.slots, runs(free)), f"at {sim.now}"
    assert (sim.result().start >= 0).all()
    lasting = (sim.result().end > sim.result().start).sum()
    assert n_started >= lasting
    assert sim.slots.tolist() == [[0, torus.nodes]]


@pytest.mark.parametrize("name", POLICIES)
def test_a_stretch_of_sdsc_blue(shared_traces: Path, name: str) -> None:
    """Replay the first of this log's 48 sections in the torus study, on 144 8-processor nodes."""
    log = sw.read_swf(shared_traces / "SDSC-BLUE-2000-4.2-cln.swf.gz")[:4830]
    torus = sw.Torus((6, 6, 4), processors_per_node=8)
    site = sw.Site(machine=torus, policy=sw.Policy(**POLICIES[name]))
    assert_nodes_are_right_after_every_event(log, site)


@pytest.mark.parametrize("name", POLICIES)
def test_intrepid(shared_traces: Path, name: str) -> None:
    """Replay all 3,000 jobs on 40,960 nodes."""
    log = sw.read_intrepid(shared_traces / "anl-intrepid-3000jobs.txt")
    site = sw.Site(machine=sw.Torus((40, 32, 32)), policy=sw.Policy(**POLICIES[name]))
    assert_nodes_are_right_after_every_event(log, site)


def test_before_the_first_step_all_nodes_are_one_slot() -> None:
    trace = sw.Trace.from_columns([5], [9], [3])
    sim = sw.Simulation(trace, sw.Site(machine=sw.Torus((4, 2), order="row")))
    assert sim.slots.tolist() == [[0, 8]]
    sim.step()
    assert sim.slots.tolist() == [[3, 8]]
    other = sw.Simulation(trace, sw.Site(machine=8))
    with pytest.raises(ValueError, match="no positions"):
        _ = other.slots
