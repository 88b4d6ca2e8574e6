"""Allocated nodes and their effect on run times: site, schedule and result."""

from __future__ import annotations

import copy
import math
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from reference.torus import assert_no_node_is_shared, runs
from slotwise import _core

if TYPE_CHECKING:
    from pathlib import Path

RING = sw.Torus((10,), order="row")
ALLOCATIONS = ("first", "least-spread", "contiguous", "contiguous-best", "contiguous-worst")


def replay(rows: list[tuple[int, int, int]], torus: sw.Torus = RING, **site: Any) -> sw.Result:
    """Replay rows of (submit, run_time, processors); each job requests its run time."""
    submit, run_time, processors = zip(*rows, strict=True)
    log = sw.Trace.from_columns(submit, run_time, processors)
    return sw.simulate(log, sw.Site(machine=torus, **site))


def pieces(result: sw.Result, row: int) -> list[tuple[int, int]]:
    return [(int(begin), int(end)) for begin, end in result.nodes(row)]


def positions(result: sw.Result) -> list[list[int]]:
    return [
        [node for piece in pieces(result, row) for node in range(*piece)]
        for row in range(len(result))
    ]


class TestNodes:
    def test_a_job_takes_whole_nodes(self) -> None:
        """Each node has 8 processors: a job on 9 processors takes two nodes, a job on 17 three."""
        result = replay(
            [(0, 10, 9), (0, 10, 17), (0, 10, 8)], sw.Torus((4,), processors_per_node=8)
        )
        assert result.start.tolist() == [0, 10, 0]
        assert [pieces(result, row) for row in range(3)] == [[(0, 2)], [(0, 3)], [(2, 3)]]

    def test_a_job_larger_than_the_torus_is_rejected_and_has_no_nodes(self) -> None:
        result = replay([(0, 10, 11), (0, 10, 10)])
        assert result.state.tolist() == [sw.State.REJECTED, sw.State.COMPLETED]
        assert result.nodes(0).shape == (0, 2)
        assert result.coordinates(0).shape == (0, 1)
        assert result.jobs["pieces"].tolist() == [0, 1]
        assert math.isnan(result.jobs["mean_distance"][0])
        assert result.jobs["max_distance"].tolist() == [-1, 5]

    def test_a_row_may_be_counted_from_the_end_and_must_exist(self) -> None:
        result = replay([(0, 10, 1), (0, 10, 2)])
        assert result.nodes(-1).tolist() == [[1, 3]]
        with pytest.raises(IndexError, match=r"2 is out of range; the trace has 2 jobs: .* 0 to 1"):
            result.nodes(2)

    def test_a_machine_of_processors_has_no_places(self) -> None:
        result = sw.simulate(sw.Trace.from_columns([0], [1], [1]), sw.Site(machine=4))
        with pytest.raises(ValueError, match="no positions"):
            result.nodes(0)
        assert "pieces" not in result.jobs
        assert "fragmentation" not in result.metrics()

    @pytest.mark.parametrize("allocation", ALLOCATIONS)
    def test_results_keep_their_nodes_when_pickled(self, allocation: str) -> None:
        rows = [(k, 10 + k % 7, 1 + k % 5) for k in range(40)]
        result = replay(rows, policy=sw.Policy(allocation=allocation))
        kept = pickle.loads(pickle.dumps(result))
        assert positions(kept) == positions(result)
        assert kept.metrics() == result.metrics()

    def test_contiguity_is_measured(self) -> None:
        """At 10, the slots are [1, 2) and [3, 10), and the fourth job takes [1, 2) and [3, 5).

        The largest slot has 7 of 7 free nodes until 5, 7 of 8 until 10, 5 of 5 until 20, and 9 of 9
        until 30.
        """
        rows = [(0, 30, 1), (0, 5, 1), (0, 20, 1), (10, 10, 3)]
        result = replay(rows)
        assert [pieces(result, row) for row in range(4)] == [
            [(0, 1)], [(1, 2)], [(2, 3)], [(1, 2), (3, 5)],
        ]  # fmt: skip
        free = 5 * 7 + 5 * 8 + 10 * 5 + 10 * 9
        outside = 5 * 1
        metrics = result.metrics()
        assert metrics["fragmentation"] == outside / free
        assert metrics["share_contiguous"] == 3 / 4
        assert metrics["mean_pieces"] == 5 / 4


