"""The `slurm` preset decides each step of each recording from the recorded state alone."""

from __future__ import annotations

import dataclasses

import pytest

from slurm.case import RECORDINGS, Case
from slurm.core_cycle import CoreJudge
from slurm.strict import strict

NAMES = sorted(path.stem for path in RECORDINGS.glob("*.conf"))


@pytest.mark.parametrize("name", NAMES)
def test_the_core_starts_what_slurm_started(name: str) -> None:
    case = Case.named(name)
    judge = CoreJudge.of_conf(RECORDINGS / f"{name}.conf", case.machine, case.parameters)
    for score in strict(case.steps(only_changed=True), judge).values():
        assert (score.missing, score.too_many, score.other_nodes) == ([], [], [])
        # In one cycle of `limits`, the clock advances by a second before a start.
        assert len(score.plans_differ) == (2 if name == "limits" and score.plans else 0)


def test_without_the_limit_the_core_starts_two_jobs_too_many() -> None:
    case = Case.named("fairshare_small")
    judge = CoreJudge.of_conf(
        RECORDINGS / "fairshare_small.conf",
        case.machine,
        dataclasses.replace(case.parameters, jobs_per_user=0),
    )
    assert len(strict(case.steps(), judge)["backfill"].too_many) == 2
