"""Models of the dispatching problem, against the paper's example and against each other."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import slotwise as sw
from slotwise.site.machine.nodes import Nodes, NodeType
from slotwise.studies.dispatch import lists, objectives, workloads
from slotwise.studies.dispatch.aggregated import Aggregated
from slotwise.studies.dispatch.checker import faults
from slotwise.studies.dispatch.models import MODELS, Planner, limit
from slotwise.studies.dispatch.objectives import LATE, MAKESPAN, OBJECTIVES, TARDINESS
from slotwise.studies.dispatch.per_node import PerNode
from slotwise.studies.dispatch.problem import Plan, Problem, Running
from slotwise.studies.dispatch.sites import read_site
from slotwise.studies.dispatch.solver import Limits, solve
from slotwise.studies.dispatch.timing import Timing

ENOUGH = Limits(work=20.0)


def optimum(model, objective):
    model.timing.aim(objective)
    status, solved = solve(model.model, ENOUGH)
    assert status == "OPTIMAL"
    return round(solved.objective_value), model.plan(solved)


def test_the_solution_of_table_3_is_feasible_and_ends_at_15000():
    problem, plan = workloads.example(), workloads.printed_solution()
    assert faults(problem, plan) == []
    # Job 002 starts at 600 and lasts 14,400 s.
    assert objectives.value(problem, MAKESPAN, plan.start) == 15_000


def test_the_instance_of_table_2_ends_at_14400_at_best():
    # Job 002 alone lasts 14,400 s, so no schedule can be shorter.
    value, plan = optimum(PerNode(workloads.example()), MAKESPAN)
    assert value == 14_400
    assert faults(workloads.example(), plan) == []
    assert objectives.value(workloads.example(), MAKESPAN, plan.start) == 14_400


def test_the_aggregated_model_finds_and_places_the_same_optimum():
    value, plan = optimum(Aggregated(workloads.example()), MAKESPAN)
    assert value == 14_400
    assert faults(workloads.example(), plan) == []
    assert objectives.value(workloads.example(), MAKESPAN, plan.start) == 14_400


def test_equation_6_counts_only_the_requested_resources():
    # Job 000 requests 4 cores, 1,000,000 KB and 1 GPU per unit. A GPU node has room for 16/4,
    # 16,777,216/1,000,000 and 2/1 units by these resources, so for 2; a MIC node has room for none.
    # Job 003 requests all 16 cores and no accelerator, so each kind of node has room for 1.
    assert workloads.example().most_units[[0, 3]].tolist() == [[2, 0], [1, 1]]


def test_identical_units_are_placed_in_one_way_only():
    # Two one-core units on two nodes of two cores can be placed as 2 and 0, 1 and 1, or 0 and 2. If
    # the model distinguished units, there would be six placements.
    from ortools.sat.python import cp_model

    two_nodes = Nodes([NodeType(count=2, cores=2)])
    lone = (np.array([2]), np.array([[1]]), np.array([5]), np.array([0]), np.array([30]))
    solver, found = cp_model.CpSolver(), []

    class Count(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self):
            found.append(self.response_proto.solution)

    solver.parameters.enumerate_all_solutions = True
    assert solver.solve(PerNode(Problem(two_nodes, 0, *lone)).model, Count()) == cp_model.OPTIMAL
    assert len(found) == 3


def test_the_checker_names_overfull_nodes():
    problem, plan = workloads.example(), workloads.printed_solution()
    crowded = Plan(np.zeros_like(plan.start), plan.first, plan.node, plan.units)
    # If all jobs start at 0, they use 14 + 2·4 cores and 1 + 2 GPUs on node 0, and 16 + 3 cores on
    # each of nodes 32 to 63.
    found = faults(problem, crowded)
    assert "node 0 at 0: 22 cores used, but it has 16" in found
    assert "node 0 at 0: 3 gpus used, but it has 2" in found
    assert "node 63 at 0: 19 cores used, but it has 16" in found
    assert len(found) == 2 + 32


SMALL = Nodes([NodeType(count=1, cores=4, gpus=1), NodeType(count=2, cores=3)])


@st.composite
def problems(draw):
    n = draw(st.integers(1, 4))
    numbers = lambda low, high: np.array(  # noqa: E731
        draw(st.lists(st.integers(low, high), min_size=n, max_size=n)), dtype=np.int64
    )
    gpus = numbers(0, 1)
    cores = numbers(1, 3)
    units = np.where(gpus > 0, 1, numbers(1, 3))
    now = 100
    running = []
    if draw(st.booleans()):
        node = draw(st.integers(0, 2))
        held = (draw(st.integers(1, 3)), 0)
        end = now + draw(st.integers(1, 8))
        running = [Running(end, held, np.array([node], np.int32), np.array([1], np.int32))]
    return Problem(
        SMALL, now, units, np.stack([cores, gpus], axis=1), numbers(1, 6),
        now - numbers(0, 6), np.array([draw(st.sampled_from((2, 3, 4))) for _ in range(n)]),
        running,
    )  # fmt: skip


@settings(max_examples=25)
@given(problem=problems(), objective=st.sampled_from(OBJECTIVES))
def test_per_node_and_aggregated_models_agree(problem, objective):
    best, plan = optimum(PerNode(problem), objective)
    assert faults(problem, plan) == []
    assert objectives.value(problem, objective, plan.start) <= best
    assert optimum(Aggregated(problem, each_node=True), objective)[0] == best
    relaxed, placed = optimum(Aggregated(problem), objective)
    assert relaxed <= best <= objectives.value(problem, objective, placed.start)
    assert faults(problem, placed) == []


@settings(max_examples=25)
@given(problem=problems(), name=st.sampled_from(sorted(MODELS)))
def test_every_model_gives_a_feasible_plan_no_worse_than_the_list_schedules(problem, name):
    planner = Planner(name, draws=0)
    plan = planner.plan(problem)
    assert faults(problem, plan) == []
    if not planner.is_composite:
        known = lists.best_list_schedule(problem, planner.objective)
        assert objectives.value(problem, planner.objective, plan.start) <= objectives.value(
            problem, planner.objective, known.start
        )


FALLBACKS = ("infeasible", "undecided", "broken")


@settings(max_examples=25)
@given(problem=problems(), name=st.sampled_from([n for n in MODELS if MODELS[n][1]]))
def test_a_composite_keeps_its_limits_or_counts_a_fallback(problem, name):
    planner = Planner(name, ENOUGH, draws=0)
    start = planner.plan(problem).start
    kept = True
    for pure in ("MKS", "WT", "NL"):
        objective = MODELS[pure][0]
        if objective != planner.objective:
            theta = objectives.value(
                problem, objective, Planner(pure, ENOUGH, draws=0).plan(problem).start
            )
            kept &= objectives.value(problem, objective, start) <= limit(problem, objective, theta)
    assert kept or sum(planner.counts.events[why] for why in FALLBACKS) == 1


def one_at_a_time(machine, units, each):
    """Jobs A, B, C of 40, 20 and 20 s with expected waits of 30, 10 and 10 s.

    L = 30, so a second of lateness counts 1 for A, and 3 for B and C. B and C are interchangeable.
    In order A B C, B is 30 s late and C 50 s: 2 late jobs, tardiness 90 + 150 = 240. In order B A
    C, C is 50 s late: 1 late job, 150. In order B C A, C and A are 10 s late: 2 late jobs, 30 + 10
    = 40. So the minima are 1 late job and 40; no order has 1 late job and at most 1.2 · 40 = 48.
    The makespan is 80 in every order.
    """
    return Problem(
        machine, 0, np.array(units), np.array([[each]] * 3), np.array([40, 20, 20]),
        np.zeros(3, dtype=np.int64), np.array([30, 10, 10]),
    )  # fmt: skip


ONE_CORE = (Nodes([NodeType(count=1, cores=1)]), [1, 1, 1], 1)
# A node of 5 cores holds 2 units of 2 cores, so two nodes hold 4 units, and no two jobs run
# together. A single node of 10 cores would hold 5 units, enough for A beside B or C.
TWO_NODES = (Nodes([NodeType(count=2, cores=5)]), [2, 3, 3], 2)


def planned(name, machine, limits=ENOUGH):
    """Plan the three jobs. The plan in force is B A C, which has the fewest late jobs."""
    problem = one_at_a_time(*machine)
    planner = Planner(name, limits, draws=0)
    plan = planner.plan(problem, lists.list_schedule(problem, np.array([1, 0, 2])))
    assert faults(problem, plan) == []
    return plan.start.tolist(), planner.counts.events


def test_limits_are_a_fifth_above_the_optima_of_the_pure_models():
    # Equations 12 to 14 with delta = 1.2: each limit is 1.2 times the optimum; 4.8 late jobs are
    # rounded down to 4.
    problem = one_at_a_time(*ONE_CORE)
    assert limit(problem, TARDINESS, 40) == 48
    assert limit(problem, MAKESPAN, 80) == 96
    assert [limit(problem, LATE, theta) for theta in (1, 4, 5)] == [1, 4, 6]
    # No limit is tighter than one late job, or than one unit of tardiness (L = 30).
    assert [limit(problem, LATE, 0), limit(problem, TARDINESS, 0)] == [1, 30]


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("MKS WT/NL", {TARDINESS: 48, LATE: 1}),
        ("NL MKS/WT", {MAKESPAN: 96, TARDINESS: 48}),
        ("WT MKS/NL", {MAKESPAN: 96, LATE: 1}),
    ],
)
def test_a_composite_is_solved_under_the_limits_of_the_pure_solves(monkeypatch, name, limits):
    aimed = []
    aim = Timing.aim
    monkeypatch.setattr(
        Timing, "aim", lambda self, *args: (aimed.append(args), aim(self, *args))[1]
    )
    planned(name, ONE_CORE)
    assert (MODELS[name][0], limits) in aimed


def test_composites_weigh_one_objective_under_limits_of_the_others():
    # With a tardiness of at most 48, B C A has the fewest late jobs. With one late job, B A C has
    # the least tardiness. The pure models would take B A C and B C A.
    assert sorted(planned("NL MKS/WT", ONE_CORE)[0]) == [0, 20, 40]
    assert planned("NL MKS/WT", ONE_CORE)[0][0] == 40
    assert planned("WT MKS/NL", ONE_CORE)[0][0] == 20
    for name in ("NL MKS/WT", "WT MKS/NL"):
        assert not any(planned(name, ONE_CORE)[1][why] for why in FALLBACKS)


def test_an_infeasible_composite_falls_back_to_the_pure_model():
    start, events = planned("MKS WT/NL", ONE_CORE)
    assert start == planned("MKS", ONE_CORE)[0]
    assert [events[why] for why in FALLBACKS] == [1, 0, 0]
    assert events["unknown"] == events["fallback list"] == 0


def test_a_solution_that_breaks_the_limits_once_placed_falls_back_to_the_pure_model():
    # If the 10 cores were on one node, A and B could run together. Then only C would be late, by
    # 10 s, with a tardiness of 30.
    start, events = planned("MKS WT/NL", TWO_NODES)
    assert start == planned("MKS", TWO_NODES)[0]
    assert [events[why] for why in FALLBACKS] == [0, 0, 1]
    assert events["unknown"] == events["fallback list"] == 0


def test_without_a_solution_a_composite_falls_back_to_the_list_schedule():
    # The solver finds no solution in its four runs: for tardiness, for late jobs, for the
    # composite, and for its pure model. Among the list schedules with the least makespan, the first
    # is in submission order, A B C.
    start, events = planned("MKS WT/NL", TWO_NODES, Limits(work=0.0))
    assert start == [0, 40, 60]
    assert events == {"solves": 4, "unknown": 2, "undecided": 1, "fallback list": 1}


def four_on_one_core():
    """Jobs A to D of 40, 10, 40 and 10 s, one after another, and the plan in force.

    Expected waits are 60, 60, 20 and 30 s: L = 60, and a second of lateness counts 1, 1, 3, 2.
    In the plan in force, B C D A, D is 20 s late: 1 late job, tardiness 40. The list schedules:
    A B C D has 2 late jobs and a tardiness of 90 + 120; by due time, C D A B has 2 and 20 + 30;
    longest first, A C B D has 3; shortest first, B D A C has 1 and 120. All end at 100.
    """
    machine = Nodes([NodeType(count=1, cores=1)])
    problem = Problem(
        machine, 0, np.ones(4, dtype=np.int64), np.ones((4, 1), dtype=np.int64),
        np.array([40, 10, 40, 10]), np.zeros(4, dtype=np.int64), np.array([60, 60, 20, 30]),
    )  # fmt: skip
    return problem, lists.list_schedule(problem, np.array([1, 2, 3, 0]))


def test_a_composite_without_a_solution_keeps_a_plan_in_force_within_its_limits():
    problem, last = four_on_one_core()
    planner = Planner("WT MKS/NL", Limits(work=0.0), draws=0)
    assert planner.plan(problem, last).start.tolist() == [60, 0, 10, 50]
    assert planner.plan(problem).start.tolist() == [20, 0, 60, 10]
    assert planner.counts.events == {"solves": 6, "unknown": 6}


def test_a_solve_starts_from_the_plan_in_force_or_the_best_list_schedule():
    problem, last = four_on_one_core()
    hints = []

    def noted(problem, hint):
        hints.append(hint.start.tolist())
        return Aggregated(problem, hint)

    planner = Planner("WT", Limits(work=0.0), draws=0, formulation=noted)
    planner.plan(problem, last)
    planner.plan(problem)
    assert hints == [[60, 0, 10, 50], [50, 90, 0, 40]]


def test_a_better_solution_that_breaks_the_limits_once_placed_is_replaced():
    problem, _ = four_on_one_core()

    class Broken(Aggregated):
        def plan(self, solved):
            # 2 late jobs, tardiness 50
            return lists.list_schedule(self.problem, np.array([2, 3, 0, 1]))

    planner = Planner("WT MKS/NL", ENOUGH, draws=0, formulation=Broken)
    assert planner.plan(problem).start.tolist() == [20, 0, 60, 10]  # 1 late job, tardiness 120
    assert not any(planner.counts.events[why] for why in FALLBACKS)
    assert planner.counts.events["kept"] == 3


@pytest.mark.parametrize("make", [PerNode, Aggregated])
def test_a_model_is_given_the_whole_hint(make):
    # Without any search, the first solution is the hint, which is not optimal.
    problem, last = four_on_one_core()
    model = make(problem, last)
    model.timing.aim(TARDINESS)
    status, solved = solve(model.model, ENOUGH, first=True)
    assert status == "FEASIBLE"
    assert model.timing.starts(solved).tolist() == last.start.tolist()


def test_the_first_solution_of_the_per_node_model_is_a_list_schedule():
    # 150 waiting jobs of BATCH1 on 64 nodes give thousands of optional intervals. The warm start is
    # complete and the work limit allows no search, so the solution is the list schedule.
    trace = sw.generate("eurora", n_jobs=150, seed=1)
    problem = Problem(
        workloads.MACHINE, 7200, trace.demands.units, trace.demands.on(workloads.MACHINE),
        trace.requested_time, trace.submit, read_site().expected_waits(trace),
    )  # fmt: skip
    known = lists.list_schedule(problem, np.arange(150))
    model = PerNode(problem, known)
    model.timing.aim(TARDINESS)
    status, solved = solve(model.model, Limits(work=0.05), first=True)
    assert status in ("FEASIBLE", "OPTIMAL")
    assert faults(problem, model.plan(solved)) == []
    assert model.plan(solved).start.tolist() == known.start.tolist()


def test_the_same_problem_gives_the_same_plan():
    plans = [Planner("WT MKS/NL").plan(workloads.example()) for _ in range(2)]
    assert plans[0].start.tolist() == plans[1].start.tolist()
    assert plans[0].node.tolist() == plans[1].node.tolist()


def test_tardiness_is_a_whole_number_over_the_common_multiple_of_expected_waits():
    # The expected waits are 2 and 3 s, so L = 6. The first job waits for 5 s, and its tardiness is
    # (5 - 2) / 2 = 3/2 = 9/6. The second waits for 4 s, and its tardiness is (4 - 3) / 3 = 2/6.
    problem = Problem(
        SMALL, 10, np.array([1, 1]), np.array([[1, 0], [1, 0]]), np.array([5, 5]),
        np.array([5, 6]), np.array([2, 3]),
    )  # fmt: skip
    start = np.array([10, 10])
    assert objectives.value(problem, TARDINESS, start) == 9 + 2
    assert objectives.value(problem, LATE, start) == 2
    assert objectives.value(problem, MAKESPAN, start) == 5


def test_a_missing_solver_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    with pytest.raises(sw.errors.MissingExtraError, match=r"pip install 'slotwise\[dispatch\]'"):
        Planner("MKS")


def test_an_unknown_model_lists_the_known():
    with pytest.raises(ValueError, match="unknown model 'XYZ'; choose one of: MKS, MKS WT/NL"):
        Planner("XYZ")
