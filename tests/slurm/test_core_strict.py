"""The `slurm` preset decides each step of each recording from the recorded state alone."""

from __future__ import annotations

import dataclasses

import pytest

from slurm.case import RECORDINGS, Case
from slurm.core_cycle import CoreJudge
from slurm.strict import strict
from slurm.test_strict import PLANS_NOT_LOGGED, PLANS_THAT_DIFFER

NAMES = sorted(path.stem for path in RECORDINGS.glob("*.conf"))


@pytest.mark.parametrize("name", NAMES)
def test_the_core_starts_what_slurm_started(name: str) -> None:
    case = Case.named(name)
    judge = CoreJudge.of_conf(RECORDINGS / f"{name}.conf", case.machine, case.parameters)
    for score in strict(case.steps(only_changed=True), judge).values():
        assert (score.missing, score.too_many, score.other_nodes) == ([], [], [])
        if score.plans:
            assert len(score.plans_differ) == PLANS_THAT_DIFFER.get(name, 0)
            assert score.plans_too_many == PLANS_NOT_LOGGED.get(name, [])


def test_without_the_limit_the_core_starts_jobs_that_slurm_held_back() -> None:
    case = Case.named("running_limit")
    parameters = dataclasses.replace(case.parameters, jobs_per_user=0)
    judge = CoreJudge.of_conf(RECORDINGS / "running_limit.conf", case.machine, parameters)
    scores = strict(case.steps(), judge)
    assert (len(scores["backfill"].too_many), len(scores["main"].too_many)) == (261, 187)
