"""Free replays of recordings: from submissions, run times and limits alone."""

from __future__ import annotations

import pytest

from slurm.free_replays import free_replay, replay_at_recorded_instants


@pytest.mark.parametrize(
    "name",
    [
        "test_depth",
        "features",
        "exclusive",
        "memory",
        "user_limit",
        "tiers",
        "prio",
        pytest.param("fifo_fast", marks=pytest.mark.slow),
    ],
)
def test_the_mean_wait_is_within_five_percent(name: str) -> None:
    # One start that is a second off changes all later ones, so single starts are not compared.
    free = free_replay(name)
    assert len(free.starts) == len(free.recording.jobs)
    assert abs(free.excess) <= 0.05


def test_at_the_recorded_instants_all_starts_but_one_are_those_recorded() -> None:
    # The free replay of `tiers` waits 5 % more than recorded, only because it lacks the instants.
    timed = replay_at_recorded_instants("tiers")
    assert (timed.equal, len(timed.starts)) == (129, 130)
    assert abs(timed.excess) < 0.001