class TestRealLogs:
    @pytest.mark.parametrize("allocation", ALLOCATIONS)
    def test_no_node_is_in_two_jobs_and_slots_are_the_runs_of_free_nodes(
        self, shared_traces: Path, allocation: str
    ) -> None:
        """Replay the first 3,000 jobs of KTH-SP2 on 100 nodes; compare slots after every event."""
        log = sw.read_swf(shared_traces / "KTH-SP2-1996-2.1-cln.swf.gz")[:3000]
        torus = sw.Torus((5, 5, 4), order="snake")
        site = sw.Site(machine=torus, policy=sw.Policy(allocation=allocation))
        result = sw.simulate(log, site)
        nodes = positions(result)
        assert [len(held) for held in nodes] == log.processors.tolist()
        if allocation.startswith("contiguous"):
            assert set(result.jobs["pieces"].tolist()) == {1}
        stays = zip(result.start.tolist(), result.end.tolist(), nodes, strict=True)
        assert_no_node_is_shared(stays)

        slots, free = _core.Slots(torus.nodes), set(range(torus.nodes))
        ends = [(end, 0, row) for row, end in enumerate(result.end.tolist())]
        begins = [(start, 1, row) for row, start in enumerate(result.start.tolist())]
        for _, begins_now, row in sorted(ends + begins):
            if result.start[row] == result.end[row]:
                continue
            for piece in pieces(result, row):
                if begins_now:
                    slots.allocate(piece)
                    free -= set(range(*piece))
                else:
                    slots.release(piece)
                    free |= set(range(*piece))
            assert slots.all() == [(run[0], run[-1] + 1) for run in runs(free)]

    @pytest.mark.parametrize("backfill", ["easy", "conservative"])
    def test_with_scattered_nodes_starts_equal_those_on_processors(
        self, shared_traces: Path, backfill: str
    ) -> None:
        log = sw.read_swf(shared_traces / "KTH-SP2-1996-2.1-cln.swf.gz")[:5000]
        policy = sw.Policy(backfill=backfill)
        counted = sw.simulate(log, sw.Site(machine=100, policy=policy))
        for allocation in ("first", "least-spread"):
            placed = sw.Site(
                machine=sw.Torus((10, 10)), policy=policy.replace(allocation=allocation)
            )
            assert sw.simulate(log, placed).start.tolist() == counted.start.tolist()


