"""Random workloads under Slurm: each job starts when and where the oracle starts it."""

from __future__ import annotations

from random import Random

import pytest

from reference.slurm.drawing_priorities import draw_priorities
from reference.slurm.drawing_replays import draw_replay
from slurm.drawn_priorities import differences as differences_of_priorities
from slurm.drawn_replays import differences


def test_the_preset_starts_jobs_as_the_oracle_does() -> None:
    for seed in range(20):
        drawn = draw_replay(Random(seed))
        assert not differences(drawn), (seed, drawn)


@pytest.mark.filterwarnings("ignore::slotwise.SiteWarning")  # some priorities are unused
def test_the_preset_orders_jobs_by_every_factor_as_the_oracle_does() -> None:
    # The comparison includes `priority_at` at each start.
    for seed in range(40):
        draw = Random(seed)
        drawn = draw_priorities(draw, draw_replay(draw))
        assert not differences_of_priorities(drawn), (seed, drawn)
