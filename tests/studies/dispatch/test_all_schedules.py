"""Models compared with every possible schedule, on the smallest machines."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import given, settings, strategies as st

from slotwise.site.machine.nodes import Nodes, NodeType
from slotwise.studies.dispatch.models import MODELS, Planner
from slotwise.studies.dispatch.per_node import PerNode
from slotwise.studies.dispatch.problem import Problem, Running
from slotwise.studies.dispatch.solver import Limits, solve

ENOUGH = Limits(work=20.0)
NOW = 50
CORES = (3, 2)  # one entry per node; the first node has a GPU
MACHINE = Nodes([NodeType(count=1, cores=3, gpus=1), NodeType(count=1, cores=2)])


@st.composite
def problems(draw):
    """Draw jobs (units, cores, GPUs, duration, submit, expected wait), and maybe a running one."""
    jobs = []
    for _ in range(draw(st.integers(2, 3))):
        gpus = draw(st.integers(0, 1))
        cores = draw(st.integers(1, 2 + gpus))
        most = 1 if gpus else sum(n // cores for n in CORES)
        units = draw(st.integers(1, min(most, 3)))
        jobs.append(
            (units, cores, gpus, draw(st.integers(1, 3)), NOW - draw(st.integers(0, 4)),
             draw(st.integers(1, 3)))
        )  # fmt: skip
    return jobs, draw(st.sampled_from([None, (0, 2), (0, 9), (1, 3)]))  # (node, remaining seconds)


def problem_of(jobs, runs):
    units, cores, gpus, duration, submit, wait = np.array(jobs, dtype=np.int64).T
    running = []
    if runs is not None:
        node, left = runs
        at = np.array([node], np.int32), np.array([1], np.int32)
        running = [Running(NOW + left, (1, 0), *at)]
    each = np.stack([cores, gpus], axis=1)
    return Problem(MACHINE, NOW, units, each, duration, submit, wait, running)


def every_schedule(jobs, runs):
    """Return the starts in every feasible schedule; units may be on either of two nodes."""
    horizon = sum(job[3] for job in jobs) + (runs[1] if runs else 0)
    ways = [
        [
            (start, first)
            for start in range(horizon - duration + 1)
            for first in range(units + 1)
            if not gpus or first == units  # the GPU is on the first node
        ]
        for units, _, gpus, duration, *_ in jobs
    ]
    found = set()
    for chosen in product(*ways):
        used = np.zeros((2, horizon), dtype=int)
        gpu = np.zeros(horizon, dtype=int)
        if runs is not None:
            used[runs[0], : runs[1]] = 1
        for (units, cores, gpus, duration, *_), (start, first) in zip(jobs, chosen, strict=True):
            span = slice(start, start + duration)
            used[0, span] += first * cores
            used[1, span] += (units - first) * cores
            gpu[span] += units * gpus
        if (used[0] <= CORES[0]).all() and (used[1] <= CORES[1]).all() and (gpu <= 1).all():
            found.add(tuple(start for start, _ in chosen))
    return found


def values(jobs, runs, starts):
    """Compute equations 1 to 3 exactly; the makespan counts from now and includes running jobs."""
    ends = [start + job[3] for start, job in zip(starts, jobs, strict=True)]
    waits = [NOW + start - job[4] for start, job in zip(starts, jobs, strict=True)]
    expected = [job[5] for job in jobs]
    late = [Fraction(w - e, e) for w, e in zip(waits, expected, strict=True) if w > e]
    last = max([*ends, runs[1] if runs else 0])
    return {"makespan": last, "tardiness": sum(late, Fraction(0)), "late": len(late)}


@settings(max_examples=12)
@given(drawn=problems())
def test_models_find_the_best_of_all_schedules(drawn):
    jobs, runs = drawn
    problem = problem_of(jobs, runs)
    reached = {starts: values(jobs, runs, starts) for starts in every_schedule(jobs, runs)}
    best = {
        name: min(v[name] for v in reached.values()) for name in ("makespan", "tardiness", "late")
    }
    for objective, least in best.items():
        model = PerNode(problem)
        model.timing.aim(objective)
        status, solved = solve(model.model, ENOUGH)
        unit = problem.tardiness.unit if objective == "tardiness" else 1
        assert (status, round(solved.objective_value)) == ("OPTIMAL", least * unit)
        assert tuple((model.plan(solved).start - NOW).tolist()) in reached
    for name, (objective, is_composite) in MODELS.items():
        if not is_composite:
            continue
        planner = Planner(name, ENOUGH, draws=0, formulation=PerNode)
        mine = reached[tuple((planner.plan(problem).start - NOW).tolist())]
        limits = {o: max(Fraction(6, 5) * v, 1) for o, v in best.items() if o != objective}
        within = [v for v in reached.values() if all(v[o] <= most for o, most in limits.items())]
        assert planner.counts.events["infeasible"] == (not within)
        assert mine[objective] == min((v[objective] for v in within), default=best[objective])
        assert not within or all(mine[o] <= most for o, most in limits.items())