class TestEffect:
    def test_a_contiguous_job_saves_its_share(self) -> None:
        """Expect run times of floor(101 · 0.7 + 0.5) = 71 s, floor(1 · 0.7 + 0.5) = 1 s, 1 s."""
        rows = [(0, 101, 2), (0, 1, 1), (0, 0, 1)]
        log = sw.Trace.from_columns(*zip(*rows, strict=True), requested_time=[200, 200, 200])
        site = sw.Site(machine=RING, placement=sw.PlacementEffect(alpha=0.3))
        result = sw.simulate(log, site)
        assert (result.end - result.start).tolist() == [71, 1, 1]

    # 0.7 · 45 = 31.5, 0.7 · 85 = 59.5, 0.7 · 5125 = 3587.5: exact halves are rounded up.
    @pytest.mark.parametrize(("run", "runs"), [(45, 32), (85, 60), (5125, 3588), (44, 31)])
    def test_halves_of_a_second_are_rounded_up(self, run: int, runs: int) -> None:
        site = sw.Site(sw.Torus((4,)), placement=sw.PlacementEffect(alpha=0.3))
        trace = sw.Trace.from_columns(submit=[0], run_time=[run], processors=[1])
        assert sw.simulate(trace, site).end.tolist() == [runs]

    def test_a_scattered_job_saves_nothing(self) -> None:
        """The fourth job gets nodes 1 and 3, which are not adjacent, so it saves no time."""
        rows = [(0, 50, 1), (0, 10, 1), (0, 50, 1), (20, 100, 2)]
        result = replay(rows, placement=sw.PlacementEffect(alpha=0.2))
        assert pieces(result, 3) == [(1, 2), (3, 4)]
        assert (result.end - result.start).tolist() == [40, 8, 40, 100]

    def test_limits_kill_after_the_effect(self) -> None:
        log = sw.Trace.from_columns([0, 0], [100, 100], [1, 1], [70, 69])
        site = sw.Site(machine=RING, placement=sw.PlacementEffect(alpha=0.3))
        result = sw.simulate(log, site)
        assert (result.end - result.start).tolist() == [70, 69]
        assert result.state.tolist() == [sw.State.COMPLETED, sw.State.KILLED]

    def test_schedulers_see_only_requests(self) -> None:
        """The effect halves A's run time. By its request, C would delay B, so C waits."""
        rows = [(0, 100, 8), (1, 10, 10), (2, 60, 2)]
        log = sw.Trace.from_columns(*zip(*rows, strict=True), requested_time=[100, 10, 120])
        site = sw.Site(machine=RING, placement=sw.PlacementEffect(alpha=0.5))
        assert sw.simulate(log, site).start.tolist() == [0, 50, 55]

    def test_an_effect_is_written_and_read_back(self, tmp_path: Path) -> None:
        site = sw.Site(
            machine=sw.Torus((4, 4)),
            policy=sw.Policy(allocation="least-spread"),
            placement=sw.PlacementEffect(alpha=0.25, beta=0.5, seed=9),
        )
        path = tmp_path / "site.toml"
        text = site.to_toml(path)
        assert "[placement]\nalpha = 0.25\nbeta = 0.5\nseed = 9\n" in text
        assert 'allocation = "least-spread"' in text
        assert sw.Site.from_toml(path) == site
        result = sw.simulate(sw.Trace.from_columns([0], [5], [1]), site)
        assert result.manifest["site"]["placement"] == {"alpha": 0.25, "beta": 0.5, "seed": 9}
        assert result.manifest["seeds"] == {"placement": 9}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"alpha": 1.5}, ["alpha", "1.5", "between 0 and 1"]),
        ({"beta": -0.1, "alpha": 0.1}, ["beta", "at least 0"]),
        ({"gamma": math.inf}, ["gamma", "must be a number"]),
        ({"alpha": 0.1, "gamma": 0.1}, ["gamma", "alternative to alpha", "use only one"]),
        ({"seed": 3}, ["seed", "no effect without alpha or gamma; set one"]),
    ],
)
def test_impossible_effects_are_refused(fields: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(sw.SiteError) as caught:
        sw.PlacementEffect(**fields)
    assert all(word in str(caught.value) for word in words)


EFFECT = sw.PlacementEffect(alpha=0.1)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"machine": 10, "policy": {"allocation": "least-spread"}},
            ["policy.allocation", "make the machine a torus"],
        ),
        ({"machine": 10, "placement": EFFECT}, ["placement", "make the machine a torus"]),
        ({"machine": RING, "pools": sw.Pool("p", 4)}, ["pool", "queues share the whole torus"]),
        (
            {"machine": RING, "queues": sw.Queue("q"), "policy": {"backfill": "window"}},
            ["queue", "window"],
        ),
        (
            {"machine": RING, "limits": sw.Limits(running=1), "policy": {"backfill": "window"}},
            ["limits", "window"],
        ),
        ({"machine": RING, "policy": "as-logged"}, ["policy.backfill", "would get nodes"]),
        ({"machine": RING, "policy": "pyss"}, ["policy.ending_now", "choose 'busy'"]),
        (
            {"machine": RING, "placement": EFFECT, "policy": {"estimates": "exact"}},
            ["policy.estimates", "'requested' or 'user-history'"],
        ),
        (
            {"machine": RING, "policy": {"backfill": "window", "allocation": "contiguous"}},
            ["allocation", "itself places jobs in slots of free nodes"],
        ),
    ],
)  # fmt: skip
def test_settings_that_exclude_nodes_are_refused(fields: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(sw.SiteError) as caught:
        sw.Site(**fields)
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"strict_end": True}, ["strict_end", "allocation 'contiguous' ignores"]),
        ({"spare_processors": False}, ["spare_processors", "allocation 'contiguous' ignores"]),
    ],
)
def test_contiguous_planning_refuses_settings_without_effect(
    fields: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(sw.SiteError) as caught:
        sw.Policy(allocation="contiguous", **fields)
    assert all(word in str(caught.value) for word in words)


def test_an_unknown_allocation_names_the_known() -> None:
    with pytest.raises(sw.SiteError, match="did you mean 'contiguous-best'"):
        sw.Policy(allocation="contiguous-bets")


class TestStepping:
    ROWS = tuple((3 * k, 10 + 7 * k % 23, 1 + 5 * k % 9) for k in range(60))

    def trace(self) -> sw.Trace:
        submit, run_time, processors = (np.array(column) for column in zip(*self.ROWS, strict=True))
        return sw.Trace.from_columns(submit, run_time, processors, run_time + 5)

    @pytest.mark.parametrize("allocation", ALLOCATIONS)
    def test_a_stepped_copied_and_restored_simulation_gives_the_nodes_of_simulate(
        self, allocation: str
    ) -> None:
        effect = sw.PlacementEffect(alpha=0.4, beta=0.5, seed=1)
        policy = sw.Policy(allocation=allocation)
        site = sw.Site(machine=RING, policy=policy, placement=effect)
        whole = sw.simulate(self.trace(), site)
        sim = sw.Simulation(self.trace(), site)
        sim.run(until=60)
        ways = [sim, copy.copy(sim), sw.Snapshot.from_bytes(sim.snapshot().to_bytes()).simulation()]
        for way in ways:
            way.run()
            assert way.result().end.tolist() == whole.end.tolist()
            assert positions(way.result()) == positions(whole)

    @pytest.mark.parametrize("after", ALLOCATIONS)
    def test_another_policy_may_take_over_running_jobs(self, after: str) -> None:
        sim = sw.Simulation(self.trace(), sw.Site(machine=RING))
        sim.run(until=60)
        sim.set_policy(sw.Policy(allocation=after))
        sim.run()
        result = sim.result()
        stays = zip(result.start.tolist(), result.end.tolist(), positions(result), strict=True)
        assert_no_node_is_shared(stays)
        late = result.start > 60
        if after.startswith("contiguous"):
            assert set(result.jobs["pieces"][late].tolist()) == {1}

    def test_jobs_are_submitted_and_cancelled(self) -> None:
        sim = sw.Simulation(self.trace(), sw.Site(machine=RING))
        sim.run(until=50)
        sim.cancel(int(sim.running.job_id[0]))
        number = sim.submit(processors=3, run_time=20)
        sim.run()
        result = sim.result()
        row = int(np.flatnonzero(result.trace.job_id == number)[0])
        assert len(positions(result)[row]) == 3
        stays = zip(result.start.tolist(), result.end.tolist(), positions(result), strict=True)
        assert_no_node_is_shared(stays)

    def test_a_simulation_may_start_without_a_job(self) -> None:
        sim = sw.Simulation(self.trace()[:0], sw.Site(machine=RING))
        sim.submit(processors=4, run_time=20)
        sim.run()
        assert pieces(sim.result(), 0) == [(0, 4)]

    def test_no_job_is_submitted_if_sensitive_jobs_are_drawn(self) -> None:
        placement = sw.PlacementEffect(alpha=0.1, beta=0.5)
        sim = sw.Simulation(self.trace(), sw.Site(machine=RING, placement=placement))
        with pytest.raises(ValueError, match="sampled from the whole trace"):
            sim.submit(processors=1, run_time=5)


class TestDispatcher:
    @staticmethod
    def run(dispatch: Any, rows: list[tuple[int, int, int]]) -> sw.Result:
        return replay(rows, policy=sw.External(dispatch))

    def test_a_dispatcher_may_choose_nodes(self) -> None:
        """Give the first job the last nodes; the second job takes the first free nodes."""

        def dispatch(queue: Any, machine: Any) -> list[Any]:
            chosen: list[Any] = []
            if len(queue) == 2:
                last = machine.free_nodes[-queue.processors[0] :]
                chosen = [(queue.job_id[0], last), queue.job_id[1]]
            return chosen

        result = self.run(dispatch, [(0, 5, 3), (0, 5, 2)])
        assert [pieces(result, row) for row in range(2)] == [[(7, 10)], [(0, 2)]]

    @pytest.mark.parametrize(
        ("nodes", "words"),
        [
            ([0, 3], r"job 2: node 0 is not free: job 1 occupies it; choose free nodes"),
            ([4, 4], r"job 2: node 4 is listed twice"),
            ([4, 10], r"job 2: node 10 does not exist; the torus has nodes 0 to 9"),
            ([4], r"job 2: the number of listed nodes is 1, but the job needs 2"),
            (["a", "b"], r"return the positions of a job's nodes as whole numbers"),
        ],
    )
    def test_wrong_nodes_are_errors_that_name_job_and_node(
        self, nodes: list[Any], words: str
    ) -> None:
        def dispatch(queue: Any, machine: Any) -> list[Any]:
            answers = {1: (1, [0, 1, 2]), 2: (2, nodes)}
            return [answers[int(job)] for job in queue.job_id]

        with pytest.raises(sw.ReplayError, match=words):
            self.run(dispatch, [(0, 50, 3), (10, 5, 2)])

    def test_an_answer_gives_each_node_once_and_the_pass_can_be_repeated(self) -> None:
        wrong = [True]

        def dispatch(queue: Any, machine: Any) -> list[Any]:
            if not len(queue):
                return []
            return [(1, [4, 5]), (2, [5, 6] if wrong[0] else [6, 7])]

        log = sw.Trace.from_columns([0, 0], [5, 5], [2, 2])
        sim = sw.Simulation(log, sw.Site(machine=RING, policy=sw.External(dispatch)))
        with pytest.raises(sw.ReplayError, match="node 5 is not free: the answer also lists it"):
            sim.run()
        wrong[0] = False
        sim.run()
        result = sim.result()
        assert [pieces(result, row) for row in range(2)] == [[(4, 6)], [(6, 8)]]

    def test_a_snapshot_with_a_dispatcher_is_not_written(self) -> None:
        log = sw.Trace.from_columns([0], [5], [2])
        policy = sw.External(lambda queue, machine: queue.job_id)
        sim = sw.Simulation(log, sw.Site(machine=RING, policy=policy))
        with pytest.raises(sw.SiteError, match="but not their nodes"):
            sim.snapshot().to_bytes()
