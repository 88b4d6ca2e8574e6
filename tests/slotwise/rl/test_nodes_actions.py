"""An agent that chooses a job and its nodes, on machines with nodes."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import slotwise as sw

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from slotwise.rl import ENVIRONMENT, RefusedPlacementError, SchedulingEnv  # noqa: E402

N_JOBS = 80
DICE = np.random.default_rng(7)
DRAWN = sw.generate("lublin", n_jobs=N_JOBS, processors=32, load=1.2, seed=4)
UNITS, CORES = DICE.integers(1, 4, N_JOBS), DICE.integers(1, 9, N_JOBS)
TRACE = sw.Trace.from_columns(
    DRAWN.submit, DRAWN.run_time, UNITS * CORES, DRAWN.requested_time
).with_demands(sw.Demands(UNITS, cores=CORES, gpus=DICE.integers(0, 2, N_JOBS)))
NODES = sw.Nodes(
    [sw.NodeType(count=3, cores=8), sw.NodeType(count=2, cores=16, gpus=4)], placement="first-fit"
)
SITE = sw.Site(machine=NODES, policy=sw.Policy(backfill="first-fit"))


def first_fit(environment: SchedulingEnv, info: dict[str, Any]) -> dict[str, Any]:
    """Choose the first job that fits; its units fill the nodes with the lowest numbers."""
    state = environment.state
    assert state.room is not None
    job = int(np.flatnonzero(info["action_mask"])[0])
    nodes, left = np.zeros(NODES.n_nodes, np.int8), 0
    if job < environment.options.window:
        left = int(state.trace.demands.units[state.queue.row[job]])
        for node, room in enumerate(state.room[job].tolist()):
            if left > 0 and room > 0:
                nodes[node], left = 1, left - room
    return {"job": job, "nodes": nodes}


def play(environment: SchedulingEnv, **reset: Any) -> np.ndarray:
    """Play an episode by first fit; return the starts of its jobs."""
    _, info = environment.reset(**reset)
    over = False
    while not over:
        _, _, over, _, info = environment.step(first_fit(environment, info))
    assert info["masked_actions"] == 0
    return environment.starts


@pytest.mark.parametrize("trace", [TRACE, TRACE[:40]], ids=["long", "short"])
def test_first_fit_each_time_is_the_planners_replay(trace: sw.Trace) -> None:
    environment = SchedulingEnv(trace, SITE, actions="nodes", window=N_JOBS, masked="error")
    starts = play(environment, seed=1)
    expected = sw.simulate(trace, SITE)
    np.testing.assert_array_equal(starts, expected.start)
    assert (expected.start > trace.submit).any()
    result = environment._replay._simulation.result()
    for row in range(len(trace)):
        for found, wanted in zip(result.places(row), expected.places(row), strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_first_fit_after_a_warm_up_is_the_planners_replay() -> None:
    environment = SchedulingEnv(TRACE, SITE, actions="nodes", window=N_JOBS, warm_up=30)
    starts = play(environment, options={"first": 40, "last": 70})
    np.testing.assert_array_equal(starts, sw.simulate(TRACE[10:70], SITE).start[30:])


@pytest.mark.parametrize("observation", ["flat", "rlscheduler", "grid"])
def test_check_env_passes(observation: str) -> None:
    options: dict[str, Any] = {"trace": TRACE, "site": SITE, "jobs": 20, "window": 8}
    environment = gymnasium.make(
        ENVIRONMENT, actions="nodes", observation=observation, masked="last", **options
    )
    check_env(environment.unwrapped)


def two_nodes() -> SchedulingEnv:
    """Offer job 1 (2 units of 4 cores) and job 2 (8 cores) on two nodes of 8 cores."""
    trace = sw.Trace.from_columns([0, 0], [60, 60], [8, 8]).with_demands(
        sw.Demands([2, 1], cores=[4, 8])
    )
    machine = sw.Nodes([sw.NodeType(count=2, cores=8)])
    return SchedulingEnv(trace, sw.Site(machine=machine), actions="nodes", window=3, masked="error")


def chosen(job: int, *nodes: int) -> dict[str, Any]:
    return {"job": job, "nodes": np.isin(np.arange(2), nodes).astype(np.int8)}


def test_each_start_shows_what_it_leaves() -> None:
    environment = two_nodes()
    observation, info = environment.reset(seed=0)
    np.testing.assert_array_equal(observation["nodes"], [[1.0], [1.0]])
    # Each node has room for two units of 4 cores, or one of 8.
    np.testing.assert_array_equal(environment.state.room, [[2, 2], [1, 1]])
    assert info["action_mask"].tolist() == [1, 1, 0, 1]  # the last action starts no job
    observation, _, _, _, info = environment.step(chosen(0, 1))
    np.testing.assert_array_equal(observation["nodes"], [[1.0], [0.0]])
    np.testing.assert_array_equal(environment.state.room, [[1, 0]])
    assert info["action_mask"].tolist() == [1, 0, 0, 1]
    _, _, over, _, _ = environment.step(chosen(0, 0))
    assert over
    assert environment.starts.tolist() == [0, 0]


def test_units_spread_over_the_nodes_named() -> None:
    environment = two_nodes()
    environment.reset(seed=0)
    environment.step(chosen(0, 0, 1))
    nodes, units = environment._replay._simulation.result().places(0)
    assert (nodes.tolist(), units.tolist()) == ([0, 1], [1, 1])


def test_a_job_is_placed_on_the_node_named() -> None:
    environment = two_nodes()
    environment.reset(seed=0)
    environment.step(chosen(1, 1))
    np.testing.assert_array_equal(environment.state.free_on_nodes["cores"], [8, 0])


def test_no_nodes_leave_the_choice_to_the_machine() -> None:
    environment = two_nodes()
    environment.reset(seed=0)
    environment.step(chosen(0))
    np.testing.assert_array_equal(environment.state.free_on_nodes["cores"], [0, 8])


def test_the_agent_is_asked_only_when_some_job_has_room() -> None:
    environment = two_nodes()
    environment.reset(seed=0)
    environment.step(chosen(0, 0, 1))  # 4 cores remain on each node; job 2 needs 8 on one
    assert environment.state.now == 60
    _, _, over, _, _ = environment.step(chosen(0, 1))
    assert over
    assert environment.starts.tolist() == [0, 60]


def test_an_agent_may_start_none_of_the_jobs_that_have_room() -> None:
    environment = two_nodes()
    environment.reset(seed=0)
    environment.step(chosen(1, 0))
    environment.step(chosen(3))  # start no job: job 1 fits on node 1, but waits until job 2 ends
    assert environment.state.now == 60
    environment.step(chosen(0, 0, 1))
    assert environment.starts.tolist() == [60, 0]


@pytest.mark.parametrize(
    ("action", "named"),
    [(chosen(1, 0, 1), "job 2"), (chosen(2, 0), "position 2")],
    ids=["too many nodes", "no such job"],
)
def test_a_wrong_set_of_nodes_is_refused_and_may_be_mended(
    action: dict[str, Any], named: str
) -> None:
    environment = two_nodes()
    _, before = environment.reset(seed=0)
    with pytest.raises(RefusedPlacementError, match=named) as fault:
        environment.step(action)
    assert isinstance(pickle.loads(pickle.dumps(fault.value)), RefusedPlacementError)
    np.testing.assert_array_equal(environment.action_masks(), before["action_mask"])
    environment.step(chosen(0, 0))
    environment.step(chosen(0, 1))
    assert environment.starts.tolist() == [0, 0]


def test_a_wrong_set_gives_way_to_the_placement_rule() -> None:
    environment = two_nodes()
    lenient = SchedulingEnv(environment.trace, environment.options.site, actions="nodes", window=3)
    lenient.reset(seed=0)
    *_, info = lenient.step(chosen(1, 0, 1))
    assert info["masked_actions"] == 1
    assert lenient.starts.tolist() == [-1, 0]
    np.testing.assert_array_equal(lenient.state.free_on_nodes["cores"], [0, 8])


@pytest.mark.parametrize(
    "action",
    [0, {"job": 0}, chosen(0) | {"job": 9}, {"job": 0, "nodes": [1]}, {"job": 0, "nodes": [2, 0]}],
)
def test_actions_outside_of_the_space_are_refused(action: Any) -> None:
    environment = two_nodes()
    environment.reset(seed=0)
    with pytest.raises(ValueError, match=r"it must (be a position|have 2 values)|pass a dict"):
        environment.step(action)


def test_a_machine_without_nodes_is_refused() -> None:
    with pytest.raises(sw.SiteError, match='actions="front"'):
        SchedulingEnv(TRACE, sw.Site(), actions="nodes")


def test_branches_and_pickles_go_on_where_the_environment_stood() -> None:
    environment = SchedulingEnv(TRACE, SITE, actions="nodes", window=N_JOBS)
    _, info = environment.reset(seed=1)
    for _ in range(12):
        _, _, _, _, info = environment.step(first_fit(environment, info))
    others = [environment.copy(), copy.deepcopy(environment)]
    others.append(pickle.loads(pickle.dumps(environment)))
    over = False
    while not over:
        action = first_fit(environment, info)
        observation, _, over, _, info = environment.step(action)
        for other in others:
            got, *_ = other.step(action)
            np.testing.assert_array_equal(got["jobs"], observation["jobs"])
            np.testing.assert_array_equal(got["nodes"], observation["nodes"])
    for other in others:
        np.testing.assert_array_equal(other.starts, environment.starts)
