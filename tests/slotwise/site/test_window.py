"""The `window` backfill in the public API: accepted and refused values, and resumed simulations."""

from __future__ import annotations

import copy
import tomllib
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from reference.torus import assert_no_node_is_shared
from slotwise.site.build import build
from slotwise.site.knapsack import SOLVERS

if TYPE_CHECKING:
    from pathlib import Path

WINDOW = sw.Policy(backfill="window")
TRACE = sw.Trace.from_columns([0, 0, 1, 1, 2], [10, 20, 5, 30, 4], [3, 3, 6, 4, 1])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"window": 0}, "window 0: .* whole number of jobs, 1 to 1000"),
        ({"window": 2.5}, "window 2.5: .* whole number"),
        ({"window": 1001}, "window 1001: .* 1 to 1000"),
        ({"solver": "best"}, "unknown solver 'best'; known names are: branch-and-bound, greedy"),
        ({"slots": "few"}, "unknown slots 'few'; known names are: largest, all"),
        ({"refill": "no"}, "refill 'no': it must be true or false"),
        ({"beyond_window": 1}, "beyond_window 1: it must be true or false"),
        ({"age_limit": "soon"}, "age_limit 'soon' must be a duration"),
        ({"allocation": "least-spread"}, "itself places jobs in slots of free nodes"),
        ({"estimates": "exact"}, "ignores estimates without an age_limit"),
        ({"ending_now": "free"}, "a backfill other than 'window'"),
        ({"backfill_order": "sjf"}, "ignores backfill_order"),
    ],
)
def test_what_a_window_cannot_have_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(sw.SiteError, match=message):
        sw.Site(policy=sw.Policy(backfill="window", **fields))


@pytest.mark.parametrize(
    "fields", [{"window": 7}, {"solver": "greedy"}, {"refill": True}, {"age_limit": 60}]
)
def test_other_backfills_refuse_what_is_of_windows(fields: dict[str, Any]) -> None:
    with pytest.raises(sw.SiteError, match=r"ignores .* choose backfill window"):
        sw.Policy(backfill="easy", **fields)


@pytest.mark.parametrize(
    "fields", [{"limits": sw.Limits(running=3)}, {"queues": [sw.Queue("all")]}]
)
def test_queues_and_limits_do_not_go_with_windows(fields: dict[str, Any]) -> None:
    with pytest.raises(sw.SiteError, match="backfill 'window' does not support this yet"):
        sw.simulate(TRACE, sw.Site(machine=8, policy=WINDOW, **fields))


def test_an_age_limit_is_kept_as_seconds_and_written() -> None:
    policy = sw.Policy(backfill="window", window=7, refill=False, age_limit="06:00:00")
    assert policy.age_limit == 6 * 3600
    site = sw.Site(machine=sw.Torus((4, 2)), policy=policy)
    assert build(tomllib.loads(site.to_toml())) == site


def test_refill_goes_with_passes_unless_it_is_said() -> None:
    # The window holds two jobs, and four fit on the machine: each periodic pass starts two.
    trace = sw.Trace.from_columns([0] * 4, [90] * 4, [1] * 4)
    site = sw.Site(machine=sw.Torus((4,)))

    def starts(**fields: Any) -> list[int]:
        policy = sw.Policy(backfill="window", window=2, **fields)
        return sw.simulate(trace, site.replace(policy=policy)).start.tolist()

    assert starts() == starts(passes="30s", refill=True) == [0, 0, 0, 0]
    assert starts(passes="30s") == [0, 0, 30, 30]


@pytest.mark.parametrize("age_limit", [None, 5])
@pytest.mark.parametrize("machine", [sw.Processors(8), sw.Torus((4, 2))])
def test_a_simulation_moved_and_copied_is_the_replay(
    machine: sw.Processors | sw.Torus, age_limit: int | None
) -> None:
    policy = sw.Policy(backfill="window", age_limit=age_limit)
    whole = sw.simulate(TRACE, sw.Site(machine=machine, policy=policy))
    sim = sw.Simulation(TRACE, sw.Site(machine=machine, policy=policy))
    sim.run(3)
    other = copy.copy(sim)
    # When a job is submitted to a running simulation, the scheduler is rebuilt from the waiting and
    # running jobs.
    sim.submit(processors=2, run_time=3, requested_time=3)
    for moved in (sim, other):
        moved.run()
        assert np.array_equal(moved.result().start[:5], whole.start)
    assert sim.result().start[5] == 6  # the job of 1 node has ended: 2 nodes in a row are free


def test_a_window_takes_over_on_a_torus_and_needs_places_for_it() -> None:
    sim = sw.Simulation(TRACE, sw.Site(machine=sw.Torus((4, 2))))
    sim.run(1)
    sim.set_policy(WINDOW)
    sim.run()
    assert (sim.result().start >= 0).all()
    sim = sw.Simulation(TRACE, sw.Site(machine=8))
    sim.run(1)
    with pytest.raises(sw.SiteError, match=r"cannot take over .* assigns no nodes to jobs"):
        sim.set_policy(WINDOW)


@pytest.mark.parametrize("solver", SOLVERS)
def test_on_a_real_log_jobs_have_nodes_in_a_row_and_share_none(
    shared_traces: Path, solver: str
) -> None:
    log = sw.read_swf(shared_traces / "SDSC-BLUE-2000-4.2-cln.swf.gz")[:3000]
    torus = sw.Torus((6, 6, 4), processors_per_node=8)
    policy = sw.Policy(backfill="window", solver=solver, passes="30s", age_limit="1d")
    result = sw.simulate(log, sw.Site(machine=torus, policy=policy))
    stays = []
    for row in np.flatnonzero(result.start >= 0).tolist():
        ((begin, end),) = result.nodes(row).tolist()
        assert end - begin == -(-int(log.processors[row]) // 8)
        stays.append((int(result.start[row]), int(result.end[row]), list(range(begin, end))))
    assert len(stays) == 3000
    assert_no_node_is_shared(stays)


def test_periodic_passes_are_every_30_seconds() -> None:
    by_word, by_period = (
        sw.simulate(TRACE, sw.Site(machine=sw.Torus((4, 2)), policy=WINDOW.replace(passes=passes)))
        for passes in ("periodic", "30s")
    )
    assert by_word.start.tolist() == by_period.start.tolist()
    assert set((by_word.start % 30).tolist()) == {0}
