"""Free replays of short recordings: from submissions, lengths and limits alone."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from reference.slurm.conf import read_conf
from reference.slurm.replay import Replay
from reference.slurm.rules import Rules
from slurm.recording import Recording
from slurm.strict import static_priority

RECORDINGS = Path(__file__).parent / "recordings"


@pytest.mark.parametrize("name", ["test_depth", "features"])
def test_the_mean_wait_is_within_five_percent(name: str) -> None:
    # One start that is a second off changes all that follow, so single starts are not compared.
    machine, parameters = read_conf(RECORDINGS / f"{name}.conf")
    recorded = Recording(RECORDINGS / f"{name}.csv").jobs
    jobs = [dataclasses.replace(each.job, run=each.end - each.start) for each in recorded.values()]
    priority = static_priority(machine, parameters, Rules())
    starts = Replay(machine, parameters, priority, settling=1).run(jobs)
    ours = sum(starts[job.number][0] - job.submit for job in jobs)
    theirs = sum(each.start - each.job.submit for each in recorded.values())
    assert ours == pytest.approx(theirs, rel=0.05)
