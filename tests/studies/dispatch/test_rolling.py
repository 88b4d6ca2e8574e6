"""The rolling horizon of the dispatch study, and its dispatchers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import slotwise as sw
from reference import nodes as reference
from slotwise.studies.dispatch import lists, workloads
from slotwise.studies.dispatch.dispatchers import MultiStart, Proactive, starting_now
from slotwise.studies.dispatch.measures import Measures
from slotwise.studies.dispatch.models import Planner
from slotwise.studies.dispatch.objectives import MAKESPAN
from slotwise.studies.dispatch.pbs import replay_pbs
from slotwise.studies.dispatch.replays import BACKFILLS, replay
from slotwise.studies.dispatch.rolling import RollingHorizon
from slotwise.studies.dispatch.sites import read_site
from slotwise.studies.dispatch.workloads import Workload, batch

SITE = read_site()
SMALL = SITE.a_tenth()


def machine():
    return sw.Nodes([sw.NodeType(count=2, cores=4, gpus=1), sw.NodeType(count=2, cores=4)])


def workload(rows, queue=None):
    """Return a workload from rows of submit time, run time, request, units, cores, GPUs."""
    submit, run, request, units, cores, gpus = np.array(rows).T
    demands = sw.Demands(units, cores=cores, gpus=gpus)
    trace = sw.Trace.from_columns(
        submit, run, demands.processors, request, queue=queue
    ).with_demands(demands)
    wait = np.full(len(submit), 60, dtype=np.int64)
    return Workload(trace, machine(), wait)


def overfull(trace, nodes, start, end, places):
    """Return the nodes that are overcommitted according to the reference simulator."""
    jobs = [
        reference.NodeJob(int(q), int(r), int(w), int(u), tuple(e.tolist()))
        for q, r, w, u, e in zip(
            trace.submit, trace.run_time, trace.requested_time, trace.demands.units,
            trace.demands.on(nodes), strict=True,
        )
    ]  # fmt: skip
    types = [
        (kind.count, tuple(row.tolist()))
        for kind, row in zip(nodes.types, nodes.capacities, strict=True)
    ]
    return reference.overfull(jobs, types, start, end, places)


def pbs_rules(**changed):
    return replace(SITE, machine=machine(), pbs=replace(SITE.pbs, **changed))


def test_present_starts_are_dispatched_and_the_rest_replanned_at_the_next_end():
    # Job 0 holds the GPU nodes and requests 100 s; job 1 holds the other nodes. Job 2 requests 2 x
    # 4 cores and is planned at 100, but job 1 already ends at 30. Job 2 is then planned again, and
    # starts at once.
    work = workload([(0, 100, 100, 2, 4, 1), (0, 30, 200, 2, 4, 0), (1, 10, 10, 2, 4, 0)])
    done = RollingHorizon(work, Proactive(Planner("WT"))).run()
    assert done.start.tolist() == [0, 0, 30]
    assert done.end.tolist() == [100, 30, 40]


def test_list_schedules_in_submission_order_equal_the_engines_replan():
    # Both the study (in Python) and the engine (in C++) replan all waiting jobs whenever a job
    # arrives or ends.
    class InOrder:
        def activate(self, problem, rows):
            plan = lists.list_schedule(problem, np.arange(len(problem)))
            return starting_now(problem, plan)

    trace = batch(2, 2, None, workloads.MACHINE)
    work = Workload(trace, workloads.MACHINE, SITE.expected_waits(trace))
    site = sw.Site(machine=workloads.MACHINE, policy=sw.Policy(backfill="replan", reserve="nodes"))
    engine = sw.simulate(trace, site)
    done = RollingHorizon(work, InOrder()).run()
    assert done.start.tolist() == engine.start.tolist()
    assert done.end.tolist() == engine.end.tolist()
    assert int((engine.start > trace.submit).sum()) > 100  # jobs wait


def test_a_job_of_length_0_leaves_its_nodes_in_the_same_instant():
    work = workload([(5, 0, 10, 4, 4, 0), (5, 7, 10, 4, 4, 0)])
    done = RollingHorizon(work, MultiStart(MAKESPAN, draws=0)).run()
    assert sorted(done.start.tolist()) == [5, 5]


def test_the_last_plan_is_passed_to_the_next_solve_in_its_order():
    # Job 0 holds all nodes until 100. The planner puts the latest arrival first, so it plans job 2
    # at 100 and job 1 at 110. When it is called again at 100, it gets this plan as `last`.
    class LastFirst:
        def __init__(self):
            self.handed = []

        def plan(self, problem, last=None):
            self.handed.append(None if last is None else last.start.tolist())
            return lists.list_schedule(problem, np.arange(len(problem))[::-1].copy())

    planner = LastFirst()
    work = workload([(0, 100, 100, 4, 4, 0), (1, 10, 10, 4, 4, 0), (1, 10, 10, 4, 4, 0)])
    done = RollingHorizon(work, Proactive(planner)).run()
    assert done.start.tolist() == [0, 110, 100]
    assert planner.handed == [None, None, [110, 100], [110]]


@pytest.mark.parametrize("dispatcher", ["MKS", "PBS"])
def test_a_job_is_killed_at_its_limit(dispatcher):
    # Job 0 would run for 500 s on all nodes, but requests 60 s. Job 1 starts as soon as job 0 is
    # killed, because PBS also has a pass then.
    work = workload([(0, 500, 60, 4, 4, 0), (1, 10, 10, 4, 4, 0)], queue=[2, 2])
    if dispatcher == "PBS":
        done = replay_pbs(work.trace, pbs_rules(debug_nodes=0))
    else:
        done = RollingHorizon(work, Proactive(Planner(dispatcher))).run()
    assert done.start.tolist() == [0, 60]
    assert done.end.tolist() == [60, 70]
    # The window is two hours; in it, 16 cores are used for 60 s, then for another 10 s.
    measures = Measures(work.trace, done.start, SITE)
    assert measures.mean_over_window("cores active") == 16 * 70 / 7200


def test_a_start_without_enough_free_nodes_is_refused_from_every_dispatcher():
    class Greedy:
        def activate(self, problem, rows):
            zero, one = np.array([0], np.int32), np.array([1], np.int32)
            return [(i, zero, one) for i in range(len(rows))]

    work = workload([(0, 5, 5, 1, 3, 0), (0, 5, 5, 1, 3, 0)])
    with pytest.raises(sw.ReplayError, match="job 2: node 0 currently has no room"):
        RollingHorizon(work, Greedy()).run()


@pytest.mark.parametrize(
    ("node", "units", "fault"),
    [
        ([0], [1], "2 units, but the listed nodes have room for only 1"),
        ([0, 1], [3, -1], "with -1 units on node 1"),
        ([-1, 0], [1, 1], "node -1 does not exist; the machine has nodes 0 to 3"),
        ([0, 1], [2, 0], "with 0 units on node 1"),
    ],
)
def test_a_start_that_does_not_place_every_unit_on_a_node_is_refused(node, units, fault):
    class Odd:
        def activate(self, problem, rows):
            return [(0, np.array(node, np.int32), np.array(units, np.int32))]

    with pytest.raises(sw.ReplayError, match=fault):
        RollingHorizon(workload([(0, 5, 5, 2, 3, 0)]), Odd()).run()


def test_a_dispatcher_that_leaves_jobs_waiting_forever_is_an_error():
    class Idle:
        def activate(self, problem, rows):
            return []

    with pytest.raises(sw.ReplayError, match="wait forever: 1; the first is in row 0"):
        RollingHorizon(workload([(0, 5, 5, 1, 3, 0)]), Idle()).run()


def test_pbs_keeps_debug_nodes_and_sends_longpar_jobs_to_the_night():
    # Nodes 0 (GPU) and 2 are kept for debug jobs, and a job takes the first nodes with room.
    work = workload(
        [(0, 600, 600, 2, 4, 0), (0, 600, 600, 2, 4, 0), (0, 600, 600, 1, 4, 0)],
        queue=[2, 1, 3],
    )
    done = replay_pbs(work.trace, pbs_rules())
    # The debug job comes first and takes nodes 0 and 1; the parallel job waits until it ends. The
    # longpar job waits until 20:00, eight hours after noon.
    assert done.start.tolist() == [600, 0, 8 * 3600]


def test_pbs_starts_debug_jobs_on_the_nodes_kept_for_them():
    # The first job holds the two unreserved nodes. Two debug jobs get one reserved node each, and a
    # parallel job waits.
    rows = [(0, 600, 600, 2, 4, 0), *[(60, 10, 10, 1, 4, 0)] * 3]
    work = workload(rows, queue=[2, 2, 1, 1])
    done = replay_pbs(work.trace, pbs_rules())
    assert done.start.tolist() == [0, 600, 60, 60]


def test_pbs_serves_queues_by_priority():
    # Only one job fits at a time. The debug job comes first; those of the parallel and minor queues
    # follow in submission order.
    work = workload([(0, 60, 60, 4, 4, 0)] * 4, queue=[4, 2, 1, 2])
    done = replay_pbs(work.trace, pbs_rules(debug_nodes=0))
    assert done.start.tolist() == [60, 120, 0, 180]


def test_pbs_passes_are_cyclic():
    work = workload([(61, 10, 10, 1, 1, 0)], queue=[2])
    done = replay_pbs(work.trace, pbs_rules())
    assert done.start.tolist() == [120]


def test_pbs_starts_night_jobs_in_the_hours_of_the_site():
    work = workload([(0, 10, 10, 1, 1, 0)], queue=[3])
    # Night is 13:00 to 15:00. The batches begin an hour before the night, during it, and at its
    # end.
    for begin, night, start in ((12, (13, 15), 3600), (14, (13, 15), 0), (15, (13, 15), 22 * 3600)):
        site = pbs_rules(begin=begin * 3600, night=(night[0] * 3600, night[1] * 3600))
        assert replay_pbs(work.trace, site).start.tolist() == [start]


def test_strict_order_holds_back_the_queue_behind_a_job_that_does_not_fit():
    # Job 0 holds a GPU node until 120, and job 1 requests both GPU nodes. Job 2, of the same queue,
    # would fit beside job 0, and so would job 3, of another queue.
    rows = [(0, 120, 120, 1, 4, 1), (1, 5, 5, 2, 1, 1), (1, 5, 5, 1, 4, 0), (1, 5, 5, 1, 4, 0)]
    work = workload(rows, queue=[2, 2, 2, 4])
    starts = {
        strict: replay_pbs(work.trace, pbs_rules(debug_nodes=0, strict=strict)).start.tolist()
        for strict in (False, True)
    }
    assert starts == {False: [0, 120, 60, 60], True: [0, 120, 120, 60]}


def test_pbs_puts_a_job_without_gpus_on_a_gpu_node():
    # In the paper's example, job 2 requests only cores, is tried first and takes the GPU node; job
    # 1, which requests the GPU, waits. A plan leaves the GPU node to job 1.
    work = workload([(0, 50, 50, 1, 4, 0), (0, 50, 50, 1, 4, 1)], queue=[2, 2])
    types = sw.Nodes([sw.NodeType(count=1, cores=4, gpus=1), sw.NodeType(count=1, cores=4)])
    work = Workload(work.trace, types, work.expected_wait)
    site = replace(pbs_rules(debug_nodes=0), machine=types)
    assert replay_pbs(work.trace, site).start.tolist() == [0, 60]
    assert RollingHorizon(work, Proactive(Planner("MKS"))).run().start.tolist() == [0, 0]


@pytest.mark.parametrize("dispatcher", BACKFILLS)
def test_every_backfill_starts_every_job_within_the_cores_of_the_machine(dispatcher):
    trace = batch(1, 2, 40, SMALL.machine)
    start = np.array(replay(1, dispatcher, 2, 40, 0.02)["start"])
    assert (start >= trace.submit).all()
    end = start + np.minimum(trace.run_time, trace.requested_time)
    used = [int(trace.processors[(start <= t) & (t < end)].sum()) for t in sorted(set(start))]
    assert max(used) <= SMALL.machine.count == 96


@pytest.mark.parametrize("dispatcher", ["PBS", "lists WT", "MKS WT/NL"])
def test_no_dispatcher_overfills_any_resource_of_a_node(dispatcher, monkeypatch):
    # The reference simulator checks the nodes of every start.
    trace = batch(2, 2, 40, SMALL.machine)
    results = []
    simulate = sw.simulate

    def noted(*given):
        results.append(simulate(*given))
        return results[-1]

    monkeypatch.setattr(sw, "simulate", noted)
    start = replay(2, dispatcher, 2, 40, 0.02)["start"]
    assert (start >= trace.submit).all()
    (result,) = results
    places = [
        dict(zip(*(a.tolist() for a in result.places(i)), strict=True)) for i in range(len(trace))
    ]
    end = np.array(start) + np.minimum(trace.run_time, trace.requested_time)
    assert result.end.tolist() == end.tolist()
    assert overfull(trace, SMALL.machine, start, end.tolist(), places) == []


def test_a_repeated_replay_is_the_same():
    first, second = (replay(1, "WT MKS/NL", 2, 40, 0.02) for _ in range(2))
    assert first["start"] == second["start"]
    assert first["events"] == second["events"]


def test_measurements_against_manual_sums():
    # Two jobs, of 2 x 2 and 1 x 4 cores, are submitted at 0. The window is 7,200 s. The first runs
    # from 0 to 3600. The second runs from 3600 onwards, half of the time beyond the window.
    demands = sw.Demands([2, 1], cores=[2, 4], gpus=[1, 0], mics=[0, 0])
    trace = sw.Trace.from_columns(
        [0, 0], [3600, 7200], demands.processors, [3600, 7200], queue=[1, 3]
    ).with_demands(demands)
    measures = Measures(trace, np.array([0, 3600]), SITE)
    loads = measures.loads()
    assert loads["cores"] == (4 * 3600 + 4 * 3600) / 7200
    assert loads["GPUs"] == 2 * 3600 / 7200
    assert loads["cores (%)"] == pytest.approx(100 * 4 / 1024)
    assert measures.queue_times()["longpar"] == {"contribution": 1800.0, "mean": 3600.0}
    assert measures.queue_times()["all"]["mean"] == 1800.0
    # 3,600 s is a quarter of the expected wait of a longpar job, 4 h.
    assert measures.histogram() == [1, 0, 0, 0, 0, 0, 0]
    assert measures.mean_over_window("jobs waiting") == 0.5
    assert measures.mean_over_window("cores active") == (4 * 3600 + 4 * 3600) / 7200


@pytest.mark.parametrize(
    "backfill", ["none", "first-fit", "easy", "depth", "replan", "conservative"]
)
@pytest.mark.parametrize("placement", ["least-scarce", "first-fit", "best-fit"])
def test_no_backfill_overfills_any_resource_of_a_node(backfill, placement):
    trace = batch(2, 1, None, workloads.MACHINE)
    nodes = sw.Nodes(workloads.MACHINE.types, placement)
    result = sw.simulate(
        trace, sw.Site(machine=nodes, policy=sw.Policy(backfill=backfill, reserve="nodes"))
    )
    assert int((result.start > trace.submit).sum()) > 50  # jobs wait for room
    places = [
        dict(zip(*(a.tolist() for a in result.places(i)), strict=True)) for i in range(len(trace))
    ]
    assert overfull(trace, nodes, result.start.tolist(), result.end.tolist(), places) == []
