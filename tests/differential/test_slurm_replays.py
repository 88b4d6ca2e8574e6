"""Random workloads under Slurm: each job starts when and where the oracle starts it."""

from __future__ import annotations

from random import Random

from reference.slurm.drawing_replays import draw_replay
from slurm.drawn_replays import differences


def test_the_preset_starts_jobs_as_the_oracle_does() -> None:
    for seed in range(20):
        drawn = draw_replay(Random(seed))
        assert not differences(drawn), (seed, drawn)
