"""If a parameter is changed, the recording made to test it is no longer reproduced."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

from reference.slurm.conf import read_conf
from reference.slurm.queue_order import in_order
from reference.slurm.rules import Rules
from slurm.case import RECORDINGS, Case
from slurm.core_cycle import CoreJudge
from slurm.recording import Recording
from slurm.strict import OracleJudge, strict

if TYPE_CHECKING:
    from slurm.steps import Step
    from slurm.strict import Judge

# The recording, its parameter, another value, and the missing starts, extra starts and other plans.
CHANGED = [
    ("part_limit", "bf_max_job_part", 0, (5, 123, 203)),
    ("part_limit", "bf_max_job_part", 4, (3, 26, 141)),
    ("user_part_limit", "bf_max_job_user_part", 0, (20, 76, 1262)),
    ("user_part_limit", "bf_max_job_user_part", 3, (18, 64, 760)),
    ("count_reserve", "bf_job_part_count_reserve", 0, (7, 1, 295)),
    ("count_reserve", "bf_job_part_count_reserve", 3, (3, 1, 156)),
]


@pytest.mark.parametrize(("name", "parameter", "value", "faults"), CHANGED)
def test_a_recording_is_missed_with_another_value(
    name: str, parameter: str, value: int, faults: tuple[int, int, int]
) -> None:
    case = Case.named(name)
    changed = dataclasses.replace(case.parameters, **{parameter: value})
    score = strict(case.steps(), OracleJudge(case.machine, changed, Rules()))["backfill"]
    assert (len(score.missing), len(score.too_many), len(score.plans_differ)) == faults


def times_of_cycles() -> dict[float, tuple[int | None, list[int]]]:
    """Return the times of each cycle of `max_time`, and its last job if the cycle ended early.

    The times are the whole seconds since the cycle began, at each start, at each plan, and at the
    end.
    """
    cycles: dict[float, tuple[int | None, list[int]]] = {}
    began, last, times = 0.0, None, list[int]()
    for line in Recording(RECORDINGS / "max_time.csv").events:
        instant, kind, *fields = line.split()
        if kind == "cycle":
            began, last, times = float(instant), None, []
        elif kind == "spent":
            last = int(fields[0])
        elif kind in ("plan", "stop") or (kind == "start" and fields[1] == "backfill"):
            times.append(int(float(instant)) - int(began))
        if kind == "stop":
            cycles[began] = last, times
    return cycles


def test_a_cycle_ends_before_the_next_test_once_bf_max_time_is_over() -> None:
    # bf_max_time is 1 s, which Slurm compares in whole seconds. It may run out while a job is
    # tested.
    cycles = times_of_cycles().values()
    early = [times for last, times in cycles if last is not None]
    assert (len(cycles), len(early)) == (316, 224)
    assert all(times[-1] >= 1 for times in early)
    assert all(time == 0 for _, times in cycles for time in times[:-2])
    made = [len(times) - 1 for times in early]
    assert (min(made), max(made)) == (0, 73)


def steps_of_whole_queues() -> list[Step]:
    """Return the cycles of `max_time`, including the jobs that a cycle did not reach."""
    case = Case.named("max_time")
    events = [line for line in case.recording.events if line.split()[1] != "spent"]
    case.recording.events = events
    return [step for step in case.steps() if step.kind == "backfill"]


def test_without_a_bound_cycles_make_plans_that_slurm_did_not() -> None:
    machine, parameters = read_conf(RECORDINGS / "max_time.conf")
    judge = OracleJudge(machine, parameters, Rules())
    n_plans = n_beyond = 0
    for step in steps_of_whole_queues():
        decision = judge.decide("backfill", step.states[0])
        n_plans += len(decision.plans)
        n_beyond += len({job.number for job, _ in decision.starts} - step.starts.keys())
    assert (n_plans, n_beyond) == (22602, 1)  # Slurm made 10,183 plans


@pytest.mark.parametrize("by", ["oracle", "core"])
def test_so_many_jobs_stand_for_bf_max_time(by: str) -> None:
    # For each cycle that ended early, some value of `bf_max_time_jobs` gives Slurm's starts and
    # plans. It may be less than the last job's place in the queue, because jobs for which Slurm did
    # not search for nodes do not count.
    machine, parameters = read_conf(RECORDINGS / "max_time.conf")

    def decided(step: Step, most: int) -> tuple[dict[int, int], list[tuple[int, int, int]]]:
        given = dataclasses.replace(parameters, bf_max_time_jobs=most)
        judge: Judge = OracleJudge(machine, given, Rules())
        if by == "core":
            judge = CoreJudge(machine, {"select_type": "linear", "bf_max_time_jobs": most})
        decision = judge.decide("backfill", step.states[0])
        plans = [(plan.job.number, plan.end, plan.nodes) for plan in decision.plans]
        return {job.number: nodes for job, nodes in decision.starts}, plans

    lasts = {began: last for began, (last, _) in times_of_cycles().items()}
    n_fewer = 0
    for step in steps_of_whole_queues():
        last = lasts[step.instant]
        if not last:
            continue
        ranked = [job.number for job in in_order(step.states[0], machine, Rules())]
        place = ranked.index(last) + 1
        plans = [(number, end, nodes) for number, _, end, nodes in step.plans]
        counts = range(place, len(plans) + len(step.starts) - 1, -1)
        found = next((n for n in counts if decided(step, n) == (step.starts, plans)), None)
        assert found is not None, step.instant
        n_fewer += found < place
    assert n_fewer == 7
